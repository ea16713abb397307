/* dropin_operations.c: the drop-in's operations on dense objects. Each asks torc first (operations.h), and
 * GraphBLAS where torc did nothing. */
#include "dropin_types.h"
#include "operations.h"
#include "put_off.h"

/* A value that a function takes, as a scalar: of the type that the function is named after, or a
 * GrB_Scalar's.
 */
#define TAKE(name, ctype, prefix)                                                                            \
    static bool take_##name(torc_scalar *scalar, const torc_target *target, const ctype *x)                  \
    {                                                                                                        \
        (void)target;                                                                                        \
        *scalar = (torc_scalar){.type = TORC_##name};                                                        \
        memcpy(scalar->value, x, sizeof *x);                                                                 \
        return true;                                                                                         \
    }
ALL_TYPES(TAKE)

static bool take_Scalar(torc_scalar *scalar, const torc_target *target, const GrB_Scalar *x)
{
    return torc_read_scalar(scalar, target, *x);
}

/* Values of a user-defined type are left to SuiteSparse. */
static bool take_UDT(torc_scalar *scalar, const torc_target *target, const void *x)
{
    (void)scalar;
    (void)target;
    (void)x;
    return false;
}

#define PART_TARGET(function, is_of_part)                                                                    \
    const torc_target target = {#function, (GrB_Matrix)C, (GrB_Matrix)mask, accum, desc, is_of_part}
#define TARGET(function) PART_TARGET(function, false)

/* SuiteSparse has all objects in the formats that the program asked for. */
#define RETURN_REAL(A, B, function, ...)                                                                     \
    do {                                                                                                     \
        torc_put_off_settle_all(target.C, target.mask, (GrB_Matrix)(A), (GrB_Matrix)(B));                    \
        TORC_RETURN_REAL(function, __VA_ARGS__);                                                             \
    } while (0)

static const torc_indices the_column = {NULL, 1, true};

/* ---- eWiseAdd, eWiseMult, eWiseUnion ------------------------------------------------------------------- */

#define EWISE(object, how, kind, form, op_type, operator_of)                                                 \
    TORC_API GrB_Info GrB_##object##_##how##_##form(GrB_##object C, const GrB_##object mask,                 \
        const GrB_BinaryOp accum, const op_type op, const GrB_##object A, const GrB_##object B,              \
        const GrB_Descriptor desc)                                                                           \
    {                                                                                                        \
        TARGET(GrB_##object##_##how##_##form);                                                               \
        if (torc_binding_is_for(TORC_CALLER) &&                                                              \
            torc_try_ewise(&target, kind, operator_of(op), (GrB_Matrix)A, (GrB_Matrix)B)) {                  \
            return GrB_SUCCESS;                                                                              \
        }                                                                                                    \
        RETURN_REAL(A, B, GrB_##object##_##how##_##form, C, mask, accum, op, A, B, desc);                    \
    }
#define ITSELF(op) (op)
#define EWISE_FORMS(object)                                                                                  \
    EWISE(object, eWiseAdd, TORC_EWISE_ADD, BinaryOp, GrB_BinaryOp, ITSELF)                                  \
    EWISE(object, eWiseAdd, TORC_EWISE_ADD, Monoid, GrB_Monoid, torc_operator_of_monoid)                     \
    EWISE(object, eWiseAdd, TORC_EWISE_ADD, Semiring, GrB_Semiring, torc_add_of_semiring)                    \
    EWISE(object, eWiseMult, TORC_EWISE_MULT, BinaryOp, GrB_BinaryOp, ITSELF)                                \
    EWISE(object, eWiseMult, TORC_EWISE_MULT, Monoid, GrB_Monoid, torc_operator_of_monoid)                   \
    EWISE(object, eWiseMult, TORC_EWISE_MULT, Semiring, GrB_Semiring, torc_multiply_of_semiring)

EWISE_FORMS(Matrix)
EWISE_FORMS(Vector)

#define UNION(object)                                                                                        \
    TORC_API GrB_Info GxB_##object##_eWiseUnion(GrB_##object C, const GrB_##object mask,                     \
        const GrB_BinaryOp accum, const GrB_BinaryOp op, const GrB_##object A, const GrB_Scalar alpha,       \
        const GrB_##object B, const GrB_Scalar beta, const GrB_Descriptor desc)                              \
    {                                                                                                        \
        TARGET(GxB_##object##_eWiseUnion);                                                                   \
        if (torc_binding_is_for(TORC_CALLER) &&                                                              \
            torc_try_union(&target, op, (GrB_Matrix)A, alpha, (GrB_Matrix)B, beta)) {                        \
            return GrB_SUCCESS;                                                                              \
        }                                                                                                    \
        RETURN_REAL(A, B, GxB_##object##_eWiseUnion, C, mask, accum, op, A, alpha, B, beta, desc);           \
    }

UNION(Matrix)
UNION(Vector)

/* ---- apply, select, transpose -------------------------------------------------------------------------- */

#define APPLY(object)                                                                                        \
    TORC_API GrB_Info GrB_##object##_apply(GrB_##object C, const GrB_##object mask,                          \
        const GrB_BinaryOp accum, const GrB_UnaryOp op, const GrB_##object A, const GrB_Descriptor desc)     \
    {                                                                                                        \
        TARGET(GrB_##object##_apply);                                                                        \
        if (torc_binding_is_for(TORC_CALLER) && torc_try_apply(&target, op, (GrB_Matrix)A)) {                \
            return GrB_SUCCESS;                                                                              \
        }                                                                                                    \
        RETURN_REAL(A, NULL, GrB_##object##_apply, C, mask, accum, op, A, desc);                             \
    }

#define BIND_BY(type, ctype, object, first, second)                                                          \
    TORC_API GrB_Info first(GrB_##object C, const GrB_##object mask, const GrB_BinaryOp accum,               \
        const GrB_BinaryOp op, ctype x, const GrB_##object A, const GrB_Descriptor desc)                     \
    {                                                                                                        \
        TARGET(first);                                                                                       \
        torc_scalar scalar;                                                                                  \
        if (torc_binding_is_for(TORC_CALLER) && take_##type(&scalar, &target, &x) &&                         \
            torc_try_bind(&target, op, &scalar, true, (GrB_Matrix)A)) {                                      \
            return GrB_SUCCESS;                                                                              \
        }                                                                                                    \
        RETURN_REAL(A, NULL, first, C, mask, accum, op, x, A, desc);                                         \
    }                                                                                                        \
    TORC_API GrB_Info second(GrB_##object C, const GrB_##object mask, const GrB_BinaryOp accum,              \
        const GrB_BinaryOp op, const GrB_##object A, ctype y, const GrB_Descriptor desc)                     \
    {                                                                                                        \
        TARGET(second);                                                                                      \
        torc_scalar scalar;                                                                                  \
        if (torc_binding_is_for(TORC_CALLER) && take_##type(&scalar, &target, &y) &&                         \
            torc_try_bind(&target, op, &scalar, false, (GrB_Matrix)A)) {                                     \
            return GrB_SUCCESS;                                                                              \
        }                                                                                                    \
        RETURN_REAL(A, NULL, second, C, mask, accum, op, A, y, desc);                                        \
    }
#define BIND(type, ctype, prefix, object)                                                                    \
    BIND_BY(type, ctype, object, prefix##_##object##_apply_BinaryOp1st_##type,                               \
        prefix##_##object##_apply_BinaryOp2nd_##type)

#define INDEX(type, ctype, prefix, object, how, kind)                                                        \
    TORC_API GrB_Info prefix##_##object##_##how##_##type(GrB_##object C, const GrB_##object mask,            \
        const GrB_BinaryOp accum, const GrB_IndexUnaryOp op, const GrB_##object A, ctype y,                  \
        const GrB_Descriptor desc)                                                                           \
    {                                                                                                        \
        TARGET(prefix##_##object##_##how##_##type);                                                          \
        torc_scalar scalar;                                                                                  \
        if (torc_binding_is_for(TORC_CALLER) && take_##type(&scalar, &target, &y) &&                         \
            torc_try_index(&target, kind, op, (GrB_Matrix)A, &scalar)) {                                     \
            return GrB_SUCCESS;                                                                              \
        }                                                                                                    \
        RETURN_REAL(A, NULL, prefix##_##object##_##how##_##type, C, mask, accum, op, A, y, desc);            \
    }

#define APPLY_FORMS(type, ctype, prefix)                                                                     \
    BIND(type, ctype, prefix, Matrix)                                                                        \
    BIND(type, ctype, prefix, Vector)                                                                        \
    INDEX(type, ctype, prefix, Matrix, apply_IndexOp, TORC_APPLY_INDEX)                                      \
    INDEX(type, ctype, prefix, Vector, apply_IndexOp, TORC_APPLY_INDEX)                                      \
    INDEX(type, ctype, prefix, Matrix, select, TORC_SELECT)                                                  \
    INDEX(type, ctype, prefix, Vector, select, TORC_SELECT)

APPLY(Matrix)
APPLY(Vector)
ALL_TYPES(APPLY_FORMS)
APPLY_FORMS(Scalar, GrB_Scalar, GrB)
APPLY_FORMS(UDT, const void *, GrB)
BIND_BY(Scalar, GrB_Scalar, Matrix, GxB_Matrix_apply_BinaryOp1st, GxB_Matrix_apply_BinaryOp2nd)
BIND_BY(Scalar, GrB_Scalar, Vector, GxB_Vector_apply_BinaryOp1st, GxB_Vector_apply_BinaryOp2nd)

TORC_API GrB_Info GrB_transpose(GrB_Matrix C, const GrB_Matrix mask, const GrB_BinaryOp accum,
    const GrB_Matrix A, const GrB_Descriptor desc)
{
    TARGET(GrB_transpose);
    if (torc_binding_is_for(TORC_CALLER) && torc_try_transpose(&target, A)) {
        return GrB_SUCCESS;
    }
    RETURN_REAL(A, NULL, GrB_transpose, C, mask, accum, A, desc);
}

/* ---- assign, subassign --------------------------------------------------------------------------------- */

#define ASSIGN(prefix, how, is_of_part)                                                                      \
    TORC_API GrB_Info prefix##_Matrix_##how(GrB_Matrix C, const GrB_Matrix mask, const GrB_BinaryOp accum,   \
        const GrB_Matrix A, const GrB_Index *I, GrB_Index ni, const GrB_Index *J, GrB_Index nj,              \
        const GrB_Descriptor desc)                                                                           \
    {                                                                                                        \
        PART_TARGET(prefix##_Matrix_##how, is_of_part);                                                      \
        if (torc_binding_is_for(TORC_CALLER) &&                                                              \
            torc_try_assign(&target, A, (torc_indices){I, ni, false}, (torc_indices){J, nj, false})) {       \
            return GrB_SUCCESS;                                                                              \
        }                                                                                                    \
        RETURN_REAL(A, NULL, prefix##_Matrix_##how, C, mask, accum, A, I, ni, J, nj, desc);                  \
    }                                                                                                        \
    TORC_API GrB_Info prefix##_Vector_##how(GrB_Vector C, const GrB_Vector mask, const GrB_BinaryOp accum,   \
        const GrB_Vector A, const GrB_Index *I, GrB_Index ni, const GrB_Descriptor desc)                     \
    {                                                                                                        \
        PART_TARGET(prefix##_Vector_##how, is_of_part);                                                      \
        if (torc_binding_is_for(TORC_CALLER) &&                                                              \
            torc_try_assign(&target, (GrB_Matrix)A, (torc_indices){I, ni, false}, the_column)) {             \
            return GrB_SUCCESS;                                                                              \
        }                                                                                                    \
        RETURN_REAL(A, NULL, prefix##_Vector_##how, C, mask, accum, A, I, ni, desc);                         \
    }

#define ASSIGN_SCALAR(type, ctype, prefix, how, is_of_part)                                                  \
    TORC_API GrB_Info prefix##_Matrix_##how##_##type(GrB_Matrix C, const GrB_Matrix mask,                    \
        const GrB_BinaryOp accum, ctype x, const GrB_Index *I, GrB_Index ni, const GrB_Index *J,             \
        GrB_Index nj, const GrB_Descriptor desc)                                                             \
    {                                                                                                        \
        PART_TARGET(prefix##_Matrix_##how##_##type, is_of_part);                                             \
        torc_scalar scalar;                                                                                  \
        if (torc_binding_is_for(TORC_CALLER) && take_##type(&scalar, &target, &x) &&                         \
            torc_try_assign_scalar(                                                                          \
                &target, &scalar, (torc_indices){I, ni, false}, (torc_indices){J, nj, false})) {             \
            return GrB_SUCCESS;                                                                              \
        }                                                                                                    \
        RETURN_REAL(NULL, NULL, prefix##_Matrix_##how##_##type, C, mask, accum, x, I, ni, J, nj, desc);      \
    }                                                                                                        \
    TORC_API GrB_Info prefix##_Vector_##how##_##type(GrB_Vector C, const GrB_Vector mask,                    \
        const GrB_BinaryOp accum, ctype x, const GrB_Index *I, GrB_Index ni, const GrB_Descriptor desc)      \
    {                                                                                                        \
        PART_TARGET(prefix##_Vector_##how##_##type, is_of_part);                                             \
        torc_scalar scalar;                                                                                  \
        if (torc_binding_is_for(TORC_CALLER) && take_##type(&scalar, &target, &x) &&                         \
            torc_try_assign_scalar(&target, &scalar, (torc_indices){I, ni, false}, the_column)) {            \
            return GrB_SUCCESS;                                                                              \
        }                                                                                                    \
        RETURN_REAL(NULL, NULL, prefix##_Vector_##how##_##type, C, mask, accum, x, I, ni, desc);             \
    }

#define ASSIGN_FORMS(type, ctype, prefix)                                                                    \
    ASSIGN_SCALAR(type, ctype, prefix, assign, false)                                                        \
    ASSIGN_SCALAR(type, ctype, GxB, subassign, true)

ASSIGN(GrB, assign, false)
ASSIGN(GxB, subassign, true)
ALL_TYPES(ASSIGN_FORMS)
ASSIGN_FORMS(Scalar, GrB_Scalar, GrB)
ASSIGN_FORMS(UDT, void *, GrB)

#define ASSIGN_LINE(function, is_of_part, is_row, parameters, ...)                                           \
    TORC_API GrB_Info function(GrB_Matrix C, const GrB_Vector mask, const GrB_BinaryOp accum,                \
        const GrB_Vector u, parameters, const GrB_Descriptor desc)                                           \
    {                                                                                                        \
        PART_TARGET(function, is_of_part);                                                                   \
        if (torc_binding_is_for(TORC_CALLER) &&                                                              \
            torc_try_assign_line(&target, (GrB_Matrix)u, i, (torc_indices){list, count, false}, is_row)) {   \
            return GrB_SUCCESS;                                                                              \
        }                                                                                                    \
        RETURN_REAL(u, NULL, function, C, mask, accum, u, __VA_ARGS__, desc);                                \
    }
#define ROW_PARAMETERS GrB_Index i, const GrB_Index *list, GrB_Index count
#define COLUMN_PARAMETERS const GrB_Index *list, GrB_Index count, GrB_Index i

ASSIGN_LINE(GrB_Row_assign, false, true, ROW_PARAMETERS, i, list, count)
ASSIGN_LINE(GxB_Row_subassign, true, true, ROW_PARAMETERS, i, list, count)
ASSIGN_LINE(GrB_Col_assign, false, false, COLUMN_PARAMETERS, list, count, i)
ASSIGN_LINE(GxB_Col_subassign, true, false, COLUMN_PARAMETERS, list, count, i)

/* ---- extract ------------------------------------------------------------------------------------------- */

TORC_API GrB_Info GrB_Matrix_extract(GrB_Matrix C, const GrB_Matrix mask, const GrB_BinaryOp accum,
    const GrB_Matrix A, const GrB_Index *I, GrB_Index ni, const GrB_Index *J, GrB_Index nj,
    const GrB_Descriptor desc)
{
    TARGET(GrB_Matrix_extract);
    if (torc_binding_is_for(TORC_CALLER) &&
        torc_try_extract(&target, A, (torc_indices){I, ni, false}, (torc_indices){J, nj, false})) {
        return GrB_SUCCESS;
    }
    RETURN_REAL(A, NULL, GrB_Matrix_extract, C, mask, accum, A, I, ni, J, nj, desc);
}

TORC_API GrB_Info GrB_Vector_extract(GrB_Vector C, const GrB_Vector mask, const GrB_BinaryOp accum,
    const GrB_Vector A, const GrB_Index *I, GrB_Index ni, const GrB_Descriptor desc)
{
    TARGET(GrB_Vector_extract);
    if (torc_binding_is_for(TORC_CALLER) &&
        torc_try_extract(&target, (GrB_Matrix)A, (torc_indices){I, ni, false}, the_column)) {
        return GrB_SUCCESS;
    }
    RETURN_REAL(A, NULL, GrB_Vector_extract, C, mask, accum, A, I, ni, desc);
}

TORC_API GrB_Info GrB_Col_extract(GrB_Vector C, const GrB_Vector mask, const GrB_BinaryOp accum,
    const GrB_Matrix A, const GrB_Index *I, GrB_Index ni, GrB_Index j, const GrB_Descriptor desc)
{
    TARGET(GrB_Col_extract);
    if (torc_binding_is_for(TORC_CALLER) &&
        torc_try_extract(&target, A, (torc_indices){I, ni, false}, (torc_indices){&j, 1, false})) {
        return GrB_SUCCESS;
    }
    RETURN_REAL(A, NULL, GrB_Col_extract, C, mask, accum, A, I, ni, j, desc);
}

/* ---- reduce to a vector -------------------------------------------------------------------------------- */

#define REDUCE_ROWS(form, op_type, operator_of)                                                              \
    TORC_API GrB_Info GrB_Matrix_reduce_##form(GrB_Vector C, const GrB_Vector mask,                          \
        const GrB_BinaryOp accum, const op_type op, const GrB_Matrix A, const GrB_Descriptor desc)           \
    {                                                                                                        \
        TARGET(GrB_Matrix_reduce_##form);                                                                    \
        if (torc_binding_is_for(TORC_CALLER) && torc_try_reduce_rows(&target, operator_of(op), A)) {         \
            return GrB_SUCCESS;                                                                              \
        }                                                                                                    \
        RETURN_REAL(A, NULL, GrB_Matrix_reduce_##form, C, mask, accum, op, A, desc);                         \
    }

REDUCE_ROWS(Monoid, GrB_Monoid, torc_operator_of_monoid)
REDUCE_ROWS(BinaryOp, GrB_BinaryOp, torc_operator_of_reduction)
