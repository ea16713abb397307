/* operations.h: GraphBLAS's operations on dense objects, each with the arguments of its functions. true: the
 * device has done it, and the function returns GrB_SUCCESS. false: nothing has changed, and SuiteSparse
 * computes. Vectors are matrices of one column. `name` is the function's, a static string. */
#ifndef TORC_OPERATIONS_H
#define TORC_OPERATIONS_H

#include "index_list.h"
#include <torc/elementwise.h>

/* What every operation begins with. */
typedef struct torc_target {
    const char *name;
    GrB_Matrix C, mask;
    GrB_BinaryOp accum;
    GrB_Descriptor desc;
    bool mask_is_of_part; /* of GxB_subassign: the mask has the shape of the part of C that is assigned to */
} torc_target;

/* The value in a GrB_Scalar, if the call could run on a device (scalar.c). false: it could not, or the scalar
 * is empty, or the engine lacks its type. */
bool torc_read_scalar(torc_scalar *value, const torc_target *target, GrB_Scalar scalar);

/* A new 1×1 matrix of that value, or without entries, which GraphBLAS is given in place of a large one. */
bool torc_make_one(GrB_Matrix *one, const torc_scalar *value, bool is_empty);

/* eWiseAdd, eWiseMult, eWiseUnion (ewise.c) */
bool torc_try_ewise(
    const torc_target *target, torc_operation_kind kind, GrB_BinaryOp op, GrB_Matrix A, GrB_Matrix B);
bool torc_try_union(const torc_target *target, GrB_BinaryOp op, GrB_Matrix A, GrB_Scalar alpha, GrB_Matrix B,
    GrB_Scalar beta);
GrB_BinaryOp torc_operator_of_monoid(GrB_Monoid monoid);
GrB_BinaryOp torc_add_of_semiring(GrB_Semiring semiring);
GrB_BinaryOp torc_multiply_of_semiring(GrB_Semiring semiring);

/* apply in all its forms, select, transpose (apply.c). is_first: the value is the operator's first argument.
 */
bool torc_try_apply(const torc_target *target, GrB_UnaryOp op, GrB_Matrix A);
bool torc_try_bind(
    const torc_target *target, GrB_BinaryOp op, const torc_scalar *value, bool is_first, GrB_Matrix A);
bool torc_try_index(const torc_target *target, torc_operation_kind kind, GrB_IndexUnaryOp op, GrB_Matrix A,
    const torc_scalar *thunk);
bool torc_try_transpose(const torc_target *target, GrB_Matrix A);

/* assign and subassign (assign.c); to a line, of a vector: to row i, or column i, of C. Nothing happens where
 * an index comes twice: SuiteSparse tells which entry counts. */
bool torc_try_assign_scalar(
    const torc_target *target, const torc_scalar *value, torc_indices rows, torc_indices columns);
bool torc_try_assign(const torc_target *target, GrB_Matrix A, torc_indices rows, torc_indices columns);
bool torc_try_assign_line(
    const torc_target *target, GrB_Matrix u, GrB_Index i, torc_indices list, bool is_row);

/* extract (extract.c): rows and columns of A, after its transposition. */
bool torc_try_extract(const torc_target *target, GrB_Matrix A, torc_indices rows, torc_indices columns);

/* reduce (reduce.c). To a value without an accumulator; or to a matrix of one element, or of none where A has
 * none, of the monoid's type: what GraphBLAS reduces in A's place for an accumulator or a GrB_Scalar. */
GrB_BinaryOp torc_operator_of_reduction(GrB_BinaryOp op); /* NULL: no built-in monoid has it, as it must */
bool torc_try_reduce_rows(const torc_target *target, GrB_BinaryOp op, GrB_Matrix A);
bool torc_try_reduce(void *value, torc_type type, GrB_BinaryOp op, GrB_Matrix A);
bool torc_try_reduce_to_one(GrB_Matrix *one, GrB_BinaryOp op, GrB_Matrix A);

/* dup of content that is away (dup.c). */
bool torc_try_dup(GrB_Matrix *C, GrB_Matrix A, bool is_vector);

/* extractTuples of full content that is away (tuples.c). X is needed; I and J may be NULL. */
bool torc_try_extract_tuples(
    GrB_Index *I, GrB_Index *J, void *X, GrB_Index *nvals, torc_type type, GrB_Matrix A);

/* Elements of content that is away (element.c; as a matrix of one, scalar.c). *info: GrB_SUCCESS or
 * GrB_NO_VALUE. */
bool torc_try_extract_element(
    GrB_Info *info, void *value, torc_type type, GrB_Matrix A, GrB_Index i, GrB_Index j);
bool torc_try_extract_one(GrB_Matrix *one, GrB_Matrix A, GrB_Index i, GrB_Index j);
bool torc_try_set_element(GrB_Matrix C, const void *value, torc_type type, GrB_Index i, GrB_Index j);

#endif
