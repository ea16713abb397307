/* test_selected.c: what an operand remembers of selection is what selection says. The linker has
 * torc_select_kernel pass by here, where its calls are counted. */
#include "engine_fixture.h"
#include "host_memory.h"
#include "selected.h"
#include <string.h>

static int asked; /* how often selection was */

torc_spmm_kernel __real_torc_select_kernel(const torc_problem *problem, const char *rule);
torc_spmm_kernel __wrap_torc_select_kernel(const torc_problem *problem, const char *rule);

torc_spmm_kernel __wrap_torc_select_kernel(const torc_problem *problem, const char *rule)
{
    asked++;
    return __real_torc_select_kernel(problem, rule);
}

enum { ROWS = 3, WIDEST = 64 };

static torc_sparse *diagonal(torc_context *context, torc_type type)
{
    static const uint32_t row_ptr[ROWS + 1] = {0, 1, 2, 3}, col_idx[ROWS] = {0, 1, 2};
    static const double fp64[ROWS] = {1, 2, 3};
    static const float fp32[ROWS] = {1, 2, 3};
    torc_csr csr = {.nrows = ROWS,
        .ncols = ROWS,
        .row_ptr = row_ptr,
        .col_idx = col_idx,
        .values = type == TORC_FP64 ? (const void *)fp64 : fp32,
        .row_ptr_bits = 32,
        .col_idx_bits = 32,
        .type = type};
    torc_sparse *A;
    cr_assert_eq(torc_sparse_create(&A, context, &csr), TORC_SUCCESS);
    return A;
}

static torc_dense dense(void *data, int64_t ncols, int64_t ld)
{
    return (torc_dense){ROWS, ncols, ld, TORC_ROW_MAJOR, TORC_FP32, false, data, NULL};
}

static const torc_semiring plus_times = {TORC_PLUS_MONOID, TORC_TIMES, TORC_FP32, NULL, false};

Test(selected, is_what_selection_says_however_many_products_come_in_between)
{
    static const char *const rules[] = {"", "yang", "huang", "rows/sequential/v1x8"};
    static _Alignas(256) char memory[ROWS * (WIDEST + 3) * sizeof(float)];
    torc_context *context = open_reference(0);
    torc_sparse *A = diagonal(context, TORC_FP32);
    const torc_update overwrite = {0}, adds = {.has_accum = true, .accum = TORC_PLUS};
    for (int round = 0; round < 3; round++) {
        for (int64_t ncols = 1; ncols <= WIDEST; ncols++) {
            for (int64_t gap = 0; gap < 3; gap++) {
                const char *rule = rules[(ncols + gap) % 4];
                torc_dense B = dense(memory + 4 * (ncols % 5), ncols, ncols + gap),
                           C = dense(memory, ncols, ncols);
                torc_problem problem =
                    torc_problem_of(&C, plus_times, A, &B, ncols % 7 == 0 ? &adds : &overwrite, false);
                for (int again = 0; again < 2; again++) {
                    torc_spmm_kernel kept = torc_selected(A, &problem, rule).kernel;
                    torc_spmm_kernel said = __real_torc_select_kernel(&problem, rule);
                    char name[TORC_KERNEL_NAME], other[TORC_KERNEL_NAME];
                    torc_kernel_name(name, &kept);
                    torc_kernel_name(other, &said);
                    cr_assert_str_eq(name, other, "N = %ld, gap %ld", (long)ncols, (long)gap);
                    cr_assert_eq(kept.has_accum, said.has_accum);
                }
            }
        }
    }
    torc_sparse_destroy(A);
    torc_context_destroy(context);
}

Test(selected, is_another_one_where_another_precision_is_asked_for)
{
    torc_context *context = open_reference(0);
    torc_sparse *A = diagonal(context, TORC_FP32);
    const torc_update overwrite = {0};
    torc_dense B = dense(NULL, WIDEST, WIDEST), C = dense(NULL, WIDEST, WIDEST);
    for (int p = TORC_PRECISION_EXACT; p <= TORC_PRECISION_TF32; p++) {
        context->precision = (torc_precision)p;
        torc_problem problem = torc_problem_of(&C, plus_times, A, &B, &overwrite, false);
        int products = torc_selected(A, &problem, "rows/bricks3/v1x32").kernel.products;
        cr_expect_eq(products == 3, p == TORC_PRECISION_FP32, "precision %d: %d products", p, products);
    }
    torc_sparse_destroy(A);
    torc_context_destroy(context);
}

Test(selected, is_asked_for_once_while_the_same_products_alternate)
{
    torc_context *context = open_reference(0);
    torc_sparse *A = diagonal(context, TORC_FP32);
    void *b, *c;
    cr_assert_eq(torc_memory_allocate(&b, context, ROWS * WIDEST * sizeof(float)), TORC_SUCCESS);
    cr_assert_eq(torc_memory_allocate(&c, context, ROWS * WIDEST * sizeof(float)), TORC_SUCCESS);
    memset(b, 0, ROWS * WIDEST * sizeof(float));
    for (int call = 0; call < 20; call++) {
        int64_t ncols = call % 2 ? WIDEST : 4;
        torc_dense B = dense(b, ncols, ncols), C = dense(c, ncols, ncols);
        cr_assert_eq(torc_spmm(&C, plus_times, A, false, &B, NULL), TORC_SUCCESS);
    }
    cr_expect_eq(asked, 2);
    torc_memory_release(context, b);
    torc_memory_release(context, c);
    torc_sparse_destroy(A);
    torc_context_destroy(context);
}

static torc_status queue_nothing(
    torc_device *device, const torc_spmm_kernel *kernel, const torc_spmm_args *args)
{
    (void)device;
    (void)kernel;
    (void)args;
    return TORC_SUCCESS;
}

/* The host's part of a product, without what the reference executor takes to compute it. */
Test(selected, a_settled_product_allocates_nothing)
{
    torc_context *context = open_reference(0);
    torc_executor queueing = *context->executor;
    torc_sparse *A = diagonal(context, TORC_FP32);
    queueing.spmm = queue_nothing;
    context->executor = &queueing;
    static _Alignas(256) char memory[ROWS * WIDEST * sizeof(float)];
    torc_dense X = dense(memory, WIDEST, WIDEST);
    cr_assert_eq(torc_spmm(&X, plus_times, A, false, &X, NULL), TORC_SUCCESS);
    torc_host_memory_fail_at(0);
    cr_expect_eq(torc_spmm(&X, plus_times, A, false, &X, NULL), TORC_SUCCESS);
    cr_expect_eq(torc_host_memory_calls_left(), 0, "nothing was allocated");
    torc_host_memory_fail_at(-1);
    torc_sparse_destroy(A);
    torc_context_destroy(context);
}

/* The bytes between members hold whatever was there before. */
Test(selected, is_asked_for_once_whatever_the_padding_of_a_problem_holds)
{
    torc_context *context = open_reference(0);
    torc_sparse *A = diagonal(context, TORC_FP32);
    const torc_update overwrite = {0};
    torc_dense B = dense(NULL, WIDEST, WIDEST), C = dense(NULL, WIDEST, WIDEST);
    torc_problem problem = torc_problem_of(&C, plus_times, A, &B, &overwrite, false), other;
    for (int byte = 0; byte < 256; byte += 85) {
        memset(&other, byte, sizeof other);
        other.kernel.semiring.add = problem.kernel.semiring.add;
        other.kernel.semiring.multiply = problem.kernel.semiring.multiply;
        other.kernel.semiring.type = problem.kernel.semiring.type;
        other.kernel.semiring.definition = NULL;
        other.kernel.semiring.is_flipped = false;
        other.kernel.a_type = problem.kernel.a_type;
        other.kernel.b_type = problem.kernel.b_type;
        other.kernel.a_access = problem.kernel.a_access;
        other.kernel.b_access = problem.kernel.b_access;
        other.kernel.shape = (torc_shape){0, 0};
        other.kernel.accum = problem.kernel.accum;
        other.kernel.old_access = problem.kernel.old_access;
        other.kernel.family = TORC_ROWS;
        other.kernel.number = 0;
        other.kernel.wide_offsets = other.kernel.wide_pitch = other.kernel.b_is_bitmap = false;
        other.kernel.c_is_bitmap = other.kernel.has_mask = other.kernel.has_accum = false;
        other.kernel.is_packed = false;
        other.ncols = problem.ncols;
        other.b_size = problem.b_size;
        other.c_size = problem.c_size;
        other.b_alignment = problem.b_alignment;
        other.c_alignment = problem.c_alignment;
        other.is_everywhere = problem.is_everywhere;
        other.is_part = problem.is_part;
        memcpy(other.lacks, problem.lacks, sizeof other.lacks);
        other.precision = problem.precision;
        other.rows = problem.rows;
        other.device = problem.device;
        torc_selected(A, &other, "");
    }
    cr_expect_eq(asked, 1);
    torc_sparse_destroy(A);
    torc_context_destroy(context);
}

/* The same address, and other functions and types behind it. */
Test(selected, is_asked_for_each_time_where_the_semiring_is_user_defined)
{
    torc_context *context = open_reference(0);
    torc_sparse *A = diagonal(context, TORC_FP32);
    torc_definition definition = {.x = {TORC_FP32, NULL}, .y = {TORC_FP32, NULL}, .z = {TORC_FP32, NULL}};
    torc_semiring semiring = {TORC_PLUS_MONOID, TORC_USER, TORC_FP32, &definition, false};
    const torc_update overwrite = {0};
    torc_dense B = dense(NULL, WIDEST, WIDEST), C = dense(NULL, WIDEST, WIDEST);
    torc_problem problem = torc_problem_of(&C, semiring, A, &B, &overwrite, false);
    torc_selected(A, &problem, "");
    torc_selected(A, &problem, "");
    cr_expect_eq(asked, 2);
    torc_sparse_destroy(A);
    torc_context_destroy(context);
}
