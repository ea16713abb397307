/* elementwise_check.h: what the arguments of an element-wise operation have to be. */
#ifndef TORC_ELEMENTWISE_CHECK_H
#define TORC_ELEMENTWISE_CHECK_H

#include "context.h"

/* Has the operation a second operand? */
bool torc_operation_has_b(const torc_operation *operation);

/* The operand's matrix, transposed if it is: without the lists. */
torc_dense torc_operand_view(const torc_operand *operand);

/* The value as another type that it can be cast to. */
torc_scalar torc_scalar_cast(const torc_scalar *value, torc_type type);

/* The first thing that is wrong, with a text in the context. */
torc_status torc_elementwise_check(const torc_dense *C, const torc_operation *operation,
    torc_context *context, const torc_operand *A, const torc_operand *B, const torc_update *update);

/* An operand that is read, its values cast to `type`. */
torc_status torc_values_check(const torc_dense *X, const char *name, torc_type type, torc_context *context);

/* The same of what goes into C, the result of any operation, from values of `type`. */
torc_status torc_result_check(
    const torc_dense *C, torc_type type, torc_context *context, const torc_update *update);

#endif
