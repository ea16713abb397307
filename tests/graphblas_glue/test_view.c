/* A view shows what GrB_Matrix_extractTuples tells, in every format, and changes nothing. */
#include "view.h"

#include "offsets.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { NROWS = 37, NCOLS = 23, SIZE = NROWS * NCOLS };

static const torc_binding *graphblas;

static void start(void)
{
    cr_assert_eq(GrB_init(GrB_NONBLOCKING), GrB_SUCCESS);
    graphblas = torc_binding_get();
    cr_assert_not_null(graphblas);
    cr_assert(graphblas->is_known);
}

static void finish(void)
{
    GrB_finalize();
}

TestSuite(view, .init = start, .fini = finish);

static void put(double *values, bool *present, const torc_view *view, int64_t vector, int64_t i, int64_t p)
{
    int64_t row = view->by_col ? i : vector, col = view->by_col ? vector : i;
    present[row * NCOLS + col] = true;
    values[row * NCOLS + col] = ((const double *)view->values)[view->iso ? 0 : p];
}

static void scatter(double *values, bool *present, const torc_view *view)
{
    for (int64_t v = 0; v < view->nvec; v++) {
        if (view->format == TORC_HYPERSPARSE || view->format == TORC_SPARSE) {
            int64_t vector =
                view->format == TORC_HYPERSPARSE ? torc_offset(view->hyper, view->hyper_bits, v) : v;
            int64_t end = torc_offset(view->ptr, view->ptr_bits, v + 1);
            for (int64_t p = torc_offset(view->ptr, view->ptr_bits, v); p < end; p++) {
                put(values, present, view, vector, torc_offset(view->idx, view->idx_bits, p), p);
            }
        } else {
            for (int64_t i = 0; i < view->veclen; i++) {
                int64_t p = v * view->veclen + i;
                if (view->format == TORC_FULL || view->bitmap[p]) {
                    put(values, present, view, v, i, p);
                }
            }
        }
    }
}

static void expect_same_entries(const torc_view *view, GrB_Matrix A, const char *what)
{
    static double values[SIZE], tuple_values[SIZE];
    static bool present[SIZE];
    static GrB_Index rows[SIZE], cols[SIZE];
    memset(present, 0, sizeof present);
    scatter(values, present, view);
    GrB_Index count = SIZE;
    cr_assert_eq(GrB_Matrix_extractTuples_FP64(rows, cols, tuple_values, &count, A), GrB_SUCCESS);
    cr_assert_eq((GrB_Index)view->nvals, count, "%s: nvals", what);
    for (GrB_Index k = 0; k < count; k++) {
        GrB_Index place = rows[k] * NCOLS + cols[k];
        cr_assert(present[place], "%s: (%lu, %lu) is missing", what, rows[k], cols[k]);
        cr_assert_eq(values[place], tuple_values[k], "%s: value at (%lu, %lu)", what, rows[k], cols[k]);
        present[place] = false;
    }
    for (int k = 0; k < SIZE; k++) {
        cr_assert(!present[k], "%s: (%d, %d) should not be there", what, k / NCOLS, k % NCOLS);
    }
}

/* Entries by setElement, which leaves them pending; an iso full matrix by assignment of a scalar. Setting the
 * control of a matrix with all entries makes it full; building it so does not. */
static GrB_Matrix make(torc_format format, bool by_col, bool iso, int percent)
{
    GrB_Matrix A;
    cr_assert_eq(GrB_Matrix_new(&A, GrB_FP64, NROWS, NCOLS), GrB_SUCCESS);
    GxB_Matrix_Option_set(A, GxB_FORMAT, by_col ? GxB_BY_COL : GxB_BY_ROW);
    GxB_Matrix_Option_set(A, GxB_SPARSITY_CONTROL, (int)format);
    if (iso && percent == 100) {
        cr_assert_eq(
            GrB_Matrix_assign_FP64(A, NULL, NULL, 2.5, GrB_ALL, NROWS, GrB_ALL, NCOLS, NULL), GrB_SUCCESS);
        return A;
    }
    for (int k = SIZE - 1; k >= 0; k--) {
        if (rand() % 100 < percent) {
            GrB_Matrix_setElement_FP64(
                A, iso ? 2.5 : k - 100, (GrB_Index)(k / NCOLS), (GrB_Index)(k % NCOLS));
        }
    }
    if (percent == 100) {
        GxB_Matrix_Option_set(A, GxB_SPARSITY_CONTROL, (int)format);
    }
    return A;
}

Test(view, shows_every_format_orientation_and_iso)
{
    static const torc_format formats[] = {TORC_HYPERSPARSE, TORC_SPARSE, TORC_BITMAP, TORC_FULL};
    static const int percents[] = {0, 1, 40, 100};
    srand(11);
    int iso_seen[9] = {0}, shown[9] = {0};
    for (int choice = 0; choice < 4 * 2 * 2 * 4; choice++) {
        torc_format format = formats[choice % 4];
        bool by_col = choice / 4 % 2, iso = choice / 8 % 2;
        int percent = percents[choice / 16];
        char what[100];
        snprintf(what, sizeof what, "seed 11, format %d, %s%s, %d %%", (int)format,
            by_col ? "by column" : "by row", iso ? ", iso" : "", percent);
        GrB_Matrix A = make(format, by_col, iso, percent);
        torc_view view;
        cr_assert_eq(torc_view_open(&view, graphblas, A), GrB_SUCCESS);
        int status;
        GxB_Matrix_Option_get(A, GxB_SPARSITY_STATUS, &status);
        cr_expect_eq((int)view.format, status, "%s", what);
        cr_expect_eq(view.by_col, by_col, "%s", what);
        cr_expect_eq(view.nrows, NROWS);
        cr_expect_eq(view.ncols, NCOLS);
        cr_expect_eq(view.veclen, by_col ? NROWS : NCOLS, "%s", what);
        cr_expect_eq(view.type, GrB_FP64);
        cr_expect_eq(view.type_size, sizeof(double));
        expect_same_entries(&view, A, what);
        bool expects_all_elements =
            percent == 100 && (view.format == TORC_BITMAP || view.format == TORC_FULL);
        cr_expect_eq(torc_view_has_all_elements(&view), expects_all_elements, "%s", what);
        shown[view.format]++;
        iso_seen[view.format] += view.iso;
        GrB_Matrix_free(&A);
    }
    for (int i = 0; i < 4; i++) {
        cr_expect(shown[formats[i]] > iso_seen[formats[i]] && iso_seen[formats[i]] > 0,
            "format %d was not met both iso and not", (int)formats[i]);
    }
}

Test(view, finishes_pending_tuples_and_shows_them)
{
    GrB_Matrix A = make(TORC_SPARSE, false, false, 20);
    GrB_Index before;
    GrB_Matrix_nvals(&before, A);
    GrB_Matrix_setElement_FP64(A, 3, 5, 5);
    GrB_Matrix_setElement_FP64(A, 4, 5, 4);
    torc_view view;
    cr_assert_eq(torc_view_open(&view, graphblas, A), GrB_SUCCESS);
    cr_expect_geq(view.nvals, (int64_t)before);
    expect_same_entries(&view, A, "pending");
    GrB_Matrix_free(&A);
}

Test(view, moves_nothing_in_a_finished_matrix)
{
    GrB_Matrix A = make(TORC_HYPERSPARSE, true, false, 3);
    torc_view first, second;
    cr_assert_eq(torc_view_open(&first, graphblas, A), GrB_SUCCESS);
    cr_assert_eq(torc_view_open(&second, graphblas, A), GrB_SUCCESS);
    cr_expect_eq(first.ptr, second.ptr);
    cr_expect_eq(first.hyper, second.hyper);
    cr_expect_eq(first.idx, second.idx);
    cr_expect_eq(first.values, second.values);
    GrB_Matrix_free(&A);
}

Test(view, takes_dimensions_of_0_and_of_2_to_the_60)
{
    GrB_Matrix A;
    torc_view view;
    static const GrB_Index shapes[][2] = {{0, 0}, {0, 5}, {5, 0}};
    for (int i = 0; i < 3; i++) {
        cr_assert_eq(GrB_Matrix_new(&A, GrB_FP64, shapes[i][0], shapes[i][1]), GrB_SUCCESS);
        cr_assert_eq(torc_view_open(&view, graphblas, A), GrB_SUCCESS);
        cr_expect_eq(view.nrows, (int64_t)shapes[i][0]);
        cr_expect_eq(view.ncols, (int64_t)shapes[i][1]);
        cr_expect_eq(view.nvals, 0);
        GrB_Matrix_free(&A);
    }
    GrB_Index huge = (GrB_Index)1 << 60;
    cr_assert_eq(GrB_Matrix_new(&A, GrB_FP64, huge, huge), GrB_SUCCESS);
    cr_assert_eq(GrB_Matrix_setElement_FP64(A, 7, huge - 1, huge - 2), GrB_SUCCESS);
    cr_assert_eq(torc_view_open(&view, graphblas, A), GrB_SUCCESS);
    cr_assert_eq(view.format, TORC_HYPERSPARSE);
    cr_assert_eq(view.nvec, 1);
    cr_expect_eq(view.nrows, (int64_t)huge);
    cr_expect_eq(torc_offset(view.hyper, view.hyper_bits, 0), (int64_t)huge - 1);
    cr_expect_eq(torc_offset(view.idx, view.idx_bits, 0), (int64_t)huge - 2);
    cr_expect_eq(*(const double *)view.values, 7);
    GrB_Matrix_free(&A);
}

Test(view, fails_as_graphblas_does)
{
    torc_view view;
    cr_expect_eq(torc_view_open(&view, graphblas, NULL), GrB_NULL_POINTER);
    uint64_t no_matrix[64] = {0};
    cr_expect_eq(torc_view_open(&view, graphblas, (GrB_Matrix)(void *)no_matrix), GrB_UNINITIALIZED_OBJECT);
}
