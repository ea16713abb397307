/* elementwise_once.h: torc_elementwise for the engine itself. */
#ifndef TORC_ELEMENTWISE_ONCE_H
#define TORC_ELEMENTWISE_ONCE_H

#include "context.h"

/* Without checks, of results that have elements; update is not NULL. Leaves workspace to its users where
 * memory is short, so that operands may lie there, but in that of A and B. */
torc_status torc_elementwise_once(const torc_dense *C, const torc_operation *operation, torc_context *context,
    const torc_operand *A, const torc_operand *B, const torc_update *update);

#endif
