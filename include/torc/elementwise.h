/* elementwise.h: operations on dense matrices and vectors that stay in device memory: element by element, and
 * reductions. With torc.h's products they let a whole program run on the device. A vector of n elements is an
 * n×1 matrix.
 *
 * Semantics are GraphBLAS's (The GraphBLAS C API Specification 2.0, sections 4.3.4 to 4.3.11). Statuses,
 * threads, contexts and the order of work are as in torc.h. A function returns once its work is queued,
 * unless it gives a result in host memory; a kernel that has to be compiled first is waited for. Structs have
 * been read on return. Arrays in device memory, of operands, masks, iso values and lists of indices, have to
 * stay as they are until the work is done. The same inputs on the same device give the same bits.
 */
#ifndef TORC_ELEMENTWISE_H
#define TORC_ELEMENTWISE_H

#include <torc/torc.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Operators ---------------------------------------------------------------------------------------- */

/* X(enumerator, name). z = f (x), on one type, of which z is too unless said:
 *   identity x                                           all types, opaque ones too
 *   one 1                                                all types
 *   ainv -x, minv 1/x                                    bool (identity; 1), integers, real, complex
 *   abs |x|                                              bool, integers, real; complex gives the real type
 *   lnot: x == 0, as 0 or 1                              bool, integers, real
 *   bnot                                                 integers
 *   sqrt, ceil, floor, round, trunc, signum              real (round: half away from zero)
 *   frexpx, frexpe: fraction and exponent                real
 *   conj                                                 complex
 *   creal, cimag                                         complex, giving the real type
 *   isinf, isnan, isfinite                               real, complex, giving bool
 * Functions whose last bits differ between libraries (exp, sin, ...) are not among them. */
#define TORC_UNARY_MAP(X)                                                                                    \
    X(IDENTITY, "identity")                                                                                  \
    X(ONE, "one")                                                                                            \
    X(AINV, "ainv")                                                                                          \
    X(MINV, "minv")                                                                                          \
    X(ABS, "abs")                                                                                            \
    X(LNOT, "lnot")                                                                                          \
    X(BNOT, "bnot")                                                                                          \
    X(SQRT, "sqrt")                                                                                          \
    X(CEIL, "ceil")                                                                                          \
    X(FLOOR, "floor")                                                                                        \
    X(ROUND, "round")                                                                                        \
    X(TRUNC, "trunc")                                                                                        \
    X(SIGNUM, "signum")                                                                                      \
    X(FREXPX, "frexpx")                                                                                      \
    X(FREXPE, "frexpe")                                                                                      \
    X(CONJ, "conj")                                                                                          \
    X(CREAL, "creal")                                                                                        \
    X(CIMAG, "cimag")                                                                                        \
    X(ISINF, "isinf")                                                                                        \
    X(ISNAN, "isnan")                                                                                        \
    X(ISFINITE, "isfinite")

typedef enum torc_unary {
#define X(name, text) TORC_UNARY_##name,
    TORC_UNARY_MAP(X)
#undef X
        TORC_UNARY_COUNT,
    TORC_UNARY_USER /* a torc_definition says which */
} torc_unary;

/* X(enumerator, name). z = f (x, i, j, s), x being element (i,j) and s the thunk:
 *   rowindex i+s, colindex j+s, diagindex j-(i+s)             on int32 and int64, giving that type
 *   tril j-i <= s, triu j-i >= s, diag j-i == s, offdiag      on int32 and int64, giving bool
 *   colle j <= s, colgt j > s, rowle i <= s, rowgt i > s      on int32 and int64, giving bool
 *   valueeq x == s, valuene                                   on all types, giving bool
 *   valuelt x < s, valuele, valuegt, valuege                  on bool, integers and real, giving bool
 * Positions and their thunk are int64, whatever the type; what they give is cut to it. The thunk of value
 * operators is of the operator's type. */
#define TORC_INDEX_UNARY_MAP(X)                                                                              \
    X(ROWINDEX, "rowindex")                                                                                  \
    X(COLINDEX, "colindex")                                                                                  \
    X(DIAGINDEX, "diagindex")                                                                                \
    X(TRIL, "tril")                                                                                          \
    X(TRIU, "triu")                                                                                          \
    X(DIAG, "diag")                                                                                          \
    X(OFFDIAG, "offdiag")                                                                                    \
    X(COLLE, "colle")                                                                                        \
    X(COLGT, "colgt")                                                                                        \
    X(ROWLE, "rowle")                                                                                        \
    X(ROWGT, "rowgt")                                                                                        \
    X(VALUEEQ, "valueeq")                                                                                    \
    X(VALUENE, "valuene")                                                                                    \
    X(VALUELT, "valuelt")                                                                                    \
    X(VALUELE, "valuele")                                                                                    \
    X(VALUEGT, "valuegt")                                                                                    \
    X(VALUEGE, "valuege")

typedef enum torc_index_unary {
#define X(name, text) TORC_##name,
    TORC_INDEX_UNARY_MAP(X)
#undef X
        TORC_INDEX_UNARY_COUNT,
    TORC_INDEX_UNARY_USER /* a torc_definition says which */
} torc_index_unary;

/* User-defined functions of the host: z = f (x), and z = f (x, i, j, thunk). */
typedef void (*torc_unary_function)(void *z, const void *x);
typedef void (*torc_index_unary_function)(void *z, const void *x, uint64_t i, uint64_t j, const void *thunk);

/* One value, of a built-in type or an opaque one of at most 16 bytes. */
typedef struct torc_scalar {
    torc_type type;
    uint64_t value[2]; /* its bytes, from the first on */
} torc_scalar;

/* How T(i,j) comes from A(i,j) and B(i,j). `type` is the operator's: A and B are cast to it as GraphBLAS
 * casts, where the operator reads them. */
typedef enum torc_operation_kind {
    TORC_APPLY,       /* unary (a) */
    TORC_APPLY_INDEX, /* index (a, i, j, thunk) */
    TORC_SELECT,      /* a, with its own type, where index (a, i, j, thunk) holds; else absent */
    TORC_EWISE_MULT,  /* binary (a, b) where both are present */
    TORC_EWISE_ADD,   /* binary (a, b) where both are present; where one is, that one, cast to the type of
                         binary's results */
    TORC_EWISE_UNION, /* binary (a, b) where both are present; binary (a, beta) or binary (alpha, b) where one
                         is */
} torc_operation_kind;

typedef struct torc_operation {
    torc_operation_kind kind;
    torc_unary unary;
    torc_index_unary index;
    torc_multiply binary; /* firsti and its kin: i and j of the result, plus 1 where they say so */
    torc_type type;
    const torc_definition *definition; /* of a user-defined operator: its multiply, called as f (z, x, y), a
                                          unary one as f (z, x), an index-unary one as f (z, x, i, j, thunk)
                                          with the thunk of type y. It has its own types. Borrowed for the
                                          call; NULL: built-in */
    bool is_flipped;                   /* the user-defined operator is called as binary (b, a) */
    torc_unary_function unary_on_host; /* of a user-defined one; NULL: the reference executor cannot */
    torc_index_unary_function index_on_host;
    torc_scalar thunk, alpha, beta; /* cast to the operator's types */
} torc_operation;

/* What callers need to know of an operation, derived once. */
typedef struct torc_operation_traits {
    bool is_supported;     /* the operator exists on this type; the other fields hold only then */
    bool reads_a, reads_b; /* values, not presence */
    bool is_positional;
    torc_type x_type, y_type; /* what values of A and B are cast to */
    torc_type thunk_type;     /* of index operators */
    torc_type z_type;         /* of T. TORC_SELECT: A's type, which is not known here: TORC_TYPE_COUNT */
} torc_operation_traits;

/** The traits of an operation. is_supported is false for NULL, and for enumerators that do not exist. Any
 *  thread. */
TORC_API torc_operation_traits torc_operation_get_traits(const torc_operation *operation);

/** Names such as "ainv" and "rowindex", static strings: "user" for what is user-defined, "unknown" for a
 * value that is no enumerator. Any thread. */
TORC_API const char *torc_unary_name(torc_unary unary);
TORC_API const char *torc_index_unary_name(torc_index_unary index);

/* ---- Element by element ------------------------------------------------------------------------------- */

/* One operand. */
typedef struct torc_operand {
    const torc_dense *dense; /* device memory, any order, iso or not; NULL: `value` is at every place */
    torc_scalar value;
    bool transpose;                 /* element (i,j) is (j,i) of dense */
    const uint64_t *rows, *columns; /* device memory: element (i,j) is (rows[i], columns[j]) of dense, after
                                       the transposition; NULL: (i,j). Trusted to be in range */
} torc_operand;

/** Compute element by element: C = T, or C⟨mask⟩ = accum (C, T), with T(i,j) = operation (A(i,j), B(i,j)).
 *  @param[in,out] C  m×n, device memory, of any type that T can be cast to, not iso. May be A's or B's dense,
 * in the same order, untransposed and without index lists; otherwise it overlaps none of them. The mask may
 * be C's bitmap. Its old content is read only where the update says so: with an accum, or with a mask and
 * without replace. The value of an absent element is undefined. A C without bitmap takes 0 where T is absent
 * without accum, and takes no mask with replace.
 *  @param[in] B      NULL for apply and select.
 *  @param[in] update as for torc_spmm: mask and old values laid out as C, accum on C's type; NULL: C = T.
 *  @retval TORC_DIMENSION_MISMATCH  A, B and C do not fit.
 *  @retval TORC_INVALID_VALUE       an ld is too small, an order is neither of the two, a type cannot be
 * cast, C is iso, a scalar has more than 16 bytes, a complement without mask, a mask with replace and a C
 * without bitmap.
 *  @retval TORC_UNSUPPORTED         the operator does not exist on that type, or the executor lacks the
 * source (or the functions) of a user-defined one.
 *  @retval TORC_OUT_OF_MEMORY       workspace, for operands in another order than C's.
 *  @retval TORC_COMPILE_ERROR, TORC_NO_COMPILER, TORC_NOT_COMPILED  as torc_spmm.
 *  @retval TORC_DEVICE_ERROR        C is undefined.
 *  On all other errors C is unchanged. Returns once queued. */
TORC_API torc_status torc_elementwise(const torc_dense *C, const torc_operation *operation,
    torc_context *context, const torc_operand *A, const torc_operand *B, const torc_update *update);

/* ---- From entries ------------------------------------------------------------------------------------- */

/** Build C from entries: it has these `count` and no others (GrB_Matrix_build, specification
 * section 4.2.5.9).
 *  @param[in,out] C         m×n, device memory, with a bitmap and without gaps between its lines, of any
 * type, not iso. data NULL: the bitmap alone. The value of an absent element is undefined.
 *  @param[in]     positions host memory, each once: row·n + column of a row-major C, column·m + row of a
 *                           column-major one. Trusted to be in range. May be reused on return.
 *  @param[in]     values    host memory, of C's type, in the order of positions; one for all of them if iso.
 *                           NULL where data is. May be reused on return.
 *  @param[in]     count     0: all elements of C become absent, and positions and values may be NULL.
 *  @retval TORC_INVALID_VALUE  no bitmap, gaps, an iso C, or a count that is negative or greater than m·n.
 *  @retval TORC_OUT_OF_MEMORY  for the entries on the device.
 *  @retval TORC_DEVICE_ERROR   C is undefined.
 *  On all other errors C is unchanged. Returns once queued; work that was queued before may be waited for. */
TORC_API torc_status torc_build(const torc_dense *C, torc_context *context, const uint64_t *positions,
    const void *values, bool iso, int64_t count);

/* ---- Reductions --------------------------------------------------------------------------------------- */

/* A monoid on one type, to which values are cast first. */
typedef struct torc_reduction {
    torc_monoid add;
    torc_type type;
    const torc_definition *definition; /* of a user-defined monoid, its add; NULL: built-in */
} torc_reduction;

/** Reduce to a scalar: *result = ⊕ of all elements of A that are present, in an order that its layout fixes;
 * the identity of the monoid where there are none. Waits for the device.
 *  @param[out] result   host memory, one value of the reduction's type. Undefined after TORC_DEVICE_ERROR,
 *                       unchanged on all other errors.
 *  @param[out] is_empty host memory: no element is present; NULL: not asked for. Unchanged on error.
 *  @param[in]  A        device memory, of a type that can be cast to the reduction's.
 *  @retval TORC_UNSUPPORTED, TORC_INVALID_VALUE, TORC_OUT_OF_MEMORY and those of compiling, as
 * torc_elementwise. */
TORC_API torc_status torc_reduce_to_scalar(
    void *result, bool *is_empty, torc_reduction reduction, torc_context *context, const torc_dense *A);

/** Reduce to a vector: w = t, or w⟨mask⟩ = accum (w, t), with t(i) = ⊕ of row i of A, or of Aᵀ, in a fixed
 * order; absent where the row has no element.
 *  @param[in,out] w  n×1, as C of torc_elementwise; without bitmap it takes the identity where t is absent.
 * May not overlap A.
 *  @param[in] A      device memory, of a type that can be cast to the reduction's.
 *  @param[in] update as for torc_elementwise. The mask may be w's bitmap, and may overlap A; NULL: w = t.
 *  @retval TORC_DIMENSION_MISMATCH  w is not n×1.
 *  @retval TORC_UNSUPPORTED, TORC_INVALID_VALUE, TORC_OUT_OF_MEMORY and those of compiling, as
 * torc_elementwise.
 *  @retval TORC_DEVICE_ERROR        w is undefined.
 *  On all other errors w is unchanged. Returns once queued. */
TORC_API torc_status torc_reduce_to_vector(const torc_dense *w, torc_reduction reduction,
    torc_context *context, const torc_dense *A, bool transpose, const torc_update *update);

/** Count the entries of a bitmap: *count, in host memory, becomes how many of `size` bytes in device memory
 * are not zero. Waits for the device. size 0: none, and bitmap may be NULL. On error *count is undefined. */
TORC_API torc_status torc_count_present(
    int64_t *count, torc_context *context, const uint8_t *bitmap, size_t size);

#ifdef __cplusplus
}
#endif

#endif
