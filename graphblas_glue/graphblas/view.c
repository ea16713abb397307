/* view.c: see view.h. Attaching an iterator to a matrix finishes the matrix's pending work, and the iterator
 * shows its arrays. The layouts of iterators are those of GraphBLAS.h, which has them because its macros read
 * them. */
#include "view.h"
#include <stdatomic.h>

/* GraphBLAS 7 to 9 */
typedef struct iterator_64 {
    int64_t cursor[4];
    size_t header_size;
    int64_t pmax, veclen, vdim, nvec;
    const int64_t *ptr, *hyper;
    const int8_t *bitmap;
    const int64_t *idx;
    const void *values;
    size_t type_size;
    int format;
    bool iso, by_col;
} iterator_64;

/* GraphBLAS 10: of each pair of pointers at most one is set */
typedef struct iterator_mixed {
    int64_t cursor[4];
    size_t header_size;
    int64_t pmax, veclen, vdim, nvec;
    const void *ptr_32, *ptr_64, *hyper_32, *hyper_64, *idx_32, *idx_64;
    const int8_t *bitmap;
    const void *values;
    size_t type_size;
    int format;
    bool iso, by_col;
} iterator_mixed;

_Static_assert(sizeof(iterator_64) == 128, "the layout of GraphBLAS 7.4 and 9.3");
_Static_assert(sizeof(iterator_mixed) == 152, "the layout of GraphBLAS 10");

static const void *choose(int *bits, const void *narrow, const void *wide)
{
    *bits = narrow ? 32 : 64;
    return narrow ? narrow : wide;
}

static _Thread_local bool attaches, has_run_out;

bool torc_view_attaches(void)
{
    return attaches;
}

static GrB_Info attach_any(void *iterator, const torc_binding *graphblas, GrB_Matrix A)
{
    attaches = true;
    GrB_Info status = graphblas->iterator_attach(iterator, A, NULL);
    attaches = false;
    return status;
}

static GrB_Info attach(iterator_mixed *iterator, const torc_binding *graphblas, GrB_Matrix A)
{
    if (graphblas->numbers->has_mixed_integers) {
        return attach_any(iterator, graphblas, A);
    }
    iterator_64 old = {.nvec = 0};
    GrB_Info status = attach_any(&old, graphblas, A);
    *iterator = (iterator_mixed){.veclen = old.veclen,
        .nvec = old.nvec,
        .ptr_64 = old.ptr,
        .hyper_64 = old.hyper,
        .idx_64 = old.idx,
        .bitmap = old.bitmap,
        .values = old.values,
        .type_size = old.type_size,
        .format = old.format,
        .iso = old.iso,
        .by_col = old.by_col};
    return status;
}

void torc_view_note(GrB_Info info)
{
    has_run_out = has_run_out || info == GrB_OUT_OF_MEMORY;
}

GrB_Info torc_view_answer(GrB_Info info)
{
    bool had_run_out = has_run_out;
    has_run_out = false;
    return had_run_out && info == GrB_INVALID_OBJECT ? GrB_OUT_OF_MEMORY : info;
}

static void (*_Atomic before)(GrB_Matrix A);

void torc_view_before(void (*function)(GrB_Matrix A))
{
    atomic_store(&before, function);
}

GrB_Info torc_view_open(torc_view *view, const torc_binding *graphblas, GrB_Matrix A)
{
    void (*function)(GrB_Matrix) = atomic_load(&before);
    if (function) {
        function(A);
    }
    iterator_mixed iterator = {.nvec = 0};
    GrB_Type type = NULL;
    GrB_Index nrows = 0, ncols = 0, nvals = 0;
    GrB_Info status = attach(&iterator, graphblas, A);
    if (status == GrB_SUCCESS) {
        status = graphblas->matrix_type(&type, A);
    }
    if (status == GrB_SUCCESS) {
        status = graphblas->matrix_nrows(&nrows, A);
    }
    if (status == GrB_SUCCESS) {
        status = graphblas->matrix_ncols(&ncols, A);
    }
    if (status == GrB_SUCCESS) {
        status = graphblas->matrix_nvals(&nvals, A);
    }
    if (status != GrB_SUCCESS) {
        torc_view_note(status);
        return status;
    }

    *view = (torc_view){.nrows = (int64_t)nrows,
        .ncols = (int64_t)ncols,
        .nvals = (int64_t)nvals,
        .format = (torc_format)iterator.format,
        .by_col = iterator.by_col,
        .iso = iterator.iso,
        .type = type,
        .type_size = iterator.type_size,
        .nvec = iterator.nvec,
        .veclen = iterator.veclen,
        .bitmap = iterator.bitmap,
        .values = iterator.values};
    view->ptr = choose(&view->ptr_bits, iterator.ptr_32, iterator.ptr_64);
    view->hyper = choose(&view->hyper_bits, iterator.hyper_32, iterator.hyper_64);
    view->idx = choose(&view->idx_bits, iterator.idx_32, iterator.idx_64);
    return GrB_SUCCESS;
}

/* Counting entries assembles those that are pending, after which the format is what it will be. */
GrB_Info torc_view_format(torc_format *format, const torc_binding *graphblas, GrB_Matrix A)
{
    GrB_Index nvals;
    int32_t status = 0;
    GrB_Info info = graphblas->matrix_nvals(&nvals, A);
    if (info == GrB_SUCCESS) {
        info = torc_binding_get_option(graphblas, A, graphblas->numbers->sparsity_status, &status);
    }
    *format = (torc_format)status;
    torc_view_note(info);
    return info;
}

bool torc_view_is_listed(const torc_view *view)
{
    return view->format == TORC_SPARSE || view->format == TORC_HYPERSPARSE;
}

bool torc_view_has_all_elements(const torc_view *view)
{
    return view->format == TORC_FULL ||
           (view->format == TORC_BITMAP && view->nvals == view->nvec * view->veclen);
}
