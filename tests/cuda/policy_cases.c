#include "policy_cases.h"
#include <stdlib.h>

enum { MAX_CASES = 1200, WARP = 32, VECTOR_BYTES = 16, PANEL_ROW_BYTES = 8 };

static torc_kernel_cases no_cases(void)
{
    torc_kernel_cases cases = {malloc(MAX_CASES * sizeof *cases.kernels), 0};
    if (!cases.kernels) {
        abort();
    }
    return cases;
}

static void add_case(torc_kernel_cases *cases, torc_spmm_kernel kernel)
{
    if (cases->count == MAX_CASES) {
        abort();
    }
    cases->kernels[cases->count++] = kernel;
}

static torc_spmm_kernel kernel_of(torc_semiring semiring, torc_access b_access)
{
    torc_traits traits = torc_semiring_traits(semiring);
    return (torc_spmm_kernel){
        .semiring = semiring,
        .a_type = semiring.type,
        .b_type = semiring.type,
        .a_access = traits.reads_a ? TORC_ACCESS_ARRAY : TORC_ACCESS_NONE,
        .b_access = b_access,
    };
}

static void add_every_vector(torc_kernel_cases *cases, torc_spmm_kernel kernel, int lanes, int number)
{
    int size = kernel.is_packed ? 8 : (int)torc_type_size(kernel.semiring.type);
    int widest = kernel.family == TORC_UNIFORM ? VECTOR_BYTES : 4;
    for (int vector = 1; vector <= widest && vector * size <= VECTOR_BYTES; vector *= 2) {
        kernel.shape = (torc_shape){lanes, vector};
        kernel.number = number;
        kernel.wide_offsets = !kernel.wide_offsets;
        add_case(cases, kernel);
    }
}

/* Every group of threads, sequential. */
static void add_every_group(torc_kernel_cases *cases, torc_spmm_kernel kernel)
{
    for (int lanes = 1; lanes <= WARP; lanes *= 2) {
        add_every_vector(cases, kernel, lanes, 0);
    }
}

/* Every group of threads, of every number of ways. */
static void add_every_parallel_group(torc_kernel_cases *cases, torc_spmm_kernel kernel)
{
    for (int lanes = 1; lanes <= WARP; lanes *= 2) {
        for (int ways = 2; lanes * ways <= WARP; ways *= 2) {
            add_every_vector(cases, kernel, lanes, ways);
        }
    }
}

static void add_uniform(torc_kernel_cases *cases, torc_spmm_kernel kernel)
{
    kernel.family = TORC_UNIFORM;
    for (int ways = 1; ways <= WARP; ways *= 2) {
        add_every_vector(cases, kernel, 1, ways);
    }
}

static void add_parallel_rows(torc_kernel_cases *cases, torc_spmm_kernel kernel)
{
    kernel.family = TORC_PARALLEL_ROWS;
    add_every_parallel_group(cases, kernel);
}

/* A block a long row: every shape that makes a warp, and one that is left of it for part of the columns. */
static void add_block_rows(torc_kernel_cases *cases, torc_spmm_kernel kernel)
{
    kernel.family = TORC_BLOCK_ROWS;
    for (int lanes = 1; lanes <= WARP; lanes *= 2) {
        add_every_vector(cases, kernel, lanes, WARP / lanes);
    }
    add_every_vector(cases, kernel, 2, 4);
}

/* Every group of as many lanes as share entries, sequential. */
static void add_caching_groups(torc_kernel_cases *cases, torc_spmm_kernel kernel)
{
    torc_kernel_cases groups = no_cases();
    add_every_group(&groups, kernel);
    for (int i = 0; i < groups.count; i++) {
        if (groups.kernels[i].shape.lanes >= TORC_CACHING_LANES) {
            add_case(cases, groups.kernels[i]);
        }
    }
    free(groups.kernels);
}

/* A nonzero split, sequential and, where a warp has room, parallel; row caching where groups are wide. */
static void add_splits_and_caching(torc_kernel_cases *cases, torc_spmm_kernel kernel)
{
    kernel.family = TORC_SLICES;
    add_every_group(cases, kernel);
    kernel.family = TORC_PARALLEL_SLICES;
    add_every_parallel_group(cases, kernel);
    kernel.family = TORC_CACHED_ROWS;
    add_caching_groups(cases, kernel);
}

/* A nonzero split that streams, with every vector. */
static void add_streaming(torc_kernel_cases *cases, torc_spmm_kernel kernel)
{
    int size = kernel.is_packed ? 8 : (int)torc_type_size(torc_semiring_traits(kernel.semiring).z_type);
    kernel.family = TORC_STREAMED;
    for (int vector = 1; vector <= 4 && vector * size <= VECTOR_BYTES; vector *= 2) {
        kernel.shape = (torc_shape){1, vector};
        add_case(cases, kernel);
    }
}

/* Panels, with every vector. */
static void add_panels(torc_kernel_cases *cases, torc_spmm_kernel kernel)
{
    int size = kernel.is_packed ? 8 : (int)torc_type_size(torc_semiring_traits(kernel.semiring).z_type);
    kernel.family = TORC_PANELS;
    for (kernel.ways = 2; kernel.ways <= WARP; kernel.ways *= 4) {
        for (int vector = 1; vector <= 4 && vector * size <= PANEL_ROW_BYTES; vector *= 2) {
            kernel.shape = (torc_shape){1, vector};
            add_case(cases, kernel);
        }
    }
}

static void add_bundles(torc_kernel_cases *cases, torc_spmm_kernel kernel)
{
    kernel.family = TORC_BUNDLES;
    add_caching_groups(cases, kernel);
}

/* C = C - A*B: the order of the arguments shows. C before is an array, or one value. */
static void add_accumulating(torc_kernel_cases *cases)
{
    torc_kernel_cases all = no_cases();
    torc_spmm_kernel kernel =
        kernel_of((torc_semiring){TORC_PLUS_MONOID, TORC_TIMES, TORC_INT32}, TORC_ACCESS_ARRAY);
    add_parallel_rows(&all, kernel);
    add_block_rows(&all, kernel);
    add_splits_and_caching(&all, kernel);
    add_streaming(&all, kernel);
    add_panels(&all, kernel);
    add_bundles(&all, kernel);
    kernel = kernel_of((torc_semiring){TORC_PLUS_MONOID, TORC_FIRST, TORC_INT32}, TORC_ACCESS_NONE);
    add_uniform(&all, kernel);
    for (int i = 0; i < all.count; i++) {
        kernel = all.kernels[i];
        kernel.has_accum = true;
        kernel.accum = TORC_MINUS;
        kernel.old_access = i % 4 ? TORC_ACCESS_ARRAY : TORC_ACCESS_ISO;
        add_case(cases, kernel);
    }
    free(all.kernels);
}

torc_kernel_cases torc_policy_cases_build(void)
{
    static const torc_semiring segmented[] = {
        {TORC_PLUS_MONOID, TORC_TIMES, TORC_FP32},
        {TORC_TIMES_MONOID, TORC_MINUS, TORC_INT64},
        {TORC_MIN_MONOID, TORC_FIRSTI1, TORC_INT32},
        {TORC_LXNOR_MONOID, TORC_GT, TORC_BOOL},
        {TORC_ANY_MONOID, TORC_SECOND, TORC_FP64},
        {TORC_PLUS_MONOID, TORC_PAIR, TORC_UINT16},
        {TORC_PLUS_MONOID, TORC_TIMES, TORC_FC64},
        {TORC_TIMES_MONOID, TORC_SECOND, TORC_FC32},
    };
    static const torc_semiring in_parallel[] = {
        {TORC_PLUS_MONOID, TORC_TIMES, TORC_FP32},
        {TORC_MIN_MONOID, TORC_PLUS, TORC_FP64},
        {TORC_TIMES_MONOID, TORC_MINUS, TORC_INT64},
        {TORC_LXNOR_MONOID, TORC_GT, TORC_BOOL},
        {TORC_ANY_MONOID, TORC_SECOND, TORC_INT32},
    };
    static const struct {
        torc_semiring semiring;
        torc_access b_access;
    } uniform[] = {
        {{TORC_PLUS_MONOID, TORC_FIRST, TORC_FP32}, TORC_ACCESS_NONE},
        {{TORC_PLUS_MONOID, TORC_TIMES, TORC_FP64}, TORC_ACCESS_ISO},
        {{TORC_PLUS_MONOID, TORC_PAIR, TORC_INT64}, TORC_ACCESS_NONE},
        {{TORC_MIN_MONOID, TORC_SECONDI, TORC_INT64}, TORC_ACCESS_NONE},
        {{TORC_MAX_MONOID, TORC_FIRSTI1, TORC_INT32}, TORC_ACCESS_NONE},
        {{TORC_ANY_MONOID, TORC_PAIR, TORC_BOOL}, TORC_ACCESS_NONE},
        {{TORC_LXOR_MONOID, TORC_FIRST, TORC_BOOL}, TORC_ACCESS_NONE},
    };
    torc_kernel_cases cases = no_cases();
    for (size_t i = 0; i < sizeof in_parallel / sizeof in_parallel[0]; i++) {
        add_parallel_rows(&cases, kernel_of(in_parallel[i], TORC_ACCESS_ARRAY));
    }
    for (size_t i = 0; i < sizeof segmented / sizeof segmented[0]; i++) {
        bool reads_b = torc_semiring_traits(segmented[i]).reads_b;
        torc_spmm_kernel kernel = kernel_of(segmented[i], reads_b ? TORC_ACCESS_ARRAY : TORC_ACCESS_NONE);
        add_splits_and_caching(&cases, kernel);
        add_streaming(&cases, kernel);
        if (reads_b && segmented[i].add != TORC_ANY_MONOID) {
            add_panels(&cases, kernel);
        }
        if (segmented[i].add != TORC_ANY_MONOID) {
            add_bundles(&cases, kernel);
            add_block_rows(&cases, kernel);
        }
    }
    for (size_t i = 0; i < sizeof uniform / sizeof uniform[0]; i++) {
        add_uniform(&cases, kernel_of(uniform[i].semiring, uniform[i].b_access));
    }
    add_accumulating(&cases);
    return cases;
}

torc_kernel_cases torc_packed_cases_build(void)
{
    static const torc_type stored[] = {TORC_BOOL, TORC_FP32, TORC_INT64, TORC_BOOL};
    torc_kernel_cases cases = no_cases();
    int number = 0;
    for (int add = 0; add < TORC_MONOID_COUNT; add++) {
        for (int multiply = 0; multiply < TORC_MULTIPLY_COUNT; multiply++) {
            torc_semiring semiring = {(torc_monoid)add, (torc_multiply)multiply, TORC_BOOL};
            torc_traits traits = torc_semiring_traits(semiring);
            if (!traits.is_supported || !traits.reads_b) {
                continue;
            }
            torc_spmm_kernel kernel = kernel_of(semiring, TORC_ACCESS_ARRAY);
            kernel.is_packed = true;
            kernel.b_type = TORC_UINT64;
            if (traits.reads_a) {
                kernel.a_type = stored[number % 4];
                kernel.a_access = number % 5 ? TORC_ACCESS_ARRAY : TORC_ACCESS_ISO;
            }
            kernel.shape = (torc_shape){1 << number % 6, 1 + number % 2};
            bool is_parallel = number % 3 && kernel.shape.lanes <= 4;
            kernel.family = is_parallel ? TORC_PARALLEL_ROWS : TORC_ROWS;
            kernel.ways = is_parallel ? 8 : 0;
            kernel.wide_offsets = number % 7 == 0;
            add_case(&cases, kernel);
            number++;
        }
    }
    torc_spmm_kernel kernel =
        kernel_of((torc_semiring){TORC_LOR_MONOID, TORC_LAND, TORC_BOOL}, TORC_ACCESS_ARRAY);
    kernel.is_packed = true;
    kernel.b_type = TORC_UINT64;
    add_every_group(&cases, kernel);
    add_parallel_rows(&cases, kernel);
    add_block_rows(&cases, kernel);
    add_splits_and_caching(&cases, kernel);
    add_streaming(&cases, kernel);
    add_panels(&cases, kernel);
    return cases;
}
