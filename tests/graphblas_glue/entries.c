/* entries.c: see entries.h. A copy is taken apart, so that nothing depends on the format. */
#include "entries.h"
#include <torc/graphblas.h>
#include "require.h"
#include <stdlib.h>

enum { MAX_ROWS = 1000000 }; /* more are listed */

static void require(GrB_Info info)
{
    TORC_REQUIRE(info == GrB_SUCCESS);
}

static void read_settings(entries *e, GrB_Matrix A)
{
    GxB_Format_Value format;
    require(GrB_Matrix_nrows(&e->nrows, A));
    require(GrB_Matrix_ncols(&e->ncols, A));
    require(GrB_Matrix_nvals(&e->nvals, A)); /* finishes pending work, before the status is asked for */
    require(GxB_Matrix_type(&e->type, A));
    require(GxB_Type_size(&e->value_size, e->type));
    require(GxB_Matrix_Option_get(A, GxB_SPARSITY_STATUS, &e->status));
    require(GxB_Matrix_Option_get(A, GxB_SPARSITY_CONTROL, &e->control));
    require(GxB_Matrix_Option_get(A, GxB_FORMAT, &format));
    require(GxB_Matrix_Option_get(A, GxB_HYPER_SWITCH, &e->hyper_switch));
    require(GxB_Matrix_Option_get(A, GxB_BITMAP_SWITCH, &e->bitmap_switch));
    e->by_col = format == GxB_BY_COL;
}

/* GraphBLAS may list rows that have no entries. */
static void drop_empty_rows(entries *e)
{
    GrB_Index nlisted = 0;
    for (GrB_Index r = 0; r < e->nlisted; r++) {
        if (e->ptr[r + 1] > e->ptr[r]) {
            e->rows[nlisted++] = e->rows[r];
            e->ptr[nlisted] = e->ptr[r + 1];
        }
    }
    e->nlisted = nlisted;
}

static void take_arrays(entries *e, GrB_Matrix *A)
{
    GrB_Index ptr_size, row_size, idx_size, value_size;
    e->nlisted = e->nrows;
    if (e->nrows <= MAX_ROWS) {
        require(GxB_Matrix_unpack_CSR(
            *A, &e->ptr, &e->idx, &e->values, &ptr_size, &idx_size, &value_size, NULL, NULL, NULL));
    } else {
        require(GxB_Matrix_unpack_HyperCSR(*A, &e->ptr, &e->rows, &e->idx, &e->values, &ptr_size, &row_size,
            &idx_size, &value_size, NULL, &e->nlisted, NULL, NULL));
        drop_empty_rows(e);
    }
    require(GrB_Matrix_free(A));
}

entries torc_entries_of(GrB_Matrix A)
{
    entries e = {0};
    GrB_Matrix copy;
    read_settings(&e, A);
    if (e.nvals > 0) {
        require(GrB_Matrix_dup(&copy, A));
    } else { /* 7.4.0 reads a value beyond the end of none when it copies an empty matrix */
        require(GrB_Matrix_new(&copy, e.type, e.nrows, e.ncols));
    }
    take_arrays(&e, &copy);
    return e;
}

entries torc_entries_cast(GrB_Matrix A, bool transpose, value_type type)
{
    GrB_Index nrows, ncols;
    GrB_Matrix X;
    require(GrB_Matrix_nrows(&nrows, A));
    require(GrB_Matrix_ncols(&ncols, A));
    require(
        GrB_Matrix_new(&X, torc_value_handle(type), transpose ? ncols : nrows, transpose ? nrows : ncols));
    require(GrB_transpose(X, NULL, NULL, A, transpose ? NULL : GrB_DESC_T0));
    entries e = {0};
    read_settings(&e, X);
    take_arrays(&e, &X);
    return e;
}

void torc_entries_free(entries *e)
{
    torc_free(e->ptr);
    torc_free(e->rows);
    torc_free(e->idx);
    torc_free(e->values);
}
