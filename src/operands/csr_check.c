#include "csr_check.h"
#include "offsets.h"
#include <stdarg.h>
#include <stdio.h>

/* Where the one line goes that says what is wrong. */
typedef struct report {
    char *message;
    size_t size;
} report;

__attribute__((format(printf, 3, 4))) static torc_status fail(
    report to, torc_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(to.message, to.size, format, arguments);
    va_end(arguments);
    return status;
}

static torc_status check_dimension(report to, const char *name, int64_t length)
{
    if (length < 0) {
        return fail(to, TORC_INVALID_VALUE, "csr.%s is %lld", name, (long long)length);
    }
    return length <= UINT32_MAX
               ? TORC_SUCCESS
               : fail(to, TORC_UNSUPPORTED, "csr.%s is %lld, more than 2^32 - 1", name, (long long)length);
}

static torc_status check_width(report to, const char *name, int bits)
{
    return bits == 32 || bits == 64
               ? TORC_SUCCESS
               : fail(to, TORC_INVALID_VALUE, "csr.%s is %d, neither 32 nor 64", name, bits);
}

static torc_status check_shape(report to, const torc_csr *csr)
{
    if (!csr || !csr->row_ptr) {
        return fail(to, TORC_NULL_POINTER, "%s is NULL", csr ? "csr.row_ptr" : "csr");
    }
    if (torc_type_size(csr->type) == 0) {
        return fail(to, TORC_INVALID_VALUE, "csr.type is %d, which is no type", (int)csr->type);
    }
    torc_status status = check_width(to, "row_ptr_bits", csr->row_ptr_bits);
    if (status == TORC_SUCCESS) {
        status = check_width(to, "col_idx_bits", csr->col_idx_bits);
    }
    if (status == TORC_SUCCESS) {
        status = check_dimension(to, "nrows", csr->nrows);
    }
    if (status == TORC_SUCCESS) {
        status = check_dimension(to, "ncols", csr->ncols);
    }
    if (status != TORC_SUCCESS) {
        return status;
    }
    int64_t nnz = torc_offset(csr->row_ptr, csr->row_ptr_bits, csr->nrows);
    if (nnz < 0) {
        return fail(
            to, TORC_INVALID_VALUE, "csr.row_ptr[%lld] is %lld", (long long)csr->nrows, (long long)nnz);
    }
    return nnz == 0 || csr->col_idx
               ? TORC_SUCCESS
               : fail(to, TORC_NULL_POINTER, "csr.col_idx is NULL, and csr.row_ptr tells of %lld entries",
                     (long long)nnz);
}

torc_status torc_csr_refuse(torc_context *context, const torc_csr *csr)
{
    char message[160];
    torc_status status = check_shape((report){message, sizeof message}, csr);
    return status == TORC_SUCCESS ? status : torc_context_refuse(context, status, "%s", message);
}

static torc_status check_offsets(report to, const torc_csr *csr)
{
    int64_t before = torc_offset(csr->row_ptr, csr->row_ptr_bits, 0);
    if (before != 0) {
        return fail(to, TORC_INVALID_VALUE, "csr.row_ptr[0] is %lld, not 0", (long long)before);
    }
    for (int64_t i = 1; i <= csr->nrows; i++) {
        int64_t offset = torc_offset(csr->row_ptr, csr->row_ptr_bits, i);
        if (offset < before) {
            return fail(to, TORC_INVALID_VALUE, "csr.row_ptr[%lld] is %lld, less than the %lld before it",
                (long long)i, (long long)offset, (long long)before);
        }
        before = offset;
    }
    return TORC_SUCCESS;
}

static torc_status check_columns(report to, const torc_csr *csr)
{
    int64_t nnz = torc_offset(csr->row_ptr, csr->row_ptr_bits, csr->nrows);
    for (int64_t p = 0; p < nnz; p++) {
        int64_t column = torc_offset(csr->col_idx, csr->col_idx_bits, p);
        if (column < 0 || column >= csr->ncols) {
            return fail(to, TORC_INVALID_VALUE, "csr.col_idx[%lld] is %lld, and there are %lld columns",
                (long long)p, (long long)column, (long long)csr->ncols);
        }
    }
    return TORC_SUCCESS;
}

torc_status torc_csr_check(char *message, size_t size, const torc_csr *csr)
{
    char unwanted[1];
    report to = size > 0 && message ? (report){message, size} : (report){unwanted, sizeof unwanted};
    to.message[0] = '\0';
    torc_status status = check_shape(to, csr);
    if (status == TORC_SUCCESS) {
        status = check_offsets(to, csr);
    }
    return status == TORC_SUCCESS ? check_columns(to, csr) : status;
}
