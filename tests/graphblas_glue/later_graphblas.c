/* later_graphblas.c: a GraphBLAS with functions of later versions. Each is done by one of 7.4; all others are
 * those of the library that this one is linked to. */
#include "later_graphblas.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Behind this library, and so past the drop-in. */
static void find(void *function, const char *name)
{
    void *address = dlsym(RTLD_NEXT, name);
    if (!address) {
        fprintf(stderr, "no %s\n", name);
        abort();
    }
    memcpy(function, &address, sizeof address);
}

#define NEXT(function)                                                                                       \
    __typeof__(&function) next;                                                                              \
    find(&next, #function)

/* By these two a GraphBLAS is found. */
GrB_Info GrB_getVersion(unsigned *version, unsigned *subversion)
{
    NEXT(GrB_getVersion);
    return next(version, subversion);
}

GrB_Info GrB_mxm(GrB_Matrix C, const GrB_Matrix mask, const GrB_BinaryOp accum, const GrB_Semiring semiring,
    const GrB_Matrix A, const GrB_Matrix B, const GrB_Descriptor desc)
{
    NEXT(GrB_mxm);
    return next(C, mask, accum, semiring, A, B, desc);
}

GrB_Info later_matrix_get(GrB_Matrix A, int32_t *value, int field)
{
    NEXT(GxB_Matrix_Option_get_INT32);
    return next(A, (GxB_Option_Field)field, value);
}

GrB_Info later_vector_get(GrB_Vector v, int32_t *value, int field)
{
    NEXT(GxB_Vector_Option_get_INT32);
    return next(v, (GxB_Option_Field)field, value);
}

GrB_Info later_matrix_set(GrB_Matrix A, int32_t value, int field)
{
    NEXT(GxB_Matrix_Option_set_INT32);
    return next(A, (GxB_Option_Field)field, value);
}

GrB_Info later_vector_set(GrB_Vector v, int32_t value, int field)
{
    NEXT(GxB_Vector_Option_set_INT32);
    return next(v, (GxB_Option_Field)field, value);
}

static GrB_Info get_switch(GrB_Matrix A, GrB_Scalar value, int field)
{
    NEXT(GxB_Matrix_Option_get_FP64);
    double number = 0;
    GrB_Info info = next(A, (GxB_Option_Field)field, &number);
    return info == GrB_SUCCESS ? GrB_Scalar_setElement_FP64(value, number) : info;
}

GrB_Info later_matrix_get_scalar(GrB_Matrix A, GrB_Scalar value, int field)
{
    if (field == GxB_HYPER_SWITCH || field == GxB_BITMAP_SWITCH) {
        return get_switch(A, value, field);
    }
    NEXT(GxB_Matrix_Option_get_INT32);
    int32_t number = 0;
    GrB_Info info = next(A, (GxB_Option_Field)field, &number);
    return info == GrB_SUCCESS ? GrB_Scalar_setElement_INT32(value, number) : info;
}

GrB_Info later_vector_get_scalar(GrB_Vector v, GrB_Scalar value, int field)
{
    NEXT(GxB_Vector_Option_get_INT32);
    int32_t number = 0;
    GrB_Info info = next(v, (GxB_Option_Field)field, &number);
    return info == GrB_SUCCESS ? GrB_Scalar_setElement_INT32(value, number) : info;
}

GrB_Info later_matrix_set_scalar(GrB_Matrix A, GrB_Scalar value, int field)
{
    NEXT(GxB_Matrix_Option_set_INT32);
    int32_t number = 0;
    GrB_Info info = GrB_Scalar_extractElement_INT32(&number, value);
    return info == GrB_SUCCESS ? next(A, (GxB_Option_Field)field, number) : info;
}

GrB_Info later_vector_set_scalar(GrB_Vector v, GrB_Scalar value, int field)
{
    NEXT(GxB_Vector_Option_set_INT32);
    int32_t number = 0;
    GrB_Info info = GrB_Scalar_extractElement_INT32(&number, value);
    return info == GrB_SUCCESS ? next(v, (GxB_Option_Field)field, number) : info;
}

/* In 10 these call the functions above, by their names. */
GrB_Info GxB_Matrix_Option_get_INT32(GrB_Matrix A, GxB_Option_Field field, int32_t *value)
{
    return later_matrix_get(A, value, (int)field);
}

GrB_Info GxB_Matrix_Option_set_INT32(GrB_Matrix A, GxB_Option_Field field, int32_t value)
{
    return later_matrix_set(A, value, (int)field);
}

GrB_Info GxB_Matrix_Option_get_FP64(GrB_Matrix A, GxB_Option_Field field, double *value)
{
    GrB_Scalar scalar;
    GrB_Info info = GrB_Scalar_new(&scalar, GrB_FP64);
    if (info == GrB_SUCCESS) {
        info = later_matrix_get_scalar(A, scalar, (int)field);
    }
    if (info == GrB_SUCCESS) {
        info = GrB_Scalar_extractElement_FP64(value, scalar);
    }
    GrB_Scalar_free(&scalar);
    return info;
}

/* A full vector of FP64. */
GrB_Info later_vector_unload(GrB_Vector v, void **values, GrB_Type *type, uint64_t *count, uint64_t *size,
    int *handling, const GrB_Descriptor desc)
{
    NEXT(GxB_Vector_unpack_Full);
    bool is_iso;
    GrB_Index bytes;
    GrB_Info info = next(v, values, &bytes, &is_iso, desc);
    *type = GrB_FP64;
    *count = bytes / sizeof(double);
    *size = bytes;
    *handling = 0;
    return info;
}

/* The program keeps the array: this one has a copy. */
GrB_Info later_vector_load(GrB_Vector v, void **values, GrB_Type type, uint64_t count, uint64_t size,
    int handling, const GrB_Descriptor desc)
{
    NEXT(GxB_Vector_pack_Full);
    void *copy = memcpy(malloc(size), *values, size);
    if (count * sizeof(double) != size || type != GrB_FP64 || handling == 0) {
        abort();
    }
    return next(v, &copy, size, false, desc);
}

/* No object is in it. */
GrB_Info later_arena_init(int arena, void *(*allocate)(size_t), void *(*allocate_zeroed)(size_t, size_t),
    void *(*reallocate)(void *, size_t), void (*release)(void *))
{
    (void)allocate_zeroed;
    (void)reallocate;
    return arena > 0 && allocate && release ? GrB_SUCCESS : GrB_INVALID_VALUE;
}

/* A container holds an object's arrays: here, those of a full one. */
GrB_Info later_matrix_into_container(GrB_Matrix A, later_container *container, const GrB_Descriptor desc)
{
    NEXT(GxB_Matrix_unpack_FullR);
    return next(A, &container->values, &container->size, &container->is_iso, desc);
}

GrB_Info later_vector_into_container(GrB_Vector v, later_container *container, const GrB_Descriptor desc)
{
    NEXT(GxB_Vector_unpack_Full);
    return next(v, &container->values, &container->size, &container->is_iso, desc);
}

GrB_Info later_container_free(later_object_container **container)
{
    NEXT(GrB_Matrix_free);
    for (int i = 0; i < 16; i++) {
        GrB_Matrix as_matrix = (GrB_Matrix)(*container)->vectors[i];
        next(&as_matrix);
        next(&(*container)->matrices[i]);
    }
    *container = NULL;
    return GrB_SUCCESS;
}

static GrB_Info fill(GrB_Vector v, const GrB_Index *numbers, const double *values, GrB_Index count)
{
    NEXT(GxB_Vector_pack_Full);
    double *content = malloc(count * sizeof *content);
    void *array = content;
    for (GrB_Index k = 0; k < count; k++) {
        content[k] = numbers ? (double)numbers[k] : values[k];
    }
    return next(v, &array, count * sizeof *content, false, NULL);
}

/* All vectors are of FP64 and as long as A has entries; NULL: not asked for. */
GrB_Info later_matrix_tuples(GrB_Vector I, GrB_Vector J, GrB_Vector X, GrB_Matrix A, GrB_Descriptor desc)
{
    NEXT(GrB_Matrix_extractTuples_FP64);
    GrB_Index count, *rows, *columns;
    (void)desc;
    GrB_Matrix_nvals(&count, A);
    rows = malloc(count * sizeof *rows);
    columns = malloc(count * sizeof *columns);
    double *values = malloc(count * sizeof *values);
    GrB_Info info = next(rows, columns, values, &count, A);
    info = info == GrB_SUCCESS && I ? fill(I, rows, NULL, count) : info;
    info = info == GrB_SUCCESS && J ? fill(J, columns, NULL, count) : info;
    info = info == GrB_SUCCESS && X ? fill(X, NULL, values, count) : info;
    free(rows);
    free(columns);
    free(values);
    return info;
}

GrB_Info later_vector_tuples(GrB_Vector I, GrB_Vector X, GrB_Vector v, GrB_Descriptor desc)
{
    return later_matrix_tuples(I, NULL, X, (GrB_Matrix)v, desc);
}
