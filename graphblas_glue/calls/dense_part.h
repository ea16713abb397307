/* dense_part.h: the part of C that a dense call assigns to, on the device. */
#ifndef TORC_DENSE_PART_H
#define TORC_DENSE_PART_H

#include "dense_lists.h"
#include "placement.h"

/* Bytes laid out as C, nonzero where T goes, and where entries go since the mask that excludes them is the
 * part's. */
typedef struct torc_placed_part {
    torc_placed_array taken, dropped;
} torc_placed_part;

/* mask: as torc_place_mask has it. rows, columns: the lists that a mask of the part is read by. */
torc_status torc_place_part(torc_placed_part *part, torc_context *context, const torc_dense_call *call,
    const torc_dense_plan *plan, const torc_dense_lists *lists, const torc_placed_array *mask,
    const torc_placed_array *rows, const torc_placed_array *columns);

void torc_placed_part_release(torc_placed_part *part, torc_context *context);

/* A list of the call, for the call. */
torc_status torc_place_list(torc_placed_array *placed, torc_context *context, const torc_dense_list *list);

#endif
