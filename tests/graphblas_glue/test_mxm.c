/* torc_mxm answers as GrB_mxm does where a call is wrong, or right in a way that is easily missed. */
#include "glue_fixture.h"
#include "outcome.h"
#include "plain_call.h"
#include <criterion/criterion.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static const torc_semiring plus_times = {TORC_PLUS_MONOID, TORC_TIMES, TORC_FP64};

TestSuite(mxm, .init = torc_glue_start, .fini = torc_glue_finish);

typedef struct pair {
    uint64_t first, second;
} pair;

typedef struct arguments {
    GrB_Matrix C, mask, A, B;
    GrB_BinaryOp accum;
    GrB_Semiring semiring;
    GrB_Descriptor desc;
} arguments;

typedef struct fixture {
    random_call call; /* 4×5 sparse times 5×3 full */
    call_operands operands;
    arguments right;
    GrB_Type user_type;
    GrB_Matrix wrong_shape, user_4x5, user_5x3, user_4x3;
    void *garbage; /* is not an object */
} fixture;

static fixture new_fixture(void)
{
    fixture f = {.call = torc_plain_call(plus_times, 4, 5, 3)};
    f.call.recipes[OPERAND_C].density = 0.5;
    f.operands = torc_call_operands_new(&f.call);
    f.right = (arguments){
        .C = f.operands.matrices[OPERAND_C],
        .A = f.operands.matrices[OPERAND_A],
        .B = f.operands.matrices[OPERAND_B],
        .semiring = f.call.semiring.handle,
    };
    f.garbage = calloc(1, 4096);
    cr_assert(f.garbage && GrB_Type_new(&f.user_type, sizeof(pair)) == GrB_SUCCESS &&
              GrB_Matrix_new(&f.wrong_shape, GrB_FP64, 4, 4) == GrB_SUCCESS &&
              GrB_Matrix_new(&f.user_4x5, f.user_type, 4, 5) == GrB_SUCCESS &&
              GrB_Matrix_new(&f.user_5x3, f.user_type, 5, 3) == GrB_SUCCESS &&
              GrB_Matrix_new(&f.user_4x3, f.user_type, 4, 3) == GrB_SUCCESS &&
              GxB_Matrix_Option_set(f.user_4x5, GxB_SPARSITY_CONTROL, GxB_SPARSE) == GrB_SUCCESS);
    pair value = {1, 2};
    for (GrB_Index i = 0; i < 5; i++) {
        cr_assert_eq(GrB_Matrix_setElement_UDT(f.user_4x5, &value, i % 3, i), GrB_SUCCESS);
        cr_assert_eq(GrB_Matrix_setElement_UDT(f.user_4x3, &value, i % 4, i % 3), GrB_SUCCESS);
    }
    cr_assert_eq(
        GrB_Matrix_assign_UDT(f.user_5x3, NULL, NULL, &value, GrB_ALL, 5, GrB_ALL, 3, NULL), GrB_SUCCESS);
    return f;
}

static void free_fixture(fixture *f)
{
    torc_call_operands_free(&f->call, &f->operands);
    GrB_Matrix_free(&f->wrong_shape);
    GrB_Matrix_free(&f->user_4x5);
    GrB_Matrix_free(&f->user_5x3);
    GrB_Matrix_free(&f->user_4x3);
    GrB_Type_free(&f->user_type);
    free(f->garbage);
}

/* One argument that makes a right call wrong. */
typedef struct wrong_argument {
    size_t field;
    void *handle;
} wrong_argument;

enum { WRONG_ARGUMENTS = 22 };

static void set_wrong(arguments *a, const fixture *f, int number)
{
    const wrong_argument wrong[WRONG_ARGUMENTS] = {
        {offsetof(arguments, C), NULL},
        {offsetof(arguments, C), f->wrong_shape},
        {offsetof(arguments, C), f->user_4x3},
        {offsetof(arguments, C), f->garbage},
        {offsetof(arguments, mask), f->wrong_shape},
        {offsetof(arguments, mask), f->user_4x3},
        {offsetof(arguments, mask), f->garbage},
        {offsetof(arguments, accum), GxB_FIRSTI_INT64},
        {offsetof(arguments, accum), f->garbage},
        {offsetof(arguments, semiring), NULL},
        {offsetof(arguments, semiring), f->garbage},
        {offsetof(arguments, A), NULL},
        {offsetof(arguments, A), f->wrong_shape},
        {offsetof(arguments, A), f->user_4x5},
        {offsetof(arguments, A), f->garbage},
        {offsetof(arguments, B), NULL},
        {offsetof(arguments, B), f->wrong_shape},
        {offsetof(arguments, B), f->user_5x3},
        {offsetof(arguments, B), f->garbage},
        {offsetof(arguments, desc), GrB_DESC_T0},
        {offsetof(arguments, desc), GrB_DESC_T1},
        {offsetof(arguments, desc), f->garbage},
    };
    memcpy((char *)a + wrong[number].field, &wrong[number].handle, sizeof wrong[number].handle);
}

typedef GrB_Info mxm_function(GrB_Matrix, const GrB_Matrix, const GrB_BinaryOp, const GrB_Semiring,
    const GrB_Matrix, const GrB_Matrix, const GrB_Descriptor);

/* C is what it was, too. */
static outcome outcome_of_wrong(mxm_function *mxm, int first, int second)
{
    fixture f = new_fixture();
    arguments a = f.right;
    set_wrong(&a, &f, first);
    set_wrong(&a, &f, second);
    bool has_c = a.C && (void *)a.C != f.garbage;
    entries before = has_c ? torc_entries_of(a.C) : (entries){0};
    GrB_Info info = mxm(a.C, a.mask, a.accum, a.semiring, a.A, a.B, a.desc);
    outcome o = has_c ? torc_outcome(info, a.C) : (outcome){.info = info};
    cr_assert(!has_c || (before.nvals == o.C.nvals && before.status == o.C.status &&
                            (before.nvals == 0 ||
                                memcmp(before.values, o.C.values, before.nvals * before.value_size) == 0)),
        "wrong %d and %d changed C", first, second);
    torc_entries_free(&before);
    free_fixture(&f);
    return o;
}

static GrB_Info quiet_mxm(GrB_Matrix C, const GrB_Matrix mask, const GrB_BinaryOp accum,
    const GrB_Semiring semiring, const GrB_Matrix A, const GrB_Matrix B, const GrB_Descriptor desc)
{
    mxm_trace trace;
    GrB_Info info = torc_traced_mxm(&trace, C, mask, accum, semiring, A, B, desc);
    cr_assert_str_eq(trace.where, "cpu", "%s", trace.text);
    return info;
}

/* With two things wrong the order of the checks decides. */
Test(mxm, errors_are_those_of_graphblas)
{
    for (int p = 0; p < WRONG_ARGUMENTS * WRONG_ARGUMENTS; p++) {
        int first = p / WRONG_ARGUMENTS, second = p % WRONG_ARGUMENTS;
        outcome expected = outcome_of_wrong(GrB_mxm, first, second);
        outcome actual = outcome_of_wrong(quiet_mxm, first, second);
        cr_assert(expected.info < 0, "wrong %d and %d are right", first, second);
        cr_assert_eq(actual.info, expected.info, "wrong %d and %d: %d instead of %d", first, second,
            actual.info, expected.info);
        cr_assert_str_eq(actual.error, expected.error, "wrong %d and %d", first, second);
        torc_entries_free(&expected.C);
        torc_entries_free(&actual.C);
    }
}

/* A panic before GraphBLAS 10, and then what NULL is. */
Test(mxm_before_init, is_what_graphblas_says_it_is, .init = torc_trace_begin)
{
    GrB_Info info = GrB_mxm(NULL, NULL, NULL, NULL, NULL, NULL, NULL);
    cr_assert_lt(info, 0);
    cr_assert_eq(torc_mxm(NULL, NULL, NULL, NULL, NULL, NULL, NULL), info);
}

/* Both products of the same arguments but for C. */
static void expect_on_device(
    const fixture *f, GrB_Semiring semiring, GrB_Matrix mask, GrB_Matrix A, GrB_Matrix B, GrB_Descriptor desc)
{
    mxm_trace trace;
    GrB_Matrix C;
    cr_assert_eq(GrB_Matrix_dup(&C, f->right.C), GrB_SUCCESS);
    cr_assert_eq(torc_traced_mxm(&trace, C, mask, NULL, semiring, A, B, desc), GrB_SUCCESS);
    cr_assert_str_eq(trace.where, getenv("TORC_BACKEND"), "%s", trace.text);
    cr_assert_eq(GrB_mxm(f->right.C, mask, NULL, semiring, A, B, desc), GrB_SUCCESS);
    outcome expected = torc_outcome(GrB_SUCCESS, f->right.C), actual = torc_outcome(GrB_SUCCESS, C);
    torc_outcome_check(&f->call, &expected, &actual, &trace);
    GrB_Matrix_free(&C);
}

Test(mxm, what_multiply_does_not_read_may_be_of_any_type)
{
    fixture f = new_fixture();
    expect_on_device(&f, GxB_PLUS_PAIR_FP64, NULL, f.user_4x5, f.user_5x3, NULL);
    expect_on_device(&f, GxB_PLUS_SECOND_FP64, NULL, f.user_4x5, f.right.B, NULL);
    expect_on_device(&f, GxB_PLUS_FIRST_FP64, NULL, f.right.A, f.user_5x3, NULL);
    expect_on_device(&f, GxB_PLUS_FIRST_FP64, f.user_4x3, f.right.A, f.right.B, GrB_DESC_S);
    free_fixture(&f);
}

/* C⟨M⟩ = A·B, 8×8, with A by row of the diagonal and a first column, B full. M is -0.0 in its first column,
 * 0 in the next, 1 in all others, or -0.0 everywhere. */
static GrB_Matrix new_masked(GrB_Matrix *M, GrB_Matrix *A, GrB_Matrix *B, GrB_Type type, int number)
{
    enum { SIDE = 8 };
    static const int formats[] = {GxB_HYPERSPARSE, GxB_SPARSE, GxB_BITMAP, GxB_FULL};
    GrB_Matrix C, *all[] = {&C, M, A, B};
    bool is_iso = number & 4;
    for (int x = 0; x < 4; x++) {
        cr_assert_eq(GrB_Matrix_new(all[x], x == 1 ? type : GrB_FP64, SIDE, SIDE), GrB_SUCCESS);
    }
    GxB_Matrix_Option_set(*A, GxB_SPARSITY_CONTROL, GxB_SPARSE);
    GxB_Matrix_Option_set(*M, GxB_SPARSITY_CONTROL, formats[number & 3]);
    GxB_Matrix_Option_set(*M, GxB_FORMAT, number & 8 ? GxB_BY_COL : GxB_BY_ROW);
    GxB_Matrix_Option_set(C, GxB_FORMAT, number & 16 ? GxB_BY_COL : GxB_BY_ROW);
    for (GrB_Index i = 0; i < SIDE; i++) {
        for (GrB_Index j = 0; j < SIDE; j++) {
            double mask = is_iso || j == 0 ? -0.0 : j == 1 ? 0.0 : 1.0;
            GrB_Matrix_setElement_FP64(*M, mask, i, j);
            GrB_Matrix_setElement_FP64(*B, (double)(i + 1), i, j);
            if (i == j || j == 0) {
                GrB_Matrix_setElement_FP64(*A, 1, i, j);
            }
        }
    }
    for (int x = 0; x < 4; x++) {
        cr_assert_eq(GrB_Matrix_wait(*all[x], GrB_MATERIALIZE), GrB_SUCCESS);
    }
    return C;
}

/* What SuiteSparse takes -0.0 for depends on its method; where all values of the mask are one, torc knows. */
Test(mxm, negative_zeros_of_a_mask_are_what_suitesparse_takes_them_for)
{
    for (int number = 0; number < 64; number++) {
        GrB_Type type = number & 32 ? GrB_FP32 : GrB_FP64;
        GrB_Matrix C[2], M, A, B;
        mxm_trace trace;
        GrB_Index nvals[2];
        bool is_iso = number & 4;
        for (int x = 0; x < 2; x++) {
            C[x] = new_masked(&M, &A, &B, type, number);
            if (is_iso) { /* known to be so, not only by chance */
                cr_assert_eq(GrB_Matrix_assign_FP64(M, M, NULL, -0.0, GrB_ALL, 8, GrB_ALL, 8, GrB_DESC_S),
                    GrB_SUCCESS);
            }
            GrB_Info info =
                x == 0 ? GrB_mxm(C[x], M, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, A, B, NULL)
                       : torc_traced_mxm(&trace, C[x], M, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, A, B, NULL);
            cr_assert_eq(info, GrB_SUCCESS);
            cr_assert_eq(GrB_Matrix_nvals(&nvals[x], C[x]), GrB_SUCCESS);
            GrB_Matrix_free(&M);
            GrB_Matrix_free(&A);
            GrB_Matrix_free(&B);
        }
        cr_expect_str_eq(trace.where, is_iso ? getenv("TORC_BACKEND") : "cpu", "%d: %s", number, trace.text);
        cr_expect_eq(nvals[0], nvals[1], "%d: %llu instead of %llu entries", number,
            (unsigned long long)nvals[1], (unsigned long long)nvals[0]);
        bool differs = false;
        for (GrB_Index p = 0; p < 64; p++) {
            double x[2] = {-1, -1};
            GrB_Matrix_extractElement_FP64(&x[0], C[0], p / 8, p % 8);
            GrB_Matrix_extractElement_FP64(&x[1], C[1], p / 8, p % 8);
            differs = differs || x[0] != x[1];
        }
        cr_expect_not(differs, "%d", number);
        GrB_Matrix_free(&C[0]);
        GrB_Matrix_free(&C[1]);
    }
}

/* GxB_Descriptor_get reads a field of anything. What it finds in some objects a descriptor could hold, and
 * then GrB_mxm takes them for one. */
Test(mxm, a_descriptor_of_another_kind_is_what_suitesparse_says_it_is)
{
    GrB_Vector vector;
    GrB_Monoid monoid;
    GrB_Semiring semiring;
    cr_assert(GrB_Vector_new(&vector, GrB_FP64, 4) == GrB_SUCCESS &&
              GrB_Monoid_new_FP64(&monoid, GrB_PLUS_FP64, 0.0) == GrB_SUCCESS &&
              GrB_Semiring_new(&semiring, monoid, GrB_TIMES_FP64) == GrB_SUCCESS);
    fixture f = new_fixture();
    void *others[] = {f.right.A, vector, GrB_FP64, f.user_type, GrB_PLUS_FP64, GrB_AINV_FP64, GrB_TRIL,
        GrB_PLUS_MONOID_FP64, monoid, semiring, GrB_PLUS_TIMES_SEMIRING_FP64};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        GrB_Matrix C[2];
        GrB_Info info[2];
        mxm_trace trace;
        for (int x = 0; x < 2; x++) {
            cr_assert_eq(GrB_Matrix_dup(&C[x], f.right.C), GrB_SUCCESS);
        }
        arguments a = f.right;
        info[0] = GrB_mxm(C[0], NULL, NULL, a.semiring, a.A, a.B, (GrB_Descriptor)others[i]);
        info[1] = torc_traced_mxm(&trace, C[1], NULL, NULL, a.semiring, a.A, a.B, (GrB_Descriptor)others[i]);
        cr_expect_eq(info[0], info[1], "object %zu: %d instead of %d", i, info[1], info[0]);
        outcome expected = torc_outcome(info[0], C[0]), actual = torc_outcome(info[1], C[1]);
        torc_outcome_check(&f.call, &expected, &actual, &trace);
        GrB_Matrix_free(&C[0]);
        GrB_Matrix_free(&C[1]);
    }
    free_fixture(&f);
    GrB_Semiring_free(&semiring);
    GrB_Monoid_free(&monoid);
    GrB_Vector_free(&vector);
}

static double element(GrB_Matrix C, GrB_Index i, GrB_Index j)
{
    double x = -1;
    return GrB_Matrix_extractElement_FP64(&x, C, i, j) == GrB_SUCCESS ? x : -1;
}

/*     1 . 2       1 2
 *     . . .   ·   3 4       no entry in row 1, and none that is made of nothing
 *     . 3 .       5 6  */
Test(mxm, a_row_without_entries_gives_a_row_without_entries)
{
    GrB_Matrix A, B, C;
    mxm_trace trace;
    GrB_Index nvals;
    cr_assert(GrB_Matrix_new(&A, GrB_FP64, 3, 3) == GrB_SUCCESS &&
              GrB_Matrix_new(&B, GrB_FP64, 3, 2) == GrB_SUCCESS &&
              GrB_Matrix_new(&C, GrB_FP64, 3, 2) == GrB_SUCCESS);
    GrB_Matrix_setElement_FP64(A, 1, 0, 0);
    GrB_Matrix_setElement_FP64(A, 2, 0, 2);
    GrB_Matrix_setElement_FP64(A, 3, 2, 1);
    for (GrB_Index p = 0; p < 6; p++) {
        GrB_Matrix_setElement_FP64(B, (double)p + 1, p / 2, p % 2);
    }
    GxB_Matrix_Option_set(A, GxB_SPARSITY_CONTROL, GxB_SPARSE);
    cr_assert_eq(
        torc_traced_mxm(&trace, C, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, A, B, NULL), GrB_SUCCESS);
    cr_assert_str_eq(trace.where, getenv("TORC_BACKEND"), "%s", trace.text);
    GrB_Matrix_nvals(&nvals, C);
    cr_assert_eq(nvals, 4);
    cr_assert(element(C, 0, 0) == 11 && element(C, 0, 1) == 14);
    cr_assert(element(C, 2, 0) == 9 && element(C, 2, 1) == 12);
    GrB_Matrix_free(&A);
    GrB_Matrix_free(&B);
    GrB_Matrix_free(&C);
}

/* A hypersparse matrix may list a vector that has no entry. SuiteSparse 7.4 multiplies with it all the same,
 * so that the answer is written out here. */
Test(mxm, a_listed_vector_without_entries_gives_none)
{
    fixture f = new_fixture();
    GrB_Matrix A;
    mxm_trace trace;
    GrB_Index *ptr = calloc(8, sizeof *ptr), *hyper = calloc(8, sizeof *hyper), *idx = calloc(8, sizeof *idx);
    double *values = calloc(8, sizeof *values);
    ptr[1] = ptr[2] = 1; /* row 1 holds (1,4) = 2, row 2 nothing, row 3 holds (3,0) = 5 */
    ptr[3] = 2;
    for (GrB_Index v = 0; v < 3; v++) {
        hyper[v] = v + 1;
    }
    idx[0] = 4;
    values[0] = 2;
    values[1] = 5;
    cr_assert(GrB_Matrix_new(&A, GrB_FP64, 4, 5) == GrB_SUCCESS);
    cr_assert_eq(GxB_Matrix_pack_HyperCSR(
                     A, &ptr, &hyper, &idx, (void **)&values, 64, 64, 64, 64, false, 3, false, NULL),
        GrB_SUCCESS);
    cr_assert_eq(
        torc_traced_mxm(&trace, f.right.C, NULL, NULL, f.right.semiring, A, f.right.B, NULL), GrB_SUCCESS);
    cr_assert_str_eq(trace.where, getenv("TORC_BACKEND"), "%s", trace.text);
    GrB_Index nvals;
    GrB_Matrix_nvals(&nvals, f.right.C);
    cr_assert_eq(nvals, 6);
    for (GrB_Index j = 0; j < 3; j++) {
        cr_assert_eq(element(f.right.C, 1, j), 2 * element(f.right.B, 4, j));
        cr_assert_eq(element(f.right.C, 3, j), 5 * element(f.right.B, 0, j));
    }
    GrB_Matrix_free(&A);
    free_fixture(&f);
}

/* GrB_mxm of 7.4 itself dies here, and so would its finishing of a full T: the answer is that of the same
 * mask as a bitmap. */
Test(mxm, a_thin_mask_with_an_accumulator_is_survived)
{
    mxm_trace trace;
    random_call call = torc_plain_call(plus_times, 5, 20, 900);
    call.recipes[OPERAND_A].density = 1;
    call.recipes[OPERAND_C].format = GxB_FULL;
    call.recipes[OPERAND_M].density = 0.005;
    call.has_mask = true;
    call.accum = GrB_PLUS_FP64;
    outcome actual = torc_outcome_of_torc(&call, &trace);
    cr_assert_str_eq(trace.where, getenv("TORC_BACKEND"), "%s", trace.text);
    call_operands operands = torc_call_operands_new(&call);
    GrB_Matrix *X = operands.matrices;
    cr_assert_eq(GxB_Matrix_Option_set(X[OPERAND_M], GxB_SPARSITY_CONTROL, GxB_BITMAP), GrB_SUCCESS);
    GrB_Info info = GrB_mxm(
        X[OPERAND_C], X[OPERAND_M], call.accum, call.semiring.handle, X[OPERAND_A], X[OPERAND_B], NULL);
    outcome expected = torc_outcome(info, X[OPERAND_C]);
    torc_outcome_check(&call, &expected, &actual, &trace);
    torc_call_operands_free(&call, &operands);
}

/* C of 2^40 rows, of which three have entries. */
Test(mxm, dimensions_may_be_those_of_a_hypersparse_matrix)
{
    const GrB_Index huge = (GrB_Index)1 << 40;
    for (int by_col = 0; by_col < 2; by_col++) {
        fixture f = new_fixture();
        GrB_Matrix A, C[2];
        mxm_trace trace;
        GxB_Format_Value format = by_col ? GxB_BY_COL : GxB_BY_ROW;
        cr_assert_eq(GrB_Matrix_new(&A, GrB_FP64, huge, 5), GrB_SUCCESS);
        for (GrB_Index i = 0; i < 3; i++) {
            GrB_Matrix_setElement_FP64(A, (double)i + 1, huge / 3 * i, i);
        }
        for (int i = 0; i < 2; i++) {
            cr_assert_eq(GrB_Matrix_new(&C[i], GrB_FP64, huge, 3), GrB_SUCCESS);
            cr_assert_eq(GxB_Matrix_Option_set(C[i], GxB_FORMAT, format), GrB_SUCCESS);
        }
        cr_assert_eq(GrB_mxm(C[0], NULL, NULL, f.right.semiring, A, f.right.B, NULL), GrB_SUCCESS);
        cr_assert_eq(
            torc_traced_mxm(&trace, C[1], NULL, NULL, f.right.semiring, A, f.right.B, NULL), GrB_SUCCESS);
        cr_assert_str_eq(trace.where, getenv("TORC_BACKEND"), "%s", trace.text);
        GrB_Index nvals, rows[2][9], cols[2][9];
        double values[2][9];
        for (int i = 0; i < 2; i++) {
            nvals = 9;
            cr_assert_eq(
                GrB_Matrix_extractTuples_FP64(rows[i], cols[i], values[i], &nvals, C[i]), GrB_SUCCESS);
            cr_assert_eq(nvals, 9);
        }
        cr_assert_eq(memcmp(rows[0], rows[1], sizeof rows[0]), 0);
        cr_assert_eq(memcmp(cols[0], cols[1], sizeof cols[0]), 0);
        cr_assert_eq(memcmp(values[0], values[1], sizeof values[0]), 0);
        GrB_Matrix_free(&A);
        GrB_Matrix_free(&C[0]);
        GrB_Matrix_free(&C[1]);
        free_fixture(&f);
    }
}

/* What the sanitizer would tell of: 8 rows of 2^60 elements, of which few are there. */
Test(mxm, a_sparse_c_may_have_more_cells_than_can_be_counted)
{
    enum { ROWS = 8, INNER = 7 };
    const GrB_Index many = GrB_INDEX_MAX + 1;
    GrB_Matrix A, B, C;
    GrB_Index nvals;
    cr_assert_eq(GrB_Matrix_new(&A, GrB_FP64, ROWS, INNER), GrB_SUCCESS);
    cr_assert_eq(GrB_Matrix_new(&B, GrB_FP64, INNER, many), GrB_SUCCESS);
    cr_assert_eq(GrB_Matrix_new(&C, GrB_FP64, ROWS, many), GrB_SUCCESS);
    cr_assert_eq(GxB_Matrix_Option_set(B, GxB_FORMAT, GxB_BY_COL), GrB_SUCCESS);
    cr_assert_eq(GrB_Matrix_assign_FP64(A, NULL, NULL, 1, GrB_ALL, ROWS, GrB_ALL, INNER, NULL), GrB_SUCCESS);
    for (GrB_Index k = 0; k < INNER; k++) {
        cr_assert_eq(GrB_Matrix_setElement_FP64(B, 1, k, many - 1 - k), GrB_SUCCESS);
    }
    for (GrB_Index i = 0; i < ROWS; i++) {
        cr_assert_eq(GrB_Matrix_setElement_FP64(C, 1, i, i), GrB_SUCCESS);
    }
    cr_assert_eq(torc_mxm(C, NULL, NULL, GrB_MIN_PLUS_SEMIRING_FP64, A, B, NULL), GrB_SUCCESS);
    cr_assert_eq(GrB_Matrix_nvals(&nvals, C), GrB_SUCCESS);
    cr_assert_eq(nvals, ROWS * INNER);
    GrB_Matrix_free(&A);
    GrB_Matrix_free(&B);
    GrB_Matrix_free(&C);
}

static int64_t blocks_until_failure = -1;

static void *malloc_until(size_t size)
{
    return blocks_until_failure >= 0 && blocks_until_failure-- == 0 ? NULL : malloc(size);
}

static GrB_Matrix with_pending_entries(GrB_Index nrows, GrB_Index ncols, GrB_Index stride)
{
    GrB_Matrix A;
    cr_assert_eq(GrB_Matrix_new(&A, GrB_FP64, nrows, ncols), GrB_SUCCESS);
    for (GrB_Index cell = 0; cell < nrows * ncols; cell += stride) {
        cr_assert_eq(GrB_Matrix_setElement_FP64(A, 1, cell / ncols, cell % ncols), GrB_SUCCESS);
    }
    return A;
}

/* GraphBLAS finishes what it multiplies; for want of memory the objects become invalid. */
Test(mxm_short_of_memory, says_so_where_operands_are_to_be_finished)
{
    static const int64_t no_pool[64];
    torc_trace_begin();
    cr_assert_eq(GxB_init(GrB_NONBLOCKING, malloc_until, NULL, NULL, free), GrB_SUCCESS);
    cr_assert_eq(GxB_Global_Option_set(GxB_MEMORY_POOL, no_pool), GrB_SUCCESS);
    GrB_Info info = GrB_OUT_OF_MEMORY;
    for (int64_t failing = 0; info != GrB_SUCCESS; failing++) {
        GrB_Matrix A = with_pending_entries(40, 30, 7), B = with_pending_entries(30, 3, 1);
        GrB_Matrix C = with_pending_entries(40, 3, 2);
        blocks_until_failure = failing;
        info = torc_mxm(C, NULL, GrB_PLUS_FP64, GrB_PLUS_TIMES_SEMIRING_FP64, A, B, NULL);
        info = blocks_until_failure < 0 && info == GrB_SUCCESS ? GrB_OUT_OF_MEMORY : info;
        blocks_until_failure = -1;
        cr_expect(
            info == GrB_SUCCESS || info == GrB_OUT_OF_MEMORY, "block %ld: %d", (long)failing, (int)info);
        GrB_Matrix_free(&A);
        GrB_Matrix_free(&B);
        GrB_Matrix_free(&C);
    }
    torc_glue_finish();
}
