#include "compute_away.h"
#include "hold.h"
#include "iso_result.h"
#include "operand_copies.h"
#include "placed_result.h"
#include <torc/elementwise.h>

/* One product, its operands on the device. */
typedef struct away_call {
    const torc_product *product;
    const torc_epilogue *epilogue;
    torc_context *context;
    torc_operand_copies copies; /* S alone */
    torc_placed_dense D;
    torc_placed_array mask, iso;
    torc_placed_result result;
    torc_iso_result all; /* what all values of the result are */
    torc_update update;
    int64_t nvals; /* of the result; < 0: to be counted */
} away_call;

bool torc_compute_away_is_possible(
    const torc_product *product, const torc_epilogue *epilogue, const torc_binding *graphblas, uint64_t maker)
{
    const torc_dense *R = &product->result_view;
    return epilogue->is_fused && !product->is_compact &&
           torc_result_may_leave(graphblas, R->nrows * R->ncols, R->type) &&
           torc_residency_should_leave(maker);
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

static torc_status place_operands(away_call *call)
{
    const torc_product *product = call->product;
    const torc_epilogue *epilogue = call->epilogue;
    if (!torc_residency_could_hold(call->context, room_of(product, epilogue))) {
        return TORC_OUT_OF_MEMORY;
    }
    expect(product, epilogue);
    torc_status status = torc_operand_copies_borrow_sparse(&call->copies, product, call->context);
    if (status == TORC_SUCCESS) {
        status = torc_place_dense(&call->D, call->context, product->dense, product->dense_type,
            torc_semiring_traits(product->semiring).reads_b, torc_hold_voucher(product->dense_matrix));
    }
    if (status == TORC_SUCCESS && epilogue->mask) {
        status = torc_place_mask(
            &call->mask, call->context, epilogue->mask, epilogue->mask_is_pattern, epilogue->C->by_col);
    }
    if (status == TORC_SUCCESS && epilogue->reads_old && epilogue->C->iso) {
        status = torc_place_bytes(&call->iso, call->context, epilogue->C->values, epilogue->C->type_size);
    }
    return status;
}

/* Rows of op(S) without entries leave rows of C without entries. */
static torc_status place_result(away_call *call, const torc_binding *graphblas)
{
    const torc_product *product = call->product;
    const torc_epilogue *epilogue = call->epilogue;
    int64_t nrows = product->result_view.nrows, ncols = product->result_view.ncols, empty = 0;
    torc_status status = TORC_SUCCESS;
    if (!epilogue->has_presence && !epilogue->is_full) {
        torc_statistics statistics;
        status = torc_sparse_statistics(&statistics, call->copies.S->sparse, product->transpose_sparse);
        empty = statistics.empty_rows;
    }
    call->nvals = epilogue->has_presence ? -1 : (nrows - empty) * ncols;
    const torc_result_form form = {
        .type = product->result_view.type,
        .stays = true,
        .has_bitmap = epilogue->has_presence || empty > 0,
        .reads_old = epilogue->reads_old,
        .iso = call->all.is_iso ? &call->all : NULL,
    };
    if (status == TORC_SUCCESS) {
        status = torc_place_result(&call->result, call->context, graphblas, epilogue->C, &form);
    }
    call->update = epilogue->update;
    call->update.mask = call->mask.data;
    call->update.iso = call->iso.data;
    return status;
}

static torc_status multiply(away_call *call)
{
    const torc_product *product = call->product;
    torc_dense D = product->dense_view, R = product->result_view;
    D.data = call->D.dense.data;
    D.bitmap = call->D.dense.bitmap;
    R.data = call->result.placed.dense.data;
    R.bitmap = call->result.placed.dense.bitmap;
    if (!R.data) { /* full, and of one value */
        return TORC_SUCCESS;
    }
    torc_status status;
    do {
        status = torc_spmm(
            &R, product->semiring, call->copies.S->sparse, product->transpose_sparse, &D, &call->update);
    } while (status == TORC_OUT_OF_MEMORY && torc_residency_evict_oldest());
    if (status == TORC_SUCCESS && call->nvals < 0) {
        status = torc_count_present(&call->nvals, call->context, R.bitmap, (size_t)R.nrows * (size_t)R.ncols);
    }
    return status;
}

static void release(away_call *call, const torc_binding *graphblas)
{
    torc_result_release(&call->result, call->context, graphblas);
    torc_placed_release(&call->D, call->context);
    torc_placed_array_release(&call->mask, call->context);
    torc_placed_array_release(&call->iso, call->context);
    torc_operand_copies_give_back(&call->copies);
    torc_residency_expect_none();
}

torc_status torc_compute_away(torc_arrays *T, const torc_product *product, const torc_epilogue *epilogue,
    const torc_binding *graphblas, torc_context *context, uint64_t maker, torc_times *times)
{
    away_call call = {.product = product, .epilogue = epilogue, .context = context};
    call.all = torc_iso_result_plan(product, epilogue);
    double start = torc_clock();
    *T = (torc_arrays){0};
    torc_status status = place_operands(&call);
    if (status == TORC_SUCCESS) {
        status = place_result(&call, graphblas);
    }
    double placed = torc_clock();
    if (status == TORC_SUCCESS) {
        status = multiply(&call);
    }
    if (status == TORC_SUCCESS) {
        status = torc_result_finish(&call.result, T, context, call.nvals, maker);
    }
    release(&call, graphblas);
    times->upload = placed - start;
    times->multiply = torc_clock() - placed;
    return status;
}
