/* placed_array.h: one array of an operand or result as it lies on the device for a call: lent by the
 * residency, or, where it is small, sent for this call alone. */
#ifndef TORC_PLACED_ARRAY_H
#define TORC_PLACED_ARRAY_H

#include "residency.h"

typedef struct torc_placed_array {
    torc_copy *copy; /* lent; NULL: none */
    void *own;       /* of this call; NULL: none */
    void *data;      /* where it is, either of them */
} torc_placed_array;

/* One array of a matrix; small ones are sent for this call alone. */
torc_status torc_place_array(
    torc_placed_array *placed, torc_context *context, const void *memory, size_t size, const void *voucher);

/* `size` bytes of host memory, for this call. */
torc_status torc_place_bytes(
    torc_placed_array *placed, torc_context *context, const void *bytes, size_t size);

void torc_placed_array_release(torc_placed_array *placed, torc_context *context);

/* Bytes sent to place arrays, since the process began. Whoever has the device asks before and after. */
uint64_t torc_placed_bytes_sent(void);

/* Send the content, unless the copy has it. */
torc_status torc_placed_fill(torc_copy *copy, torc_context *context, const void *memory, size_t size);

#endif
