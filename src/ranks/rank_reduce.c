/* rank_reduce.c: reductions over the blocks of all ranks: each rank's own, then those of all in their order,
 * which every rank adds up for itself. */
#include "rank_operands.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* `lines` lines of n values and their presence in host memory. */
typedef struct partials {
    int64_t lines, n;
    char *values;
    uint8_t *present;
} partials;

static torc_status allocate_partials(partials *p, int64_t lines, int64_t n, torc_type type)
{
    size_t cells = (size_t)(lines * n);
    *p = (partials){lines, n, malloc(cells * torc_type_size(type) + 1), malloc(cells + 1)};
    return p->values && p->present ? TORC_SUCCESS : TORC_OUT_OF_MEMORY;
}

static void free_partials(partials *p)
{
    free(p->values);
    free(p->present);
}

/* A vector with its bitmap on the device, released whatever was made of it. */
static torc_status allocate_dense(torc_dense *X, torc_context *context)
{
    size_t cells = (size_t)(X->nrows * X->ncols);
    void *bitmap = NULL;
    torc_status status = torc_memory_allocate(&X->data, context, cells * torc_type_size(X->type));
    if (status == TORC_SUCCESS) {
        status = torc_memory_allocate(&bitmap, context, cells);
        X->bitmap = bitmap;
    }
    return status;
}

static void release_dense(torc_dense *X, torc_context *context)
{
    torc_memory_release(context, X->data);
    torc_memory_release(context, X->bitmap);
}

/* The sums of A's columns into one line of host memory. */
static torc_status reduce_block(
    const partials *sums, torc_reduction reduction, torc_context *context, const torc_dense *A)
{
    size_t n = (size_t)sums->n;
    torc_dense w = {sums->n, 1, sums->n, TORC_COL_MAJOR, reduction.type, false, NULL, NULL};
    torc_status status = allocate_dense(&w, context);
    if (status == TORC_SUCCESS) {
        status = torc_reduce_to_vector(&w, reduction, context, A, true, NULL);
    }
    if (status == TORC_SUCCESS) {
        status = torc_memory_download(context, sums->values, w.data, n * torc_type_size(reduction.type));
    }
    if (status == TORC_SUCCESS) {
        status = torc_memory_download(context, sums->present, w.bitmap, n);
    }
    release_dense(&w, context);
    return status;
}

static torc_status put_partials(torc_dense *X, const partials *p, torc_context *context)
{
    size_t cells = (size_t)(p->lines * p->n);
    torc_status status = allocate_dense(X, context);
    if (status == TORC_SUCCESS) {
        status = torc_memory_upload(context, X->data, p->values, cells * torc_type_size(X->type));
    }
    return status == TORC_SUCCESS ? torc_memory_upload(context, X->bitmap, p->present, cells) : status;
}

/* Gather one line per rank, in the order of ranks. */
static void gather_all(const partials *all, const partials *own, const torc_ranks *ranks, torc_type type)
{
    int bytes = (int)((size_t)own->n * torc_type_size(type)), count = (int)own->n;
    MPI_Allgather(own->values, bytes, MPI_BYTE, all->values, bytes, MPI_BYTE, ranks->communicator);
    MPI_Allgather(own->present, count, MPI_BYTE, all->present, count, MPI_BYTE, ranks->communicator);
}

static torc_status check_arguments(const void *result, const torc_ranks *ranks, const torc_dense *A)
{
    return result && A ? TORC_SUCCESS
                       : torc_context_explain(ranks->context, TORC_NULL_POINTER,
                             A ? "where the result goes is NULL" : "A is NULL");
}

/* Partials are of one size then. ncols: A's; 0 where all is added up. */
static torc_status compare_reductions(const torc_ranks *ranks, torc_reduction reduction, int64_t ncols)
{
    int64_t form[] = {ncols, reduction.add, reduction.type};
    return torc_ranks_compare(
        ranks, form, 3, true, "ranks disagree on the number of columns, the monoid or its type");
}

/* ---- To a scalar -------------------------------------------------------------------------------------- */

/* All partials as one column. */
static torc_status fold(
    void *result, bool *is_empty, torc_reduction reduction, torc_context *context, const partials *all)
{
    torc_dense X = {all->lines, 1, 1, TORC_ROW_MAJOR, reduction.type, false, NULL, NULL};
    torc_status status = put_partials(&X, all, context);
    if (status == TORC_SUCCESS) {
        status = torc_reduce_to_scalar(result, is_empty, reduction, context, &X);
    }
    release_dense(&X, context);
    return status;
}

torc_status torc_ranks_reduce_to_scalar(
    void *result, bool *is_empty, torc_reduction reduction, torc_ranks *ranks, const torc_dense *A)
{
    if (!ranks) {
        return TORC_NULL_POINTER;
    }
    partials own = {0}, all = {0};
    bool own_is_empty = true;
    torc_ranks_begin(ranks);
    torc_status status = torc_ranks_guard(ranks);
    if (status != TORC_SUCCESS) {
        return status;
    }
    status = check_arguments(result, ranks, A);
    if (status == TORC_SUCCESS) {
        status = allocate_partials(&own, 1, 1, reduction.type);
    }
    if (status == TORC_SUCCESS) {
        status = allocate_partials(&all, ranks->count, 1, reduction.type);
    }
    if (status == TORC_SUCCESS) {
        status = torc_reduce_to_scalar(own.values, &own_is_empty, reduction, ranks->context, A);
    }
    status = torc_ranks_agree(ranks, status);
    if (status == TORC_SUCCESS) {
        status = compare_reductions(ranks, reduction, 0);
    }
    if (status == TORC_SUCCESS) {
        own.present[0] = !own_is_empty;
        gather_all(&all, &own, ranks, reduction.type);
        status = torc_ranks_agree(ranks, fold(result, is_empty, reduction, ranks->context, &all));
    }
    free_partials(&own);
    free_partials(&all);
    return status;
}

/* ---- To columns --------------------------------------------------------------------------------------- */

static torc_status fold_columns(
    void *sums, uint8_t *present, torc_reduction reduction, torc_context *context, const partials *all)
{
    torc_dense X = {all->lines, all->n, all->n, TORC_ROW_MAJOR, reduction.type, false, NULL, NULL};
    partials total;
    torc_status status = allocate_partials(&total, 1, all->n, reduction.type);
    if (status == TORC_SUCCESS) {
        status = put_partials(&X, all, context);
    }
    if (status == TORC_SUCCESS) {
        status = reduce_block(&total, reduction, context, &X);
    }
    if (status == TORC_SUCCESS && all->n > 0) {
        memcpy(sums, total.values, (size_t)all->n * torc_type_size(reduction.type));
    }
    if (status == TORC_SUCCESS && present && all->n > 0) {
        memcpy(present, total.present, (size_t)all->n);
    }
    release_dense(&X, context);
    free_partials(&total);
    return status;
}

torc_status torc_ranks_reduce_columns(
    void *sums, uint8_t *present, torc_reduction reduction, torc_ranks *ranks, const torc_dense *A)
{
    if (!ranks) {
        return TORC_NULL_POINTER;
    }
    partials own = {0}, all = {0};
    torc_ranks_begin(ranks);
    torc_status status = torc_ranks_guard(ranks);
    if (status == TORC_SUCCESS) {
        status = torc_ranks_agree(ranks, check_arguments(sums, ranks, A));
    }
    if (status == TORC_SUCCESS) {
        status = compare_reductions(ranks, reduction, A->ncols);
    }
    if (status == TORC_SUCCESS && A->ncols < 0) {
        status =
            torc_context_explain(ranks->context, TORC_INVALID_VALUE, "A has a negative number of columns");
    }
    if (status != TORC_SUCCESS) {
        return status;
    }
    int64_t size = (int64_t)torc_type_size(reduction.type);
    bool fits = size > 0 && A->ncols <= INT_MAX / size; /* MPI counts by int */
    status = fits ? allocate_partials(&own, 1, A->ncols, reduction.type) : TORC_UNSUPPORTED;
    if (status == TORC_SUCCESS) {
        status = allocate_partials(&all, ranks->count, A->ncols, reduction.type);
    }
    if (status == TORC_SUCCESS) {
        status = reduce_block(&own, reduction, ranks->context, A);
    }
    status = torc_ranks_agree(ranks, status);
    if (status == TORC_SUCCESS) {
        gather_all(&all, &own, ranks, reduction.type);
        status = torc_ranks_agree(ranks, fold_columns(sums, present, reduction, ranks->context, &all));
    }
    free_partials(&own);
    free_partials(&all);
    return status;
}
