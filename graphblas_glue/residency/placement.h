/* placement.h: the dense operands of one call, and its mask, as they lie on the device. */
#ifndef TORC_PLACEMENT_H
#define TORC_PLACEMENT_H

#include "placed_array.h"
#include "view.h"

/* A matrix in a dense format there. */
typedef struct torc_placed_dense {
    torc_dense dense; /* device memory; an iso value where asked for, else NULL */
    torc_placed_array values, bitmap;
} torc_placed_dense;

/* view: of any format; a sparse one becomes a bitmap on the device. type: its, as the engine knows it.
 * voucher: as in origin.h. Where values are not read they are not placed. On error nothing is. */
torc_status torc_place_dense(torc_placed_dense *placed, torc_context *context, const torc_view *view,
    torc_type type, bool reads_values, const void *voucher);

/* Bytes that would travel to place it: of what is not there yet. */
double torc_bytes_to_place(const torc_view *view, bool reads_values);

/* Bytes that it takes there. */
double torc_bytes_there(const torc_view *view, bool reads_values);

/* It is about to be placed (residency.h). */
void torc_placement_expect(const torc_view *view, bool reads_values);

/* Bytes that would come home if the CPU read it. Each array that is away counts for 10 MB more: the fault,
 * the keeper and the pages take .2 ms before the bus begins (seen on an H200's host in searches of one
 * source). */
double torc_bytes_to_fetch(const torc_view *view);

/* A mask as bytes laid out as C. */
torc_status torc_place_mask(
    torc_placed_array *placed, torc_context *context, const torc_view *mask, bool is_pattern, bool by_col);

void torc_placed_release(torc_placed_dense *placed, torc_context *context);

/* A matrix in a dense format, or one that becomes so, without its arrays. */
torc_dense torc_view_as_dense(const torc_view *view, torc_type type);

/* Entries of a sparse matrix go to their places; dense->data is NULL where values are not asked for. */
torc_status torc_place_entries(const torc_dense *dense, torc_context *context, const torc_view *view);

#endif
