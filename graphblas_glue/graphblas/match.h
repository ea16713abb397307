/* match.h: GraphBLAS's built-in types and operators, and torc's names for them.
 *
 * A semiring is recognised by its parts, the handles of the monoid's operator and of the multiply operator:
 * nearly all that programs make with GrB_Semiring_new have built-in parts. */
#ifndef TORC_MATCH_H
#define TORC_MATCH_H

#include "binding.h"

/* false: the engine lacks the type, or the operators. */
bool torc_match_type(torc_type *type, GrB_Type handle);
bool torc_match_add(torc_monoid *add, torc_type *type, GrB_BinaryOp handle);
bool torc_match_multiply(torc_multiply *multiply, torc_type *type, GrB_BinaryOp handle);
bool torc_match_semiring(torc_semiring *semiring, const torc_binding *graphblas, GrB_Semiring handle);

/* Does this GraphBLAS divide numbers of the type as the engine does? */
bool torc_divides_alike(const torc_binding *graphblas, torc_type type);

/* The operator that gives any of its arguments: GraphBLAS takes the second one, but in products, where that
 * depends on formats. */
bool torc_is_any(GrB_BinaryOp handle);

/* An operator on `type` with results of that type, as an accumulator that the engine has. */
bool torc_match_accum(torc_multiply *accum, torc_type type, GrB_BinaryOp handle);

/* The handle of a type. */
GrB_Type torc_type_handle(torc_type type);

#endif
