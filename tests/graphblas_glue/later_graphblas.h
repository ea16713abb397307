/* later_graphblas.h: functions of GraphBLAS 9 and 10 that the drop-in stands before and 7.4 lacks, under
 * names that no version's header declares. */
#ifndef TORC_LATER_GRAPHBLAS_H
#define TORC_LATER_GRAPHBLAS_H

#include <GraphBLAS.h>

typedef struct later_container {
    void *values;
    GrB_Index size;
    bool is_iso;
} later_container;

GrB_Info later_matrix_get(GrB_Matrix A, int32_t *value, int field) __asm__("GrB_Matrix_get_INT32");
GrB_Info later_vector_get(GrB_Vector v, int32_t *value, int field) __asm__("GrB_Vector_get_INT32");
GrB_Info later_matrix_set(GrB_Matrix A, int32_t value, int field) __asm__("GrB_Matrix_set_INT32");
GrB_Info later_vector_set(GrB_Vector v, int32_t value, int field) __asm__("GrB_Vector_set_INT32");
GrB_Info later_matrix_get_scalar(GrB_Matrix A, GrB_Scalar value, int field) __asm__("GrB_Matrix_get_Scalar");
GrB_Info later_vector_get_scalar(GrB_Vector v, GrB_Scalar value, int field) __asm__("GrB_Vector_get_Scalar");
GrB_Info later_matrix_set_scalar(GrB_Matrix A, GrB_Scalar value, int field) __asm__("GrB_Matrix_set_Scalar");
GrB_Info later_vector_set_scalar(GrB_Vector v, GrB_Scalar value, int field) __asm__("GrB_Vector_set_Scalar");

GrB_Info later_vector_unload(GrB_Vector v, void **values, GrB_Type *type, uint64_t *count, uint64_t *size,
    int *handling, const GrB_Descriptor desc) __asm__("GxB_Vector_unload");
GrB_Info later_vector_load(GrB_Vector v, void **values, GrB_Type type, uint64_t count, uint64_t size,
    int handling, const GrB_Descriptor desc) __asm__("GxB_Vector_load");
GrB_Info later_arena_init(int arena, void *(*allocate)(size_t), void *(*allocate_zeroed)(size_t, size_t),
    void *(*reallocate)(void *, size_t), void (*release)(void *)) __asm__("GxB_arena_init");
GrB_Info later_matrix_into_container(GrB_Matrix A, later_container *container,
    const GrB_Descriptor desc) __asm__("GxB_unload_Matrix_into_Container");
GrB_Info later_vector_into_container(GrB_Vector v, later_container *container,
    const GrB_Descriptor desc) __asm__("GxB_unload_Vector_into_Container");

GrB_Info later_matrix_tuples(GrB_Vector I, GrB_Vector J, GrB_Vector X, GrB_Matrix A,
    GrB_Descriptor desc) __asm__("GxB_Matrix_extractTuples_Vector");
GrB_Info later_vector_tuples(GrB_Vector I, GrB_Vector X, GrB_Vector v, GrB_Descriptor desc) __asm__(
    "GxB_Vector_extractTuples_Vector");

/* As it is, with the objects that are in it. */
typedef struct later_object_container {
    uint64_t u64[16];
    int32_t i32[16];
    GrB_Vector vectors[16];
    GrB_Matrix matrices[16];
    bool flags[32];
    void *pointers[16];
} later_object_container;

GrB_Info later_container_free(later_object_container **container) __asm__("GxB_Container_free");

#endif
