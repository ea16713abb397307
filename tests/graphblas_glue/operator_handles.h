/* operator_handles.h: GraphBLAS's built-in operators by torc's names; NULL where there is none. */
#ifndef TORC_OPERATOR_HANDLES_H
#define TORC_OPERATOR_HANDLES_H

#include <GraphBLAS.h>
#include <torc/elementwise.h>

GrB_Type type_handle(torc_type type);
GrB_UnaryOp unary_handle(torc_unary unary, torc_type type);
GrB_IndexUnaryOp index_unary_handle(torc_index_unary index, torc_type type);
GrB_BinaryOp binary_handle(torc_multiply binary, torc_type type);
GrB_Monoid monoid_handle(torc_monoid monoid, torc_type type);

#endif
