/* operators.h: handles of GraphBLAS by name, and descriptors by their flags. */
#ifndef TORC_FUZZ_OPERATORS_H
#define TORC_FUZZ_OPERATORS_H

#include "program.h"

/* NULL where this GraphBLAS has none of that name and type, or the name is NULL. */
GrB_BinaryOp torc_binary_handle(program_operator op);
GrB_UnaryOp torc_unary_handle(program_operator op);
GrB_IndexUnaryOp torc_index_handle(program_operator op);
GrB_Monoid torc_monoid_handle(const char *name, value_type type);
GrB_Semiring torc_semiring_handle(const program_semiring *semiring);
GrB_Descriptor torc_descriptor_handle(const program_step *step);

/* Frees what programs made, so that the next one's operators have the same handles. */
void torc_own_handles_free(void);

/* The type of what an operator returns. */
value_type torc_result_type(program_operator op);

bool torc_is_positional(program_operator op);

#endif
