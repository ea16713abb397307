/* away_controls.c: content that is away is told to be sparse, which may wait until somebody asks for its
 * format; then it is as without torc, whoever asks. */
#include "away_program.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static GrB_Matrix sparse_matrix(void)
{
    GrB_Matrix C = away_matrix(false);
    TRY(GxB_Matrix_Option_set(C, GxB_SPARSITY_CONTROL, GxB_SPARSE));
    require(away_is_any(), "it need not come home for that");
    return C;
}

static GrB_Vector sparse_vector(void)
{
    GrB_Vector v = away_vector(false);
    TRY(GxB_Vector_Option_set(v, GxB_SPARSITY_CONTROL, GxB_SPARSE));
    require(away_is_any(), "it need not come home for that");
    return v;
}

static void show_format(GrB_Matrix C)
{
    int control, status;
    TRY(GxB_Matrix_Option_get(C, GxB_SPARSITY_CONTROL, &control));
    TRY(GxB_Matrix_Option_get(C, GxB_SPARSITY_STATUS, &status));
    show_bytes(&control, sizeof control);
    show_bytes(&status, sizeof status);
}

static void show_and_free(GrB_Matrix *C, const char *name)
{
    show_format(*C);
    TRY(GrB_Matrix_free(C));
    show(name);
}

/* One question alone: the first one settles it. */
static void ask(GxB_Option_Field field, bool by_int32)
{
    int of_matrix, of_vector;
    GrB_Matrix C = sparse_matrix();
    GrB_Vector v = sparse_vector();
    if (by_int32) {
        TRY(GxB_Matrix_Option_get_INT32(C, field, &of_matrix));
        TRY(GxB_Vector_Option_get_INT32(v, field, &of_vector));
    } else {
        TRY(GxB_Matrix_Option_get(C, field, &of_matrix));
        TRY(GxB_Vector_Option_get(v, field, &of_vector));
    }
    show_bytes(&of_matrix, sizeof of_matrix);
    show_bytes(&of_vector, sizeof of_vector);
    TRY(GrB_Matrix_free(&C));
    TRY(GrB_Vector_free(&v));
    show("format asked for");
}

static void print(void)
{
    GrB_Matrix C = sparse_matrix();
    GrB_Vector v = sparse_vector();
    char *text = NULL;
    size_t length;
    FILE *memory = open_memstream(&text, &length);
    TRY(GxB_Matrix_fprint(C, "C", GxB_SUMMARY, memory));
    fputs("; ", memory);
    TRY(GxB_Vector_fprint(v, "v", GxB_SUMMARY, memory));
    fclose(memory);
    int nsparse = 0;
    for (const char *found = text; (found = strstr(found, "sparse by")); found++) {
        nsparse++;
    }
    show_bytes(&nsparse, sizeof nsparse);
    free(text);
    TRY(GrB_Matrix_free(&C));
    TRY(GrB_Vector_free(&v));
    show("format printed");
}

static void serialize(void)
{
    GrB_Matrix C = sparse_matrix(), copy;
    GrB_Vector v = sparse_vector(), vector_copy;
    void *blob = NULL;
    GrB_Index size;
    TRY(GxB_Matrix_serialize(&blob, &size, C, NULL));
    TRY(GxB_Matrix_deserialize(&copy, NULL, blob, size, NULL));
    free(blob);
    TRY(GrB_Matrix_free(&C));
    show_and_free(&copy, "format serialized");
    TRY(GxB_Vector_serialize(&blob, &size, v, NULL));
    TRY(GxB_Vector_deserialize(&vector_copy, NULL, blob, size, NULL));
    free(blob);
    TRY(GrB_Vector_free(&v));
    copy = (GrB_Matrix)vector_copy;
    show_and_free(&copy, "format of a vector");
    C = sparse_matrix();
    TRY(GrB_Matrix_serializeSize(&size, C));
    show_bytes(&size, sizeof size);
    TRY(GrB_Matrix_free(&C));
    C = sparse_matrix();
    size *= 8; /* whatever its format */
    blob = malloc(size);
    TRY(GrB_Matrix_serialize(blob, &size, C));
    TRY(GrB_Matrix_deserialize(&copy, NULL, blob, size));
    free(blob);
    TRY(GrB_Matrix_free(&C));
    show_and_free(&copy, "format in own memory");
}

/* What is read comes home, which settles nothing. */
static void copy_from_home(void)
{
    GrB_Matrix C = sparse_matrix(), copy;
    GrB_Vector v = sparse_vector(), vector_copy;
    show_matrix(C);
    TRY(GrB_Matrix_dup(&copy, C));
    show_and_free(&copy, "format of a copy of what is home");
    show_vector(v);
    TRY(GrB_Vector_dup(&vector_copy, v));
    copy = (GrB_Matrix)vector_copy;
    show_and_free(&copy, "format of a copy of a vector");
    TRY(GrB_Matrix_free(&C));
    TRY(GrB_Vector_free(&v));
}

static void change(void)
{
    GrB_Matrix C = sparse_matrix(), copy;
    TRY(GrB_Matrix_dup(&copy, C));
    show_and_free(&copy, "format of a copy");
    show_and_free(&C, "format of what it copied");
    copy_from_home();
    C = away_matrix(false);
    TRY(GxB_Matrix_Option_set(C, GxB_FORMAT, GxB_BY_COL));
    int by_col;
    TRY(GxB_Matrix_Option_get(C, GxB_FORMAT, &by_col));
    show_bytes(&by_col, sizeof by_col);
    show_and_free(&C, "format by column");
    C = sparse_matrix();
    TRY(GxB_Matrix_reshape(C, false, ROWS / 2, COLS * 2, NULL));
    show_and_free(&C, "format reshaped");
    C = sparse_matrix();
    TRY(GxB_Matrix_Option_set(C, GxB_SPARSITY_CONTROL, GxB_BITMAP));
    show_and_free(&C, "format told anew");
    C = sparse_matrix();
    away_multiply(C);
    show_and_free(&C, "format of the next result");
}

/* The next handles may be those that were freed. */
static void free_and_reuse(void)
{
    GrB_Matrix C = sparse_matrix();
    GrB_Vector v = sparse_vector();
    TRY(GrB_Matrix_free(&C));
    TRY(GrB_Matrix_new(&C, GrB_FP64, ROWS, COLS));
    show_and_free(&C, "format of a new matrix");
    TRY(GrB_Vector_free(&v));
    TRY(GrB_Vector_new(&v, GrB_FP64, ROWS));
    C = (GrB_Matrix)v;
    show_and_free(&C, "format of a new vector");
}

/* So may those of what was exported. */
static void export_and_reuse(void)
{
    GrB_Matrix C = sparse_matrix();
    GrB_Index nrows, ncols, sizes[3], *pointers, *indices;
    GrB_Type type;
    void *values;
    bool is_iso;
    TRY(GxB_Matrix_export_CSR(&C, &type, &nrows, &ncols, &pointers, &indices, &values, &sizes[0], &sizes[1],
        &sizes[2], &is_iso, NULL, NULL));
    free(pointers);
    free(indices);
    free(values);
    TRY(GrB_Matrix_new(&C, GrB_FP64, ROWS, COLS));
    show_and_free(&C, "format of the matrix after");
}

void away_controls(void)
{
    for (int by_int32 = 0; by_int32 < 2; by_int32++) {
        ask(GxB_SPARSITY_CONTROL, by_int32);
        ask(GxB_SPARSITY_STATUS, by_int32);
    }
    print();
    serialize();
    change();
    free_and_reuse();
    export_and_reuse();
}
