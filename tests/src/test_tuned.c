/* test_tuned.c: what torc_sparse_tune finds stays, whatever becomes of A's plans. On the reference executor,
 * here with a choice of kernels that compute nothing: all take long but the one that a test wants to be
 * found. */
#include "engine_fixture.h"
#include "ranking.h"
#include "selection.h"
#include "spmm.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROWS = 1024, N = 128, LONG_US = 200 };
enum { SHORT = 16, LONG = 160 }; /* entries of a row: of an A too small for plans to be timed, or not */

static char last[TORC_KERNEL_NAME];   /* the kernel that was launched last */
static char wanted[TORC_KERNEL_NAME]; /* the one that is fast */
static torc_context *planning;        /* its executor has plans of tiles; NULL: no memory for them */
static int launches_left = -1;        /* until one fails; less than 0: none does */

static bool has_choice(torc_device *device)
{
    return device;
}

static torc_status launch(torc_device *device, const torc_spmm_kernel *kernel, const torc_spmm_args *args)
{
    (void)device;
    (void)args;
    if (launches_left >= 0 && launches_left-- == 0) {
        return TORC_DEVICE_ERROR;
    }
    torc_kernel_name(last, kernel);
    if (strcmp(last, wanted) != 0) {
        usleep(LONG_US);
    }
    return TORC_SUCCESS;
}

/* A plan that no kernel here reads. */
static torc_status plan_tiles(
    torc_device *device, torc_tiles *tiles, torc_device_csr *rest, const torc_device_csr *A, int parts)
{
    (void)device;
    (void)parts;
    *tiles = (torc_tiles){0};
    *rest = (torc_device_csr){.nrows = A->nrows, .ncols = A->ncols};
    void *batches = NULL;
    torc_status status =
        planning ? torc_memory_allocate(&batches, planning, sizeof *tiles->batches) : TORC_OUT_OF_MEMORY;
    tiles->batches = batches;
    return status;
}

static void remember(torc_device *device, const char *about, const char *text)
{
    (void)device;
    (void)about;
    (void)text;
}

static bool recall(char *text, size_t size, torc_device *device, const char *about)
{
    (void)text;
    (void)size;
    (void)device;
    (void)about;
    return false;
}

static torc_status load_nothing(
    torc_constant_program **program, torc_device *device, const torc_constant_kernel *kernel)
{
    (void)device;
    (void)kernel;
    *program = NULL;
    return TORC_UNSUPPORTED;
}

static const torc_semiring plus_times = {TORC_PLUS_MONOID, TORC_TIMES, TORC_FP32, NULL, false};

typedef struct product {
    torc_executor executor;
    torc_context *context;
    torc_sparse *A;
    torc_dense B, C;
} product;

static torc_sparse *create(torc_context *context, uint32_t row)
{
    uint32_t *row_ptr = malloc((ROWS + 1) * sizeof *row_ptr);
    uint32_t *col_idx = malloc(ROWS * (size_t)row * sizeof *col_idx);
    float *values = malloc(ROWS * (size_t)row * sizeof *values);
    for (uint32_t p = 0; p < ROWS * row; p++) {
        col_idx[p] = p / row / 8 + p % row * 5; /* rows name columns that their neighbours name */
        values[p] = 1;
    }
    for (uint32_t i = 0; i <= ROWS; i++) {
        row_ptr[i] = i * row;
    }
    torc_csr csr = {ROWS, ROWS, row_ptr, col_idx, values, 32, 32, TORC_FP32, false, NULL};
    torc_sparse *A;
    cr_assert_eq(torc_sparse_create(&A, context, &csr), TORC_SUCCESS);
    free(row_ptr);
    free(col_idx);
    free(values);
    return A;
}

static void open_product(product *p, uint32_t row)
{
    p->context = open_devices(NULL, 0);
    p->executor = *p->context->executor;
    p->executor.has_choice = has_choice;
    p->executor.spmm = launch;
    p->executor.plan_tiles = plan_tiles;
    p->executor.remember = remember;
    p->executor.recall = recall;
    p->executor.constant_load = load_nothing;
    p->context->executor = &p->executor;
    p->context->facts = torc_device_complete((torc_device_facts){0}); /* of a GPU with many processors */
    p->A = create(p->context, row);
    p->B = p->C = (torc_dense){ROWS, N, N, TORC_ROW_MAJOR, TORC_FP32, false, NULL, NULL};
    cr_assert_eq(torc_memory_allocate(&p->B.data, p->context, ROWS * N * sizeof(float)), TORC_SUCCESS);
    cr_assert_eq(torc_memory_allocate(&p->C.data, p->context, ROWS * N * sizeof(float)), TORC_SUCCESS);
}

static void close_product(product *p)
{
    torc_memory_release(p->context, p->B.data);
    torc_memory_release(p->context, p->C.data);
    torc_sparse_destroy(p->A);
    torc_context_destroy(p->context);
}

static const char *multiply(product *p)
{
    cr_assert_eq(torc_spmm(&p->C, plus_times, p->A, false, &p->B, NULL), TORC_SUCCESS);
    return last;
}

/* The second kernel of the ranking that needs a plan, or that needs none. */
static void want(const product *p, bool has_plan)
{
    static const torc_update overwrite;
    torc_spmm_kernel *list = malloc(TORC_MAX_CANDIDATES * sizeof *list);
    torc_problem problem = torc_problem_of(&p->C, plus_times, p->A, &p->B, &overwrite, false);
    int count = torc_rank_kernels(list, &problem), found = 0;
    for (int i = 0; i < count && found < 2; i++) {
        if (torc_rank_has_plan(&list[i]) == has_plan && list[i].family != TORC_BRICKS) {
            torc_kernel_name(wanted, &list[i]);
            found++;
        }
    }
    cr_assert_gt(found, 0);
    free(list);
}

static torc_tuning tune(product *p)
{
    torc_tuning tuning;
    cr_assert_eq(torc_sparse_tune(&tuning, p->A, plus_times, false, p->C.ncols), TORC_SUCCESS);
    cr_assert_str_eq(tuning.timings[tuning.chosen].kernel, wanted);
    return tuning;
}

Test(tuned, a_product_is_computed_as_was_found_though_plans_were_tried_in_vain_meanwhile)
{
    product p;
    open_product(&p, LONG);
    want(&p, false);
    torc_tuning tuning = tune(&p);
    cr_expect(p.A->row_tiles.was_tried || p.A->part_tiles.was_tried);
    for (int i = 0; i < tuning.count; i++) {
        const char *name = tuning.timings[i].kernel;
        cr_expect_null(strstr(name, "tiles"), "%s was timed, which A has no plan for", name);
    }
    cr_expect_str_eq(multiply(&p), wanted);
    close_product(&p);
}

Test(tuned, a_product_is_computed_as_was_found_though_plans_are_tried_in_vain_later)
{
    product p;
    open_product(&p, SHORT);
    want(&p, false);
    tune(&p);
    cr_expect_str_eq(multiply(&p), wanted);
    cr_assert_eq(torc_sparse_cut(p.A, TORC_CUT_TILES), TORC_SUCCESS);
    cr_assert(torc_sparse_lacks_plan(p.A, TORC_CUT_TILES));
    cr_expect_str_eq(multiply(&p), wanted);
    close_product(&p);
}

Test(tuned, a_product_is_computed_by_another_kernel_once_the_plan_of_the_fastest_is_given_up)
{
    product p;
    open_product(&p, LONG);
    planning = p.context;
    want(&p, true);
    tune(&p);
    cr_expect_str_eq(multiply(&p), wanted);
    cr_assert(torc_sparse_give_up_plans(p.A));
    cr_expect_str_neq(multiply(&p), wanted);
    close_product(&p);
}

Test(tuned, a_part_of_a_wider_product_is_computed_as_if_nothing_was_tuned)
{
    static const torc_part part = {.first_column = 0, .may_plan = false};
    static const torc_update overwrite;
    product p;
    open_product(&p, SHORT);
    want(&p, false);
    tune(&p);
    for (int cut = 0; cut < TORC_CUTS; cut++) { /* none is left that could be made */
        cr_assert_eq(torc_sparse_cut(p.A, (torc_cut)cut), TORC_SUCCESS);
    }
    cr_assert_eq(torc_spmm_part(&p.C, plus_times, p.A, false, &p.B, &overwrite, &part), TORC_SUCCESS);
    cr_expect_str_neq(last, wanted);
    cr_expect_str_eq(multiply(&p), wanted);
    close_product(&p);
}

/* ---- Several products -----------------------------------------------------------------------------------
 */

enum { KEPT = 8, PRODUCTS = KEPT + 1 };
static char found[PRODUCTS][TORC_KERNEL_NAME];

/* Products differ by their columns. */
static void turn_to(product *p, int number)
{
    p->B.ncols = p->C.ncols = p->B.ld = p->C.ld = 8 * (number + 1);
}

static void tune_number(product *p, int number)
{
    turn_to(p, number);
    want(p, false);
    tune(p);
    snprintf(found[number], sizeof found[number], "%s", wanted);
}

/* Is it still computed by what was found? The kernel that selection chose was not the one wanted. */
static bool is_kept(product *p, int number)
{
    turn_to(p, number);
    return strcmp(multiply(p), found[number]) == 0;
}

static void open_tuned(product *p)
{
    open_product(p, SHORT);
    for (int number = 0; number < KEPT; number++) {
        tune_number(p, number);
    }
}

Test(tuned, the_last_eight_products_are_kept_and_one_that_is_tuned_again_is_the_last)
{
    product p;
    open_tuned(&p);
    tune_number(&p, 0);
    tune_number(&p, KEPT);
    cr_expect(is_kept(&p, 0));
    for (int number = 2; number < PRODUCTS; number++) {
        cr_expect(is_kept(&p, number), "%d columns", 8 * (number + 1));
    }
    close_product(&p);
}

Test(tuned, tuning_that_fails_forgets_no_other_product)
{
    product p;
    open_tuned(&p);
    turn_to(&p, KEPT);
    launches_left = 3;
    torc_tuning tuning;
    cr_assert_eq(torc_sparse_tune(&tuning, p.A, plus_times, false, p.C.ncols), TORC_DEVICE_ERROR);
    launches_left = -1;
    for (int number = 0; number < KEPT; number++) {
        cr_expect(is_kept(&p, number), "%d columns", 8 * (number + 1));
    }
    close_product(&p);
}
