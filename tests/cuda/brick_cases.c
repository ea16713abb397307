#include "brick_cases.h"
#include <stdlib.h>

torc_kernel_cases torc_brick_cases_build(void)
{
    static const struct {
        torc_semiring semiring;
        torc_access a_access;
        int products, vector;
        bool accumulates;
    } chosen[] = {
        {{TORC_PLUS_MONOID, TORC_TIMES, TORC_FP32}, TORC_ACCESS_ARRAY, 3, 4, false},
        {{TORC_PLUS_MONOID, TORC_TIMES, TORC_FP32}, TORC_ACCESS_ARRAY, 3, 2, true},
        {{TORC_PLUS_MONOID, TORC_TIMES, TORC_FP32}, TORC_ACCESS_ARRAY, 3, 1, false},
        {{TORC_PLUS_MONOID, TORC_TIMES, TORC_FP32}, TORC_ACCESS_ARRAY, 1, 4, false},
        {{TORC_PLUS_MONOID, TORC_TIMES, TORC_FP32}, TORC_ACCESS_ARRAY, 1, 2, false},
        {{TORC_PLUS_MONOID, TORC_TIMES, TORC_FP32}, TORC_ACCESS_ISO, 1, 1, true},
        {{TORC_PLUS_MONOID, TORC_TIMES, TORC_FP32}, TORC_ACCESS_ISO, 3, 2, false},
        {{TORC_PLUS_MONOID, TORC_SECOND, TORC_FP32}, TORC_ACCESS_NONE, 3, 4, true},
        {{TORC_PLUS_MONOID, TORC_TIMES, TORC_FP64}, TORC_ACCESS_ARRAY, 1, 2, false},
        {{TORC_PLUS_MONOID, TORC_TIMES, TORC_FP64}, TORC_ACCESS_ARRAY, 1, 1, true},
        {{TORC_PLUS_MONOID, TORC_TIMES, TORC_FP64}, TORC_ACCESS_ISO, 1, 2, true},
        {{TORC_PLUS_MONOID, TORC_SECOND, TORC_FP64}, TORC_ACCESS_NONE, 1, 1, false},
    };
    enum { CHOSEN = sizeof chosen / sizeof chosen[0] };
    torc_kernel_cases cases = {malloc(2 * CHOSEN * sizeof *cases.kernels), 0};
    if (!cases.kernels) {
        abort();
    }
    for (int which = 0; which < 2 * CHOSEN; which++) {
        int i = which % CHOSEN, height = 1 + which / CHOSEN;
        torc_type type = chosen[i].semiring.type;
        if (type == TORC_FP64 && height > 1) {
            continue;
        }
        cases.kernels[cases.count++] = (torc_spmm_kernel){
            .semiring = chosen[i].semiring,
            .a_type = type,
            .b_type = type,
            .a_access = chosen[i].a_access,
            .b_access = TORC_ACCESS_ARRAY,
            .shape = {TORC_BRICK_LANES, chosen[i].vector},
            .has_accum = chosen[i].accumulates,
            .accum = chosen[i].accumulates ? TORC_PLUS : TORC_FIRST,
            .old_access = chosen[i].accumulates ? TORC_ACCESS_ARRAY : TORC_ACCESS_NONE,
            .family = TORC_BRICKS,
            .products = chosen[i].products,
            .height = height,
        };
    }
    return cases;
}
