/* operand_copies.h: the operands of one product that are on the device as a whole, or will be.
 *
 * These are S, unless it is sent in blocks; D's values and bitmap; and the result's, which hold C's old
 * content already if C was the result of an earlier call. A dense array below 1 MiB is sent again, since
 * comparing it costs as much, unless its matrix is held. */
#ifndef TORC_OPERAND_COPIES_H
#define TORC_OPERAND_COPIES_H

#include "epilogue.h"
#include "residency.h"

typedef struct torc_operand_copies {
    torc_copy *S, *values, *bitmap, *result, *result_bitmap; /* NULL: none */
} torc_operand_copies;

/* Which operands are on the device, so that they need not travel? Which would stay there once they are sent?
 * Any thread. */
typedef struct torc_operands_present {
    bool sparse, dense, old;
    bool sparse_would_stay, dense_would_stay;
} torc_operands_present;
torc_operands_present torc_operand_copies_look(const torc_product *product, const torc_epilogue *epilogue);

/* S, made now if it was not there. On error nothing is borrowed. */
torc_status torc_operand_copies_borrow_sparse(
    torc_operand_copies *copies, const torc_product *product, torc_context *context);

/* Copies of the dense operands and of the result, as far as there is room for them; *options tells the engine
 * of them. R: the result's arrays on the host. */
torc_status torc_operand_copies_borrow_dense(torc_operand_copies *copies, torc_host_options *options,
    const torc_product *product, const torc_epilogue *epilogue, const torc_dense *R, torc_context *context);

/* Called when the product is done and T is complete, before GraphBLAS or anybody else has T. */
void torc_operand_copies_keep(torc_operand_copies *copies, const torc_arrays *T);

/* Copies that were not kept, or that cannot be proven fresh, are freed. */
void torc_operand_copies_give_back_dense(torc_operand_copies *copies);
void torc_operand_copies_give_back(torc_operand_copies *copies);

#endif
