/* away_formats.c: SuiteSparse computes with objects in the formats that the program asked for, also where
 * torc has put that off. It shows in what SuiteSparse 7.4 dies of: a full mask under an accumulator. Nothing
 * here runs on a device. */
#include "away_program.h"
#include <complex.h>
#include <string.h>

/* Full on the device; to the program a bitmap. */
static GrB_Vector take_bitmap(void)
{
    GrB_Vector v = away_vector(true);
    TRY(GxB_Vector_Option_set(v, GxB_SPARSITY_CONTROL, GxB_SPARSE + GxB_BITMAP));
    return v;
}

static void show_and_free(GrB_Vector v)
{
    show_vector(v);
    TRY(GrB_Vector_free(&v));
}

/* torc has this operation, but no accumulator that casts. */
static void select_one(void)
{
    GrB_Vector v = take_bitmap();
    TRY(GrB_Vector_select_INT64(v, v, GrB_GE_FP64, GrB_DIAG, v, -9, GrB_DESC_S));
    show_and_free(v);
}

static void select_one_in_the_old_way(bool as_matrix)
{
    GrB_Vector v = take_bitmap();
    GrB_Matrix C = (GrB_Matrix)v;
    GrB_Scalar place;
    TRY(GrB_Scalar_new(&place, GrB_INT64));
    TRY(GrB_Scalar_setElement_INT64(place, -9));
    if (as_matrix) {
        TRY(GxB_Matrix_select(C, C, GrB_GE_FP64, GxB_DIAG, C, place, GrB_DESC_S));
    } else {
        TRY(GxB_Vector_select(v, v, GrB_GE_FP64, GxB_DIAG, v, place, GrB_DESC_S));
    }
    show_and_free(v);
    TRY(GrB_Scalar_free(&place));
}

typedef enum { BY_OPERATOR, BY_MONOID, BY_SEMIRING, IN_THE_OLD_WAY } operator_form;

static GrB_Info kronecker(operator_form form, GrB_Matrix C, GrB_Matrix A, GrB_Matrix B)
{
    GrB_BinaryOp accum = GrB_GE_FP64;
    GrB_Descriptor desc = GrB_DESC_S;
    switch (form) {
    case BY_OPERATOR:
        return GrB_Matrix_kronecker_BinaryOp(C, C, accum, GrB_TIMES_FP64, A, B, desc);
    case BY_MONOID:
        return GrB_Matrix_kronecker_Monoid(C, C, accum, GrB_TIMES_MONOID_FP64, A, B, desc);
    case BY_SEMIRING:
        return GrB_Matrix_kronecker_Semiring(C, C, accum, GrB_PLUS_TIMES_SEMIRING_FP64, A, B, desc);
    default:
        return GxB_kron(C, C, accum, GrB_TIMES_FP64, A, B, desc);
    }
}

/* A vector is a matrix of one column. */
static void multiply_by_kronecker(operator_form form)
{
    GrB_Vector v = take_bitmap();
    GrB_Matrix few, one;
    TRY(GrB_Matrix_new(&few, GrB_FP64, ROWS, 1));
    TRY(GrB_Matrix_new(&one, GrB_FP64, 1, 1));
    TRY(GrB_Matrix_setElement_FP64(few, 3, 9, 0));
    TRY(GrB_Matrix_setElement_FP64(one, 2, 0, 0));
    TRY(kronecker(form, (GrB_Matrix)v, few, one));
    show_and_free(v);
    TRY(GrB_Matrix_free(&few));
    TRY(GrB_Matrix_free(&one));
}

/* A product of few rows, under a mask that is true everywhere, of one value or by structure. */
static void multiply_few_rows(bool by_structure)
{
    GrB_Vector w, u = away_vector(true), mask;
    GrB_Matrix A;
    TRY(GrB_Matrix_new(&A, GrB_INT64, ROWS, ROWS));
    TRY(GrB_Matrix_setElement_INT64(A, 2, 500, 91));
    TRY(GrB_Matrix_setElement_INT64(A, 3, 537, 182));
    TRY(GrB_Vector_new(&w, GrB_FP64, ROWS));
    TRY(GrB_Vector_assign_FP64(w, NULL, NULL, 7, GrB_ALL, ROWS, NULL));
    TRY(GrB_Vector_setElement_FP64(w, 1, 1));
    TRY(GrB_Vector_new(&mask, GrB_BOOL, ROWS));
    TRY(GrB_Vector_assign_BOOL(mask, NULL, NULL, true, GrB_ALL, ROWS, NULL));
    if (by_structure) {
        TRY(GrB_Vector_setElement_BOOL(mask, false, 500));
    }
    TRY(GrB_mxv(
        w, mask, GrB_PLUS_FP64, GrB_PLUS_TIMES_SEMIRING_FP64, A, u, by_structure ? GrB_DESC_S : NULL));
    show_and_free(w);
    TRY(GrB_Vector_free(&u));
    TRY(GrB_Vector_free(&mask));
    TRY(GrB_Matrix_free(&A));
}

/* SuiteSparse refuses to select them by order. */
static void select_complex(void)
{
    const GrB_IndexUnaryOp operators[] = {GrB_VALUELT_FP64, GrB_VALUELE_FP64, GrB_VALUEGT_INT32,
        GrB_VALUEGE_BOOL, GrB_VALUEEQ_FP64, GrB_VALUENE_FP64, GrB_ROWLE};
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        GrB_Vector z, few;
        GrB_Index nvals;
        TRY(GrB_Vector_new(&z, GxB_FC64, ROWS));
        TRY(GrB_Vector_new(&few, GxB_FC64, ROWS));
        TRY(GxB_Vector_assign_FC64(z, NULL, NULL, 3 + 1 * _Complex_I, GrB_ALL, ROWS, NULL));
        TRY(GxB_Vector_setElement_FC64(z, 5, 2));
        int info = GrB_Vector_select_FP64(few, NULL, NULL, operators[i], z, 4, NULL);
        TRY(GrB_Vector_nvals(&nvals, few));
        show_bytes(&info, sizeof info);
        show_bytes(&nvals, sizeof nvals);
        TRY(GrB_Vector_free(&z));
        TRY(GrB_Vector_free(&few));
    }
}

/* Few entries of many are a bitmap on the device, and a list without: such a C is a result once more. */
static GrB_Matrix select_few(GrB_Matrix A)
{
    GrB_Matrix C;
    TRY(GrB_Matrix_new(&C, GrB_FP64, ROWS, COLS));
    TRY(GrB_Matrix_select_INT64(C, NULL, NULL, GrB_ROWLE, A, ROWS / 50, NULL));
    return C;
}

static void show_valid(GrB_Matrix *C)
{
    GrB_Index nvals;
    TRY(GxB_Matrix_fprint(*C, "C", GxB_SILENT, NULL));
    TRY(GrB_Matrix_nvals(&nvals, *C));
    show_bytes(&nvals, sizeof nvals);
    show_matrix(*C);
    TRY(GrB_Matrix_free(C));
}

static void show_refusal(GrB_Matrix C, int info)
{
    const char *text;
    TRY(GrB_Matrix_error(&text, C));
    show_bytes(&info, sizeof info);
    show_bytes(text, strlen(text) + 1);
}

/* C stays as it is. */
static void refuse_to_join(GrB_Matrix C, GrB_Matrix B)
{
    GrB_Matrix narrow, strange;
    GrB_Type type;
    TRY(GrB_Type_new(&type, 16));
    TRY(GrB_Matrix_new(&strange, type, ROWS, COLS));
    TRY(GrB_Matrix_new(&narrow, GrB_FP64, 0, 1));
    const GrB_Matrix none[] = {B, NULL}, two[] = {B, B}, ragged[] = {B, narrow};
    show_refusal(C, GxB_Matrix_concat(C, none, 2, 1, NULL));
    show_refusal(C, GxB_Matrix_concat(C, NULL, 1, 1, NULL));
    show_refusal(C, GxB_Matrix_concat(C, two, 0, 1, NULL));
    show_refusal(C, GxB_Matrix_concat(C, two, 2, 1, NULL));
    show_refusal(C, GxB_Matrix_concat(C, two, 1, 2, NULL));
    show_refusal(C, GxB_Matrix_concat(C, ragged, 2, 1, NULL));
    show_refusal(C, GxB_Matrix_concat(C, &strange, 1, 1, NULL));
    show_refusal(C, GxB_Matrix_concat(C, two, 1, 1, (GrB_Descriptor)C));
    TRY(GrB_Matrix_free(&narrow));
    TRY(GrB_Matrix_free(&strange));
    TRY(GrB_Type_free(&type));
}

static void join(void)
{
    GrB_Matrix A = away_matrix(true), B = away_matrix(false), empty, C = select_few(A);
    TRY(GrB_Matrix_new(&empty, GrB_BOOL, 0, COLS));
    const GrB_Matrix tiles[] = {B, empty};
    refuse_to_join(C, B);
    show_valid(&C);
    C = select_few(A);
    TRY(GxB_Matrix_concat(C, tiles, 2, 1, NULL));
    show_valid(&C);
    TRY(GrB_Matrix_free(&A));
    TRY(GrB_Matrix_free(&B));
    TRY(GrB_Matrix_free(&empty));
}

void away_formats(void)
{
    multiply_few_rows(false);
    multiply_few_rows(true);
    show("few rows under a full mask");
    select_complex();
    show("complex by order");
    join();
    show("concat");
    select_one();
    show("select");
    select_one_in_the_old_way(false);
    select_one_in_the_old_way(true);
    show("GxB_select");
    for (operator_form form = BY_OPERATOR; form <= IN_THE_OLD_WAY; form++) {
        multiply_by_kronecker(form);
    }
    show("kronecker");
}
