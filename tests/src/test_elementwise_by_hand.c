/* Element-wise operations and reductions by hand: what is easily taken for something else, user-defined
 * operators, every status that arguments can provoke, and faults. */
#include "context.h"
#include "engine_fixture.h"
#include "reference.h"
#include <string.h>
#include <torc/elementwise.h>

enum { M = 2, N = 3, COUNT = M * N };

/* A 2 x 3 of fp64, row-major, with a bitmap or not. */
static torc_dense matrix(torc_context *context, const double *values, const uint8_t *bitmap)
{
    return (torc_dense){M, N, N, TORC_ROW_MAJOR, TORC_FP64, false,
        device_copy(context, values, COUNT * sizeof *values),
        bitmap ? device_copy(context, bitmap, COUNT) : NULL};
}

static void release(torc_context *context, torc_dense *X)
{
    torc_memory_release(context, X->data);
    torc_memory_release(context, X->bitmap);
}

static torc_scalar fp64(double x)
{
    torc_scalar made = {TORC_FP64, {0, 0}};
    memcpy(made.value, &x, sizeof x);
    return made;
}

static const double a_values[COUNT] = {5.5, 2, 3, 4, 5, 6}, b_values[COUNT] = {10, 20, 30, 40, 50, 60};
static const uint8_t a_bitmap[COUNT] = {1, 1, 1, 0, 0, 0}, b_bitmap[COUNT] = {0, 1, 0, 1, 1, 0};

/* What A op B has, by kind; '.' is absent in a text of presence. */
static void expect_result(torc_operation operation, const char *presence, const double *expected)
{
    static const double rubbish[COUNT] = {-1, -2, -3, -4, -5, -6};
    torc_context *context = open_reference(0);
    torc_dense A = matrix(context, a_values, a_bitmap), B = matrix(context, b_values, b_bitmap);
    torc_dense C = matrix(context, rubbish, b_bitmap);
    torc_operand a = {.dense = &A}, b = {.dense = &B};
    double values[COUNT];
    uint8_t bitmap[COUNT];
    cr_assert(torc_elementwise(&C, &operation, context, &a, &b, NULL) == TORC_SUCCESS);
    cr_assert(torc_memory_download(context, values, C.data, sizeof values) == TORC_SUCCESS);
    cr_assert(torc_memory_download(context, bitmap, C.bitmap, sizeof bitmap) == TORC_SUCCESS);
    for (int p = 0; p < COUNT; p++) {
        cr_expect(bitmap[p] == (presence[p] != '.'), "%d: presence", p);
        cr_expect(!bitmap[p] || values[p] == expected[p], "%d: %g", p, values[p]);
    }
    release(context, &A);
    release(context, &B);
    release(context, &C);
    torc_context_destroy(context);
    cr_expect(torc_reference_bytes_held() == 0);
}

Test(elementwise_by_hand, a_lone_element_is_cast_and_meets_no_operator)
{
    torc_operation lt = {.kind = TORC_EWISE_ADD, .binary = TORC_LT, .type = TORC_FP64};
    expect_result(lt, "xxxxx.", (double[]){1, 1, 1, 1, 1, 0}); /* 5.5 as bool */
    torc_operation int8 = {.kind = TORC_EWISE_ADD, .binary = TORC_PLUS, .type = TORC_INT8};
    expect_result(int8, "xxxxx.", (double[]){5, 22, 3, 40, 50, 0});
    torc_operation position = {.kind = TORC_EWISE_ADD, .binary = TORC_SECONDI1, .type = TORC_INT64};
    expect_result(position, "xxxxx.", (double[]){5, 1, 3, 40, 50, 0});
}

Test(elementwise_by_hand, a_union_operates_on_every_element)
{
    torc_operation u = {.kind = TORC_EWISE_UNION, .binary = TORC_MINUS, .type = TORC_FP64};
    u.alpha = fp64(100);
    u.beta = fp64(1000);
    expect_result(u, "xxxxx.", (double[]){5.5 - 1000, 2 - 20, 3 - 1000, 100 - 40, 100 - 50, 0});
}

Test(elementwise_by_hand, positions_are_those_of_the_result)
{
    torc_operation first_j = {.kind = TORC_EWISE_MULT, .binary = TORC_FIRSTJ, .type = TORC_INT64};
    expect_result(first_j, ".x....", (double[]){0, 1, 0, 0, 0, 0});
    torc_operation diag = {.kind = TORC_APPLY_INDEX, .index = TORC_DIAGINDEX, .type = TORC_INT64};
    diag.thunk = fp64(10.9); /* cast to 10 */
    expect_result(diag, "xxx...", (double[]){-10, -9, -8, 0, 0, 0});
}

Test(elementwise_by_hand, select_keeps_values_as_they_are)
{
    torc_operation above = {.kind = TORC_SELECT, .index = TORC_VALUEGT, .type = TORC_INT8};
    above.thunk = fp64(4.9); /* as int8: 4; 5.5 as int8: 5 */
    expect_result(above, "x.....", (double[]){5.5});
    torc_operation upper = {.kind = TORC_SELECT, .index = TORC_TRIU, .type = TORC_INT64};
    upper.thunk = fp64(1);
    expect_result(upper, ".xx...", (double[]){0, 2, 3});
    torc_operation rows = {.kind = TORC_SELECT, .index = TORC_ROWINDEX, .type = TORC_INT64};
    rows.thunk = fp64(0); /* row 0 gives 0 */
    expect_result(rows, "......", NULL);
}

Test(elementwise_by_hand, a_result_without_bitmap_takes_zero)
{
    torc_context *context = open_reference(0);
    torc_dense A = matrix(context, a_values, a_bitmap), C = matrix(context, b_values, NULL);
    torc_operation identity = {.kind = TORC_APPLY, .unary = TORC_UNARY_IDENTITY, .type = TORC_FP64};
    torc_update plus = {.has_accum = true, .accum = TORC_PLUS};
    torc_operand a = {.dense = &A};
    double c[COUNT];
    cr_assert(torc_elementwise(&C, &identity, context, &a, NULL, &plus) == TORC_SUCCESS);
    cr_assert(torc_memory_download(context, c, C.data, sizeof c) == TORC_SUCCESS);
    cr_expect(memcmp(c, (double[]){15.5, 22, 33, 40, 50, 60}, sizeof c) == 0);
    cr_assert(torc_elementwise(&C, &identity, context, &a, NULL, NULL) == TORC_SUCCESS);
    cr_assert(torc_memory_download(context, c, C.data, sizeof c) == TORC_SUCCESS);
    cr_expect(memcmp(c, (double[]){5.5, 2, 3, 0, 0, 0}, sizeof c) == 0);
    release(context, &A);
    release(context, &C);
    torc_context_destroy(context);
}

/* ---- User-defined ------------------------------------------------------------------------------------- */

typedef struct path {
    double cost;
    int64_t hops;
    int32_t last;
} path;

static void extend(void *z, const void *x, const void *y)
{
    const path *p = x, *q = y;
    *(path *)z = (path){p->cost + q->cost, 10 * p->hops + q->hops, q->last};
}

static void cheaper(void *z, const void *x, const void *y)
{
    const path *p = x, *q = y;
    *(path *)z = q->cost < p->cost ? *q : *p;
}

Test(elementwise_by_hand, user_defined_operators_and_types)
{
    const torc_type type = torc_opaque_type(sizeof(path));
    const torc_user_type user = {type, "path"};
    static const path none = {1e300, -1, -1};
    torc_definition definition = {NULL, "cheaper", "extend", user, user, user, &none, cheaper, extend};
    path a[COUNT] = {{5, 1, 1}, {2, 2, 2}, {7, 3, 3}, {4, 4, 4}, {1, 5, 5}, {6, 6, 6}}, c[COUNT], best;
    torc_context *context = open_reference(0);
    torc_dense A = {M, N, N, TORC_ROW_MAJOR, type, false, device_copy(context, a, sizeof a), NULL};
    torc_dense C = {M, N, M, TORC_COL_MAJOR, type, false, device_copy(context, a, sizeof a), NULL};
    torc_operand operand = {.dense = &A};
    torc_operation twice = {.kind = TORC_EWISE_MULT, .binary = TORC_USER, .definition = &definition};
    uint64_t column_of_all[N] = {2, 2, 2};
    const uint64_t *columns = device_copy(context, column_of_all, sizeof column_of_all);
    torc_operand last_column = {.dense = &A, .columns = columns};
    for (int is_flipped = 0; is_flipped < 2; is_flipped++) {
        twice.is_flipped = is_flipped;
        cr_assert(torc_elementwise(&C, &twice, context, &operand, &last_column, NULL) == TORC_SUCCESS);
        cr_assert(torc_memory_download(context, c, C.data, sizeof c) == TORC_SUCCESS);
        cr_expect(c[2].cost == 9 && c[2].hops == (is_flipped ? 32 : 23), "(0,1): %ld", c[2].hops);
        cr_expect(c[1].cost == 10 && c[1].last == (is_flipped ? 4 : 6));
    }
    torc_reduction least = {TORC_USER_MONOID, type, &definition};
    cr_assert(torc_reduce_to_scalar(&best, NULL, least, context, &A) == TORC_SUCCESS);
    cr_expect(best.cost == 1 && best.last == 5);
    A.nrows = 0;
    bool is_empty = false;
    cr_assert(torc_reduce_to_scalar(&best, &is_empty, least, context, &A) == TORC_SUCCESS);
    cr_expect(is_empty && best.hops == -1);
    A.nrows = M;

    torc_operation move = {.kind = TORC_APPLY, .unary = TORC_UNARY_IDENTITY, .type = type};
    cr_assert(torc_elementwise(&C, &move, context, &operand, NULL, NULL) == TORC_SUCCESS);
    cr_assert(torc_memory_download(context, c, C.data, sizeof c) == TORC_SUCCESS);
    cr_expect(c[1].last == 4 && c[5].last == 6);

    definition.multiply_on_host = NULL;
    definition.add_on_host = NULL;
    cr_expect(torc_elementwise(&C, &twice, context, &operand, &operand, NULL) == TORC_UNSUPPORTED);
    cr_expect(torc_reduce_to_scalar(&best, NULL, least, context, &A) == TORC_UNSUPPORTED);
    cr_expect(strstr(torc_context_error(context), "function of the host"));
    torc_memory_release(context, A.data);
    torc_memory_release(context, C.data);
    torc_memory_release(context, (void *)(uintptr_t)columns);
    torc_context_destroy(context);
    cr_expect(torc_reference_bytes_held() == 0);
}

static void round_up(void *z, const void *x)
{
    *(int32_t *)z = (int32_t) * (const double *)x + 1;
}

static void place_number(void *z, const void *x, uint64_t i, uint64_t j, const void *thunk)
{
    *(int32_t *)z = *(const int32_t *)x % 2 == 0 ? 0 : (int32_t)(10 * i + j) + *(const int8_t *)thunk;
}

/* Without their functions the reference executor has none of them; a selection needs something to be true. */
Test(elementwise_by_hand, user_defined_operators_of_one_value)
{
    torc_definition rounding = {.x.type = TORC_FP64, .z.type = TORC_INT32};
    torc_definition numbering = {.x.type = TORC_INT32, .y.type = TORC_INT8, .z.type = TORC_INT32};
    torc_operation operations[] = {
        {.kind = TORC_APPLY, .unary = TORC_UNARY_USER, .definition = &rounding, .unary_on_host = round_up},
        {.kind = TORC_APPLY_INDEX,
            .index = TORC_INDEX_UNARY_USER,
            .definition = &numbering,
            .index_on_host = place_number,
            .thunk = {TORC_INT64, {100}}},
        {.kind = TORC_SELECT,
            .index = TORC_INDEX_UNARY_USER,
            .definition = &numbering,
            .index_on_host = place_number,
            .thunk = {TORC_INT64, {100}}},
    };
    const double a[COUNT] = {1, 2, 3, 4, 5, 6};
    const double expected[][COUNT] = {{2, 3, 4, 5, 6, 7}, {100, 0, 102, 0, 111, 0}, {1, 0, 3, 0, 5, 0}};
    torc_context *context = open_reference(0);
    torc_dense A = {M, N, N, TORC_ROW_MAJOR, TORC_FP64, false, device_copy(context, a, sizeof a), NULL},
               C = A;
    C.data = device_copy(context, a, sizeof a);
    torc_operand operand = {.dense = &A};
    for (int k = 0; k < 3; k++) {
        double c[COUNT];
        cr_assert(torc_elementwise(&C, &operations[k], context, &operand, NULL, NULL) == TORC_SUCCESS);
        cr_assert(torc_memory_download(context, c, C.data, sizeof c) == TORC_SUCCESS);
        for (int p = 0; p < COUNT; p++) {
            cr_expect(c[p] == expected[k][p], "operation %d, element %d: %g", k, p, c[p]);
        }
        operations[k].unary_on_host = NULL;
        operations[k].index_on_host = NULL;
        cr_expect(torc_elementwise(&C, &operations[k], context, &operand, NULL, NULL) == TORC_UNSUPPORTED);
    }
    numbering.z.type = torc_opaque_type(4);
    numbering.z.name = "number";
    cr_expect_not(torc_operation_get_traits(&operations[2]).is_supported);
    operations[0].definition = NULL;
    cr_expect_not(torc_operation_get_traits(&operations[0]).is_supported);
    torc_memory_release(context, A.data);
    torc_memory_release(context, C.data);
    torc_context_destroy(context);
}

/* ---- Arguments ---------------------------------------------------------------------------------------- */

/* A good call, of which a test spoils one thing. */
typedef struct call {
    torc_dense C, A, B;
    torc_operand a, b;
    torc_operation operation;
    torc_update update;
} call;

/* text: a part of what is said. */
static void expect_refusal(torc_context *context, const call *spoilt, torc_status expected, const char *text)
{
    call x = *spoilt;
    double before[COUNT], after[COUNT];
    void *c = x.C.data;
    x.a.dense = x.a.dense ? &x.A : NULL;
    x.b.dense = x.b.dense ? &x.B : NULL;
    if (c) {
        cr_assert(torc_memory_download(context, before, c, sizeof before) == TORC_SUCCESS);
    }
    torc_status status = torc_elementwise(&x.C, &x.operation, context, &x.a, &x.b, &x.update);
    cr_expect(status == expected, "%s: %s", text, torc_status_text(status));
    cr_expect(
        strstr(torc_context_error(context), text), "\"%s\" lacks \"%s\"", torc_context_error(context), text);
    if (c) {
        cr_assert(torc_memory_download(context, after, c, sizeof after) == TORC_SUCCESS);
        cr_expect(memcmp(before, after, sizeof before) == 0, "%s: C is touched", text);
    }
}

#define EXPECT(STATUS, FIELD, X, TEXT)                                                                       \
    do {                                                                                                     \
        call x = good;                                                                                       \
        x.FIELD = X;                                                                                         \
        expect_refusal(context, &x, TORC_##STATUS, TEXT);                                                    \
    } while (0)

/* And leave another text to torc_context_error. */
static void expect_null(torc_context *context, torc_status status)
{
    const char *text = torc_context_error(context), *end = strstr(text, " is NULL");
    cr_expect(status == TORC_NULL_POINTER && end && strncmp(text, "memory", 6) != 0, "'%s'", text);
    cr_assert(torc_memory_allocate(NULL, context, 1) == TORC_NULL_POINTER);
}

Test(elementwise_by_hand, refuses_what_cannot_be)
{
    torc_context *context = open_reference(0);
    call good = {.C = matrix(context, b_values, NULL),
        .A = matrix(context, a_values, NULL),
        .B = matrix(context, b_values, b_bitmap),
        .operation = {.kind = TORC_EWISE_UNION, .binary = TORC_PLUS, .type = TORC_FP64}};
    const torc_type opaque = torc_opaque_type(8);
    good.a.dense = &good.A;
    good.b.dense = &good.B;

    EXPECT(UNSUPPORTED, operation.type, TORC_BOOL, "plus does not exist on bool");
    EXPECT(UNSUPPORTED, operation.binary, TORC_USER, "user does not exist");
    EXPECT(UNSUPPORTED, operation.kind, (torc_operation_kind)77, "does not exist");
    EXPECT(INVALID_VALUE, operation.alpha.type, opaque, "alpha: user cannot be cast to fp64");
    EXPECT(INVALID_VALUE, operation.beta.type, torc_opaque_type(17), "beta: a value of 17 bytes");
    EXPECT(DIMENSION_MISMATCH, A.ncols, 2, "A is 2 x 2, C is 2 x 3");
    EXPECT(DIMENSION_MISMATCH, b.transpose, true, "B is 3 x 2, C is 2 x 3");
    EXPECT(INVALID_VALUE, A.ld, 2, "A, 2 x 3, has a leading dimension of 2");
    EXPECT(INVALID_VALUE, C.ld, 2, "has a leading dimension of 2");
    EXPECT(INVALID_VALUE, A.type, opaque, "A: user cannot be cast to fp64");
    EXPECT(INVALID_VALUE, C.type, opaque, "the result: fp64 cannot be cast to user");
    EXPECT(INVALID_VALUE, C.iso, true, "the result is iso");
    EXPECT(INVALID_VALUE, A.order, TORC_COL_MAJOR + 1, "A has order 2");
    good.A.iso = true;
    EXPECT(INVALID_VALUE, A.order, TORC_COL_MAJOR + 1, "A has order 2");
    good.A.iso = false;
    EXPECT(NULL_POINTER, A.data, NULL, "A has no values");
    EXPECT(NULL_POINTER, C.data, NULL, "the result has no memory");
    EXPECT(INVALID_VALUE, update.complement, true, "a complement without mask");
    EXPECT(INVALID_VALUE, update, ((torc_update){.mask = good.B.bitmap, .replace = true}), "replace");
    EXPECT(UNSUPPORTED, update, ((torc_update){.has_accum = true, .accum = TORC_EQ}), "the accumulator eq");
    good.operation = (torc_operation){.kind = TORC_EWISE_ADD, .binary = TORC_FIRST, .type = TORC_FP64};
    EXPECT(INVALID_VALUE, B.type, opaque, "B: user cannot be cast to fp64"); /* though it is not looked at */
    good.operation = (torc_operation){.kind = TORC_SELECT, .index = TORC_VALUELT, .type = TORC_FP64};
    EXPECT(UNSUPPORTED, operation.type, TORC_FC64, "valuelt does not exist on fc64");
    EXPECT(INVALID_VALUE, operation.thunk.type, opaque, "thunk: user cannot be cast to fp64");
    EXPECT(INVALID_VALUE, C.type, opaque, "the result: fp64 cannot be cast to user");

    cr_expect(torc_elementwise(&good.C, &good.operation, NULL, &good.a, NULL, NULL) == TORC_NULL_POINTER);
    expect_null(context, torc_elementwise(NULL, &good.operation, context, &good.a, NULL, NULL));
    expect_null(context, torc_elementwise(&good.C, NULL, context, &good.a, NULL, NULL));
    expect_null(context, torc_elementwise(&good.C, &good.operation, context, NULL, NULL, NULL));
    good.operation.kind = TORC_EWISE_MULT;
    expect_null(context, torc_elementwise(&good.C, &good.operation, context, &good.a, NULL, NULL));
    release(context, &good.A);
    release(context, &good.B);
    release(context, &good.C);
    torc_context_destroy(context);
}

Test(elementwise_by_hand, refuses_reductions_that_cannot_be)
{
    torc_context *context = open_reference(0);
    torc_dense A = matrix(context, a_values, NULL),
               w = {M, 1, M, TORC_COL_MAJOR, TORC_FP64, false, A.data, NULL};
    torc_reduction plus = {TORC_PLUS_MONOID, TORC_FP64, NULL}, bad = {TORC_LOR_MONOID, TORC_FP64, NULL};
    double sum;
    int64_t present;
    cr_expect(torc_reduce_to_scalar(&sum, NULL, bad, context, &A) == TORC_UNSUPPORTED);
    cr_expect_str_eq(torc_context_error(context), "lor is no monoid on fp64");
    cr_expect(torc_reduce_to_vector(&w, plus, context, &A, true, NULL) == TORC_DIMENSION_MISMATCH);
    cr_expect_str_eq(torc_context_error(context), "w is 2 x 1, A 2 x 3");
    A.type = torc_opaque_type(8);
    cr_expect(torc_reduce_to_scalar(&sum, NULL, plus, context, &A) == TORC_INVALID_VALUE);
    A.type = TORC_FP64;
    A.ld = 1;
    cr_expect(torc_reduce_to_scalar(&sum, NULL, plus, context, &A) == TORC_INVALID_VALUE);
    A.ld = N;
    torc_dense endless = {
        INT64_C(1) << 40, INT64_C(1) << 40, 0, TORC_ROW_MAJOR, TORC_FP64, true, A.data, NULL};
    cr_expect(torc_reduce_to_scalar(&sum, NULL, plus, context, &endless) == TORC_INVALID_VALUE);
    w.iso = true;
    cr_expect(torc_reduce_to_vector(&w, plus, context, &A, false, NULL) == TORC_INVALID_VALUE);
    expect_null(context, torc_reduce_to_scalar(NULL, NULL, plus, context, &A));
    cr_expect(torc_reduce_to_scalar(&sum, NULL, plus, NULL, &A) == TORC_NULL_POINTER);
    expect_null(context, torc_reduce_to_scalar(&sum, NULL, plus, context, NULL));
    expect_null(context, torc_reduce_to_vector(NULL, plus, context, &A, false, NULL));
    expect_null(context, torc_reduce_to_vector(&w, plus, context, NULL, false, NULL));
    expect_null(context, torc_count_present(&present, context, NULL, 5));
    expect_null(context, torc_count_present(NULL, context, NULL, 0));
    release(context, &A);
    torc_context_destroy(context);
}

Test(elementwise_by_hand, waits_for_kernels_unless_told)
{
    torc_context *context = open_reference(0);
    torc_dense A = matrix(context, a_values, NULL);
    torc_operand a = {.dense = &A};
    torc_operation ainv = {.kind = TORC_APPLY, .unary = TORC_UNARY_AINV, .type = TORC_FP64};
    torc_reduction plus = {TORC_PLUS_MONOID, TORC_FP64, NULL};
    double sum;
    torc_reference_lack_kernel();
    torc_context_defer_kernels(context, true);
    cr_expect(torc_elementwise(&A, &ainv, context, &a, NULL, NULL) == TORC_NOT_COMPILED);
    cr_expect(torc_reduce_to_scalar(&sum, NULL, plus, context, &A) == TORC_NOT_COMPILED);
    cr_expect(torc_context_compile(context) == TORC_SUCCESS);
    cr_expect(torc_elementwise(&A, &ainv, context, &a, NULL, NULL) == TORC_SUCCESS);
    cr_expect(torc_reduce_to_scalar(&sum, NULL, plus, context, &A) == TORC_SUCCESS && sum == -25.5);
    release(context, &A);
    torc_context_destroy(context);
}

/* It counts for arrays alone: the undefined-behaviour sanitizer tells who computes with it. */
Test(elementwise_by_hand, the_leading_dimension_of_one_value_may_be_anything)
{
    torc_context *context = open_reference(0);
    torc_dense A = matrix(context, b_values, NULL), C = matrix(context, a_values, NULL), w = C;
    torc_operand a = {.dense = &A};
    torc_operation ainv = {.kind = TORC_APPLY, .unary = TORC_UNARY_AINV, .type = TORC_FP64};
    torc_reduction plus = {TORC_PLUS_MONOID, TORC_FP64, NULL};
    double sum, values[COUNT];
    A.iso = true;
    A.order = TORC_COL_MAJOR; /* three lines */
    A.ld = INT64_MIN;
    cr_assert(torc_reduce_to_scalar(&sum, NULL, plus, context, &A) == TORC_SUCCESS && sum == 60);
    cr_assert(torc_elementwise(&C, &ainv, context, &a, NULL, NULL) == TORC_SUCCESS);
    cr_assert(torc_memory_download(context, values, C.data, sizeof values) == TORC_SUCCESS);
    cr_expect(values[0] == -10 && values[COUNT - 1] == -10);
    w.ncols = w.ld = 1;
    cr_assert(torc_reduce_to_vector(&w, plus, context, &A, false, NULL) == TORC_SUCCESS);
    cr_assert(torc_memory_download(context, values, w.data, sizeof values) == TORC_SUCCESS);
    cr_expect(values[0] == 30 && values[M - 1] == 30);
    release(context, &A);
    release(context, &C);
    torc_context_destroy(context);
}

/* ---- Faults ------------------------------------------------------------------------------------------- */

/* C += Aᵀ with a column-major C, then its rows into w, through every kind of workspace. Call number 0, 1, ...
 * fails until none does: nothing leaks, and what ends for want of memory, or before its launch, leaves C and
 * w as they were. */
Test(elementwise_by_hand, faults_leave_the_result_alone)
{
    torc_context *context = open_reference(0);
    torc_dense A = matrix(context, a_values, a_bitmap), C = matrix(context, b_values, b_bitmap), w = C;
    double before[COUNT], after[COUNT];
    torc_operand a = {.dense = &A, .transpose = true};
    torc_operation ainv = {.kind = TORC_APPLY, .unary = TORC_UNARY_AINV, .type = TORC_FP64};
    torc_update update = {.has_accum = true, .accum = TORC_PLUS};
    torc_reduction plus = {TORC_PLUS_MONOID, TORC_FP64, NULL};
    C = (torc_dense){N, M, M, TORC_ROW_MAJOR, TORC_FP64, false, C.data, C.bitmap};
    w = (torc_dense){M, 1, 2, TORC_ROW_MAJOR, TORC_FP64, false, C.data, C.bitmap};
    size_t held = torc_reference_bytes_held();
    for (int is_reduction = 0; is_reduction < 2; is_reduction++) {
        int64_t failures = 0;
        bool is_done = false;
        for (int64_t fail_at = 0; !is_done; fail_at++) {
            torc_context_trim(context);
            cr_assert(torc_reference_bytes_held() == held);
            cr_assert(torc_memory_download(context, before, C.data, sizeof before) == TORC_SUCCESS);
            torc_reference_fail_at(fail_at);
            torc_status status = is_reduction ? torc_reduce_to_vector(&w, plus, context, &A, false, &update)
                                              : torc_elementwise(&C, &ainv, context, &a, NULL, &update);
            is_done = status == TORC_SUCCESS && torc_reference_calls_left() >= 0;
            torc_reference_fail_at(-1);
            cr_assert(torc_memory_download(context, after, C.data, sizeof after) == TORC_SUCCESS);
            cr_expect(
                status == TORC_SUCCESS || memcmp(before, after, sizeof before) == 0, "call %ld", fail_at);
            failures += status != TORC_SUCCESS;
        }
        cr_expect(failures >= 3, "%ld", failures);
    }
    release(context, &A);
    release(context, &C);
    torc_context_destroy(context);
    cr_expect(torc_reference_bytes_held() == 0);
}
