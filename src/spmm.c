/* spmm.c: one multiplication: check, bring B into row-major order, multiply, bring C into the order asked
 * for. */
#include "selection.h"
#include "sparse.h"

static bool is_leading_dimension(const torc_dense *X)
{
    return X->ld >= (X->order == TORC_ROW_MAJOR ? X->ncols : X->nrows);
}

static torc_status check_operands(
    const torc_dense *C, torc_semiring semiring, const torc_sparse *A, bool transpose, const torc_dense *B)
{
    torc_traits traits = torc_semiring_traits(semiring);
    if (!traits.is_supported) {
        return TORC_UNSUPPORTED;
    }
    int64_t m = transpose ? A->csr.ncols : A->csr.nrows, k = transpose ? A->csr.nrows : A->csr.ncols;
    if (C->nrows != m || C->ncols != B->ncols || B->nrows != k) {
        return TORC_DIMENSION_MISMATCH;
    }
    if (C->ncols < 0 || C->iso || C->type != traits.z_type || !is_leading_dimension(C) ||
        torc_type_size(B->type) == 0 || (traits.reads_a && A->access == TORC_ACCESS_NONE)) {
        return TORC_INVALID_VALUE;
    }
    if ((traits.reads_a && !torc_can_cast(traits.x_type, A->type)) ||
        (traits.reads_b && !torc_can_cast(traits.y_type, B->type))) {
        return TORC_INVALID_VALUE;
    }
    if (traits.reads_b && !B->iso && !is_leading_dimension(B)) {
        return TORC_INVALID_VALUE;
    }
    bool lacks_b = traits.reads_b && B->nrows > 0 && B->ncols > 0 && !B->data;
    bool lacks_c = C->nrows > 0 && C->ncols > 0 && !C->data;
    return lacks_b || lacks_c ? TORC_NULL_POINTER : TORC_SUCCESS;
}

/* A row-major view of X: X itself, a column as a row-major matrix of one column, or one in workspace. */
static torc_status row_major_view(
    torc_dense *view, torc_context *context, const torc_dense *X, torc_workspace workspace)
{
    *view = *X;
    view->order = TORC_ROW_MAJOR;
    if (X->order == TORC_ROW_MAJOR || X->iso || !X->data) {
        return TORC_SUCCESS;
    }
    view->ld = X->ncols;
    if (X->ncols == 1) {
        return TORC_SUCCESS;
    }
    size_t size = (size_t)X->nrows * (size_t)X->ncols * torc_type_size(X->type);
    return torc_context_workspace(&view->data, context, workspace, size);
}

static torc_status transpose_into(torc_context *context, const torc_dense *to, const torc_dense *from)
{
    /* A column-major matrix is the row-major storage of its transpose. */
    bool to_row_major = to->order == TORC_ROW_MAJOR;
    int64_t nrows = to_row_major ? from->ncols : from->nrows;
    int64_t ncols = to_row_major ? from->nrows : from->ncols;
    return context->executor->transpose_dense(
        context->device, to->data, to->ld, from->data, from->ld, nrows, ncols, torc_type_size(from->type));
}

static torc_access access_of_b(const torc_dense *B, bool reads_b)
{
    if (!reads_b) {
        return TORC_ACCESS_NONE;
    }
    return B->iso ? TORC_ACCESS_ISO : TORC_ACCESS_ARRAY;
}

static uint64_t alignment_of(const torc_dense *X)
{
    return (uint64_t)(uintptr_t)X->data | ((uint64_t)X->ld * torc_type_size(X->type));
}

static torc_spmm_kernel choose_kernel(
    const torc_dense *C, torc_semiring semiring, const torc_sparse *A, const torc_dense *B)
{
    torc_traits traits = torc_semiring_traits(semiring);
    torc_access b_access = access_of_b(B, traits.reads_b);
    size_t b_size = b_access == TORC_ACCESS_ARRAY ? torc_type_size(B->type) : 0;
    return (torc_spmm_kernel){
        .semiring = semiring,
        .a_type = traits.reads_a ? A->type : traits.x_type,
        .b_type = traits.reads_b ? B->type : traits.y_type,
        .a_access = traits.reads_a ? A->access : TORC_ACCESS_NONE,
        .b_access = b_access,
        .wide_offsets = A->csr.wide_offsets,
        .shape =
            torc_select_shape(C->ncols, b_size, torc_type_size(C->type), alignment_of(B), alignment_of(C)),
    };
}

static torc_status multiply(
    const torc_dense *C, torc_semiring semiring, const torc_sparse *A, const torc_dense *B)
{
    torc_context *context = A->context;
    torc_spmm_kernel kernel = choose_kernel(C, semiring, A, B);
    torc_spmm_args args = {
        .nrows = C->nrows,
        .ncols = C->ncols,
        .ldb = B->ld,
        .ldc = C->ld,
        .row_ptr = A->csr.row_ptr,
        .col_idx = A->csr.col_idx,
        .a = A->csr.values,
        .row_names = A->row_names,
        .b = B->data,
        .c = C->data,
        .segments = A->segments,
        .long_rows = A->long_rows,
        .nsegments = A->partition.nsegments,
        .nlong_rows = A->partition.nlong_rows,
    };
    if (args.nsegments > 0) {
        size_t size = (size_t)args.nsegments * (size_t)C->ncols * torc_type_size(C->type);
        torc_status status = torc_context_workspace(&args.partials, context, TORC_WORKSPACE_PARTIALS, size);
        if (status != TORC_SUCCESS) {
            return status;
        }
    }
    return context->executor->spmm(context->device, &kernel, &args);
}

/* May fail for want of memory before it writes to C, never after. */
static torc_status attempt(
    const torc_dense *C, torc_semiring semiring, torc_sparse *A, bool transpose, const torc_dense *B)
{
    torc_context *context = A->context;
    torc_status status = torc_sparse_orient(&A, A, transpose);
    if (status != TORC_SUCCESS) {
        return status;
    }
    torc_dense row_major_b = *B, row_major_c;
    if (torc_semiring_traits(semiring).reads_b) {
        status = row_major_view(&row_major_b, context, B, TORC_WORKSPACE_B);
        if (status == TORC_SUCCESS && row_major_b.data != B->data) {
            status = transpose_into(context, &row_major_b, B);
        }
    }
    if (status == TORC_SUCCESS) {
        status = row_major_view(&row_major_c, context, C, TORC_WORKSPACE_C);
    }
    if (status == TORC_SUCCESS) {
        status = multiply(&row_major_c, semiring, A, &row_major_b);
    }
    if (status == TORC_SUCCESS && row_major_c.data != C->data) {
        status = transpose_into(context, C, &row_major_c);
    }
    return status;
}

torc_status torc_spmm(
    const torc_dense *C, torc_semiring semiring, torc_sparse *A, bool transpose, const torc_dense *B)
{
    if (!C || !A || !B) {
        return TORC_NULL_POINTER;
    }
    torc_status status = check_operands(C, semiring, A, transpose, B);
    if (status != TORC_SUCCESS || C->nrows == 0 || C->ncols == 0) {
        return status;
    }
    status = attempt(C, semiring, A, transpose, B);
    if (status == TORC_OUT_OF_MEMORY && torc_context_trim(A->context)) {
        /* Workspace of earlier, larger multiplications was in the way. */
        status = attempt(C, semiring, A, transpose, B);
    }
    return status;
}
