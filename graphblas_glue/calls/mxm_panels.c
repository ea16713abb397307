/* mxm_panels.c: a product on the device whose result lands in host memory: T, or C's new content where the
 * epilogue is fused, in arrays that GraphBLAS can take over.
 *
 * Dense operands stay in host memory, where GraphBLAS has them, and the result is written to its final place:
 * the engine moves panels of them past S. S is on the device; where it does not fit beside the panels, blocks
 * of its rows are sent one after another. */
#include "mxm_call.h"
#include "arena.h"
#include "dense_copies.h"
#include "iso_result.h"
#include "mask_bytes.h"
#include "placed_sparse.h"
#include "structure.h"
#include <stdlib.h>

/* The arguments of one engine call: S on the device, all else in host memory. */
typedef struct host_call {
    const torc_product *product;
    const torc_epilogue *epilogue;
    torc_context *context;
    torc_copy *S; /* NULL: not needed there */
    torc_dense_copies copies;
    torc_dense R, old;
    torc_update update;
    uint8_t *made_mask;
    torc_structure structure;
    torc_iso_result all; /* what all values of R are */
    bool needs_no_kernel;
} host_call;

/* R's arrays are T's: nobody touches them before the device does. */
static torc_status allocate_result(torc_arrays *T, bool has_presence, const torc_binding *graphblas)
{
    T->values = torc_host_allocate(graphblas, T->nvalues * T->type_size);
    T->bitmap = has_presence ? torc_host_allocate(graphblas, T->nvalues) : NULL;
    return T->values && (T->bitmap || !has_presence) ? TORC_SUCCESS : TORC_OUT_OF_MEMORY;
}

/* Before the device writes to it. Operands are pinned where it is known whether they travel
 * (dense_copies.c). */
static void prepare_memory(const host_call *call)
{
    size_t count = (size_t)call->R.nrows * (size_t)call->R.ncols;
    torc_arena_pin(call->context, call->R.data, count * torc_type_size(call->R.type));
    torc_arena_pin(call->context, call->R.bitmap, count);
    torc_arena_pin(call->context, call->update.mask, count);
    torc_arena_populate(call->R.data, count * torc_type_size(call->R.type));
}

static torc_status plan(host_call *call, torc_arrays *T, const torc_mxm_call *mxm, torc_context *context)
{
    const torc_product *product = &mxm->product;
    const torc_epilogue *epilogue = &mxm->epilogue;
    const torc_binding *graphblas = mxm->graphblas;
    const torc_view *C = epilogue->C;
    *call = (host_call){
        .product = product,
        .epilogue = epilogue,
        .context = context,
        .R = product->result_view,
        .update = epilogue->update,
        .structure = {.T = T, .product = product, .epilogue = epilogue, .graphblas = graphblas},
        .all = torc_iso_result_plan(product, epilogue),
    };
    call->needs_no_kernel = torc_iso_result_needs_no_kernel(&call->all, product, epilogue);
    T->nvalues = (size_t)call->R.nrows * (size_t)call->R.ncols;
    T->type_size = torc_type_size(call->R.type);
    if (call->needs_no_kernel) {
        return torc_iso_result_store(T, &call->all, graphblas, call->R.type);
    }
    if (epilogue->mask) {
        call->update.mask =
            torc_mask_bytes(&call->made_mask, epilogue->mask, epilogue->mask_is_pattern, C->by_col);
        if (!call->update.mask) {
            return TORC_OUT_OF_MEMORY;
        }
    }
    torc_status status = allocate_result(T, epilogue->has_presence, graphblas);
    call->R.data = T->values;
    call->R.bitmap = (uint8_t *)T->bitmap;
    call->old = call->R;
    call->old.data = epilogue->reads_old && !C->iso ? (void *)C->values : NULL;
    call->old.bitmap = epilogue->reads_old && epilogue->has_presence ? (uint8_t *)C->bitmap : NULL;
    call->update.iso = epilogue->reads_old && C->iso ? C->values : NULL;
    if (status == TORC_SUCCESS) {
        prepare_memory(call);
    }
    return status;
}

static torc_status multiply(host_call *call)
{
    const torc_product *product = call->product;
    const torc_epilogue *epilogue = call->epilogue;
    torc_host_options options = {
        .old = &call->old,
        .leaves_empty_rows = torc_structure_leaves_empty_rows(product, epilogue),
        .meanwhile = torc_structure_prepare,
        .argument = &call->structure,
    };
    torc_status status =
        torc_dense_copies_borrow(&call->copies, &options, product, epilogue, &call->R, call->context);
    if (status == TORC_SUCCESS) {
        status = torc_spmm_host(&call->R, product->semiring, call->S->sparse, product->transpose_sparse,
            &product->dense_view, &call->update, &options);
    }
    return status;
}

/* Nothing but S stays on the device, which leaves room for panels. */
static torc_status multiply_in_little_memory(const host_call *call)
{
    const torc_product *product = call->product;
    torc_host_options options = {.old = &call->old};
    torc_residency_evict();
    return torc_spmm_host(&call->R, product->semiring, call->S->sparse, product->transpose_sparse,
        &product->dense_view, &call->update, &options);
}

static torc_status multiply_by_rows(const host_call *call)
{
    const torc_product *product = call->product;
    torc_csr csr;
    int64_t *owned;
    torc_status status = torc_product_read_sparse(&csr, &owned, product, false);
    if (status == TORC_SUCCESS) {
        status = torc_spmm_by_rows(&call->R, product->semiring, call->context, &csr, &product->dense_view,
            &call->update, &call->old);
    }
    free(owned);
    return status;
}

static void give_back(host_call *call)
{
    torc_residency_give_back(call->S);
    call->S = NULL;
    torc_dense_copies_give_back(&call->copies);
}

/* In three ways, each needing less device memory: with copies, with S and panels alone, by blocks of S's
 * rows. */
static torc_status run(host_call *call, torc_times *times)
{
    const torc_product *product = call->product;
    double start = torc_clock();
    torc_status status = TORC_SUCCESS;
    if (!call->needs_no_kernel || product->transpose_sparse) {
        status = torc_place_sparse(&call->S, call->context, product);
    }
    double placed = torc_clock();
    if (status == TORC_SUCCESS) {
        status = torc_structure_read(&call->structure, call->S ? call->S->sparse : NULL);
    }
    if (status == TORC_SUCCESS && !call->needs_no_kernel) {
        status = multiply(call);
        if (status == TORC_OUT_OF_MEMORY) {
            torc_dense_copies_give_back(&call->copies);
            status = multiply_in_little_memory(call);
        }
    }
    if (status == TORC_OUT_OF_MEMORY && !product->transpose_sparse) {
        give_back(call);
        torc_residency_evict();
        status = multiply_by_rows(call);
    }
    times->upload = placed - start;
    times->multiply = torc_clock() - placed;
    return status;
}

/* The host is about to read mask, C or D. */
static void bring_home(const torc_product *product, const torc_epilogue *epilogue)
{
    const torc_view *views[] = {product->dense, epilogue->C, epilogue->mask};
    for (int i = 0; i < 3; i++) {
        if (views[i]) {
            torc_residency_bring_home(views[i]->values);
            torc_residency_bring_home(views[i]->bitmap);
        }
    }
}

torc_status torc_mxm_run_in_panels(torc_mxm_call *mxm, torc_arrays *T, torc_context *context)
{
    *T = (torc_arrays){0};
    host_call call;
    bring_home(&mxm->product, &mxm->epilogue);
    torc_status status = plan(&call, T, mxm, context);
    if (status == TORC_SUCCESS) {
        status = run(&call, &mxm->times);
    }
    double start = torc_clock();
    if (status == TORC_SUCCESS) {
        status = torc_structure_finish(&call.structure);
    }
    if (status == TORC_SUCCESS && call.all.is_iso && !T->iso) {
        status = torc_iso_result_store(T, &call.all, mxm->graphblas, call.R.type);
    }
    if (status == TORC_SUCCESS) {
        torc_dense_copies_keep(&call.copies, T);
    }
    give_back(&call);
    mxm->times.finish = torc_clock() - start;
    free(call.made_mask);
    torc_structure_release(&call.structure);
    if (status != TORC_SUCCESS) {
        torc_arrays_release(mxm->graphblas, T);
    }
    return status;
}
