#include "tile_cases.h"
#include <stdlib.h>

torc_kernel_cases torc_tile_cases_build(void)
{
    static const struct {
        torc_semiring semiring;
        torc_access a_access;
    } chosen[] = {
        {{TORC_PLUS_MONOID, TORC_TIMES, TORC_FP32}, TORC_ACCESS_ARRAY},
        {{TORC_PLUS_MONOID, TORC_TIMES, TORC_FP64}, TORC_ACCESS_ARRAY},
        {{TORC_MIN_MONOID, TORC_PLUS, TORC_FP32}, TORC_ACCESS_ARRAY},
        {{TORC_MAX_MONOID, TORC_PLUS, TORC_FP64}, TORC_ACCESS_ISO},
        {{TORC_PLUS_MONOID, TORC_TIMES, TORC_INT32}, TORC_ACCESS_ARRAY},
        {{TORC_TIMES_MONOID, TORC_MINUS, TORC_INT64}, TORC_ACCESS_ARRAY},
        {{TORC_PLUS_MONOID, TORC_SECOND, TORC_FP32}, TORC_ACCESS_NONE},
        {{TORC_BXNOR_MONOID, TORC_BXOR, TORC_UINT32}, TORC_ACCESS_ISO},
        {{TORC_BAND_MONOID, TORC_BOR, TORC_UINT64}, TORC_ACCESS_ARRAY},
    };
    enum { COUNT = sizeof chosen / sizeof chosen[0] };
    torc_kernel_cases cases = {malloc(COUNT * sizeof *cases.kernels), COUNT};
    if (!cases.kernels) {
        abort();
    }
    for (int i = 0; i < COUNT; i++) {
        torc_type type = chosen[i].semiring.type;
        cases.kernels[i] = (torc_spmm_kernel){
            .semiring = chosen[i].semiring,
            .a_type = type,
            .b_type = type,
            .a_access = chosen[i].a_access,
            .b_access = TORC_ACCESS_ARRAY,
            .shape = {TORC_TILE_LANES, 16 / (int)torc_type_size(type)},
            .family = TORC_TILES,
        };
    }
    return cases;
}

torc_elementwise_cases torc_tile_copies_build(void)
{
    static const torc_type words[] = {TORC_UINT32, TORC_UINT64};
    enum { COUNT = sizeof words / sizeof words[0] };
    torc_elementwise_cases cases = {malloc(COUNT * sizeof *cases.kernels), COUNT};
    if (!cases.kernels) {
        abort();
    }
    for (int i = 0; i < COUNT; i++) {
        cases.kernels[i] = (torc_elementwise_kernel){
            .operation = {.kind = TORC_APPLY, .unary = TORC_UNARY_IDENTITY, .type = words[i]},
            .a = {.access = TORC_ACCESS_ARRAY, .type = words[i]},
            .b = {.type = words[i]},
            .accum = TORC_FIRST,
            .c_type = words[i],
            .vector = 16 / (int)torc_type_size(words[i]),
        };
    }
    return cases;
}
