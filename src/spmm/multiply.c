#include "multiply.h"
#include "bit_packing.h"
#include "dense.h"
#include "selected.h"
#include <stdlib.h>

torc_status torc_launch_prepare(
    torc_spmm_args *args, const torc_spmm_kernel *kernel, const torc_operands *operands)
{
    const torc_dense *C = operands->C, *B = operands->B;
    const torc_update *update = operands->update;
    torc_sparse *A = operands->A;
    torc_context *context = A->context;
    *args = (torc_spmm_args){
        .nrows = C->nrows,
        .ncols = C->ncols,
        .ldb = B->ld,
        .ldc = C->ld,
        .first_column = operands->first_column,
        .row_ptr = A->csr.row_ptr,
        .col_idx = A->csr.col_idx,
        .a = A->csr.values,
        .c_rows = A->c_rows,
        .row_names = A->row_names,
        .b_rows = A->csr.ncols,
        .b = B->data,
        .c = C->data,
        .b_bitmap = B->bitmap,
        .c_bitmap = C->bitmap,
        .mask = update->mask,
        .old_c = update->iso ? update->iso : C->data,
        .mask_complement = update->complement,
        .mask_replace = update->replace,
        .heavy_lanes = kernel->shape.lanes,
    };
    int64_t npartials;
    torc_status status = torc_sparse_take_cut(args, &npartials, A, kernel);
    if (status == TORC_SUCCESS && args->nsplit_rows > 0) {
        size_t count = (size_t)npartials * (size_t)C->ncols;
        status = torc_context_workspace(
            &args->partials, context, TORC_WORKSPACE_PARTIALS, count * torc_type_size(C->type));
        if (status == TORC_SUCCESS && B->bitmap) {
            void *bitmap;
            status = torc_context_workspace(&bitmap, context, TORC_WORKSPACE_PARTIAL_BITMAP, count);
            args->partial_bitmap = bitmap;
        }
    }
    return status;
}

/* By this kernel. If memory is lacking, it fails before it writes to C. */
static torc_status launch(const torc_spmm_kernel *kernel, const torc_operands *operands)
{
    const torc_context *context = operands->A->context;
    if (kernel->family == TORC_TILES) {
        return torc_launch_tiles(kernel, operands->C, operands->A, operands->B);
    }
    bool is_shared;
    torc_status status = torc_launch_shares(&is_shared, kernel, operands);
    if (is_shared || status != TORC_SUCCESS) {
        return status;
    }
    torc_spmm_args args;
    status = torc_launch_prepare(&args, kernel, operands);
    return status == TORC_SUCCESS ? context->executor->spmm(context->device, kernel, &args) : status;
}

/* A is in its text; all of C is overwritten. */
static torc_status run_program(const torc_constant_program *program, const torc_operands *operands)
{
    const torc_context *context = operands->A->context;
    torc_constant_args args = {operands->B->data, operands->C->data};
    return context->executor->constant_multiply(context->device, program, &args);
}

/* The kernel of choice. A is planned for one that is there, where that can be; else the kernel is chosen
 * among those that need no such plan. */
static torc_status choose(torc_choice *choice, torc_problem *problem, torc_sparse *A)
{
    const torc_context *context = A->context;
    for (;;) {
        *choice = torc_selected(A, problem, context->kernel);
        torc_cut cut = torc_sparse_cut_of(A, &choice->kernel, problem->ncols);
        if (!torc_cut_is_plan(cut)) {
            return TORC_SUCCESS;
        }
        torc_status status = context->executor->load(context->device, &choice->kernel);
        if (status == TORC_SUCCESS) {
            status = torc_sparse_cut(A, cut);
        }
        if (status == TORC_SUCCESS && torc_sparse_has_plan(A, cut)) {
            return status;
        }
        if (status != TORC_SUCCESS && !torc_lacks_kernel(status)) {
            return status;
        }
        problem->lacks[cut] = true;
    }
}

/* The candidates but for the chosen one, the best first. They lie on the heap: there may be little stack, and
 * the driver needs some of it. */
static torc_status run_next_best(
    const torc_problem *problem, const torc_operands *operands, torc_status status)
{
    torc_spmm_kernel *list = malloc(TORC_MAX_CANDIDATES * sizeof *list);
    int count = list ? torc_rank_kernels(list, problem) : 0;
    for (int i = 0; i < count && torc_lacks_kernel(status); i++) {
        status = launch(&list[i], operands);
    }
    free(list);
    return status;
}

/* Use the chosen kernel. If it does not compile for this device, or there is no compiler for it, use the next
 * best that can be had; executors remember kernels that do not compile. User-defined source is tried once: a
 * mistake in it is in every kernel. */
torc_status torc_multiply_by_row(const torc_dense *C, torc_semiring semiring, torc_sparse *A,
    const torc_dense *B, const torc_update *update, const torc_part *part, bool is_packed)
{
    const torc_operands operands = {C, A, B, update, part->first_column};
    torc_problem problem = torc_problem_of(C, semiring, A, B, update, is_packed);
    problem.is_part = !part->may_plan;
    for (int cut = 0; cut < TORC_CUTS && problem.is_part; cut++) {
        problem.lacks[cut] = problem.lacks[cut] || torc_cut_is_plan((torc_cut)cut);
    }
    torc_choice choice;
    torc_status status = choose(&choice, &problem, A);
    if (status != TORC_SUCCESS) {
        return status;
    }
    status = choice.program && C->ld == C->ncols && B->ld == B->ncols ? run_program(choice.program, &operands)
                                                                      : launch(&choice.kernel, &operands);
    bool is_hopeless = status == TORC_COMPILE_ERROR && semiring.definition;
    if (torc_lacks_kernel(status) && !is_hopeless) {
        for (int cut = 0; cut < TORC_CUTS; cut++) { /* nothing more is planned */
            problem.lacks[cut] = problem.lacks[cut] ||
                                 (torc_cut_is_plan((torc_cut)cut) && !torc_sparse_has_plan(A, (torc_cut)cut));
        }
        status = run_next_best(&problem, &operands, status);
    }
    return status;
}
