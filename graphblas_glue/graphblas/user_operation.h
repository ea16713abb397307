/* user_operation.h: the operators of dense operations, built-in ones and those that come as source
 * (user_semiring.h). `user`, all zeros before, may not be moved from then on, and is to be released. */
#ifndef TORC_USER_OPERATION_H
#define TORC_USER_OPERATION_H

#include "user_semiring.h"
#include <torc/elementwise.h>

/* false: none that the engine can have. */
bool torc_match_binary(torc_operation *operation, torc_user_semiring *user, GrB_BinaryOp op);

bool torc_match_apply(torc_operation *operation, torc_user_semiring *user, GrB_UnaryOp op);

/* Its kind and thunk are yet to be set. */
bool torc_match_place(torc_operation *operation, torc_user_semiring *user, GrB_IndexUnaryOp op);

/* The monoid of that operator. */
bool torc_match_reduction(torc_reduction *reduction, torc_user_semiring *user, GrB_BinaryOp op);

#endif
