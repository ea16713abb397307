/* dropin_values.c: the drop-in's functions that give, take and complete values of dense objects. Each asks
 * torc first (operations.h, home.h), and GraphBLAS where torc did nothing. */
#include "dropin_types.h"
#include "home.h"
#include "operations.h"
#include "put_off.h"

/* Before GraphBLAS reads A: then no other thread converts it meanwhile. */
#define SETTLE(A)                                                                                            \
    do {                                                                                                     \
        if (torc_binding_is_for(TORC_CALLER)) {                                                              \
            torc_put_off_settle((GrB_Matrix)(A));                                                            \
        }                                                                                                    \
    } while (0)

/* ---- reduce to one value ------------------------------------------------------------------------------- */

/* With an accumulator, or into a GrB_Scalar: the device reduces A to one element, and GraphBLAS reduces that.
 */
#define REDUCE_ONE(function, op, ...)                                                                        \
    do {                                                                                                     \
        GrB_Matrix one;                                                                                      \
        if (torc_binding_is_for(TORC_CALLER) && torc_try_reduce_to_one(&one, op, (GrB_Matrix)A)) {           \
            GrB_Info info;                                                                                   \
            TORC_CALL_REAL(info, function, __VA_ARGS__);                                                     \
            torc_binding_get()->matrix_free(&one);                                                           \
            return info;                                                                                     \
        }                                                                                                    \
    } while (0)

#define REDUCE(type, ctype, prefix, object)                                                                  \
    TORC_API GrB_Info prefix##_##object##_reduce_##type(ctype *c, const GrB_BinaryOp accum,                  \
        const GrB_Monoid monoid, const GrB_##object A, const GrB_Descriptor desc)                            \
    {                                                                                                        \
        if (!accum && torc_binding_is_for(TORC_CALLER) &&                                                    \
            torc_try_reduce(c, TORC_##type, torc_operator_of_monoid(monoid), (GrB_Matrix)A)) {               \
            return GrB_SUCCESS;                                                                              \
        }                                                                                                    \
        if (accum) {                                                                                         \
            REDUCE_ONE(prefix##_##object##_reduce_##type, torc_operator_of_monoid(monoid), c, accum, monoid, \
                (GrB_##object)one, desc);                                                                    \
        }                                                                                                    \
        SETTLE(A);                                                                                           \
        TORC_RETURN_REAL(prefix##_##object##_reduce_##type, c, accum, monoid, A, desc);                      \
    }
#define REDUCE_FORMS(type, ctype, prefix)                                                                    \
    REDUCE(type, ctype, prefix, Matrix)                                                                      \
    REDUCE(type, ctype, prefix, Vector)

#define REDUCE_SCALAR(object, form, op_type, operator_of)                                                    \
    TORC_API GrB_Info GrB_##object##_reduce_##form##_Scalar(GrB_Scalar c, const GrB_BinaryOp accum,          \
        const op_type op, const GrB_##object A, const GrB_Descriptor desc)                                   \
    {                                                                                                        \
        REDUCE_ONE(                                                                                          \
            GrB_##object##_reduce_##form##_Scalar, operator_of(op), c, accum, op, (GrB_##object)one, desc);  \
        SETTLE(A);                                                                                           \
        TORC_RETURN_REAL(GrB_##object##_reduce_##form##_Scalar, c, accum, op, A, desc);                      \
    }

ALL_TYPES(REDUCE_FORMS)
REDUCE_SCALAR(Matrix, Monoid, GrB_Monoid, torc_operator_of_monoid)
REDUCE_SCALAR(Matrix, BinaryOp, GrB_BinaryOp, torc_operator_of_reduction)
REDUCE_SCALAR(Vector, Monoid, GrB_Monoid, torc_operator_of_monoid)
REDUCE_SCALAR(Vector, BinaryOp, GrB_BinaryOp, torc_operator_of_reduction)

/* ---- extractTuples ------------------------------------------------------------------------------------- */

#define TUPLES(type, ctype, prefix)                                                                          \
    TORC_API GrB_Info prefix##_Matrix_extractTuples_##type(                                                  \
        GrB_Index *I, GrB_Index *J, ctype *X, GrB_Index *nvals, const GrB_Matrix A)                          \
    {                                                                                                        \
        if (torc_binding_is_for(TORC_CALLER) && torc_try_extract_tuples(I, J, X, nvals, TORC_##type, A)) {   \
            return GrB_SUCCESS;                                                                              \
        }                                                                                                    \
        SETTLE(A);                                                                                           \
        TORC_RETURN_REAL(prefix##_Matrix_extractTuples_##type, I, J, X, nvals, A);                           \
    }                                                                                                        \
    TORC_API GrB_Info prefix##_Vector_extractTuples_##type(                                                  \
        GrB_Index *I, ctype *X, GrB_Index *nvals, const GrB_Vector v)                                        \
    {                                                                                                        \
        if (torc_binding_is_for(TORC_CALLER) &&                                                              \
            torc_try_extract_tuples(I, NULL, X, nvals, TORC_##type, (GrB_Matrix)v)) {                        \
            return GrB_SUCCESS;                                                                              \
        }                                                                                                    \
        SETTLE(v);                                                                                           \
        TORC_RETURN_REAL(prefix##_Vector_extractTuples_##type, I, X, nvals, v);                              \
    }

ALL_TYPES(TUPLES)

/* ---- dup ----------------------------------------------------------------------------------------------- */

#define DUP(object, is_vector)                                                                               \
    TORC_API GrB_Info GrB_##object##_dup(GrB_##object *C, const GrB_##object A)                              \
    {                                                                                                        \
        GrB_Matrix copy;                                                                                     \
        if (C && torc_binding_is_for(TORC_CALLER) && torc_try_dup(&copy, (GrB_Matrix)A, is_vector)) {        \
            *C = (GrB_##object)copy;                                                                         \
            return GrB_SUCCESS;                                                                              \
        }                                                                                                    \
        if (torc_binding_is_for(TORC_CALLER)) {                                                              \
            torc_put_off_settle((GrB_Matrix)A);                                                              \
        }                                                                                                    \
        TORC_RETURN_REAL(GrB_##object##_dup, C, A);                                                          \
    }

DUP(Matrix, false)
DUP(Vector, true)

/* ---- Elements ------------------------------------------------------------------------------------------ */

/* Who calls is asked for once: a program may read an object element by element. */
#define EXTRACT_ELEMENT(x, type, A, i, j)                                                                    \
    do {                                                                                                     \
        GrB_Info info;                                                                                       \
        if (torc_binding_is_for(TORC_CALLER)) {                                                              \
            if (torc_try_extract_element(&info, x, type, A, i, j)) {                                         \
                return info;                                                                                 \
            }                                                                                                \
            torc_put_off_settle(A);                                                                          \
        }                                                                                                    \
    } while (0)
#define ELEMENT(type, ctype, prefix)                                                                         \
    TORC_API GrB_Info prefix##_Matrix_extractElement_##type(                                                 \
        ctype *x, const GrB_Matrix A, GrB_Index i, GrB_Index j)                                              \
    {                                                                                                        \
        EXTRACT_ELEMENT(x, TORC_##type, (GrB_Matrix)A, i, j);                                                \
        TORC_RETURN_REAL(prefix##_Matrix_extractElement_##type, x, A, i, j);                                 \
    }                                                                                                        \
    TORC_API GrB_Info prefix##_Vector_extractElement_##type(ctype *x, const GrB_Vector v, GrB_Index i)       \
    {                                                                                                        \
        EXTRACT_ELEMENT(x, TORC_##type, (GrB_Matrix)v, i, 0);                                                \
        TORC_RETURN_REAL(prefix##_Vector_extractElement_##type, x, v, i);                                    \
    }                                                                                                        \
    TORC_API GrB_Info prefix##_Matrix_setElement_##type(GrB_Matrix C, ctype x, GrB_Index i, GrB_Index j)     \
    {                                                                                                        \
        if (torc_binding_is_for(TORC_CALLER) && torc_try_set_element(C, &x, TORC_##type, i, j)) {            \
            return GrB_SUCCESS;                                                                              \
        }                                                                                                    \
        TORC_RETURN_REAL(prefix##_Matrix_setElement_##type, C, x, i, j);                                     \
    }                                                                                                        \
    TORC_API GrB_Info prefix##_Vector_setElement_##type(GrB_Vector w, ctype x, GrB_Index i)                  \
    {                                                                                                        \
        if (torc_binding_is_for(TORC_CALLER) &&                                                              \
            torc_try_set_element((GrB_Matrix)w, &x, TORC_##type, i, 0)) {                                    \
            return GrB_SUCCESS;                                                                              \
        }                                                                                                    \
        TORC_RETURN_REAL(prefix##_Vector_setElement_##type, w, x, i);                                        \
    }

ALL_TYPES(ELEMENT)

/* Into a GrB_Scalar, and out of one. */
#define ELEMENT_SCALAR(object, place, i, j, first, ...)                                                      \
    TORC_API GrB_Info GrB_##object##_extractElement_Scalar(GrB_Scalar x, const GrB_##object A, place)        \
    {                                                                                                        \
        GrB_Matrix one;                                                                                      \
        GrB_Info info;                                                                                       \
        if (torc_binding_is_for(TORC_CALLER) && torc_try_extract_one(&one, (GrB_Matrix)A, i, j)) {           \
            TORC_CALL_REAL(info, GrB_##object##_extractElement_Scalar, x, (GrB_##object)one, first);         \
            torc_binding_get()->matrix_free(&one);                                                           \
            return info;                                                                                     \
        }                                                                                                    \
        SETTLE(A);                                                                                           \
        TORC_RETURN_REAL(GrB_##object##_extractElement_Scalar, x, A, __VA_ARGS__);                           \
    }                                                                                                        \
    TORC_API GrB_Info GrB_##object##_setElement_Scalar(GrB_##object C, const GrB_Scalar x, place)            \
    {                                                                                                        \
        const torc_target target = {.C = (GrB_Matrix)C};                                                     \
        torc_scalar scalar;                                                                                  \
        if (torc_binding_is_for(TORC_CALLER) && torc_read_scalar(&scalar, &target, x) &&                     \
            torc_try_set_element((GrB_Matrix)C, scalar.value, scalar.type, i, j)) {                          \
            return GrB_SUCCESS;                                                                              \
        }                                                                                                    \
        TORC_RETURN_REAL(GrB_##object##_setElement_Scalar, C, x, __VA_ARGS__);                               \
    }
#define MATRIX_PLACE GrB_Index i, GrB_Index j
#define VECTOR_PLACE GrB_Index i
#define MATRIX_FIRST 0, 0
#define VECTOR_FIRST 0

ELEMENT_SCALAR(Matrix, MATRIX_PLACE, i, j, MATRIX_FIRST, i, j)
ELEMENT_SCALAR(Vector, VECTOR_PLACE, i, 0, VECTOR_FIRST, i)

/* ---- wait ---------------------------------------------------------------------------------------------- */

/* To GraphBLAS an object that is away is complete, even if the device has not computed it yet. */
#define WAIT(object)                                                                                         \
    TORC_API GrB_Info GrB_##object##_wait(GrB_##object A, GrB_WaitMode mode)                                 \
    {                                                                                                        \
        GrB_Info info;                                                                                       \
        TORC_CALL_REAL(info, GrB_##object##_wait, A, mode);                                                  \
        if (info == GrB_SUCCESS && mode == GrB_MATERIALIZE && torc_binding_is_for(TORC_CALLER)) {            \
            torc_complete_away(A);                                                                           \
        }                                                                                                    \
        return torc_residency_has_lost() ? GrB_PANIC : info;                                                 \
    }

WAIT(Matrix)
WAIT(Vector)
