/* placement.h: the dense operands and the result of one call, as they lie on the device.
 *
 * An operand's arrays are lent by the residency, or, where they are small, sent for this call alone. A result
 * has device memory, and a block of host memory that is to be away: the one that C has already, if C is full
 * and stays so, so that nothing but the device's content changes; else a new one, which is packed into C. */
#ifndef TORC_PLACEMENT_H
#define TORC_PLACEMENT_H

#include "finish.h"
#include "iso_result.h"
#include "residency.h"

/* One array. */
typedef struct torc_placed_array {
    torc_copy *copy; /* lent; NULL: none */
    void *own;       /* of this call; NULL: none */
    void *data;      /* where it is, either of them */
} torc_placed_array;

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

/* Bytes that would come home if the CPU read it. Each array that is away counts for 10 MB more: the fault,
 * the keeper and the pages take .2 ms before the bus begins (seen on an H200's host in searches of one
 * source). */
double torc_bytes_to_fetch(const torc_view *view);

/* One array of a matrix; small ones are sent for this call alone. */
torc_status torc_place_array(
    torc_placed_array *placed, torc_context *context, const void *memory, size_t size, const void *voucher);

/* `size` bytes of host memory, for this call. */
torc_status torc_place_bytes(
    torc_placed_array *placed, torc_context *context, const void *bytes, size_t size);

/* A mask as bytes laid out as C. */
torc_status torc_place_mask(
    torc_placed_array *placed, torc_context *context, const torc_view *mask, bool is_pattern, bool by_col);

void torc_placed_release(torc_placed_dense *placed, torc_context *context);
void torc_placed_array_release(torc_placed_array *placed, torc_context *context);

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

/* C: the view of the matrix that the result goes to, of its shape and type. On error nothing is placed, and C
 * is as it was. */
torc_status torc_place_result(torc_placed_result *result, torc_context *context,
    const torc_binding *graphblas, const torc_view *C, const torc_result_form *form);

/* The device has computed it, or is to: `nvals` entries, in C's orientation. They are C's content already
 * where it is computed in place; else *T has the arrays, to be packed into C (torc_pack_away) by a thread
 * that has not the device. `maker` tells like results from others (residency.h). */
torc_status torc_result_finish(
    torc_placed_result *result, torc_arrays *T, torc_context *context, int64_t nvals, uint64_t maker);

/* What was not handed over. */
void torc_result_release(torc_placed_result *result, torc_context *context, const torc_binding *graphblas);

#endif
