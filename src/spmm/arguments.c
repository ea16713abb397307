/* arguments.c: checks the arguments of a multiplication; its texts have names and numbers. */
#include "dense.h"
#include "spmm.h"

static torc_status check_shapes(
    torc_context *context, const torc_dense *C, const torc_sparse *A, bool transpose, const torc_dense *B)
{
    int64_t m = transpose ? A->csr.ncols : A->csr.nrows, k = transpose ? A->csr.nrows : A->csr.ncols;
    if (C->nrows != m || C->ncols != B->ncols || B->nrows != k) {
        return torc_context_refuse(context, TORC_DIMENSION_MISMATCH,
            "C is %lld x %lld, %s %lld x %lld, B %lld x %lld", (long long)C->nrows, (long long)C->ncols,
            transpose ? "the transpose of A" : "A", (long long)m, (long long)k, (long long)B->nrows,
            (long long)B->ncols);
    }
    return TORC_SUCCESS;
}

static torc_status check_types(torc_context *context, const torc_dense *C, torc_semiring semiring,
    const torc_sparse *A, const torc_dense *B)
{
    torc_traits traits = torc_semiring_traits(semiring);
    const char *multiply = torc_multiply_name(semiring.multiply);
    if (C->iso) {
        return torc_context_refuse(context, TORC_INVALID_VALUE, "C.iso is true: only operands may be iso");
    }
    if (C->type != traits.z_type) {
        return torc_context_refuse(context, TORC_INVALID_VALUE, "C.type is %s, and the semiring gives %s",
            torc_type_name(C->type), torc_type_name(traits.z_type));
    }
    if (torc_type_size(B->type) == 0) {
        return torc_context_refuse(
            context, TORC_INVALID_VALUE, "B.type is %d, which is no type", (int)B->type);
    }
    if (traits.reads_a && A->access == TORC_ACCESS_NONE) {
        return torc_context_refuse(
            context, TORC_INVALID_VALUE, "A has no values, and %s reads them", multiply);
    }
    if (traits.reads_a && !torc_can_cast(traits.x_type, A->type)) {
        return torc_context_refuse(context, TORC_INVALID_VALUE, "A has values of %s, which %s does not take",
            torc_type_name(A->type), multiply);
    }
    if (traits.reads_b && !torc_can_cast(traits.y_type, B->type)) {
        return torc_context_refuse(context, TORC_INVALID_VALUE, "B.type is %s, which %s does not take",
            torc_type_name(B->type), multiply);
    }
    return TORC_SUCCESS;
}

static torc_status check_arrays(
    torc_context *context, const torc_dense *C, torc_semiring semiring, const torc_dense *B)
{
    torc_traits traits = torc_semiring_traits(semiring);
    torc_status status = torc_check_layout(context, "C", C);
    if (status == TORC_SUCCESS) {
        bool has_layout = (traits.reads_b && !B->iso) || B->bitmap;
        status = has_layout ? torc_check_layout(context, "B", B) : torc_check_order(context, "B", B);
    }
    if (status != TORC_SUCCESS) {
        return status;
    }
    if (traits.reads_b && B->nrows > 0 && B->ncols > 0 && !B->data) {
        return torc_context_refuse(context, TORC_NULL_POINTER, "B.data is NULL, and %s reads it",
            torc_multiply_name(semiring.multiply));
    }
    return C->nrows == 0 || C->ncols == 0 || C->data
               ? TORC_SUCCESS
               : torc_context_refuse(context, TORC_NULL_POINTER, "C.data is NULL");
}

torc_status torc_spmm_check_arguments(const torc_dense *C, torc_semiring semiring, const torc_sparse *A,
    bool transpose, const torc_dense *B, const torc_update *update)
{
    static const torc_update overwrite;
    if (!A) {
        return TORC_NULL_POINTER;
    }
    torc_context *context = A->context;
    if (!C || !B) {
        return torc_context_refuse(context, TORC_NULL_POINTER, "%s is NULL", C ? "B" : "C");
    }
    if (!torc_semiring_traits(semiring).is_supported) {
        return torc_context_refuse(context, TORC_UNSUPPORTED, "there is no semiring %s_%s on %s",
            torc_monoid_name(semiring.add), torc_multiply_name(semiring.multiply),
            torc_type_name(semiring.type));
    }
    torc_status status = check_shapes(context, C, A, transpose, B);
    if (status == TORC_SUCCESS) {
        status = check_types(context, C, semiring, A, B);
    }
    if (status == TORC_SUCCESS) {
        status = check_arrays(context, C, semiring, B);
    }
    if (status == TORC_SUCCESS && (semiring.multiply == TORC_FIRSTI || semiring.multiply == TORC_FIRSTI1)) {
        status = torc_sparse_refuse_divided(A, "the numbers of rows");
    }
    return status == TORC_SUCCESS ? torc_check_update(context, C, update ? update : &overwrite) : status;
}
