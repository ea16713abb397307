/* away_formats.c: SuiteSparse computes with objects in the formats that the program asked for, also where
 * torc has put that off. It shows in what SuiteSparse 7.4 dies of: a full mask under an accumulator. Nothing
 * here runs on a device. */
#include "away_program.h"

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

void away_formats(void)
{
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
