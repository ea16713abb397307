/* later_program.c: what away_program does, with functions that GraphBLAS 7.4 lacks.
 *
 *     later_program PART
 */
#include "away_program.h"
#include "later_graphblas.h"
#include <stdlib.h>
#include <string.h>

static void show_and_free_values(double *values, GrB_Index size, const char *name)
{
    show_values(values, NULL, size / sizeof *values);
    free(values);
    show(name);
}

static void unload(void)
{
    GrB_Vector v = away_vector(true), w = away_vector(true);
    GrB_Matrix C = away_matrix(true);
    GrB_Type type;
    void *values;
    uint64_t count, size;
    int handling;
    later_container of_matrix, of_vector;
    TRY(later_vector_unload(v, &values, &type, &count, &size, &handling, NULL));
    show_and_free_values(values, size, "Vector_unload");
    TRY(later_matrix_into_container(C, &of_matrix, NULL));
    show_and_free_values(of_matrix.values, of_matrix.size, "unload_Matrix_into_Container");
    TRY(later_vector_into_container(w, &of_vector, NULL));
    show_and_free_values(of_vector.values, of_vector.size, "unload_Vector_into_Container");
    TRY(GrB_Vector_free(&v));
    TRY(GrB_Vector_free(&w));
    TRY(GrB_Matrix_free(&C));
}

/* One question alone: the first one settles it. */
static void ask(int field)
{
    int32_t of_matrix, of_vector;
    GrB_Matrix C = away_matrix(false);
    TRY(later_matrix_set(C, GxB_SPARSE, GxB_SPARSITY_CONTROL));
    require(away_is_any(), "it need not come home for that");
    TRY(later_matrix_get(C, &of_matrix, field));
    TRY(GrB_Matrix_free(&C));
    GrB_Vector v = away_vector(false);
    TRY(later_vector_set(v, GxB_SPARSE, GxB_SPARSITY_CONTROL));
    require(away_is_any(), "it need not come home for that");
    TRY(later_vector_get(v, &of_vector, field));
    TRY(GrB_Vector_free(&v));
    show_bytes(&of_matrix, sizeof of_matrix);
    show_bytes(&of_vector, sizeof of_vector);
    show("format asked for");
}

static GrB_Matrix sparse_matrix(void)
{
    GrB_Matrix C = away_matrix(false);
    TRY(later_matrix_set(C, GxB_SPARSE, GxB_SPARSITY_CONTROL));
    return C;
}

static GrB_Vector sparse_vector(void)
{
    GrB_Vector v = away_vector(false);
    TRY(later_vector_set(v, GxB_SPARSE, GxB_SPARSITY_CONTROL));
    return v;
}

static void show_scalar(GrB_Scalar scalar)
{
    int32_t number;
    TRY(GrB_Scalar_extractElement_INT32(&number, scalar));
    show_bytes(&number, sizeof number);
}

static void show_controls(GrB_Matrix C, GrB_Vector v)
{
    int32_t control;
    TRY(later_matrix_get(C, &control, GxB_SPARSITY_CONTROL));
    show_bytes(&control, sizeof control);
    TRY(later_vector_get(v, &control, GxB_SPARSITY_CONTROL));
    show_bytes(&control, sizeof control);
}

/* In a GrB_Scalar: asked for, set after another one, and refused. */
static void by_scalar(int field)
{
    GrB_Matrix C = sparse_matrix();
    GrB_Vector v = sparse_vector();
    GrB_Scalar scalar;
    TRY(GrB_Scalar_new(&scalar, GrB_INT32));
    require(later_matrix_set_scalar(C, scalar, GxB_SPARSITY_CONTROL) != GrB_SUCCESS, "an empty scalar");
    TRY(later_matrix_get_scalar(C, scalar, field));
    show_scalar(scalar);
    TRY(later_vector_get_scalar(v, scalar, field));
    show_scalar(scalar);
    TRY(GrB_Matrix_free(&C));
    TRY(GrB_Vector_free(&v));
    C = sparse_matrix();
    v = sparse_vector();
    TRY(GrB_Scalar_setElement_INT32(scalar, GxB_BITMAP));
    TRY(later_matrix_set_scalar(C, scalar, GxB_SPARSITY_CONTROL));
    TRY(later_vector_set_scalar(v, scalar, GxB_SPARSITY_CONTROL));
    show_controls(C, v);
    TRY(GrB_Matrix_free(&C));
    TRY(GrB_Vector_free(&v));
    TRY(GrB_Scalar_free(&scalar));
    show("in a scalar");
}

static void set_and_get(void)
{
    ask(GxB_SPARSITY_CONTROL);
    ask(GxB_SPARSITY_STATUS);
    by_scalar(GxB_SPARSITY_CONTROL);
    by_scalar(GxB_SPARSITY_STATUS);
}

/* torc looks at the format of what it computes with, which is no question of the program's. */
static void wait_while_used(void)
{
    GrB_Matrix C = away_matrix(false), D;
    TRY(GrB_Matrix_new(&D, GrB_FP64, ROWS, COLS));
    TRY(later_matrix_set(C, GxB_SPARSE, GxB_SPARSITY_CONTROL));
    int before = away_count();
    away_multiply_by(D, C);
    require(before == 0 || away_count() > before, "it is used where it is");
    int32_t control;
    TRY(later_matrix_get(C, &control, GxB_SPARSITY_CONTROL));
    show_bytes(&control, sizeof control);
    show_matrix(C);
    show_matrix(D);
    show("a control that waits");
    TRY(GrB_Matrix_free(&C));
    TRY(GrB_Matrix_free(&D));
}

static void show_product(void)
{
    GrB_Matrix C = away_matrix(true);
    show_matrix(C);
    TRY(GrB_Matrix_free(&C));
    show("product");
}

/* A vector borrows an array of the program's. */
static void load(void)
{
    enum { READ_ONLY = 7 };
    double *values = malloc(ROWS * sizeof *values);
    void *array = values;
    GrB_Vector v;
    show_product();
    for (int i = 0; i < ROWS; i++) {
        values[i] = i % 7;
    }
    TRY(GrB_Vector_new(&v, GrB_FP64, ROWS));
    TRY(later_vector_load(v, &array, GrB_FP64, ROWS, ROWS * sizeof *values, READ_ONLY, NULL));
    show_vector(v);
    show("Vector_load");
    TRY(GrB_Vector_free(&v));
    show_and_free_values(values, ROWS * sizeof *values, "the program's still");
    show_product();
}

/* The control that waits is older than the one that loading leaves. */
static void load_over_control(void)
{
    enum { READ_ONLY = 7 };
    static double values[ROWS];
    void *array = values;
    int32_t control;
    GrB_Vector v = sparse_vector();
    TRY(later_vector_load(v, &array, GrB_FP64, ROWS, sizeof values, READ_ONLY, NULL));
    TRY(later_vector_get(v, &control, GxB_SPARSITY_CONTROL));
    show_bytes(&control, sizeof control);
    show("Vector_load over a control that waits");
    TRY(GrB_Vector_free(&v));
}

static void *take(size_t size)
{
    return malloc(size);
}

static void give(void *array)
{
    free(array);
}

/* GraphBLAS may free by an allocator of the program's from then on. */
static void arena(void)
{
    show_product();
    TRY(later_arena_init(1, take, NULL, NULL, give));
    show_product();
}

/* The next handle may be that of a vector that was in it. What is in none stays as it is. */
static void free_container(void)
{
    GrB_Vector v = sparse_vector(), in_it = sparse_vector(), next;
    later_object_container container = {.vectors = {[4] = in_it}}, *freed = &container;
    int32_t control;
    TRY(later_container_free(&freed));
    require(away_is_any(), "what is in no container stays");
    TRY(GrB_Vector_new(&next, GrB_FP64, ROWS));
    TRY(later_vector_get(next, &control, GxB_SPARSITY_CONTROL));
    show_bytes(&control, sizeof control);
    TRY(later_vector_get(v, &control, GxB_SPARSITY_CONTROL));
    show_bytes(&control, sizeof control);
    TRY(GrB_Vector_free(&next));
    TRY(GrB_Vector_free(&v));
    show("Container_free");
}

static void free_and_show(GrB_Vector *v, const char *name)
{
    int32_t control;
    TRY(later_vector_get(*v, &control, GxB_SPARSITY_CONTROL));
    show_bytes(&control, sizeof control);
    show_vector(*v);
    TRY(GrB_Vector_free(v));
    show(name);
}

/* The controls that wait are older than those that are left. */
static void tuples(void)
{
    GrB_Vector all = away_vector(true), I = sparse_vector(), J = sparse_vector(), X = sparse_vector();
    TRY(later_vector_tuples(I, X, all, NULL));
    free_and_show(&I, "Vector_extractTuples_Vector: places");
    free_and_show(&X, "Vector_extractTuples_Vector: values");
    I = sparse_vector();
    X = sparse_vector();
    TRY(later_matrix_tuples(I, J, X, (GrB_Matrix)all, NULL));
    free_and_show(&I, "Matrix_extractTuples_Vector: rows");
    free_and_show(&J, "Matrix_extractTuples_Vector: columns");
    free_and_show(&X, "Matrix_extractTuples_Vector: values");
    TRY(GrB_Vector_free(&all));
}

static void copy(void)
{
    GrB_Matrix C = sparse_matrix(), copy_of_c;
    GrB_Vector v = sparse_vector(), copy_of_v;
    int before = away_count();
    TRY(GrB_Matrix_dup(&copy_of_c, C));
    TRY(GrB_Vector_dup(&copy_of_v, v));
    require(before == 0 || away_count() > before, "they are copied where they are");
    show_controls(copy_of_c, copy_of_v);
    show_controls(C, v);
    show("controls of copies");
    TRY(GrB_Matrix_free(&C));
    TRY(GrB_Vector_free(&v));
    TRY(GrB_Matrix_free(&copy_of_c));
    TRY(GrB_Vector_free(&copy_of_v));
}

int main(int argc, char **argv)
{
    TRY(GrB_init(GrB_NONBLOCKING));
    away_make_operands();
    require(argc > 1, "a part");
    if (strcmp(argv[1], "unload") == 0) {
        unload();
    } else if (strcmp(argv[1], "load") == 0) {
        load();
    } else if (strcmp(argv[1], "load_over_control") == 0) {
        load_over_control();
    } else if (strcmp(argv[1], "arena") == 0) {
        arena();
    } else if (strcmp(argv[1], "free_container") == 0) {
        free_container();
    } else if (strcmp(argv[1], "tuples") == 0) {
        tuples();
    } else if (strcmp(argv[1], "copy") == 0) {
        copy();
    } else if (strcmp(argv[1], "wait") == 0) {
        wait_while_used();
    } else {
        set_and_get();
    }
    TRY(GrB_finalize());
    return 0;
}
