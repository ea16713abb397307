/* mxm_run.c: a product on the device, and its result in C. Where the result stays there, so do all operands.
 * Else dense operands and the result pass by in panels (mxm_panels.c). */
#include "mxm_call.h"
#include "accumulate.h"
#include "arena.h"
#include "finish.h"
#include "hold.h"
#include "iso_result.h"
#include "mask_bytes.h"
#include "placed_result.h"
#include "placed_sparse.h"
#include "put_off.h"
#include "rates.h"
#include "session.h"
#include <torc/elementwise.h>

/* A product whose result stays, its operands on the device. */
typedef struct placed_product {
    const torc_product *product;
    const torc_epilogue *epilogue;
    torc_context *context;
    torc_copy *S;
    torc_placed_dense D;
    torc_placed_array mask, iso;
    torc_placed_result result;
    torc_iso_result all; /* what all values of the result are */
    torc_update update;
    int64_t nvals; /* of the result; < 0: to be counted */
} placed_product;

bool torc_mxm_mask_is_clear(torc_mxm_call *call)
{
    const torc_view *mask = &call->view_mask;
    if (!call->output.mask || call->output.has_structure || !torc_mask_may_have_negative_zeros(mask)) {
        return true;
    }
    torc_session_lock();
    torc_residency_bring_home(mask->values);
    torc_residency_bring_home(mask->bitmap);
    torc_session_release();
    return !torc_mask_has_negative_zeros(mask) || torc_mxm_decline(call, "a mask with a negative zero");
}

/* Indices take 32 bits there. */
static double room_of(const torc_product *product, const torc_epilogue *epilogue)
{
    const torc_view *S = product->sparse;
    torc_traits traits = torc_semiring_traits(product->semiring);
    double value = traits.reads_a && !S->iso ? (double)S->type_size : 0;
    double result = (double)torc_type_size(product->result_view.type) + (epilogue->has_presence ? 1 : 0);
    double cells = (double)product->result_view.nrows * (double)product->result_view.ncols;
    return (double)S->nvals * (value + sizeof(uint32_t)) + torc_bytes_there(product->dense, traits.reads_b) +
           cells * (result + (epilogue->mask ? 1 : 0));
}

static void expect(const torc_product *product, const torc_epilogue *epilogue)
{
    torc_traits traits = torc_semiring_traits(product->semiring);
    torc_placement_expect(product->sparse, traits.reads_a);
    torc_placement_expect(product->dense, traits.reads_b);
    if (epilogue->mask) {
        torc_placement_expect(epilogue->mask, !epilogue->mask_is_pattern);
    }
    torc_placement_expect(epilogue->C, true);
}

static torc_status place_operands(placed_product *placed)
{
    const torc_product *product = placed->product;
    const torc_epilogue *epilogue = placed->epilogue;
    if (!torc_residency_could_hold(placed->context, room_of(product, epilogue))) {
        return TORC_OUT_OF_MEMORY;
    }
    expect(product, epilogue);
    torc_status status = torc_place_sparse(&placed->S, placed->context, product);
    if (status == TORC_SUCCESS) {
        status = torc_place_dense(&placed->D, placed->context, product->dense, product->dense_type,
            torc_semiring_traits(product->semiring).reads_b, torc_hold_voucher(product->dense_matrix));
    }
    if (status == TORC_SUCCESS && epilogue->mask) {
        status = torc_place_mask(
            &placed->mask, placed->context, epilogue->mask, epilogue->mask_is_pattern, epilogue->C->by_col);
    }
    if (status == TORC_SUCCESS && epilogue->reads_old && epilogue->C->iso) {
        status = torc_place_bytes(&placed->iso, placed->context, epilogue->C->values, epilogue->C->type_size);
    }
    return status;
}

/* Rows of op(S) without entries leave rows of C without entries. */
static torc_status place_result(placed_product *placed, const torc_binding *graphblas)
{
    const torc_product *product = placed->product;
    const torc_epilogue *epilogue = placed->epilogue;
    int64_t nrows = product->result_view.nrows, ncols = product->result_view.ncols, empty = 0;
    torc_status status = TORC_SUCCESS;
    if (!epilogue->has_presence && !epilogue->is_full) {
        torc_statistics statistics;
        status = torc_sparse_statistics(&statistics, placed->S->sparse, product->transpose_sparse);
        empty = statistics.empty_rows;
    }
    placed->nvals = epilogue->has_presence ? -1 : (nrows - empty) * ncols;
    const torc_result_form form = {
        .type = product->result_view.type,
        .stays = true,
        .has_bitmap = epilogue->has_presence || empty > 0,
        .reads_old = epilogue->reads_old,
        .iso = placed->all.is_iso ? &placed->all : NULL,
    };
    if (status == TORC_SUCCESS) {
        status = torc_place_result(&placed->result, placed->context, graphblas, epilogue->C, &form);
    }
    placed->update = epilogue->update;
    placed->update.mask = placed->mask.data;
    placed->update.iso = placed->iso.data;
    return status;
}

static torc_status multiply_there(placed_product *placed)
{
    const torc_product *product = placed->product;
    torc_dense D = product->dense_view, R = product->result_view;
    D.data = placed->D.dense.data;
    D.bitmap = placed->D.dense.bitmap;
    R.data = placed->result.placed.dense.data;
    R.bitmap = placed->result.placed.dense.bitmap;
    if (!R.data) { /* full, and of one value */
        return TORC_SUCCESS;
    }
    torc_status status;
    do {
        status = torc_spmm(
            &R, product->semiring, placed->S->sparse, product->transpose_sparse, &D, &placed->update);
    } while (status == TORC_OUT_OF_MEMORY && torc_residency_evict_oldest());
    if (status == TORC_SUCCESS && placed->nvals < 0) {
        status = torc_result_count(&placed->nvals, &placed->result, placed->context);
    }
    return status;
}

static void release(placed_product *placed, const torc_binding *graphblas)
{
    torc_result_release(&placed->result, placed->context, graphblas);
    torc_placed_release(&placed->D, placed->context);
    torc_placed_array_release(&placed->mask, placed->context);
    torc_placed_array_release(&placed->iso, placed->context);
    torc_residency_give_back(placed->S);
    torc_residency_expect_none();
}

/* Operands, mask and C's old content are on the device, or are sent; nothing comes back. T is empty where C
 * has its content already. On error C is unchanged, and T empty. */
static torc_status run_there(torc_arrays *T, torc_mxm_call *call, torc_context *context)
{
    placed_product placed = {
        .product = &call->product, .epilogue = torc_mxm_epilogue_there(call), .context = context};
    placed.all = torc_iso_result_plan(placed.product, placed.epilogue);
    double start = torc_clock();
    *T = (torc_arrays){0};
    torc_status status = place_operands(&placed);
    if (status == TORC_SUCCESS) {
        status = place_result(&placed, call->graphblas);
    }
    double ready = torc_clock();
    if (status == TORC_SUCCESS) {
        status = multiply_there(&placed);
    }
    if (status == TORC_SUCCESS) {
        status = torc_result_finish(&placed.result, T, context, placed.nvals, call->maker);
    }
    release(&placed, call->graphblas);
    call->times.upload = ready - start;
    call->times.multiply = torc_clock() - ready;
    return status;
}

static double bytes_of_result(const torc_mxm_call *call)
{
    const torc_dense *R = &call->product.result_view;
    double size = (double)torc_type_size(R->type) + (call->epilogue.has_presence ? 1 : 0);
    return (double)R->nrows * (double)R->ncols * size;
}

/* Where a result that would stay finds no room, it passes by. */
static torc_status multiply(torc_mxm_call *call, torc_arrays *T, torc_context *context)
{
    torc_status status = TORC_OUT_OF_MEMORY;
    if (call->stays) {
        status = run_there(T, call, context);
        call->stays = status != TORC_OUT_OF_MEMORY || torc_mxm_needs_to_stay(call);
        call->kind.result_stays = call->stays;
        call->work.out_staged += call->stays ? 0 : bytes_of_result(call);
    }
    return call->stays ? status : torc_mxm_run_in_panels(call, T, context);
}

static GrB_Info put_into_c(torc_mxm_call *call, torc_arrays *T)
{
    GrB_Type type = torc_mxm_result_type(call);
    if (!call->stays) {
        return torc_finish(&call->output, call->graphblas, &call->view_c, type, call->epilogue.is_fused, T);
    }
    if (call->alone.is_fused) {
        return torc_accumulate(&call->output, call->graphblas, &call->view_c, type, T);
    }
    GrB_Info info = torc_put_off_pack(call->output.C, call->graphblas, T);
    torc_arrays_release(call->graphblas, T);
    return info;
}

/* On the device up to C itself. false: C is unchanged. */
static bool compute(torc_mxm_call *call, int threads)
{
    torc_context *context = torc_session_acquire(&call->why, call->patience);
    if (!context) {
        call->is_put_off = true;
        return false;
    }
    torc_arrays T;
    double start = torc_clock(), pinning = torc_arena_count().seconds_pinning;
    /* By the first call: beside the program, rates would be those of a busy machine. */
    torc_rates_meet_device(context, threads);
    call->times.once = torc_session_waited() + torc_clock() - start;
    torc_context_defer_kernels(context, call->defers_kernel);
    torc_status status = multiply(call, &T, context);
    call->times.once += torc_arena_count().seconds_pinning - pinning;
    torc_session_release();
    if (call->user.source && (status == TORC_COMPILE_ERROR || status == TORC_NO_COMPILER)) {
        torc_user_source_refuse(call->user.source);
    } else if (status == TORC_NO_COMPILER) {
        *torc_mxm_kernel_state(call) = TORC_KERNEL_MISSING;
    } else if (status == TORC_NOT_COMPILED) {
        call->is_put_off = true;
        *torc_mxm_kernel_state(call) = TORC_KERNEL_COMPILING;
        torc_session_compile_beside();
    } else {
        *torc_mxm_kernel_state(call) = TORC_KERNEL_UNKNOWN;
    }
    if (status != TORC_SUCCESS) {
        return torc_mxm_decline(call, torc_status_text(status));
    }
    start = torc_clock();
    GrB_Info info = put_into_c(call, &T);
    if (!call->stays) {
        torc_put_off_settle(call->output.C);
    }
    call->times.finish += torc_clock() - start;
    torc_rates_measure_beside();
    torc_view_note(info);
    return info == GrB_SUCCESS || torc_mxm_decline(call, "the result was refused");
}

bool torc_mxm_run(torc_mxm_call *call)
{
    int threads = torc_binding_threads(call->graphblas, call->descriptor);
    int limit = torc_threads_limit(threads);
    bool is_done = compute(call, threads);
    torc_threads_limit(limit);
    return is_done;
}
