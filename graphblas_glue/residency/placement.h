/* placement.h: the dense operands of one call, and its mask, as they lie on the device. */
#ifndef TORC_PLACEMENT_H
#define TORC_PLACEMENT_H

#include "placed_array.h"
#include "view.h"

/* A matrix in a dense format on the device. */
typedef struct torc_placed_dense {
    torc_dense dense; /* device memory; an iso value where asked for, else NULL */
    torc_placed_array values, bitmap;
} torc_placed_dense;

/* view: in any format; a sparse matrix becomes a bitmap on the device. type: of its values, as the engine
 * names it. reads_values: false: only the bitmap is placed. voucher: as in origin.h. On error nothing is
 * placed. */
torc_status torc_place_dense(torc_placed_dense *placed, torc_context *context, const torc_view *view,
    torc_type type, bool reads_values, const void *voucher);

/* Bytes that placing it would send: those that are not on the device yet. */
double torc_bytes_to_place(const torc_view *view, bool reads_values);

/* Bytes that it takes on the device. */
double torc_bytes_there(const torc_view *view, bool reads_values);

/* Tell the residency that it is about to be placed (torc_residency_expect). */
void torc_placement_expect(const torc_view *view, bool reads_values);

/* Bytes that would come home if the CPU read it. Each array that is away counts for 10 MB more: the fault,
 * the keeper and the pages take .2 ms before the bus is used (seen on an H200's host in searches of one
 * source). */
double torc_bytes_to_fetch(const torc_view *view);

/* A mask as bytes laid out as C. */
torc_status torc_place_mask(
    torc_placed_array *placed, torc_context *context, const torc_view *mask, bool is_pattern, bool by_col);

void torc_placed_release(torc_placed_dense *placed, torc_context *context);

/* The engine's description, without arrays, of a matrix that is in a dense format or will be. */
torc_dense torc_view_as_dense(const torc_view *view, torc_type type);

/* Scatter the entries of a sparse matrix; dense->data is NULL where values are not asked for. */
torc_status torc_place_entries(const torc_dense *dense, torc_context *context, const torc_view *view);

#endif
