/* rank_sparse.c: this rank's rows of A, and who needs which rows of whose B. */
#include "halo.h"
#include "offsets.h"
#include "rank_operands.h"
#include <limits.h>
#include <stdlib.h>

/* This rank's number of rows, and where they begin in all; the sum of all. */
static int64_t place_rows(int64_t *begin, const torc_ranks *ranks, int64_t rows)
{
    int64_t end, all;
    MPI_Scan(&rows, &end, 1, MPI_INT64_T, MPI_SUM, ranks->communicator);
    MPI_Allreduce(&rows, &all, 1, MPI_INT64_T, MPI_SUM, ranks->communicator);
    *begin = end - rows;
    return all;
}

static torc_status allocate_rows(torc_rank_rows *rows, const torc_ranks *ranks)
{
    rows->counts = calloc((size_t)(unsigned)ranks->count, sizeof *rows->counts);
    rows->starts = calloc((size_t)(unsigned)ranks->count, sizeof *rows->starts);
    return rows->counts && rows->starts ? TORC_SUCCESS : TORC_OUT_OF_MEMORY;
}

/* MPI counts no further than an int. */
static torc_status refuse_so_many(const torc_ranks *ranks)
{
    return torc_context_explain(
        ranks->context, TORC_UNSUPPORTED, "a rank sends or receives 2^31 rows of B or more");
}

/* Starts from counts. */
static torc_status sum_rows(torc_rank_rows *rows, const torc_ranks *ranks)
{
    rows->total = 0;
    for (int r = 0; r < ranks->count; r++) {
        if (rows->total > INT_MAX - rows->counts[r]) {
            return refuse_so_many(ranks);
        }
        rows->starts[r] = (int)rows->total;
        rows->total += rows->counts[r];
    }
    return TORC_SUCCESS;
}

/* Whose the columns of the halo are; begins: of all ranks' blocks of B. */
static torc_status count_needed(
    torc_rank_rows *needed, const torc_ranks *ranks, const torc_halo_plan *plan, const int64_t *begins)
{
    int owner = 0;
    if (plan->count > INT_MAX) {
        return refuse_so_many(ranks);
    }
    for (int64_t i = 0; i < plan->count; i++) {
        while (owner + 1 < ranks->count && begins[owner + 1] <= plan->columns[i]) {
            owner++;
        }
        needed->counts[owner]++;
    }
    return sum_rows(needed, ranks);
}

/* Room for what travels at once: to and from each rank, of each array. */
static torc_status allocate_pieces(torc_rank_sparse *A)
{
    size_t count = (size_t)(unsigned)A->ranks->count * TORC_RANK_ARRAYS;
    A->pieces = malloc(2 * count * sizeof *A->pieces);
    A->written = malloc(count * sizeof *A->written);
    A->places = calloc(count, sizeof *A->places);
    A->own_places = calloc(count, sizeof *A->own_places);
    return A->pieces && A->written && A->places && A->own_places ? TORC_SUCCESS : TORC_OUT_OF_MEMORY;
}

/* The numbers of rows that others need, on the device. */
static torc_status put_lent_rows(torc_rank_sparse *A, const uint64_t *rows)
{
    size_t size = (size_t)A->lent.total * sizeof *rows;
    void *memory;
    torc_status status = torc_memory_allocate(&memory, A->ranks->context, size);
    A->lent_rows = memory;
    return status == TORC_SUCCESS ? torc_memory_upload(A->ranks->context, memory, rows, size) : status;
}

/* Tell the others what this rank needs of theirs, and hear what they need. */
static torc_status exchange_lists(torc_rank_sparse *A, const torc_halo_plan *plan)
{
    const torc_ranks *ranks = A->ranks;
    uint64_t *rows = NULL;
    MPI_Alltoall(A->needed.counts, 1, MPI_INT, A->lent.counts, 1, MPI_INT, ranks->communicator);
    torc_status status = sum_rows(&A->lent, ranks);
    if (status == TORC_SUCCESS) {
        rows = malloc(((size_t)A->lent.total + 1) * sizeof *rows);
        status = rows ? TORC_SUCCESS : TORC_OUT_OF_MEMORY;
    }
    status = torc_ranks_agree(ranks, status);
    if (status == TORC_SUCCESS) {
        MPI_Alltoallv(plan->columns, A->needed.counts, A->needed.starts, MPI_INT64_T, rows, A->lent.counts,
            A->lent.starts, MPI_INT64_T, ranks->communicator);
        for (int64_t i = 0; i < A->lent.total; i++) {
            rows[i] -= (uint64_t)A->b_begin;
        }
        status = torc_ranks_agree(ranks, put_lent_rows(A, rows));
    }
    free(rows);
    return status;
}

/* The rows on the device, with columns as this rank numbers them. */
static torc_status put_rows(torc_rank_sparse *A, const torc_csr *rows, const torc_halo_plan *plan)
{
    torc_csr local = *rows;
    int64_t *names = NULL;
    local.ncols = A->b_rows + plan->count;
    local.col_idx = plan->local;
    local.col_idx_bits = 32;
    if (!rows->row_names) {
        local.row_names = names = malloc(((size_t)rows->nrows + 1) * sizeof *names);
        if (!names) {
            return TORC_OUT_OF_MEMORY;
        }
        for (int64_t i = 0; i < rows->nrows; i++) {
            names[i] = A->first_row + i;
        }
    }
    torc_status status = torc_sparse_create(&A->A, A->ranks->context, &local);
    free(names);
    return status;
}

static torc_status plan_and_put(torc_rank_sparse *A, const torc_csr *rows)
{
    const torc_ranks *ranks = A->ranks;
    int64_t *begins = malloc((size_t)(unsigned)ranks->count * sizeof *begins);
    torc_halo_plan plan = {.own_begin = 0};
    torc_status status = torc_ranks_agree(ranks, begins ? TORC_SUCCESS : TORC_OUT_OF_MEMORY);
    if (status != TORC_SUCCESS) {
        free(begins);
        return status;
    }
    place_rows(&A->first_row, ranks, rows->nrows);
    int64_t all = place_rows(&A->b_begin, ranks, A->b_rows);
    MPI_Allgather(&A->b_begin, 1, MPI_INT64_T, begins, 1, MPI_INT64_T, ranks->communicator);
    plan.own_begin = A->b_begin;
    plan.own_end = A->b_begin + A->b_rows;
    status = allocate_rows(&A->needed, ranks);
    if (status == TORC_SUCCESS) {
        status = allocate_rows(&A->lent, ranks);
    }
    if (status == TORC_SUCCESS) {
        status = allocate_pieces(A);
    }
    if (status == TORC_SUCCESS) {
        status = torc_halo_find(&plan, rows, all, ranks->context);
    }
    if (status == TORC_SUCCESS) {
        status = count_needed(&A->needed, ranks, &plan, begins);
    }
    status = torc_ranks_agree(ranks, status);
    if (status == TORC_SUCCESS) {
        MPI_Allreduce(&A->needed.total, &A->most_needed, 1, MPI_INT64_T, MPI_MAX, ranks->communicator);
        status = exchange_lists(A, &plan);
    }
    if (status == TORC_SUCCESS) {
        status = torc_ranks_agree(ranks, put_rows(A, rows, &plan));
    }
    torc_halo_free(&plan);
    free(begins);
    return status;
}

static bool is_width(int bits)
{
    return bits == 32 || bits == 64;
}

/* Check the arguments that are read before torc_sparse_create checks the rest. */
static torc_status check(torc_rank_sparse **A, torc_context *context, const torc_csr *rows, int64_t b_rows)
{
    if (!A || !rows || !rows->row_ptr) {
        return torc_context_explain(context, TORC_NULL_POINTER, "A, rows or rows.row_ptr is NULL");
    }
    if (b_rows < 0 || rows->nrows < 0) {
        return torc_context_explain(context, TORC_INVALID_VALUE, "a number of rows is negative");
    }
    if (b_rows > UINT32_MAX) { /* sums of all ranks fit an int64_t */
        return torc_context_explain(context, TORC_UNSUPPORTED, "2^32 rows of B or more for one rank");
    }
    if (!is_width(rows->row_ptr_bits) || !is_width(rows->col_idx_bits)) {
        return torc_context_explain(context, TORC_INVALID_VALUE, "indices have neither 32 bits nor 64");
    }
    int64_t nnz = torc_offset(rows->row_ptr, rows->row_ptr_bits, rows->nrows);
    if (nnz < 0) {
        return torc_context_explain(context, TORC_INVALID_VALUE, "rows.row_ptr ends with a negative number");
    }
    return nnz > 0 && !rows->col_idx
               ? torc_context_explain(context, TORC_NULL_POINTER, "rows.col_idx is NULL")
               : TORC_SUCCESS;
}

torc_status torc_rank_sparse_create(
    torc_rank_sparse **A, torc_ranks *ranks, const torc_csr *rows, int64_t b_rows)
{
    if (!ranks) {
        return TORC_NULL_POINTER;
    }
    torc_rank_sparse *made = calloc(1, sizeof *made);
    torc_ranks_begin(ranks);
    torc_status own = made ? check(A, ranks->context, rows, b_rows) : TORC_OUT_OF_MEMORY;
    torc_status status = torc_ranks_agree(ranks, own);
    if (status == TORC_SUCCESS) {
        *made = (torc_rank_sparse){.ranks = ranks, .b_rows = b_rows};
        status = plan_and_put(made, rows);
    }
    if (status != TORC_SUCCESS) {
        torc_rank_sparse_destroy(made);
        made = NULL;
    }
    if (A) {
        *A = made;
    }
    return status;
}

void torc_rank_sparse_destroy(torc_rank_sparse *A)
{
    if (!A || !A->ranks) {
        free(A);
        return;
    }
    torc_sparse_destroy(A->A);
    free(A->needed.counts);
    free(A->needed.starts);
    free(A->lent.counts);
    free(A->lent.starts);
    free(A->pieces);
    free(A->written);
    free(A->places);
    free(A->own_places);
    torc_memory_release(A->ranks->context, A->lent_rows);
    for (int i = 0; i < TORC_RANK_ARRAYS; i++) {
        torc_memory_release(A->ranks->context, A->gathered[i].memory);
        torc_memory_release(A->ranks->context, A->arrived[i].memory);
        torc_memory_release(A->ranks->context, A->extended[i].memory);
        free(A->sent[i].memory);
        free(A->received[i].memory);
    }
    free(A);
}

torc_status torc_rank_sparse_halo(torc_halo *halo, const torc_rank_sparse *A)
{
    if (!halo || !A) {
        return TORC_NULL_POINTER;
    }
    *halo = (torc_halo){A->needed.total, A->lent.total, A->first_row, A->b_begin};
    return TORC_SUCCESS;
}
