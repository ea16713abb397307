/* placed_result.h: the result of one call, on the device.
 *
 * A result has device memory and a block of host memory that will be away. If C is full and stays full, that
 * is the block that C has already: the result is computed in place, and only the device's content changes.
 * Otherwise it is a new block, which is packed into C. */
#ifndef TORC_PLACED_RESULT_H
#define TORC_PLACED_RESULT_H

#include "iso_result.h"
#include "placement.h"

/* What becomes of C. */
typedef struct torc_placed_result {
    torc_placed_dense placed; /* C, old content included where it is read, but for an iso C's */
    const torc_view *C;
    void *values; /* host blocks that are to be C's; NULL: C keeps its own, or, of a bitmap, has none */
    int8_t *bitmap;
    bool is_in_place;
    bool is_iso;
    bool stays; /* on the device; a small one comes back at once */
} torc_placed_result;

/* Could a result of that many elements be away? Any thread. */
bool torc_result_may_leave(const torc_binding *graphblas, int64_t cells, torc_type type);

typedef struct torc_result_form {
    torc_type type;
    bool stays;       /* as torc_result_may_leave has it */
    bool has_bitmap;  /* elements may be absent, as they are of a sparse C that is read */
    bool reads_old;   /* C's old content is to be there; not of an iso result */
    bool may_overlap; /* it may be computed where an operand lies that has been placed */
    const torc_iso_result
        *iso; /* values are for this call alone, where there is a bitmap; NULL: they matter */
} torc_result_form;

/* C: the view of the matrix that takes the result, which has its shape and type. On error nothing is placed,
 * and C is as it was. */
torc_status torc_place_result(torc_placed_result *result, torc_context *context,
    const torc_binding *graphblas, const torc_view *C, const torc_result_form *form);

/* The number of entries of a result that is computed, which has a bitmap. C's old content may be gone by now,
 * so where the device cannot count the host does. */
torc_status torc_result_count(int64_t *nvals, const torc_placed_result *result, torc_context *context);

/* The result, of `nvals` entries in C's orientation, is computed or queued. In place, it is C's content
 * already; otherwise *T gets the arrays, to be packed into C (torc_pack_away) by a thread that does not have
 * the device. maker: tells like results from others (residency.h). */
torc_status torc_result_finish(
    torc_placed_result *result, torc_arrays *T, torc_context *context, int64_t nvals, uint64_t maker);

/* Release what was not handed over. */
void torc_result_release(torc_placed_result *result, torc_context *context, const torc_binding *graphblas);

#endif
