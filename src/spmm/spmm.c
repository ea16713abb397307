/* spmm.c: one multiplication. Bring B, and as much of C as is read, into row-major order, or pack the
 * booleans; multiply; bring C into the order that was asked for. */
#include "spmm.h"
#include "bit_packing.h"
#include "cuts.h"
#include "multiply.h"
#include "problem.h"
#include "row_major.h"

static const torc_update overwrite;
static const torc_part whole = {.may_plan = true};

/* May fail for want of memory before it writes to C, never after. What is computed over words is exact,
 * whatever the kernel: it is chosen for the part. */
static torc_status attempt(const torc_dense *C, torc_semiring semiring, torc_sparse *A, const torc_dense *B,
    const torc_update *update, const torc_part *part)
{
    torc_context *context = A->context;
    torc_dense view_b, view_c;
    torc_update by_row = *update;
    if (torc_is_everywhere(C, B, update) && !update->has_accum && torc_packing_pays(C, semiring, A, B)) {
        return torc_multiply_packed(C, semiring, A, B, update);
    }
    if (torc_packing_presence_pays(C, semiring, A, B, update)) {
        torc_status status = torc_multiply_presence(C, A, B, update);
        if (!torc_lacks_kernel(status)) {
            return status;
        }
    }
    torc_status status = torc_bring_b(&view_b, context, B, torc_semiring_traits(semiring).reads_b);
    if (status == TORC_SUCCESS) {
        status = torc_bring_c(&view_c, &by_row, context, C);
    }
    if (status == TORC_SUCCESS) {
        status = torc_multiply_by_row(&view_c, semiring, A, &view_b, &by_row, part, false);
    }
    return status == TORC_SUCCESS ? torc_take_back(context, C, &view_c) : status;
}

/* Where memory is short, without workspace of earlier, larger multiplications, then without plans. */
torc_status torc_spmm_part(const torc_dense *C, torc_semiring semiring, torc_sparse *A, bool transpose,
    const torc_dense *B, const torc_update *update, const torc_part *part)
{
    torc_status status = torc_sparse_orient(&A, A, transpose);
    if (status != TORC_SUCCESS) {
        return status;
    }
    A = torc_sparse_ordered(A);
    status = attempt(C, semiring, A, B, update, part);
    if (status == TORC_OUT_OF_MEMORY && torc_context_trim(A->context)) {
        status = attempt(C, semiring, A, B, update, part);
    }
    if (status == TORC_OUT_OF_MEMORY && torc_sparse_give_up_plans(A)) {
        status = attempt(C, semiring, A, B, update, part);
    }
    return status;
}

torc_status torc_spmm(const torc_dense *C, torc_semiring semiring, torc_sparse *A, bool transpose,
    const torc_dense *B, const torc_update *update)
{
    update = update ? update : &overwrite;
    torc_status status = torc_spmm_check_arguments(C, semiring, A, transpose, B, update);
    return status == TORC_SUCCESS && C->nrows > 0 && C->ncols > 0
               ? torc_spmm_part(C, semiring, A, transpose, B, update, &whole)
               : status;
}
