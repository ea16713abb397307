/* operand_copies.h: the operands of one product that are, or come to be, on the device as a whole.
 *
 * S, unless it passes by in blocks; D's values and bitmap; and the result's, in which C's old content is
 * there already if C was the result of an earlier call. What is dense and has less than 1 MiB is sent again,
 * unless its matrix is held: comparing costs as much. */
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

/* Those of dense operands, as far as there is room for them, and what the engine is told of them. R: the
 * result's arrays on the host. */
torc_status torc_operand_copies_borrow_dense(torc_operand_copies *copies, torc_host_options *options,
    const torc_product *product, const torc_epilogue *epilogue, const torc_dense *R, torc_context *context);

/* The product is done, and T complete: before GraphBLAS, or anybody, has T. */
void torc_operand_copies_keep(torc_operand_copies *copies, const torc_arrays *T);

/* What was not kept, or cannot be proven fresh, goes. */
void torc_operand_copies_give_back_dense(torc_operand_copies *copies);
void torc_operand_copies_give_back(torc_operand_copies *copies);

#endif
