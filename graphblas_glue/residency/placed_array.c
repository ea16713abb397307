#include "placed_array.h"
#include "arena.h"
#include "away.h"

static uint64_t bytes_sent; /* by who has the device */

uint64_t torc_placed_bytes_sent(void)
{
    return bytes_sent;
}

/* Who has the device may not touch what is away: the keeper would wait for the device to bring it home. */
static torc_status send(torc_context *context, void *to, const void *memory, size_t size)
{
    bytes_sent += size;
    return torc_residency_bring_home(memory) ? torc_memory_upload(context, to, memory, size)
                                             : TORC_DEVICE_ERROR;
}

torc_status torc_placed_fill(torc_copy *copy, torc_context *context, const void *memory, size_t size)
{
    if (copy->is_filled) {
        return TORC_SUCCESS;
    }
    torc_status status = send(context, copy->data, memory, size);
    copy->is_filled = status == TORC_SUCCESS;
    return status;
}

torc_status torc_place_bytes(torc_placed_array *placed, torc_context *context, const void *bytes, size_t size)
{
    *placed = (torc_placed_array){0};
    torc_status status = torc_memory_allocate(&placed->own, context, size);
    while (status == TORC_OUT_OF_MEMORY && torc_residency_could_hold(context, (double)size) &&
           torc_residency_evict_oldest()) {
        status = torc_memory_allocate(&placed->own, context, size);
    }
    if (status == TORC_SUCCESS && bytes) {
        status = send(context, placed->own, bytes, size);
    }
    placed->data = placed->own;
    if (status != TORC_SUCCESS) {
        torc_placed_array_release(placed, context);
    }
    return status;
}

/* Compared with sending it, a small array is not worth a copy, unless it is the only one. */
torc_status torc_place_array(
    torc_placed_array *placed, torc_context *context, const void *memory, size_t size, const void *voucher)
{
    torc_origin origin = torc_array_origin(memory, size, voucher);
    *placed = (torc_placed_array){0};
    if (size >= TORC_ARENA_SMALLEST || voucher || torc_away_journey(memory) != 0) {
        placed->copy = torc_residency_lend(context, &origin);
    }
    if (!placed->copy) {
        return torc_place_bytes(placed, context, memory, size);
    }
    torc_status status = torc_placed_fill(placed->copy, context, memory, size);
    placed->data = placed->copy->data;
    if (status != TORC_SUCCESS) {
        torc_placed_array_release(placed, context);
    }
    return status;
}

void torc_placed_array_release(torc_placed_array *placed, torc_context *context)
{
    torc_residency_give_back(placed->copy);
    torc_memory_release(context, placed->own);
    *placed = (torc_placed_array){0};
}
