/* program.h: a random GraphBLAS program as data: steps over numbered objects. A seed draws it whole, before
 * anything runs, so that any steps can be left out later. */
#ifndef TORC_FUZZ_PROGRAM_H
#define TORC_FUZZ_PROGRAM_H

#include "value_types.h"

/* X(kind, run): what a step may be, and the function of run.h that makes its call. */
#define STEP_MAP(X)                                                                                          \
    X(NEW, new_object)                                                                                       \
    X(MXM, mxm)                                                                                              \
    X(MXV, mxv)                                                                                              \
    X(VXM, vxm)                                                                                              \
    X(EWISE_ADD, ewise_add)                                                                                  \
    X(EWISE_MULT, ewise_mult)                                                                                \
    X(EWISE_UNION, ewise_union)                                                                              \
    X(APPLY, apply)                                                                                          \
    X(APPLY_FIRST, apply_first)                                                                              \
    X(APPLY_SECOND, apply_second)                                                                            \
    X(APPLY_INDEX, apply_index)                                                                              \
    X(SELECT, select)                                                                                        \
    X(ASSIGN, assign)                                                                                        \
    X(ASSIGN_SCALAR, assign_scalar)                                                                          \
    X(ASSIGN_LINE, assign_line)                                                                              \
    X(EXTRACT, extract)                                                                                      \
    X(EXTRACT_LINE, extract_line)                                                                            \
    X(TRANSPOSE, transpose)                                                                                  \
    X(REDUCE_LINES, reduce_lines)                                                                            \
    X(REDUCE_ALL, reduce_all)                                                                                \
    X(SET_ELEMENT, set_element)                                                                              \
    X(GET_ELEMENT, get_element)                                                                              \
    X(NVALS, nvals)                                                                                          \
    X(WAIT, wait)                                                                                            \
    X(SWAP, swap)                                                                                            \
    X(DUP, dup)                                                                                              \
    X(CLEAR, clear)                                                                                          \
    X(RESIZE, resize)                                                                                        \
    X(RESHAPE, reshape)                                                                                      \
    X(SET_OPTION, set_option)                                                                                \
    X(EDIT, edit)                                                                                            \
    X(REBUILD, rebuild)                                                                                      \
    X(SERIALIZE, serialize)                                                                                  \
    X(DIAGONAL, diagonal)                                                                                    \
    X(REMOVE_ELEMENT, remove_element)                                                                        \
    X(IMPORT, import)                                                                                        \
    X(TUPLES, tuples)                                                                                        \
    X(SET_GLOBAL, set_global)                                                                                \
    X(KRONECKER, kronecker)                                                                                  \
    X(CONCAT, concat)                                                                                        \
    X(SPLIT, split)                                                                                          \
    X(PRINT, print_object)                                                                                   \
    X(READ, read_object)                                                                                     \
    X(SET_INTEGER, set_integer)                                                                              \
    X(EXPLAIN, explain)                                                                                      \
    X(TUPLE_VECTORS, tuple_vectors)                                                                          \
    X(CONTAIN, contain)                                                                                      \
    X(RELOAD, reload)

typedef enum step_kind {
#define X(kind, run) STEP_##kind,
    STEP_MAP(X)
#undef X
        STEP_KINDS
} step_kind;

enum { MATRICES = 10, VECTORS = 8, SLOTS = MATRICES + VECTORS, NO_SLOT = -1, MAX_STEPS = 320 };

typedef struct program_operator {
    const char *name; /* without prefix and type; NULL: none */
    value_type type;
} program_operator;

typedef struct program_semiring {
    const char *add;
    program_operator multiply;
    bool is_own; /* made of its parts */
} program_semiring;

typedef enum list_kind { LIST_ALL, LIST_RANGE, LIST_STRIDE, LIST_BACKWARDS, LIST_ANY } list_kind;

/* Indices first + p * stride modulo bound, p < count: all different, unless they may repeat. */
typedef struct index_choice {
    list_kind kind;
    GrB_Index first, stride, count, bound;
} index_choice;

/* A new object. Its entries are of `seed` alone. */
typedef struct object_recipe {
    uint64_t seed;
    GrB_Index nrows, ncols; /* a vector is a column */
    value_type type;
    value_style style;
    bool is_grained; /* values are 0, 1, 2 or 4 over 1, 2 or 4 */
    int format;      /* GxB_HYPERSPARSE, GxB_SPARSE, GxB_BITMAP or GxB_FULL: one of them */
    int control;     /* GxB_SPARSITY_CONTROL, or 0: the default */
    bool by_col, iso;
    bool is_copied;   /* its arrays are GraphBLAS's, not the program's */
    GrB_Index degree; /* sparse: entries of a row at most; bitmap: of 8 places in a row */
    int npending;     /* elements set one by one afterwards */
} object_recipe;

/* How READ looks at an object. */
typedef enum read_way {
    READ_TUPLES,
    READ_ITERATOR,
    READ_COPY_UNPACKED,
    READ_EXPORT,
    READ_THREADS,
    READ_FORK,
    READ_LONGJMP,
    READ_WAYS
} read_way;

typedef struct program_step {
    step_kind kind;
    int c, m, a, b; /* slots, or NO_SLOT */
    bool replace, complement, structure, transpose_a, transpose_b, has_gustavson;
    program_operator op, accum;
    program_semiring semiring;
    index_choice rows, cols;
    GrB_Index i, j;
    value_type scalar_type;
    double scalar, imaginary; /* cast to scalar_type */
    bool lacks_value;         /* a GrB_Scalar of it is empty */
    bool has_index_vectors;   /* the indices are in vectors */
    int variant;
    uint64_t seed;
    object_recipe recipe;
} program_step;

typedef struct program {
    uint64_t seed;
    bool is_exact; /* sums of floating-point numbers are made only where every order gives the same bits */
    int nsteps;
    program_step steps[MAX_STEPS];
} program;

const char *torc_step_name(step_kind kind);

static inline bool is_vector_slot(int slot)
{
    return slot >= MATRICES;
}

/* Is C a new object, whatever its slot had? */
static inline bool step_makes_c(const program_step *s)
{
    return s->kind == STEP_NEW || s->kind == STEP_DUP || s->kind == STEP_SERIALIZE ||
           s->kind == STEP_KRONECKER || s->kind == STEP_CONCAT || s->kind == STEP_SPLIT ||
           s->kind == STEP_IMPORT || (s->kind == STEP_DIAGONAL && !is_vector_slot(s->c) && s->variant == 0);
}

/* Does C become what a blob of A holds? */
static inline bool step_is_blob(const program_step *s)
{
    return s->kind == STEP_SERIALIZE || (s->kind == STEP_IMPORT && s->variant == 3);
}

/* Programs whose seeds differ in the low 16 bits alone share types, semirings and
 * operators. */
void torc_program_draw(program *p, uint64_t seed);

#endif
