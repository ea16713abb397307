/* later_functions.h: what GraphBLAS 9 and 10 have and the header of 7.4 lacks. */
#ifndef TORC_FUZZ_LATER_FUNCTIONS_H
#define TORC_FUZZ_LATER_FUNCTIONS_H

#include <GraphBLAS.h>
#include <stdint.h>

typedef struct later_container {
    uint64_t u64[16];
    int32_t i32[16];
    GrB_Vector p, h, b, i, x, other_vectors[11];
    GrB_Matrix matrices[16];
    bool flags[32];
    void *pointers[16];
} later_container;

/* X(name, parameters); all return a GrB_Info. */
#define LATER_FUNCTIONS(X)                                                                                   \
    X(GrB_Matrix_set_INT32, (GrB_Matrix A, int32_t value, int field))                                        \
    X(GrB_Vector_set_INT32, (GrB_Vector v, int32_t value, int field))                                        \
    X(GrB_Matrix_get_INT32, (GrB_Matrix A, int32_t * value, int field))                                      \
    X(GrB_Vector_get_INT32, (GrB_Vector v, int32_t * value, int field))                                      \
    X(GxB_Matrix_extractTuples_Vector,                                                                       \
        (GrB_Vector I, GrB_Vector J, GrB_Vector X, GrB_Matrix A, GrB_Descriptor desc))                       \
    X(GxB_Vector_extractTuples_Vector, (GrB_Vector I, GrB_Vector X, GrB_Vector v, GrB_Descriptor desc))      \
    X(GxB_Matrix_assign_Vector, (GrB_Matrix C, GrB_Matrix M, GrB_BinaryOp accum, GrB_Matrix A, GrB_Vector I, \
                                    GrB_Vector J, GrB_Descriptor desc))                                      \
    X(GxB_Matrix_subassign_Vector, (GrB_Matrix C, GrB_Matrix M, GrB_BinaryOp accum, GrB_Matrix A,            \
                                       GrB_Vector I, GrB_Vector J, GrB_Descriptor desc))                     \
    X(GxB_Vector_assign_Vector,                                                                              \
        (GrB_Vector w, GrB_Vector m, GrB_BinaryOp accum, GrB_Vector u, GrB_Vector I, GrB_Descriptor desc))   \
    X(GxB_Vector_subassign_Vector,                                                                           \
        (GrB_Vector w, GrB_Vector m, GrB_BinaryOp accum, GrB_Vector u, GrB_Vector I, GrB_Descriptor desc))   \
    X(GxB_Matrix_extract_Vector, (GrB_Matrix C, GrB_Matrix M, GrB_BinaryOp accum, GrB_Matrix A,              \
                                     GrB_Vector I, GrB_Vector J, GrB_Descriptor desc))                       \
    X(GxB_Vector_extract_Vector,                                                                             \
        (GrB_Vector w, GrB_Vector m, GrB_BinaryOp accum, GrB_Vector u, GrB_Vector I, GrB_Descriptor desc))   \
    X(GxB_Container_new, (later_container * *container))                                                     \
    X(GxB_Container_free, (later_container * *container))                                                    \
    X(GxB_unload_Matrix_into_Container, (GrB_Matrix A, later_container * container, GrB_Descriptor desc))    \
    X(GxB_unload_Vector_into_Container, (GrB_Vector v, later_container * container, GrB_Descriptor desc))    \
    X(GxB_load_Matrix_from_Container, (GrB_Matrix A, later_container * container, GrB_Descriptor desc))      \
    X(GxB_load_Vector_from_Container, (GrB_Vector v, later_container * container, GrB_Descriptor desc))      \
    X(GxB_Vector_unload, (GrB_Vector v, void **array, GrB_Type *type, uint64_t *count, uint64_t *size,       \
                             int *handling, GrB_Descriptor desc))                                            \
    X(GxB_Vector_load, (GrB_Vector v, void **array, GrB_Type type, uint64_t count, uint64_t size,            \
                           int handling, GrB_Descriptor desc))

/* Options that 7.4 lacks, and the value of a hint: 32 or 64 bits, or 0. */
enum {
    LATER_ORIENTATION = 100,
    LATER_HYPER_HASH = 7048,
    LATER_ROWINDEX_HINT = 7053,
    LATER_COLINDEX_HINT = 7054,
    LATER_OFFSET_HINT = 7056
};

#endif
