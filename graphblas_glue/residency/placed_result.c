#include "placed_result.h"
#include "arena.h"
#include "away.h"
#include "seal.h"
#include <stdlib.h>
#include <string.h>
#include <torc/elementwise.h>

/* C may be sparse, and have no vector of some that the result has. */
static int64_t result_cells(const torc_view *C)
{
    return C->nrows * C->ncols;
}

/* Blocks that are to be away must be the arena's, however small. */
static void *take_block(const torc_binding *graphblas, size_t size)
{
    void *block = torc_host_allocate(graphblas, size < TORC_ARENA_SMALLEST ? TORC_ARENA_SMALLEST : size);
    if (block && !torc_arena_owns(block)) {
        torc_host_release(graphblas, block);
        block = NULL;
    }
    return block;
}

/* Below that the way home takes less than what surrounds it. */
enum { SMALLEST_AWAY = 128 << 10 };

bool torc_result_may_leave(const torc_binding *graphblas, int64_t cells, torc_type type)
{
    return torc_away_is_allowed() && torc_host_is_arena(graphblas) &&
           (size_t)cells >= SMALLEST_AWAY / torc_type_size(type);
}

static bool is_block(const void *p)
{
    void *base;
    return torc_arena_block(p, &base, NULL) && base == p;
}

/* One array of the result, as it is before the call. */
typedef struct result_array {
    const void *old; /* C's; NULL: it has none */
    size_t size;
    bool reads_old, may_overlap, stays;
} result_array;

/* The device's copy of C's old array, or a new array. */
static torc_status lend_array(torc_placed_array *placed, torc_context *context, const result_array *array)
{
    torc_origin origin = torc_array_origin(array->old, array->size, NULL);
    if (!array->stays) {
        return torc_place_bytes(placed, context, array->reads_old ? array->old : NULL, array->size);
    }
    placed->copy = torc_residency_lend_result(
        context, array->old ? &origin : NULL, array->size, array->may_overlap, TORC_RESULT_IS_THERE_ALONE);
    placed->data = placed->copy ? placed->copy->data : NULL;
    if (!placed->copy) {
        return TORC_OUT_OF_MEMORY;
    }
    return array->reads_old && array->old ? torc_placed_fill(placed->copy, context, array->old, array->size)
                                          : TORC_SUCCESS;
}

static torc_status upload_ones(torc_context *context, void *to, size_t size)
{
    void *ones = malloc(size);
    torc_status status =
        ones ? torc_memory_upload(context, to, memset(ones, 1, size), size) : TORC_OUT_OF_MEMORY;
    free(ones);
    return status;
}

/* Place the result's bitmap. Where C was full it is all ones; where C was sparse, entries are scattered
 * later. */
static torc_status place_presence(
    torc_placed_result *result, torc_context *context, bool reads_old, bool may_overlap)
{
    const torc_view *C = result->C;
    size_t cells = (size_t)result_cells(C);
    const void *old = C->format == TORC_BITMAP ? C->bitmap : NULL;
    const result_array presence = {old, cells, reads_old && old, may_overlap, result->stays};
    torc_status status = lend_array(&result->placed.bitmap, context, &presence);
    if (status == TORC_SUCCESS && reads_old && C->format == TORC_FULL) {
        status = upload_ones(context, result->placed.bitmap.data, cells);
    }
    result->placed.dense.bitmap = result->placed.bitmap.data;
    return status;
}

/* Scatter a sparse C's entries; if they all have one value, torc_update.iso reads that. */
static torc_status place_old_entries(torc_placed_result *result, torc_context *context)
{
    torc_dense old = result->placed.dense;
    old.data = result->C->iso ? NULL : old.data;
    return torc_place_entries(&old, context, result->C);
}

/* Take the host blocks that will be C's. */
static bool take_blocks(
    torc_placed_result *result, const torc_binding *graphblas, const torc_result_form *form)
{
    size_t cells = (size_t)result_cells(result->C), size = cells * torc_type_size(form->type);
    result->values = form->iso     ? torc_iso_result_block(form->iso, graphblas, form->type)
                     : form->stays ? take_block(graphblas, size)
                                   : torc_host_allocate(graphblas, size);
    result->bitmap = !form->has_bitmap ? NULL
                     : form->stays     ? take_block(graphblas, cells)
                                       : torc_host_allocate(graphblas, cells);
    return result->values && (result->bitmap || !form->has_bitmap);
}

static torc_status place_values(
    torc_placed_result *result, torc_context *context, const torc_result_form *form, bool has_values)
{
    size_t size = (size_t)result_cells(result->C) * torc_type_size(form->type);
    const result_array values = {has_values ? result->C->values : NULL, size, form->reads_old && has_values,
        form->may_overlap, form->stays};
    torc_placed_array *placed = &result->placed.values;
    torc_status status = !form->iso         ? lend_array(placed, context, &values)
                         : form->has_bitmap ? torc_place_bytes(placed, context, NULL, size)
                                            : TORC_SUCCESS;
    result->placed.dense.data = placed->data;
    return status;
}

torc_status torc_place_result(torc_placed_result *result, torc_context *context,
    const torc_binding *graphblas, const torc_view *C, const torc_result_form *form)
{
    *result = (torc_placed_result){
        .C = C, .is_iso = form->iso, .stays = form->stays, .placed.dense = torc_view_as_dense(C, form->type)};
    result->placed.dense.iso = false;
    bool has_values = (C->format == TORC_FULL || C->format == TORC_BITMAP) && !C->iso;
    result->is_in_place = form->stays && C->format == TORC_FULL && has_values && !form->has_bitmap &&
                          !form->iso && is_block(C->values);
    bool has_blocks = result->is_in_place || take_blocks(result, graphblas, form);
    torc_status status = has_blocks ? place_values(result, context, form, has_values) : TORC_OUT_OF_MEMORY;
    if (status == TORC_SUCCESS && form->has_bitmap) {
        status = place_presence(result, context, form->reads_old, form->may_overlap);
    }
    if (status == TORC_SUCCESS && form->reads_old && torc_view_is_listed(C)) {
        status = place_old_entries(result, context);
    }
    if (status != TORC_SUCCESS) {
        torc_result_release(result, context, graphblas);
    }
    return status;
}

/* The host block is to take the bitmap anyway. */
static torc_status count_at_home(int64_t *nvals, const torc_placed_result *result, torc_context *context)
{
    size_t cells = (size_t)result_cells(result->C);
    torc_status status = torc_memory_download(context, result->bitmap, result->placed.dense.bitmap, cells);
    *nvals = 0;
    for (size_t p = 0; p < cells && status == TORC_SUCCESS; p++) {
        *nvals += result->bitmap[p] != 0;
    }
    return status;
}

torc_status torc_result_count(int64_t *nvals, const torc_placed_result *result, torc_context *context)
{
    const uint8_t *bitmap = result->placed.dense.bitmap;
    torc_status status = torc_count_present(nvals, context, bitmap, (size_t)result_cells(result->C));
    return status == TORC_SUCCESS ? status : count_at_home(nvals, result, context);
}

/* Where the block does not leave its content comes at once, written past what tracks writes. */
static bool leave_array(
    torc_placed_array *placed, torc_context *context, void *block, size_t size, uint64_t maker)
{
    torc_origin origin = torc_array_origin(block, size, NULL);
    if (placed->copy && torc_residency_leave(placed->copy, &origin, maker)) {
        return true;
    }
    torc_seal_forget(block);
    return torc_memory_download(context, block, placed->data, size) == TORC_SUCCESS;
}

torc_status torc_result_finish(
    torc_placed_result *result, torc_arrays *T, torc_context *context, int64_t nvals, uint64_t maker)
{
    const torc_view *C = result->C;
    const torc_dense *dense = &result->placed.dense;
    size_t cells = (size_t)result_cells(C), type_size = torc_type_size(dense->type);
    bool is_full = !result->bitmap || nvals == (int64_t)cells;
    void *block = result->is_in_place ? (void *)C->values : result->values;
    uint64_t maker_of_bitmap = result->is_iso ? maker : TORC_NO_MAKER;
    if ((!result->is_iso && !leave_array(&result->placed.values, context, block, cells * type_size, maker)) ||
        (!is_full && !leave_array(&result->placed.bitmap, context, result->bitmap, cells, maker_of_bitmap))) {
        return TORC_DEVICE_ERROR;
    }
    if (!result->is_in_place) {
        *T = (torc_arrays){
            .format = is_full ? TORC_FULL : TORC_BITMAP,
            .by_col = C->by_col,
            .nvec = C->by_col ? C->ncols : C->nrows,
            .nvals = nvals,
            .bitmap = is_full ? NULL : result->bitmap,
            .values = result->values,
            .iso = result->is_iso,
            .nvalues = cells,
            .type_size = type_size,
        };
        result->values = NULL;
        result->bitmap = is_full ? result->bitmap : NULL;
    }
    return TORC_SUCCESS;
}

void torc_result_release(torc_placed_result *result, torc_context *context, const torc_binding *graphblas)
{
    torc_placed_release(&result->placed, context);
    torc_host_release(graphblas, result->values);
    torc_host_release(graphblas, result->bitmap);
    result->values = NULL;
    result->bitmap = NULL;
}
