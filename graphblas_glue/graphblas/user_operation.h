/* user_operation.h: the operators of dense operations, built-in or with C source (user_semiring.h). `user` is
 * all zeros before; from then on it may not be moved, and is to be released. */
#ifndef TORC_USER_OPERATION_H
#define TORC_USER_OPERATION_H

#include "user_semiring.h"
#include <torc/elementwise.h>

/* false: the engine cannot have the operator. */
bool torc_match_binary(torc_operation *operation, torc_user_semiring *user, GrB_BinaryOp op);

bool torc_match_apply(torc_operation *operation, torc_user_semiring *user, GrB_UnaryOp op);

/* The caller sets kind and thunk afterwards. */
bool torc_match_place(torc_operation *operation, torc_user_semiring *user, GrB_IndexUnaryOp op);

/* The monoid of that operator. */
bool torc_match_reduction(torc_reduction *reduction, torc_user_semiring *user, GrB_BinaryOp op);

#endif
