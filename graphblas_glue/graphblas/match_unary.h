/* match_unary.h: GraphBLAS's built-in operators of one value, and torc's names for them. */
#ifndef TORC_MATCH_UNARY_H
#define TORC_MATCH_UNARY_H

#include "binding.h"
#include <torc/elementwise.h>

/* Fills in kind, operator, type and, of positional ones, the thunk. false: not one that the engine has. */
bool torc_match_unary(torc_operation *operation, GrB_UnaryOp handle);

/* The same; the caller sets the kind. */
bool torc_match_index_unary(torc_operation *operation, GrB_IndexUnaryOp handle);

#endif
