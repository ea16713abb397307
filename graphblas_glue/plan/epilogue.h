/* epilogue.h: how much of C⟨M,r⟩ = accum (C, T) the device does in one pass with the product, and what is
 * sent for that.
 *
 * It does all of it if
 *
 *     T           has C's type,
 *     accum       is an operator that torc has on that type,
 *     the mask    is readable, and
 *     old C       does not matter, or is full or bitmap, or is sparse and the result may stay on the device.
 *
 * Otherwise the device computes T, and finish.c does the rest. */
#ifndef TORC_EPILOGUE_H
#define TORC_EPILOGUE_H

#include "finish.h"
#include "product.h"

typedef struct torc_epilogue {
    bool is_fused;             /* R is C's new content; false: R is T */
    bool reads_old;            /* C's old content matters: it travels, an iso C as one value */
    bool old_is_listed;        /* and C is sparse */
    bool is_full;              /* no element of R can be absent */
    bool wants_bitmap;         /* T is not to be full, even where it could be */
    bool has_presence;         /* which elements of R are present is for the kernel to say */
    bool mask_is_pattern;      /* see mask_bytes.h */
    const torc_view *C, *mask; /* the views of the call; mask NULL: none */
    torc_update update;        /* without the arrays; has_accum, complement and replace as they matter */
} torc_epilogue;

/* mask: NULL if there is none. type: of T. may_stay: the result may stay on the device. What is sent is added
 * to product->side_bytes. */
void torc_epilogue_plan(torc_epilogue *epilogue, const torc_output *output, const torc_view *C,
    const torc_view *mask, torc_product *product, GrB_Type type, bool may_stay);

#endif
