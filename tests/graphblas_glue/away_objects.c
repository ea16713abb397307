#include "away_program.h"
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static GrB_Matrix A, B, mask;
static GrB_Vector u, vector_mask;
static uint64_t shown = 14695981039346656037u;

void require(bool condition, const char *what)
{
    if (!condition) {
        fprintf(stderr, "failed: %s\n", what);
        exit(1);
    }
}

/* ---- Is content away? ---------------------------------------------------------------------------------- */

enum { PAGE = 2 << 20 };

/* Of a size that nobody else takes, and never freed: so it lies behind all blocks that there have been.
 * Nobody touches it, so it costs nothing. NULL without torc. */
static char *take_mark(void)
{
    void *(*take)(size_t);
    void *address = dlsym(RTLD_DEFAULT, "torc_malloc");
    memcpy(&take, &address, sizeof take);
    return take ? take((size_t)100 << 20) : NULL;
}

static char *first_mark;

int away_count(void)
{
    char *last_mark = take_mark();
    int ends[2], count = 0;
    require(pipe(ends) == 0, "a pipe");
    for (char *page = first_mark; page < last_mark; page += PAGE) {
        unsigned char is_in_core;
        bool is_mapped = mincore(page, 1, &is_in_core) == 0;
        count += is_mapped && write(ends[1], page, 1) < 0 && errno == EFAULT;
    }
    close(ends[0]);
    close(ends[1]);
    return count;
}

bool away_is_any(void)
{
    return !first_mark || away_count() > 0;
}

/* ---- Objects ------------------------------------------------------------------------------------------- */

static uint64_t next(void)
{
    static uint64_t state = 20261122;
    return (state = state * 6364136223846793005u + 1442695040888963407u) >> 33;
}

static GrB_Matrix packed(GrB_Index ncols)
{
    GrB_Matrix D;
    size_t count = ROWS * ncols;
    double *values = malloc(count * sizeof *values);
    void *array = values;
    for (size_t i = 0; i < count; i++) {
        values[i] = (double)(next() % 10);
    }
    TRY(GrB_Matrix_new(&D, GrB_FP64, ROWS, ncols));
    TRY(GxB_Matrix_pack_FullR(D, &array, count * sizeof *values, false, NULL));
    return D;
}

/* Where entries are; the last one of a place counts. */
typedef struct entries {
    GrB_Index i[2 * ROWS], j[2 * ROWS], count;
    double values[2 * ROWS];
} entries;

static void put(entries *some, GrB_Index i, GrB_Index j, double value)
{
    some->i[some->count] = i;
    some->j[some->count] = j;
    some->values[some->count++] = value;
}

/* Built, since in blocking mode each element that is set is finished. */
void away_make_operands(void)
{
    void *array = calloc(ROWS, sizeof(double));
    entries *of_a = calloc(3, sizeof *of_a), *of_mask = of_a + 1, *of_vector = of_a + 2;
    first_mark = take_mark();
    TRY(GrB_Matrix_new(&A, GrB_FP64, ROWS, ROWS));
    TRY(GrB_Matrix_new(&mask, GrB_BOOL, ROWS, COLS));
    TRY(GrB_Vector_new(&u, GrB_FP64, ROWS));
    TRY(GrB_Vector_new(&vector_mask, GrB_BOOL, ROWS));
    for (GrB_Index i = 0; i < ROWS; i++) {
        put(of_a, i, i, (double)(next() % 5));
        put(of_a, i, next() % ROWS, 1);
        ((double *)array)[i] = (double)(next() % 10);
        if (next() % 3) {
            put(of_vector, i, 0, 1);
            put(of_mask, i, next() % COLS, 1);
        }
    }
    TRY(GrB_Matrix_build_FP64(A, of_a->i, of_a->j, of_a->values, of_a->count, GrB_SECOND_FP64));
    TRY(GrB_Matrix_build_FP64(
        mask, of_mask->i, of_mask->j, of_mask->values, of_mask->count, GrB_SECOND_FP64));
    TRY(GrB_Vector_build_FP64(
        vector_mask, of_vector->i, of_vector->values, of_vector->count, GrB_SECOND_FP64));
    free(of_a);
    TRY(GxB_Vector_pack_Full(u, &array, ROWS * sizeof(double), false, NULL));
    TRY(GxB_Matrix_Option_set(mask, GxB_SPARSITY_CONTROL, GxB_BITMAP));
    TRY(GxB_Vector_Option_set(vector_mask, GxB_SPARSITY_CONTROL, GxB_BITMAP));
    B = packed(COLS);
}

void away_multiply(GrB_Matrix C)
{
    TRY(GrB_mxm(C, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, A, B, NULL));
}

void away_multiply_by(GrB_Matrix C, GrB_Matrix D)
{
    TRY(GrB_mxm(C, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, A, D, NULL));
}

GrB_Matrix away_chain(int length)
{
    GrB_Matrix C, last = B;
    for (int i = 0; i < length; i++) {
        TRY(GrB_Matrix_new(&C, GrB_FP64, ROWS, COLS));
        TRY(GrB_mxm(C, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, A, last, NULL));
        if (last != B) {
            TRY(GrB_Matrix_free(&last));
        }
        last = C;
    }
    return last;
}

/* A result with gaps may stay if it may be a bitmap. */
static GrB_Matrix new_result(bool is_full, bool by_col)
{
    GrB_Matrix C, D;
    TRY(GrB_Matrix_new(&C, GrB_FP64, ROWS, COLS));
    TRY(GrB_Matrix_new(&D, GrB_FP64, ROWS, COLS));
    TRY(GxB_Matrix_Option_set(C, GxB_FORMAT, by_col ? GxB_BY_COL : GxB_BY_ROW));
    TRY(GxB_Matrix_Option_set(C, GxB_SPARSITY_CONTROL, GxB_BITMAP + GxB_FULL));
    TRY(GrB_mxm(
        C, is_full ? NULL : mask, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, A, B, is_full ? NULL : GrB_DESC_RS));
    TRY(GrB_mxm(D, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, A, C, NULL));
    TRY(GrB_Matrix_free(&D));
    require(away_is_any(), "content is away");
    return C;
}

GrB_Matrix away_matrix(bool is_full)
{
    return new_result(is_full, false);
}

GrB_Matrix away_matrix_by_col(bool is_full)
{
    return new_result(is_full, true);
}

GrB_Vector away_vector(bool is_full)
{
    GrB_Vector v, w;
    TRY(GrB_Vector_new(&v, GrB_FP64, ROWS));
    TRY(GrB_Vector_new(&w, GrB_FP64, ROWS));
    TRY(GxB_Vector_Option_set(v, GxB_SPARSITY_CONTROL, GxB_BITMAP + GxB_FULL));
    TRY(GrB_mxv(v, is_full ? NULL : vector_mask, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, A, u,
        is_full ? NULL : GrB_DESC_RS));
    TRY(GrB_mxv(w, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, A, v, NULL));
    TRY(GrB_Vector_free(&w));
    require(away_is_any(), "content is away");
    return v;
}

/* ---- Looking ------------------------------------------------------------------------------------------- */

static void add(const void *array, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        shown = (shown ^ ((const uint8_t *)array)[i]) * 1099511628211u;
    }
}

static int pass_through_the_kernel(const char *array, size_t size)
{
    int file = memfd_create("shown", 0);
    size_t done = 0;
    while (done < size) {
        ssize_t piece = write(file, array + done, size - done);
        require(piece > 0, "the kernel can read an array that was handed out");
        done += (size_t)piece;
    }
    return file;
}

void show_bytes(const void *array, size_t size)
{
    if (size > 0) {
        int file = pass_through_the_kernel(array, size);
        void *written = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
        require(written != MAP_FAILED && memcmp(written, array, size) == 0, "what was written is the array");
        add(written, size);
        munmap(written, size);
        close(file);
    }
}

void show_values(const double *values, const int8_t *bitmap, size_t count)
{
    close(pass_through_the_kernel((const char *)values, count * sizeof *values));
    for (size_t i = 0; i < count; i++) {
        if (!bitmap || bitmap[i]) {
            add(&values[i], sizeof *values);
        }
    }
}

void show_matrix(GrB_Matrix C)
{
    GrB_Index count;
    TRY(GrB_Matrix_nvals(&count, C));
    GrB_Index *rows = malloc((count + 1) * sizeof *rows), *cols = malloc((count + 1) * sizeof *cols);
    double *values = malloc((count + 1) * sizeof *values);
    TRY(GrB_Matrix_extractTuples_FP64(rows, cols, values, &count, C));
    add(rows, count * sizeof *rows);
    add(cols, count * sizeof *cols);
    add(values, count * sizeof *values);
    free(rows);
    free(cols);
    free(values);
}

void show_vector(GrB_Vector v)
{
    GrB_Index count;
    TRY(GrB_Vector_nvals(&count, v));
    GrB_Index *places = malloc((count + 1) * sizeof *places);
    double *values = malloc((count + 1) * sizeof *values);
    TRY(GrB_Vector_extractTuples_FP64(places, values, &count, v));
    add(places, count * sizeof *places);
    add(values, count * sizeof *values);
    free(places);
    free(values);
}

void show(const char *name)
{
    printf("%-24s %016llx\n", name, (unsigned long long)shown);
}
