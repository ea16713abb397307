#include "update_cases.h"
#include <stdlib.h>

enum { MAX_CASES = 1000, MAX_UPDATES = 64 };

static const struct {
    torc_semiring semiring;
    torc_multiply accum;
    torc_access a_access, b_access;
    torc_shape shape;
} products[] = {
    {{TORC_PLUS_MONOID, TORC_TIMES, TORC_INT32}, TORC_MINUS, TORC_ACCESS_ARRAY, TORC_ACCESS_ARRAY, {32, 4}},
    {{TORC_MIN_MONOID, TORC_PLUS, TORC_INT64}, TORC_MIN, TORC_ACCESS_ARRAY, TORC_ACCESS_ARRAY, {8, 2}},
    {{TORC_PLUS_MONOID, TORC_SECOND, TORC_FP64}, TORC_PLUS, TORC_ACCESS_NONE, TORC_ACCESS_ARRAY, {4, 1}},
    {{TORC_PLUS_MONOID, TORC_FIRST, TORC_FP32}, TORC_RMINUS, TORC_ACCESS_ARRAY, TORC_ACCESS_NONE, {16, 4}},
    {{TORC_ANY_MONOID, TORC_SECOND, TORC_INT64}, TORC_PLUS, TORC_ACCESS_NONE, TORC_ACCESS_ARRAY, {2, 2}},
    {{TORC_ANY_MONOID, TORC_PAIR, TORC_BOOL}, TORC_LXOR, TORC_ACCESS_NONE, TORC_ACCESS_NONE, {32, 4}},
    {{TORC_MIN_MONOID, TORC_SECONDI, TORC_INT32}, TORC_MAX, TORC_ACCESS_NONE, TORC_ACCESS_NONE, {1, 1}},
};
enum { PRODUCTS = sizeof products / sizeof products[0] };

static const struct {
    torc_family family;
    int lanes, ways;
} policies[] = {
    {TORC_SLICES, 32, 0},
    {TORC_PARALLEL_SLICES, 2, 16},
    {TORC_PARALLEL_ROWS, 4, 8},
    {TORC_PARALLEL_SLICES, 1, 32},
    {TORC_SLICES, 4, 0},
    {TORC_PARALLEL_SLICES, 8, 2},
    {TORC_PARALLEL_ROWS, 16, 2},
    {TORC_SLICES, 16, 0},
    {TORC_PARALLEL_SLICES, 4, 4},
    {TORC_PARALLEL_ROWS, 1, 32},
    {TORC_SLICES, 8, 0},
    {TORC_CACHED_ROWS, 16, 0},
    {TORC_BLOCK_ROWS, 8, 4},
};
enum { POLICIES = sizeof policies / sizeof policies[0] };

static int build_updates(torc_spmm_kernel updates[MAX_UPDATES])
{
    int count = 0;
    for (int bits = 0; bits < 16; bits++) {
        for (int old = TORC_ACCESS_NONE; old <= TORC_ACCESS_ARRAY; old++) {
            torc_spmm_kernel u = {.b_is_bitmap = bits & 1,
                .c_is_bitmap = bits & 2,
                .has_mask = bits & 4,
                .has_accum = bits & 8,
                .old_access = (torc_access)old};
            bool may_read = u.has_mask || u.has_accum, must_read = u.has_accum || !u.c_is_bitmap;
            if (old == TORC_ACCESS_NONE ? !may_read || !must_read : may_read) {
                updates[count++] = u;
            }
        }
    }
    return count;
}

static torc_spmm_kernel complete(torc_spmm_kernel update, int product, int variant)
{
    torc_spmm_kernel kernel = update;
    kernel.semiring = products[product].semiring;
    kernel.a_type = kernel.b_type = kernel.semiring.type;
    kernel.a_access = products[product].a_access;
    kernel.b_access = products[product].b_access;
    kernel.shape = products[product].shape;
    kernel.wide_offsets = variant % 2;
    kernel.wide_pitch = variant % 5 == 0;
    kernel.accum = update.has_accum ? products[product].accum : TORC_FIRST;
    return kernel;
}

torc_kernel_cases torc_update_cases_build(void)
{
    torc_kernel_cases cases = {malloc(MAX_CASES * sizeof *cases.kernels), 0};
    torc_spmm_kernel updates[MAX_UPDATES];
    int count = build_updates(updates) * PRODUCTS;
    if (!cases.kernels || 2 * count > MAX_CASES) {
        abort();
    }
    for (int i = 0; i < count; i++) {
        torc_spmm_kernel kernel = complete(updates[i / PRODUCTS], i % PRODUCTS, i);
        cases.kernels[cases.count++] = kernel;
        kernel.family = policies[i % POLICIES].family;
        kernel.shape.lanes = policies[i % POLICIES].lanes;
        kernel.ways = policies[i % POLICIES].ways;
        cases.kernels[cases.count++] = kernel;
    }
    return cases;
}

bool torc_has_mask_or_bitmap(const torc_spmm_kernel *kernel)
{
    return kernel->has_mask || kernel->b_is_bitmap || kernel->c_is_bitmap;
}
