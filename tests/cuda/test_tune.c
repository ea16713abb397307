/* test_tune.c: torc_sparse_tune on a GPU, or without one where kernels are emulated: what is timed, what is
 * remembered, and that products are right before and after. */
#include "constant_cases.h"
#include "gpu.h"
#include "selected.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const torc_semiring plus_times = {TORC_PLUS_MONOID, TORC_TIMES, TORC_FP32, NULL, false};
enum { N = TORC_TUNED_COLUMNS, LINE = 128 };

typedef struct product {
    torc_context *context;
    torc_sparse *A;
    torc_dense B, C;
    size_t size; /* bytes of C, and of B: A is square */
    float *expected, *found;
} product;

/* cache_dir: NULL for the usual one. */
static product open_product_in(const char *cache_dir)
{
    product p;
    torc_options options = TORC_OPTIONS_INIT;
    options.cache_dir = cache_dir;
    torc_csr csr = torc_constant_matrix(TORC_FP32);
    p.context = torc_gpu_context(&options);
    p.size = (size_t)(csr.nrows * N) * sizeof(float);
    p.B = p.C = (torc_dense){csr.nrows, N, N, TORC_ROW_MAJOR, TORC_FP32, false, NULL, NULL};
    p.expected = malloc(p.size);
    p.found = malloc(p.size);
    cr_assert_eq(torc_sparse_create(&p.A, p.context, &csr), TORC_SUCCESS);
    cr_assert_eq(torc_memory_allocate(&p.B.data, p.context, p.size), TORC_SUCCESS);
    cr_assert_eq(torc_memory_allocate(&p.C.data, p.context, p.size), TORC_SUCCESS);
    for (int64_t i = 0; i < csr.nrows * N; i++) {
        p.found[i] = (float)(1 + i % 7);
    }
    cr_assert_eq(torc_memory_upload(p.context, p.B.data, p.found, p.size), TORC_SUCCESS);
    return p;
}

static product open_product(void)
{
    return open_product_in(NULL);
}

static void multiply(product *p, float *to)
{
    memset(to, 0xff, p->size);
    cr_assert_eq(torc_memory_upload(p->context, p->C.data, to, p->size), TORC_SUCCESS);
    cr_assert_eq(torc_spmm(&p->C, plus_times, p->A, false, &p->B, NULL), TORC_SUCCESS);
    cr_assert_eq(torc_memory_download(p->context, to, p->C.data, p->size), TORC_SUCCESS);
}

static void close_product(product *p)
{
    torc_memory_release(p->context, p->B.data);
    torc_memory_release(p->context, p->C.data);
    torc_sparse_destroy(p->A);
    torc_context_destroy(p->context);
    free(p->expected);
    free(p->found);
}

static bool is_compiled_in(const torc_timing *timing)
{
    return strncmp(timing->kernel, "constant/", strlen("constant/")) == 0;
}

Test(tune, times_kernels_that_read_A_and_some_that_have_it_in_their_text_and_keeps_the_fastest)
{
    product p = open_product();
    torc_tuning tuning;
    int compiled_in = 0;
    multiply(&p, p.expected);
    cr_assert_eq(torc_sparse_tune(&tuning, p.A, plus_times, false, N), TORC_SUCCESS, "%s",
        torc_context_error(p.context));
    cr_assert_leq(tuning.count, TORC_TIMINGS);
    cr_expect_not(is_compiled_in(&tuning.timings[0]), "the first is what selection takes");
    for (int i = 0; i < tuning.count; i++) {
        cr_expect_gt(tuning.timings[i].measured, 0);
        cr_expect_gt(tuning.timings[i].predicted, 0);
        cr_expect_geq(tuning.timings[i].measured, tuning.timings[tuning.chosen].measured);
        compiled_in += is_compiled_in(&tuning.timings[i]);
    }
    cr_expect_eq(compiled_in, tuning.compiled);
    multiply(&p, p.found);
    cr_expect_arr_eq(p.found, p.expected, p.size);
    close_product(&p);
}

/* Whole numbers, and each special value alone in its row: sums are exact in any order. */
Test(tune, a_product_whose_matrix_is_in_the_text_is_right_and_other_layouts_are_not_computed_by_it)
{
    product p = open_product();
    torc_constant_kernel text = torc_constant_case(TORC_CONSTANT_CASES - 1);
    const torc_executor *executor = p.context->executor;
    const torc_update overwrite = {0};
    multiply(&p, p.expected);
    torc_problem problem = torc_problem_of(&p.C, plus_times, p.A, &p.B, &overwrite, false);
    torc_choice choice = torc_selected(p.A, &problem, "");
    cr_assert_eq(executor->constant_load(&choice.program, p.context->device, &text), TORC_SUCCESS);
    cr_assert_eq(torc_selected_set(p.A, &problem, &choice), TORC_SUCCESS);
    cr_assert_not_null(torc_selected(p.A, &problem, "").program);
    multiply(&p, p.found);
    cr_expect_arr_eq(p.found, p.expected, p.size);
    torc_dense narrow_b = p.B, narrow_c = p.C; /* columns of wider arrays: the same but for the pitch */
    narrow_b.ncols = narrow_c.ncols = N / 2;
    torc_problem half = torc_problem_of(&narrow_c, plus_times, p.A, &narrow_b, &overwrite, false);
    cr_expect_null(torc_selected(p.A, &half, "").program);
    cr_assert_eq(torc_spmm(&narrow_c, plus_times, p.A, false, &narrow_b, NULL), TORC_SUCCESS);
    cr_assert_eq(torc_memory_download(p.context, p.found, p.C.data, p.size), TORC_SUCCESS);
    cr_expect_arr_eq(p.found, p.expected, p.size, "nothing beyond the columns was touched");
    cr_expect(torc_selected_take(&choice, p.A, &problem));
    cr_expect_null(torc_selected(p.A, &problem, "").program);
    torc_program_release(p.A, choice.program);
    close_product(&p);
}

/* B and C at a pitch that looks alike to a key, which has alignment alone. */
Test(tune, operands_with_gaps_are_not_read_as_if_they_had_none)
{
    product p = open_product();
    torc_constant_kernel text = torc_constant_case(TORC_CONSTANT_CASES - 1);
    const torc_update overwrite = {0};
    torc_problem problem = torc_problem_of(&p.C, plus_times, p.A, &p.B, &overwrite, false);
    torc_choice choice = torc_selected(p.A, &problem, "");
    multiply(&p, p.expected);
    cr_assert_eq(p.context->executor->constant_load(&choice.program, p.context->device, &text), TORC_SUCCESS);
    cr_assert_eq(torc_selected_set(p.A, &problem, &choice), TORC_SUCCESS);
    torc_dense wide = p.C;
    wide.ld = 2 * N;
    void *memory;
    cr_assert_eq(torc_memory_allocate(&memory, p.context, 2 * p.size + LINE), TORC_SUCCESS);
    wide.data = (char *)memory + ((uintptr_t)p.C.data - (uintptr_t)memory) % LINE;
    torc_problem gaps = torc_problem_of(&wide, plus_times, p.A, &p.B, &overwrite, false);
    cr_expect_not_null(torc_selected(p.A, &gaps, "").program, "the keys are equal");
    cr_assert_eq(torc_spmm(&wide, plus_times, p.A, false, &p.B, NULL), TORC_SUCCESS);
    float *rows = malloc(2 * p.size);
    cr_assert_eq(torc_memory_download(p.context, rows, wide.data, 2 * p.size), TORC_SUCCESS);
    for (int64_t i = 0; i < wide.nrows; i++) {
        cr_expect_arr_eq(rows + i * wide.ld, p.expected + i * N, N * sizeof(float), "row %ld", (long)i);
    }
    free(rows);
    torc_memory_release(p.context, memory);
    close_product(&p);
}

static torc_choice choice_of(product *p)
{
    const torc_update overwrite = {0};
    torc_problem problem = torc_problem_of(&p->C, plus_times, p->A, &p->B, &overwrite, false);
    return torc_selected(p->A, &problem, "");
}

/* What is recalled was not measured by this operand. */
Test(tune, what_was_found_is_recalled_by_the_content_of_the_matrix_without_timing)
{
    char folder[] = "/tmp/torc-tune-XXXXXX", command[64]; /* where no earlier run has left anything */
    product p = open_product();                           /* or none, without a GPU */
    close_product(&p);
    cr_assert_not_null(mkdtemp(folder));
    p = open_product_in(folder);
    torc_tuning tuning;
    torc_csr csr = torc_constant_matrix(TORC_FP32);
    ((float *)csr.values)[20] += 2; /* a matrix that no other test has: they run beside this one */
    torc_sparse_destroy(p.A);
    cr_assert_eq(torc_sparse_create(&p.A, p.context, &csr), TORC_SUCCESS);
    cr_assert_eq(torc_sparse_tune(&tuning, p.A, plus_times, false, N), TORC_SUCCESS);
    torc_choice found = choice_of(&p);
    cr_expect_gt(found.seconds, 0);
    torc_sparse_destroy(p.A);
    cr_assert_eq(torc_sparse_create(&p.A, p.context, &csr), TORC_SUCCESS);
    cr_assert_eq(torc_sparse_tune(NULL, p.A, plus_times, false, N), TORC_SUCCESS);
    torc_choice recalled = choice_of(&p);
    cr_expect_eq(recalled.seconds, 0);
    cr_expect_eq(recalled.program != NULL, found.program != NULL);
    char name[TORC_KERNEL_NAME], other[TORC_KERNEL_NAME];
    torc_kernel_name(name, &found.kernel);
    torc_kernel_name(other, &recalled.kernel);
    cr_expect_str_eq(name, other);
    torc_sparse_destroy(p.A);
    ((float *)csr.values)[20] += 1; /* another matrix */
    cr_assert_eq(torc_sparse_create(&p.A, p.context, &csr), TORC_SUCCESS);
    cr_assert_eq(torc_sparse_tune(NULL, p.A, plus_times, false, N), TORC_SUCCESS);
    cr_expect_gt(choice_of(&p).seconds, 0);
    close_product(&p);
    snprintf(command, sizeof command, "rm -r %s", folder);
    cr_assert_eq(system(command), 0);
}

Test(tune, refuses_what_it_cannot_tune_and_says_so)
{
    product p = open_product();
    torc_semiring boolean = {TORC_LOR_MONOID, TORC_LAND, TORC_BOOL, NULL, false};
    cr_expect_eq(torc_sparse_tune(NULL, NULL, plus_times, false, N), TORC_NULL_POINTER);
    cr_expect_eq(torc_sparse_tune(NULL, p.A, boolean, false, N), TORC_UNSUPPORTED);
    cr_expect_eq(torc_sparse_tune(NULL, p.A, plus_times, false, 0), TORC_INVALID_VALUE);
    cr_expect_str_eq(torc_context_error(p.context), "ncols is 0");
    static const uint32_t row_ptr[] = {0, 1}, col_idx[] = {7};
    static const float value = 1;
    torc_csr wide = {.nrows = 1,
        .ncols = INT64_C(1) << 31,
        .row_ptr = row_ptr,
        .col_idx = col_idx,
        .values = &value,
        .row_ptr_bits = 32,
        .col_idx_bits = 32,
        .type = TORC_FP32};
    torc_semiring first = {TORC_PLUS_MONOID, TORC_FIRST, TORC_FP32, NULL, false};
    torc_sparse *A;
    cr_assert_eq(torc_sparse_create(&A, p.context, &wide), TORC_SUCCESS);
    cr_expect_eq(torc_sparse_tune(NULL, A, first, false, INT32_MAX), TORC_INVALID_VALUE, "B is 2^64 bytes");
    torc_sparse_destroy(A);
    snprintf(p.context->kernel, sizeof p.context->kernel, "yang");
    cr_expect_eq(torc_sparse_tune(NULL, p.A, plus_times, false, N), TORC_UNSUPPORTED);
    close_product(&p);
}
