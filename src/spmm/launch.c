#include "launch.h"
#include "dense.h"

torc_dense torc_as_whole(const torc_dense *X, const torc_part *part)
{
    enum { ALIGNED = 256 };
    torc_dense view = *X;
    if (part->whole_columns > 0) {
        view.ncols = view.ld = part->whole_columns;
    }
    if (part->whole_columns > 0 || part->all_rows) {
        view.data = X->data ? (void *)(uintptr_t)ALIGNED : NULL;
        view.bitmap = X->bitmap ? (uint8_t *)(uintptr_t)ALIGNED : NULL;
    }
    return view;
}

void torc_rule_out_whole(torc_problem *problem)
{
    for (int f = 0; f < TORC_FAMILIES; f++) {
        if (torc_families[f].is_of_all_columns) {
            problem->lacks[torc_families[f].cut] = true;
        }
    }
}

torc_status torc_launch_prepare(torc_spmm_args *args, const torc_spmm_kernel *kernel, const torc_dense *C,
    torc_sparse *A, const torc_dense *B, const torc_update *update, int64_t first_column)
{
    torc_context *context = A->context;
    *args = (torc_spmm_args){
        .nrows = C->nrows,
        .ncols = C->ncols,
        .ldb = B->ld,
        .ldc = C->ld,
        .first_column = first_column,
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

/* A uniform kernel's vectors only spread what is computed once: shorter ones give the same bits. */
static torc_spmm_kernel fitted(const torc_spmm_kernel *kernel, int64_t ncols)
{
    torc_spmm_kernel fit = *kernel;
    while (torc_families[fit.family].is_uniform && ncols % fit.shape.vector != 0) {
        fit.shape.vector /= 2;
    }
    return fit;
}

torc_status torc_launch_kernel(const torc_spmm_kernel *kernel, const torc_dense *C, torc_sparse *A,
    const torc_dense *B, const torc_update *update, const torc_part *part)
{
    torc_spmm_args args;
    const torc_family_facts *family = &torc_families[kernel->family];
    if (part->all_rows && family->is_of_all_rows) {
        return TORC_UNSUPPORTED;
    }
    if (family->cut == TORC_CUT_TILES) {
        return torc_launch_tiles(kernel, C, A, B, part);
    }
    torc_spmm_kernel fit = fitted(kernel, C->ncols);
    torc_status status = torc_launch_prepare(&args, &fit, C, A, B, update, part->first_column);
    return status == TORC_SUCCESS ? A->context->executor->spmm(A->context->device, &fit, &args) : status;
}
