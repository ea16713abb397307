/* dropin_controls.c: functions that set and ask an object's format. A control that would bring the object
 * home is put off (put_off.h). It is set before the program is told anything of the format, and before
 * SuiteSparse does what torc leaves to it altogether. */
#include "dropin_types.h"
#include "put_off.h"
#include "view.h"
#include <stdarg.h>
#include <stdio.h>

/* Does GraphBLAS take away the text of an error of before where an option is set? is_old: by
 * GxB_Matrix_Option_set and its kin, else by GrB_Matrix_set. */
static bool clears_error(bool is_matrix, bool is_old)
{
    const torc_numbers *numbers = torc_binding_get()->numbers;
    return (is_old && numbers->options_clear_errors) || (is_matrix && numbers->matrices_clear_errors);
}

static bool has_error(GrB_Matrix A)
{
    const char *text = NULL;
    return torc_binding_get()->matrix_error(&text, A) == GrB_SUCCESS && text && text[0];
}

/* Setting it later would take away a text that stays now. */
static bool is_put_off(GrB_Matrix A, int field, int32_t value, bool clears)
{
    const torc_binding *graphblas = torc_binding_get();
    if (field != graphblas->numbers->sparsity_control) {
        return false;
    }
    if (!clears && has_error(A)) {
        torc_put_off_forget(A);
        return false;
    }
    bool is = torc_put_off_control(A, value);
    if (is && clears) {
        graphblas->matrix_wait(A, GrB_MATERIALIZE);
    }
    return is;
}

static bool is_of_format(int field)
{
    const torc_numbers *numbers = torc_binding_get()->numbers;
    return field == numbers->sparsity_control || field == numbers->sparsity_status;
}

/* Is it a question of the program's, to a GraphBLAS that torc knows? */
static bool is_known(const void *caller)
{
    const torc_binding *graphblas = torc_binding_get();
    return graphblas && graphblas->is_known && !torc_binding_is_asking() && torc_binding_is_for(caller);
}

/* In every version those are doubles; all other options are integers. */
static bool is_switch(int field)
{
    enum { HYPER_7 = 0, BITMAP_7 = 34, HYPER_8 = 7000, BITMAP_8 = 7001 };
    return field == HYPER_7 || field == BITMAP_7 || field == HYPER_8 || field == BITMAP_8;
}

/* The object is of either kind: a vector's handle serves for a matrix's. */
#define SET(object, is_matrix)                                                                               \
    TORC_API GrB_Info GxB_##object##_Option_set(GrB_##object A, GxB_Option_Field field, ...)                 \
    {                                                                                                        \
        va_list arguments;                                                                                   \
        va_start(arguments, field);                                                                          \
        double real_value = is_switch((int)field) ? va_arg(arguments, double) : 0;                           \
        int value = is_switch((int)field) ? 0 : va_arg(arguments, int);                                      \
        va_end(arguments);                                                                                   \
        if (is_switch((int)field)) {                                                                         \
            TORC_RETURN_REAL(GxB_##object##_Option_set, A, field, real_value);                               \
        }                                                                                                    \
        if (is_known(TORC_CALLER) &&                                                                         \
            is_put_off((GrB_Matrix)A, (int)field, value, clears_error(is_matrix, true))) {                   \
            return GrB_SUCCESS;                                                                              \
        }                                                                                                    \
        TORC_RETURN_REAL(GxB_##object##_Option_set, A, field, value);                                        \
    }                                                                                                        \
    TORC_API GrB_Info GxB_##object##_Option_set_INT32(GrB_##object A, GxB_Option_Field field, int32_t value) \
    {                                                                                                        \
        if (is_known(TORC_CALLER) &&                                                                         \
            is_put_off((GrB_Matrix)A, (int)field, value, clears_error(is_matrix, true))) {                   \
            return GrB_SUCCESS;                                                                              \
        }                                                                                                    \
        TORC_RETURN_REAL(GxB_##object##_Option_set_INT32, A, field, value);                                  \
    }

#define GET(object)                                                                                          \
    TORC_API GrB_Info GxB_##object##_Option_get(GrB_##object A, GxB_Option_Field field, ...)                 \
    {                                                                                                        \
        va_list arguments;                                                                                   \
        va_start(arguments, field);                                                                          \
        void *value = va_arg(arguments, void *);                                                             \
        va_end(arguments);                                                                                   \
        if (is_known(TORC_CALLER)) {                                                                         \
            torc_put_off_settle((GrB_Matrix)A);                                                              \
        }                                                                                                    \
        TORC_RETURN_REAL(GxB_##object##_Option_get, A, field, value);                                        \
    }                                                                                                        \
    TORC_API GrB_Info GxB_##object##_Option_get_INT32(                                                       \
        GrB_##object A, GxB_Option_Field field, int32_t *value)                                              \
    {                                                                                                        \
        if (is_known(TORC_CALLER)) {                                                                         \
            torc_put_off_settle((GrB_Matrix)A);                                                              \
        }                                                                                                    \
        TORC_RETURN_REAL(GxB_##object##_Option_get_INT32, A, field, value);                                  \
    }

SET(Matrix, true)
SET(Vector, false)
GET(Matrix)
GET(Vector)

/* Since GraphBLAS 9; not in the header that this is compiled with. */
#define SET_AND_GET_OF_9(object, is_matrix)                                                                  \
    TORC_API GrB_Info GrB_##object##_set_INT32(GrB_##object A, int32_t value, int field);                    \
    GrB_Info GrB_##object##_set_INT32(GrB_##object A, int32_t value, int field)                              \
    {                                                                                                        \
        if (is_known(TORC_CALLER) &&                                                                         \
            is_put_off((GrB_Matrix)A, field, value, clears_error(is_matrix, false))) {                       \
            return GrB_SUCCESS;                                                                              \
        }                                                                                                    \
        TORC_RETURN_REAL(GrB_##object##_set_INT32, A, value, field);                                         \
    }                                                                                                        \
    TORC_API GrB_Info GrB_##object##_get_INT32(GrB_##object A, int32_t *value, int field);                   \
    GrB_Info GrB_##object##_get_INT32(GrB_##object A, int32_t *value, int field)                             \
    {                                                                                                        \
        if (is_known(TORC_CALLER)) {                                                                         \
            torc_put_off_settle((GrB_Matrix)A);                                                              \
        }                                                                                                    \
        TORC_RETURN_REAL(GrB_##object##_get_INT32, A, value, field);                                         \
    }                                                                                                        \
    TORC_API GrB_Info GrB_##object##_set_Scalar(GrB_##object A, GrB_Scalar value, int field);                \
    GrB_Info GrB_##object##_set_Scalar(GrB_##object A, GrB_Scalar value, int field)                          \
    {                                                                                                        \
        GrB_Info info;                                                                                       \
        TORC_CALL_REAL(info, GrB_##object##_set_Scalar, A, value, field);                                    \
        if (info == GrB_SUCCESS && is_known(TORC_CALLER) && is_of_format(field)) {                           \
            torc_put_off_forget((GrB_Matrix)A);                                                              \
        }                                                                                                    \
        return torc_residency_has_lost() ? GrB_PANIC : info;                                                 \
    }                                                                                                        \
    TORC_API GrB_Info GrB_##object##_get_Scalar(GrB_##object A, GrB_Scalar value, int field);                \
    GrB_Info GrB_##object##_get_Scalar(GrB_##object A, GrB_Scalar value, int field)                          \
    {                                                                                                        \
        if (is_known(TORC_CALLER)) {                                                                         \
            torc_put_off_settle((GrB_Matrix)A);                                                              \
        }                                                                                                    \
        TORC_RETURN_REAL(GrB_##object##_get_Scalar, A, value, field);                                        \
    }

SET_AND_GET_OF_9(Matrix, true)
SET_AND_GET_OF_9(Vector, false)

/* Functions that pass on an object's format with its content, or that reset its control. */
#define SETTLED(function, parameters, A, ...)                                                                \
    TORC_API GrB_Info function parameters                                                                    \
    {                                                                                                        \
        if (is_known(TORC_CALLER)) {                                                                         \
            torc_put_off_settle((GrB_Matrix)A);                                                              \
        }                                                                                                    \
        TORC_RETURN_REAL(function, __VA_ARGS__);                                                             \
    }

SETTLED(GxB_Matrix_reshape,
    (GrB_Matrix A, bool by_col, GrB_Index nrows, GrB_Index ncols, const GrB_Descriptor desc), A, A, by_col,
    nrows, ncols, desc)
SETTLED(GrB_Matrix_serialize, (void *blob, GrB_Index *size, GrB_Matrix A), A, blob, size, A)
SETTLED(GrB_Matrix_serializeSize, (GrB_Index * size, GrB_Matrix A), A, size, A)
SETTLED(GxB_Matrix_serialize, (void **blob, GrB_Index *size, GrB_Matrix A, const GrB_Descriptor desc), A,
    blob, size, A, desc)
SETTLED(GxB_Vector_serialize, (void **blob, GrB_Index *size, GrB_Vector A, const GrB_Descriptor desc), A,
    blob, size, A, desc)
SETTLED(GrB_Matrix_exportSize,
    (GrB_Index * p_length, GrB_Index *i_length, GrB_Index *x_length, GrB_Format format, GrB_Matrix A), A,
    p_length, i_length, x_length, format, A)
SETTLED(GrB_Matrix_exportHint, (GrB_Format * format, GrB_Matrix A), A, format, A)
SETTLED(GxB_Matrix_memoryUsage, (size_t * size, const GrB_Matrix A), A, size, A)
SETTLED(GxB_Vector_memoryUsage, (size_t * size, const GrB_Vector A), A, size, A)
SETTLED(GxB_Matrix_fprint, (GrB_Matrix A, const char *name, GxB_Print_Level level, FILE *file), A, A, name,
    level, file)
SETTLED(GxB_Vector_fprint, (GrB_Vector A, const char *name, GxB_Print_Level level, FILE *file), A, A, name,
    level, file)

SETTLED(GxB_Matrix_reshapeDup,
    (GrB_Matrix * C, GrB_Matrix A, bool by_col, GrB_Index nrows, GrB_Index ncols, const GrB_Descriptor desc),
    A, C, A, by_col, nrows, ncols, desc)
SETTLED(GxB_Matrix_diag, (GrB_Matrix C, const GrB_Vector v, int64_t k, const GrB_Descriptor desc), v, C, v, k,
    desc)
SETTLED(GxB_Vector_diag, (GrB_Vector v, const GrB_Matrix A, int64_t k, const GrB_Descriptor desc), A, v, A, k,
    desc)
SETTLED(GrB_Matrix_diag, (GrB_Matrix * C, const GrB_Vector v, int64_t k), v, C, v, k)
SETTLED(GxB_Matrix_split,
    (GrB_Matrix * tiles, const GrB_Index m, const GrB_Index n, const GrB_Index *nrows, const GrB_Index *ncols,
        const GrB_Matrix A, const GrB_Descriptor desc),
    A, tiles, m, n, nrows, ncols, A, desc)

#define EXPORT_COPIES(type, ctype, prefix)                                                                   \
    SETTLED(prefix##_Matrix_export_##type,                                                                   \
        (GrB_Index * p, GrB_Index * i, ctype * x, GrB_Index * p_length, GrB_Index * i_length,                \
            GrB_Index * x_length, GrB_Format format, GrB_Matrix A),                                          \
        A, p, i, x, p_length, i_length, x_length, format, A)

ALL_TYPES(EXPORT_COPIES)
EXPORT_COPIES(UDT, void, GrB)

/* Values of user-defined types. */
SETTLED(GrB_Matrix_reduce_UDT,
    (void *c, const GrB_BinaryOp accum, const GrB_Monoid monoid, const GrB_Matrix A,
        const GrB_Descriptor desc),
    A, c, accum, monoid, A, desc)
SETTLED(GrB_Vector_reduce_UDT,
    (void *c, const GrB_BinaryOp accum, const GrB_Monoid monoid, const GrB_Vector v,
        const GrB_Descriptor desc),
    v, c, accum, monoid, v, desc)
SETTLED(GrB_Matrix_extractElement_UDT, (void *x, const GrB_Matrix A, GrB_Index i, GrB_Index j), A, x, A, i, j)
SETTLED(GrB_Vector_extractElement_UDT, (void *x, const GrB_Vector v, GrB_Index i), v, x, v, i)
SETTLED(GrB_Matrix_extractTuples_UDT,
    (GrB_Index * I, GrB_Index *J, void *X, GrB_Index *nvals, const GrB_Matrix A), A, I, J, X, nvals, A)
SETTLED(GrB_Vector_extractTuples_UDT, (GrB_Index * I, void *X, GrB_Index *nvals, const GrB_Vector v), v, I, X,
    nvals, v)

/* The same of GraphBLAS 10, which are not in the header that this is compiled with. */
#define SETTLED_OF_10(function, parameters, A, ...)                                                          \
    TORC_API GrB_Info function parameters;                                                                   \
    SETTLED(function, parameters, A, __VA_ARGS__)

SETTLED_OF_10(GxB_load_Matrix_from_Container, (GrB_Matrix A, void *container, GrB_Descriptor desc), A, A,
    container, desc)
SETTLED_OF_10(GxB_load_Vector_from_Container, (GrB_Vector A, void *container, GrB_Descriptor desc), A, A,
    container, desc)
SETTLED_OF_10(
    GxB_Matrix_dup_arena, (GrB_Matrix * C, GrB_Matrix A, int header, int data), A, C, A, header, data)
SETTLED_OF_10(
    GxB_Vector_dup_arena, (GrB_Vector * C, GrB_Vector A, int header, int data), A, C, A, header, data)
SETTLED_OF_10(GxB_Matrix_reshapeDup_arena,
    (GrB_Matrix * C, GrB_Matrix A, bool by_col, GrB_Index nrows, GrB_Index ncols, int header, int data,
        GrB_Descriptor desc),
    A, C, A, by_col, nrows, ncols, header, data, desc)
SETTLED_OF_10(GxB_Matrix_split_arena,
    (GrB_Matrix * tiles, GrB_Index m, GrB_Index n, const GrB_Index *nrows, const GrB_Index *ncols,
        GrB_Matrix A, int header, int data, GrB_Descriptor desc),
    A, tiles, m, n, nrows, ncols, A, header, data, desc)
SETTLED_OF_10(GxB_Matrix_serialize_arena,
    (void **blob, GrB_Index *size, GrB_Matrix A, int arena, GrB_Descriptor desc), A, blob, size, A, arena,
    desc)
SETTLED_OF_10(GxB_Vector_serialize_arena,
    (void **blob, GrB_Index *size, GrB_Vector A, int arena, GrB_Descriptor desc), A, blob, size, A, arena,
    desc)
SETTLED_OF_10(GxB_Matrix_set_arenas, (GrB_Matrix * A, int header, int data), (A ? *A : NULL), A, header, data)
SETTLED_OF_10(GxB_Vector_set_arenas, (GrB_Vector * A, int header, int data), (A ? *A : NULL), A, header, data)

/* Arrays that become the content of I, J and X add to the control that each has. */
TORC_API GrB_Info GxB_Matrix_extractTuples_Vector(
    GrB_Vector I, GrB_Vector J, GrB_Vector X, GrB_Matrix A, GrB_Descriptor desc);
GrB_Info GxB_Matrix_extractTuples_Vector(
    GrB_Vector I, GrB_Vector J, GrB_Vector X, GrB_Matrix A, GrB_Descriptor desc)
{
    if (is_known(TORC_CALLER)) {
        torc_put_off_settle_all((GrB_Matrix)I, (GrB_Matrix)J, (GrB_Matrix)X, A);
    }
    TORC_RETURN_REAL(GxB_Matrix_extractTuples_Vector, I, J, X, A, desc);
}

TORC_API GrB_Info GxB_Vector_extractTuples_Vector(
    GrB_Vector I, GrB_Vector X, GrB_Vector v, GrB_Descriptor desc);
GrB_Info GxB_Vector_extractTuples_Vector(GrB_Vector I, GrB_Vector X, GrB_Vector v, GrB_Descriptor desc)
{
    if (is_known(TORC_CALLER)) {
        torc_put_off_settle_all((GrB_Matrix)I, (GrB_Matrix)X, (GrB_Matrix)v, NULL);
    }
    TORC_RETURN_REAL(GxB_Vector_extractTuples_Vector, I, X, v, desc);
}

/* Functions that look at an object in any format: it may stay as it is, but nobody converts it meanwhile. */
#define HELD(function, parameters, A, ...)                                                                   \
    TORC_API GrB_Info function parameters                                                                    \
    {                                                                                                        \
        GrB_Info info;                                                                                       \
        bool is_held = torc_put_off_hold((GrB_Matrix)A);                                                     \
        TORC_CALL_REAL(info, function, __VA_ARGS__);                                                         \
        if (is_held) {                                                                                       \
            torc_put_off_let_go();                                                                           \
        }                                                                                                    \
        info = torc_view_answer(info);                                                                       \
        return torc_residency_has_lost() ? GrB_PANIC : info;                                                 \
    }

HELD(GrB_Matrix_nvals, (GrB_Index * nvals, const GrB_Matrix A), A, nvals, A)
HELD(GrB_Vector_nvals, (GrB_Index * nvals, const GrB_Vector v), v, nvals, v)
HELD(GxB_Matrix_iso, (bool *is_iso, const GrB_Matrix A), A, is_iso, A)
HELD(GxB_Vector_iso, (bool *is_iso, const GrB_Vector v), v, is_iso, v)
HELD(GxB_Matrix_isStoredElement, (const GrB_Matrix A, GrB_Index i, GrB_Index j), A, A, i, j)
HELD(GxB_Vector_isStoredElement, (const GrB_Vector v, GrB_Index i), v, v, i)

/* As GraphBLAS 10 shows it to programs: vectors, then matrices, which are freed with it. */
typedef struct container {
    uint64_t numbers[16];
    int32_t formats[16];
    GrB_Matrix objects[32];
} container;

TORC_API GrB_Info GxB_Container_free(container **freed);
GrB_Info GxB_Container_free(container **freed)
{
    for (int i = 0; freed && *freed && i < 32; i++) {
        torc_put_off_forget((*freed)->objects[i]);
    }
    TORC_RETURN_REAL(GxB_Container_free, freed);
}

/* An iterator has pointers to what it was attached to. GraphBLAS's functions call the first of these, for
 * torc's own views too. */
#define ITERATOR(function, parameters, A, ...)                                                               \
    TORC_API GrB_Info function parameters                                                                    \
    {                                                                                                        \
        if (!torc_view_attaches() && is_known(TORC_CALLER)) {                                                \
            torc_put_off_settle((GrB_Matrix)A);                                                              \
        }                                                                                                    \
        TORC_RETURN_REAL(function, __VA_ARGS__);                                                             \
    }
#define ITERATOR_OF(function, object)                                                                        \
    ITERATOR(function, (GxB_Iterator iterator, GrB_##object A, GrB_Descriptor desc), A, iterator, A, desc)

ITERATOR(GB_Iterator_attach,
    (GxB_Iterator iterator, GrB_Matrix A, GxB_Format_Value format, GrB_Descriptor desc), A, iterator, A,
    format, desc)
#undef GxB_rowIterator_attach
#undef GxB_colIterator_attach
#undef GxB_Matrix_Iterator_attach
#undef GxB_Vector_Iterator_attach
ITERATOR_OF(GxB_rowIterator_attach, Matrix)
ITERATOR_OF(GxB_colIterator_attach, Matrix)
ITERATOR_OF(GxB_Matrix_Iterator_attach, Matrix)
ITERATOR_OF(GxB_Vector_Iterator_attach, Vector)

/* Operations that torc leaves to SuiteSparse altogether. */
#define SETTLED_OPERATION(function, object, op_type, second_type, B, matrix_b)                               \
    TORC_API GrB_Info function(GrB_##object C, const GrB_##object mask, const GrB_BinaryOp accum,            \
        const op_type op, const GrB_##object A, const second_type B, const GrB_Descriptor desc)              \
    {                                                                                                        \
        if (is_known(TORC_CALLER)) {                                                                         \
            torc_put_off_settle_all((GrB_Matrix)C, (GrB_Matrix)mask, (GrB_Matrix)A, matrix_b);               \
        }                                                                                                    \
        TORC_RETURN_REAL(function, C, mask, accum, op, A, B, desc);                                          \
    }
#define KRONECKER(function, op_type) SETTLED_OPERATION(function, Matrix, op_type, GrB_Matrix, B, B)
#define SELECT(object) SETTLED_OPERATION(GxB_##object##_select, object, GxB_SelectOp, GrB_Scalar, thunk, NULL)

KRONECKER(GrB_Matrix_kronecker_BinaryOp, GrB_BinaryOp)
KRONECKER(GrB_Matrix_kronecker_Monoid, GrB_Monoid)
KRONECKER(GrB_Matrix_kronecker_Semiring, GrB_Semiring)
KRONECKER(GxB_kron, GrB_BinaryOp)
SELECT(Matrix)
SELECT(Vector)

#define SORT(object)                                                                                         \
    TORC_API GrB_Info GxB_##object##_sort(                                                                   \
        GrB_##object C, GrB_##object P, GrB_BinaryOp op, GrB_##object A, const GrB_Descriptor desc)          \
    {                                                                                                        \
        if (is_known(TORC_CALLER)) {                                                                         \
            torc_put_off_settle_all((GrB_Matrix)C, (GrB_Matrix)P, (GrB_Matrix)A, NULL);                      \
        }                                                                                                    \
        TORC_RETURN_REAL(GxB_##object##_sort, C, P, op, A, desc);                                            \
    }

SORT(Matrix)
SORT(Vector)

/* What is packed into an object brings a control of its own, unless it is refused. */
#define PACK(function, parameters, A, ...)                                                                   \
    TORC_API GrB_Info function parameters                                                                    \
    {                                                                                                        \
        GrB_Info info;                                                                                       \
        TORC_CALL_REAL(info, function, A, __VA_ARGS__);                                                      \
        if (info == GrB_SUCCESS) {                                                                           \
            torc_put_off_forget((GrB_Matrix)A);                                                              \
        }                                                                                                    \
        return torc_residency_has_lost() ? GrB_PANIC : info;                                                 \
    }
#define PACK_LISTS(function)                                                                                 \
    PACK(function,                                                                                           \
        (GrB_Matrix A, GrB_Index * *p, GrB_Index * *i, void **x, GrB_Index p_size, GrB_Index i_size,         \
            GrB_Index x_size, bool iso, bool jumbled, const GrB_Descriptor desc),                            \
        A, p, i, x, p_size, i_size, x_size, iso, jumbled, desc)
#define PACK_NAMED_LISTS(function)                                                                           \
    PACK(function,                                                                                           \
        (GrB_Matrix A, GrB_Index * *p, GrB_Index * *h, GrB_Index * *i, void **x, GrB_Index p_size,           \
            GrB_Index h_size, GrB_Index i_size, GrB_Index x_size, bool iso, GrB_Index nvec, bool jumbled,    \
            const GrB_Descriptor desc),                                                                      \
        A, p, h, i, x, p_size, h_size, i_size, x_size, iso, nvec, jumbled, desc)
#define PACK_BITMAP(function, object)                                                                        \
    PACK(function,                                                                                           \
        (GrB_##object A, int8_t * *b, void **x, GrB_Index b_size, GrB_Index x_size, bool iso,                \
            GrB_Index nvals, const GrB_Descriptor desc),                                                     \
        A, b, x, b_size, x_size, iso, nvals, desc)
#define PACK_FULL(function, object)                                                                          \
    PACK(function, (GrB_##object A, void **x, GrB_Index x_size, bool iso, const GrB_Descriptor desc), A, x,  \
        x_size, iso, desc)

PACK_LISTS(GxB_Matrix_pack_CSR)
PACK_LISTS(GxB_Matrix_pack_CSC)
PACK_NAMED_LISTS(GxB_Matrix_pack_HyperCSR)
PACK_NAMED_LISTS(GxB_Matrix_pack_HyperCSC)
PACK_BITMAP(GxB_Matrix_pack_BitmapR, Matrix)
PACK_BITMAP(GxB_Matrix_pack_BitmapC, Matrix)
PACK_FULL(GxB_Matrix_pack_FullR, Matrix)
PACK_FULL(GxB_Matrix_pack_FullC, Matrix)
PACK_BITMAP(GxB_Vector_pack_Bitmap, Vector)
PACK_FULL(GxB_Vector_pack_Full, Vector)
PACK(GxB_Vector_pack_CSC,
    (GrB_Vector v, GrB_Index **i, void **x, GrB_Index i_size, GrB_Index x_size, bool iso, GrB_Index nvals,
        bool jumbled, const GrB_Descriptor desc),
    v, i, x, i_size, x_size, iso, nvals, jumbled, desc)

/* A handle that is freed may be the next matrix's. */
#define FREE(object)                                                                                         \
    TORC_API GrB_Info GrB_##object##_free(GrB_##object *A)                                                   \
    {                                                                                                        \
        if (A && *A) {                                                                                       \
            torc_put_off_forget((GrB_Matrix)*A);                                                             \
        }                                                                                                    \
        TORC_RETURN_REAL(GrB_##object##_free, A);                                                            \
    }

FREE(Matrix)
FREE(Vector)
