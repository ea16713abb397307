/* filled.c: the rows and columns of a sparse operand that have entries. */
#include "row_shares.h"
#include "sparse_parts.h"
#include <stdlib.h>
#include <string.h>

enum { NEARLY_ALL = 8 }; /* of that many parts all but one: what is left is not worth a list */

static bool is_worth_a_list(int64_t count, int64_t all)
{
    return count < all - all / NEARLY_ALL;
}

static torc_status list_rows(torc_sparse *A)
{
    torc_context *context = A->context;
    torc_partition wanted = {.statistics = A->partition.statistics};
    void *numbers = NULL;
    A->rows.count = A->csr.nrows - wanted.statistics.empty_rows;
    if (!is_worth_a_list(A->rows.count, A->csr.nrows)) {
        return TORC_SUCCESS;
    }
    torc_status status = context->executor->allocate(
        &numbers, context->device, (size_t)A->csr.nrows * sizeof *A->rows.numbers);
    A->rows.numbers = wanted.rows = numbers;
    return status == TORC_SUCCESS ? context->executor->cut_rows(context->device, &wanted, &A->csr) : status;
}

static torc_status list_columns(torc_sparse *A)
{
    torc_context *context = A->context;
    void *numbers = NULL;
    torc_status status = context->executor->allocate(
        &numbers, context->device, (size_t)A->csr.ncols * sizeof *A->columns.numbers);
    A->columns.numbers = numbers;
    if (status == TORC_SUCCESS) {
        status = context->executor->list_columns(context->device, numbers, &A->columns.count, &A->csr);
    }
    if (status == TORC_SUCCESS && !is_worth_a_list(A->columns.count, A->csr.ncols)) {
        torc_memory_release(context, numbers);
        A->columns.numbers = NULL;
    }
    return status;
}

void torc_sparse_release_lists(torc_sparse *A)
{
    torc_memory_release(A->context, A->rows.numbers);
    torc_memory_release(A->context, A->columns.numbers);
    A->rows.numbers = A->columns.numbers = NULL;
}

torc_status torc_sparse_list(torc_sparse *A)
{
    if (A->is_listed) {
        return TORC_SUCCESS;
    }
    torc_status status = list_rows(A);
    if (status == TORC_SUCCESS) {
        status = list_columns(A);
    }
    if (status != TORC_SUCCESS) {
        torc_sparse_release_lists(A);
    }
    A->is_listed = status == TORC_SUCCESS || status == TORC_OUT_OF_MEMORY;
    return A->is_listed ? TORC_SUCCESS : status;
}

void torc_sparse_unlist(torc_sparse *A)
{
    torc_sparse_release_lists(A);
    A->is_listed = true;
}

static torc_status find_presence(torc_sparse *A);

/* Of each share on the device that has it. */
static torc_status find_presence_of_shares(torc_sparse *A)
{
    torc_context *context = A->context;
    uint8_t *present = malloc((size_t)A->csr.nrows + 1);
    torc_status status = present ? TORC_SUCCESS : TORC_OUT_OF_MEMORY;
    for (int s = 0; s < A->shares->count && status == TORC_SUCCESS; s++) {
        torc_sparse *rows = A->shares->rows[s];
        context->executor->keep_on(context->device, s);
        status = rows->present ? TORC_SUCCESS : find_presence(rows); /* found before another share failed */
        if (status == TORC_SUCCESS) {
            memcpy(present + A->shares->cuts[s], rows->present, (size_t)rows->csr.nrows);
        }
    }
    context->executor->keep_on(context->device, -1);
    if (status != TORC_SUCCESS) {
        free(present);
        return status;
    }
    A->present = present;
    return status;
}

/* Presence as the device knows it, into A->present. */
static torc_status find_presence(torc_sparse *A)
{
    torc_context *context = A->context;
    size_t size = (size_t)A->csr.nrows;
    torc_partition wanted = {.statistics = A->partition.statistics};
    void *on_device = NULL;
    uint8_t *present = malloc(size + 1);
    torc_status status = present ? torc_memory_allocate(&on_device, context, size) : TORC_OUT_OF_MEMORY;
    if (status == TORC_SUCCESS && size > 0) {
        wanted.present = on_device;
        status = context->executor->cut_rows(context->device, &wanted, &A->csr);
    }
    if (status == TORC_SUCCESS) {
        status = torc_memory_download(context, present, on_device, size);
    }
    torc_memory_release(context, on_device);
    if (status != TORC_SUCCESS) {
        free(present);
        return status;
    }
    A->present = present;
    return status;
}

torc_status torc_sparse_row_presence(uint8_t *present, torc_sparse *A, bool transpose)
{
    if (!A) {
        return TORC_NULL_POINTER;
    }
    if (!present) {
        return torc_context_refuse(A->context, TORC_NULL_POINTER, "present is NULL");
    }
    torc_status status = torc_sparse_orient(&A, A, transpose);
    if (status == TORC_SUCCESS && !A->present) {
        status = A->is_divided ? find_presence_of_shares(A) : find_presence(A);
    }
    if (status == TORC_SUCCESS) {
        memcpy(present, A->present, (size_t)A->csr.nrows);
    }
    return status;
}
