/* test_families.c: the tables of families agree with the kernels that families list. */
#include "brick_height.h"
#include "candidates.h"
#include "families.h"
#include <criterion/criterion.h>

/* Long rows of a few columns, short rows, and rows of which 8 neighbours name the same columns. */
static const torc_statistics matrices[] = {
    {200000, 50000, 99500000, 0, 600, 497.5, 22, .96, .56, 1, 1, 1},
    {1960000, 1960000, 5484248, 15876, 4, 2.8, .92, .8, .38, .21, .5, .5},
    {201600, 201600, 12119652, 0, 81, 60.12, 9.82, .1556, .06, .2743, .2606, .1985},
};
enum { MATRICES = sizeof matrices / sizeof *matrices, PROBLEMS = 2 * 8 * MATRICES };

/* plus_times, or plus_first, whose columns are all the same; fp32, on an H200. */
static torc_problem problem_number(int i)
{
    bool reads_b = i % 2 == 0;
    torc_semiring semiring = {TORC_PLUS_MONOID, reads_b ? TORC_TIMES : TORC_FIRST, TORC_FP32};
    return (torc_problem){
        .kernel = {.semiring = semiring,
            .a_type = TORC_FP32,
            .b_type = TORC_FP32,
            .a_access = TORC_ACCESS_ARRAY,
            .b_access = reads_b ? TORC_ACCESS_ARRAY : TORC_ACCESS_NONE},
        .ncols = INT64_C(1) << i / 2 % 8,
        .b_size = reads_b ? 4 : 0,
        .c_size = 4,
        .b_alignment = 256,
        .c_alignment = 256,
        .is_everywhere = true,
        .precision = TORC_PRECISION_FP32,
        .brick_height = torc_brick_height(&matrices[i / 16], TORC_FP32),
        .rows = &matrices[i / 16],
        .device = torc_device_complete((torc_device_facts){0}),
    };
}

static bool is_in_table(const torc_spmm_kernel *kernel)
{
    const torc_family_model *model = &torc_family_models[kernel->family];
    return kernel->shape.lanes >= model->least_lanes && kernel->shape.lanes <= model->most_lanes &&
           kernel->shape.vector >= 1 && kernel->shape.vector <= model->most_vector && kernel->number >= 0 &&
           kernel->number < 64 && (model->numbers >> kernel->number & 1);
}

Test(families, list_kernels_of_the_shapes_and_numbers_that_the_table_says)
{
    for (int i = 0; i < PROBLEMS; i++) {
        torc_problem problem = problem_number(i);
        torc_spmm_kernel list[TORC_MAX_CANDIDATES];
        int count = torc_list_candidates(list, &problem);
        for (int k = 0; k < count; k++) {
            char name[TORC_KERNEL_NAME];
            torc_kernel_name(name, &list[k]);
            cr_expect(is_in_table(&list[k]), "%s", name);
        }
    }
}

Test(families, are_all_worth_a_thought_for_some_product)
{
    bool is_listed[TORC_FAMILIES] = {false};
    for (int i = 0; i < PROBLEMS; i++) {
        torc_problem problem = problem_number(i);
        torc_spmm_kernel list[TORC_MAX_CANDIDATES];
        int count = torc_list_candidates(list, &problem);
        for (int k = 0; k < count; k++) {
            is_listed[list[k].family] = true;
        }
    }
    for (int f = 0; f < TORC_FAMILIES; f++) {
        cr_expect(is_listed[f], "%s%s", torc_families[f].name, torc_families[f].suffix);
    }
}

Test(families, do_without_a_plan_that_the_operand_lacks)
{
    for (int i = 0; i < PROBLEMS; i++) {
        torc_problem problem = problem_number(i);
        problem.lacks[TORC_CUT_TILES] = problem.lacks[TORC_CUT_BRICKS] = true;
        torc_spmm_kernel list[TORC_MAX_CANDIDATES];
        int count = torc_list_candidates(list, &problem);
        for (int k = 0; k < count; k++) {
            cr_expect_not(problem.lacks[torc_families[list[k].family].cut], "problem %d", i);
        }
    }
}
