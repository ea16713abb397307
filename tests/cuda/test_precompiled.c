/* test_precompiled.c: the kernels compiled ahead of time are those that the library would ask for. */
#include "compile.h"
#include "kernel_cache.h"
#include "kernel_source.h"
#include "selection.h"
#include <criterion/criterion.h>

/* C = A (+).(x) B on fp32, or C += A (+).(x) B where C is preset, everything aligned, rows of 16 entries. */
static bool is_precompiled(const torc_kernel_cache *cache, torc_multiply multiply, torc_access preset,
    int64_t ncols, int architecture)
{
    char source[TORC_SOURCE_SIZE], key[TORC_KEY_SIZE];
    torc_statistics rows = {.nrows = 1 << 20,
        .ncols = 1 << 20,
        .nnz = 16 << 20,
        .max_row = 32,
        .mean_row = 16,
        .deviation_row = 4,
        .near_footprint = 1,
        .far_footprint = 1,
        .sector_footprint = 1};
    torc_problem problem = {
        .kernel = {.semiring = {TORC_PLUS_MONOID, multiply, TORC_FP32},
            .a_type = TORC_FP32,
            .b_type = TORC_FP32,
            .a_access = TORC_ACCESS_ARRAY,
            .b_access = TORC_ACCESS_ARRAY,
            .has_accum = preset != TORC_ACCESS_NONE,
            .accum = preset != TORC_ACCESS_NONE ? TORC_PLUS : TORC_FIRST,
            .old_access = preset},
        .ncols = ncols,
        .b_size = 4,
        .c_size = 4,
        .b_alignment = 4 * (uint64_t)ncols,
        .c_alignment = 4 * (uint64_t)ncols,
        .is_everywhere = true,
        .rows = &rows,
        .device = torc_device_complete((torc_device_facts){0}),
    };
    torc_spmm_kernel kernel = torc_select_kernel(&problem, "");
    cr_assert_eq(torc_spmm_source(source, &kernel), TORC_SUCCESS);
    cr_assert(torc_compile_key(key, source, architecture, torc_compiler_built_with()));
    torc_image image;
    bool is_found = torc_kernel_cache_load(&image, cache, key);
    torc_image_release(&image);
    return is_found;
}

Test(precompiled, frequent_kernels_are_there_and_others_are_not)
{
    torc_kernel_cache cache;
    torc_kernel_cache_open(&cache, TORC_PRECOMPILED);
    cr_assert_geq(cache.folder, 0);
    const int64_t widths[] = {1, 8, 32, 64, 128};
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
        const torc_access none = TORC_ACCESS_NONE, array = TORC_ACCESS_ARRAY;
        cr_expect(is_precompiled(&cache, TORC_TIMES, none, widths[w], 90), "%d columns", (int)widths[w]);
        cr_expect(is_precompiled(&cache, TORC_TIMES, array, widths[w], 90), "%d columns", (int)widths[w]);
        cr_expect_not(is_precompiled(&cache, TORC_ISGT, none, widths[w], 90));
        cr_expect_not(is_precompiled(&cache, TORC_TIMES, none, widths[w], 70));
    }
    torc_kernel_cache_close(&cache);
}

/* Is what the engine asks for in C = A - B and C = |A| on full arrays there, of one device and of several? */
Test(precompiled, frequent_operations_are_there)
{
    char source[TORC_SOURCE_SIZE], key[TORC_KEY_SIZE];
    torc_kernel_cache cache;
    torc_kernel_cache_open(&cache, TORC_PRECOMPILED);
    cr_assert_geq(cache.folder, 0);
    torc_elementwise_kernel kernel = {
        .operation = {.kind = TORC_EWISE_MULT, .binary = TORC_MINUS, .type = TORC_FP64},
        .a = {TORC_FP64, TORC_ACCESS_ARRAY, false, false},
        .b = {TORC_FP64, TORC_ACCESS_ARRAY, false, false},
        .c_type = TORC_FP64,
        .vector = 2};
    for (int turn = 0; turn < 3; turn++) {
        for (int is_flat = 0; is_flat < 2; is_flat++) {
            torc_image image;
            kernel.is_flat = is_flat;
            cr_assert_eq(torc_elementwise_source(source, &kernel), TORC_SUCCESS);
            cr_assert(torc_compile_key(key, source, 90, torc_compiler_built_with()));
            cr_expect_eq(torc_kernel_cache_load(&image, &cache, key), turn < 2, "operation %d", turn);
            torc_image_release(&image);
        }
        kernel.b = (torc_operand_form){TORC_FP64, TORC_ACCESS_NONE, false, false};
        kernel.operation = (torc_operation){
            .kind = TORC_APPLY, .unary = turn ? TORC_UNARY_SIGNUM : TORC_UNARY_ABS, .type = TORC_FP64};
    }
    torc_kernel_cache_close(&cache);
}
