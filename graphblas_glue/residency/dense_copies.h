/* dense_copies.h: the dense operands of one product that passes by in panels, as far as they are on the
 * device as a whole, or will be.
 *
 * These are D's values and bitmap; and the result's, which hold C's old content already if C was the result
 * of an earlier call. An array below 1 MiB is sent again, since comparing it costs as much, unless its matrix
 * is held. */
#ifndef TORC_DENSE_COPIES_H
#define TORC_DENSE_COPIES_H

#include "epilogue.h"
#include "residency.h"

typedef struct torc_dense_copies {
    torc_copy *values, *bitmap, *result, *result_bitmap; /* NULL: none */
} torc_dense_copies;

/* Are D and C's old content on the device, so that they need not travel? Would D stay there once it is sent?
 * Any thread. */
typedef struct torc_dense_present {
    bool operand, old, would_stay;
} torc_dense_present;
torc_dense_present torc_dense_copies_look(const torc_product *product, const torc_epilogue *epilogue);

/* As far as there is room for them; *options tells the engine of them. R: the result's arrays on the host. */
torc_status torc_dense_copies_borrow(torc_dense_copies *copies, torc_host_options *options,
    const torc_product *product, const torc_epilogue *epilogue, const torc_dense *R, torc_context *context);

/* Called when the product is done and T is complete, before GraphBLAS or anybody else has T. */
void torc_dense_copies_keep(torc_dense_copies *copies, const torc_arrays *T);

/* Copies that were not kept, or that cannot be proven fresh, are freed. */
void torc_dense_copies_give_back(torc_dense_copies *copies);

#endif
