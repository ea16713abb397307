/* dense_part.h: the part of C that a dense call assigns to, on the device. */
#ifndef TORC_DENSE_PART_H
#define TORC_DENSE_PART_H

#include "dense_lists.h"
#include "placement.h"

/* Bytes laid out as C. taken: nonzero where C takes T. dropped: nonzero where an entry of C is deleted, since
 * the mask of the part excludes it. */
typedef struct torc_placed_part {
    torc_placed_array taken, dropped;
} torc_placed_part;

/* mask: as torc_place_mask has it. rows, columns: the lists that a mask of the part is read by. */
torc_status torc_place_part(torc_placed_part *part, torc_context *context, const torc_dense_call *call,
    const torc_dense_plan *plan, const torc_dense_lists *lists, const torc_placed_array *mask,
    const torc_placed_array *rows, const torc_placed_array *columns);

void torc_placed_part_release(torc_placed_part *part, torc_context *context);

/* One index list of the call, on the device for as long as the call takes. */
torc_status torc_place_list(torc_placed_array *placed, torc_context *context, const torc_dense_list *list);

#endif
