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

static void select_one_in_the_old_way(void)
{
    GrB_Vector v = take_bitmap();
    GrB_Scalar place;
    TRY(GrB_Scalar_new(&place, GrB_INT64));
    TRY(GrB_Scalar_setElement_INT64(place, -9));
    TRY(GxB_Vector_select(v, v, GrB_GE_FP64, GxB_DIAG, v, place, GrB_DESC_S));
    show_and_free(v);
    TRY(GrB_Scalar_free(&place));
}

/* A vector is a matrix of one column. */
static void multiply_by_kronecker(void)
{
    GrB_Vector v = take_bitmap();
    GrB_Matrix C = (GrB_Matrix)v, few, one;
    TRY(GrB_Matrix_new(&few, GrB_FP64, ROWS, 1));
    TRY(GrB_Matrix_new(&one, GrB_FP64, 1, 1));
    TRY(GrB_Matrix_setElement_FP64(few, 3, 9, 0));
    TRY(GrB_Matrix_setElement_FP64(one, 2, 0, 0));
    TRY(GrB_Matrix_kronecker_BinaryOp(C, C, GrB_GE_FP64, GrB_TIMES_FP64, few, one, GrB_DESC_S));
    show_and_free(v);
    TRY(GrB_Matrix_free(&few));
    TRY(GrB_Matrix_free(&one));
}

void away_formats(void)
{
    select_one();
    show("select");
    select_one_in_the_old_way();
    show("GxB_select");
    multiply_by_kronecker();
    show("kronecker");
}
