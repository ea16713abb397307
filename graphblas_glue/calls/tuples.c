/* tuples.c: the values of a full matrix that is away come straight to the caller, and it stays away. */
#include "away.h"
#include "clock.h"
#include "dense_call.h"
#include "match.h"
#include "operations.h"
#include "placement.h"
#include "session.h"
#include "statistics.h"

/* To another type, and from there into the caller's memory. */
static torc_status cast(
    void *X, torc_type type, torc_context *context, const torc_view *view, torc_type a_type)
{
    size_t size = (size_t)view->nrows * (size_t)view->ncols * torc_type_size(type);
    torc_operation identity = {.kind = TORC_APPLY, .unary = TORC_UNARY_IDENTITY, .type = a_type};
    torc_placed_dense placed;
    torc_placed_array converted;
    torc_status status = torc_place_dense(&placed, context, view, a_type, true, NULL);
    if (status != TORC_SUCCESS) {
        return status;
    }
    status = torc_place_bytes(&converted, context, NULL, size);
    if (status == TORC_SUCCESS) {
        torc_operand A = {.dense = &placed.dense};
        torc_dense to = placed.dense;
        to.type = type;
        to.data = converted.data;
        status = torc_elementwise(&to, &identity, context, &A, NULL, NULL);
    }
    if (status == TORC_SUCCESS) {
        status = torc_memory_download(context, X, converted.data, size);
    }
    torc_placed_array_release(&converted, context);
    torc_placed_release(&placed, context);
    return status;
}

static bool fetch_cast(void *X, torc_type type, const torc_view *view, torc_type a_type)
{
    const char *why;
    bool is_forced = torc_dense_is_forced();
    torc_context *context = torc_session_acquire(&why, is_forced ? TORC_FOREVER : 0);
    if (!context) {
        return false;
    }
    torc_context_defer_kernels(context, !is_forced);
    torc_status status = cast(X, type, context, view, a_type);
    torc_session_release();
    if (status == TORC_NOT_COMPILED) {
        torc_session_compile_beside();
    }
    return status == TORC_SUCCESS;
}

static bool fetch(void *X, torc_type type, const torc_view *view, torc_type a_type)
{
    if (type != a_type) {
        return fetch_cast(X, type, view, a_type);
    }
    torc_session_lock();
    bool is_read =
        torc_residency_read(X, view->values, (size_t)view->nrows * (size_t)view->ncols * view->type_size);
    torc_session_release();
    return is_read;
}

typedef struct written_indices {
    GrB_Index *along, *across; /* the vectors; NULL: not asked for */
    int64_t veclen;
} written_indices;

/* In the order of the values. */
static void write_part(void *argument, int64_t begin, int64_t end)
{
    const written_indices *written = argument;
    int64_t vector = begin / written->veclen, place = begin % written->veclen;
    for (int64_t k = begin; k < end; k++) {
        if (written->along) {
            written->along[k] = (GrB_Index)place;
        }
        if (written->across) {
            written->across[k] = (GrB_Index)vector;
        }
        place = place + 1 < written->veclen ? place + 1 : 0;
        vector += place == 0;
    }
}

static void write_indices(GrB_Index *I, GrB_Index *J, const torc_view *view)
{
    written_indices written = {view->by_col ? I : J, view->by_col ? J : I, view->veclen};
    if (I || J) {
        torc_threads_loop(view->nvals, sizeof *I + sizeof *J, write_part, &written);
    }
}

bool torc_try_extract_tuples(
    GrB_Index *I, GrB_Index *J, void *X, GrB_Index *nvals, torc_type type, GrB_Matrix A)
{
    const torc_binding *graphblas = torc_away_is_any() ? torc_binding_get() : NULL;
    double start = torc_clock();
    torc_view view;
    torc_type a_type;
    if (!A || !X || !nvals || !graphblas || !graphblas->is_known ||
        torc_view_open(&view, graphblas, A) != GrB_SUCCESS || view.format != TORC_FULL ||
        torc_away_journey(view.values) == 0 || !torc_match_type(&a_type, view.type) ||
        *nvals < (GrB_Index)view.nvals || !fetch(X, type, &view, a_type)) {
        return false;
    }
    int limit = torc_threads_limit(torc_binding_threads(graphblas, NULL));
    write_indices(I, J, &view);
    torc_threads_limit(limit);
    *nvals = (GrB_Index)view.nvals;
    torc_statistics_count_dense("GrB_extractTuples", torc_clock() - start, 0);
    return true;
}
