#include "halo.h"
#include "offsets.h"
#include <stdlib.h>

static bool is_own(const torc_halo_plan *plan, int64_t column)
{
    return column >= plan->own_begin && column < plan->own_end;
}

static int compare_columns(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* All foreign columns, each once. */
static torc_status list_foreign(torc_halo_plan *plan, const torc_csr *rows, int64_t nnz, int64_t b_rows)
{
    int64_t foreign = 0;
    for (int64_t p = 0; p < nnz; p++) {
        int64_t column = torc_offset(rows->col_idx, rows->col_idx_bits, p);
        if (column < 0 || column >= b_rows) {
            return TORC_INVALID_VALUE;
        }
        foreign += !is_own(plan, column);
    }
    plan->columns = malloc(((size_t)foreign + 1) * sizeof *plan->columns);
    if (!plan->columns) {
        return TORC_OUT_OF_MEMORY;
    }
    foreign = 0;
    for (int64_t p = 0; p < nnz; p++) {
        int64_t column = torc_offset(rows->col_idx, rows->col_idx_bits, p);
        if (!is_own(plan, column)) {
            plan->columns[foreign++] = column;
        }
    }
    qsort(plan->columns, (size_t)foreign, sizeof *plan->columns, compare_columns);
    for (int64_t i = 0; i < foreign; i++) {
        if (i == 0 || plan->columns[i] != plan->columns[plan->count - 1]) {
            plan->columns[plan->count++] = plan->columns[i];
        }
    }
    return TORC_SUCCESS;
}

static int64_t place_of(const torc_halo_plan *plan, int64_t column)
{
    int64_t low = 0, high = plan->count - 1;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (plan->columns[middle] < column) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

torc_status torc_halo_find(torc_halo_plan *plan, const torc_csr *rows, int64_t b_rows)
{
    int64_t nnz = torc_offset(rows->row_ptr, rows->row_ptr_bits, rows->nrows);
    torc_status status = list_foreign(plan, rows, nnz, b_rows);
    if (status != TORC_SUCCESS) {
        return status;
    }
    int64_t own = plan->own_end - plan->own_begin;
    if (own + plan->count > UINT32_MAX) {
        return TORC_UNSUPPORTED;
    }
    plan->local = malloc(((size_t)nnz + 1) * sizeof *plan->local);
    if (!plan->local) {
        return TORC_OUT_OF_MEMORY;
    }
    for (int64_t p = 0; p < nnz; p++) {
        int64_t column = torc_offset(rows->col_idx, rows->col_idx_bits, p);
        plan->local[p] =
            (uint32_t)(is_own(plan, column) ? column - plan->own_begin : own + place_of(plan, column));
    }
    return TORC_SUCCESS;
}

void torc_halo_free(torc_halo_plan *plan)
{
    free(plan->columns);
    free(plan->local);
    *plan = (torc_halo_plan){0};
}
