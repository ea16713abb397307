/* Every function of GraphBLAS 7.4 that hands out arrays, on content that is away: the kernel can read them.
 * Matrices lie as the function wants them, or SuiteSparse would turn them, and touch all. Those that have all
 * entries keep their array of values in every format.
 */
#include "away_program.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

typedef struct arrays {
    GrB_Index *p, *h, *i;
    int8_t *b;
    double *x;
    GrB_Index p_size, h_size, i_size, b_size, x_size, nvec, nvals;
    GrB_Type type;
    GrB_Index nrows, ncols;
    bool is_iso;
} arrays;

#define POINTERS(array) (void **)&a->array
#define CSR_ARGUMENTS &a->p, &a->i, POINTERS(x), &a->p_size, &a->i_size, &a->x_size, &a->is_iso, NULL, NULL
#define HYPER_ARGUMENTS                                                                                      \
    &a->p, &a->h, &a->i, POINTERS(x), &a->p_size, &a->h_size, &a->i_size, &a->x_size, &a->is_iso, &a->nvec,  \
        NULL, NULL
#define BITMAP_ARGUMENTS &a->b, POINTERS(x), &a->b_size, &a->x_size, &a->is_iso, &a->nvals, NULL
#define FULL_ARGUMENTS POINTERS(x), &a->x_size, &a->is_iso, NULL
#define LIST_ARGUMENTS &a->i, POINTERS(x), &a->i_size, &a->x_size, &a->is_iso, &a->nvals, NULL, NULL

/* X(name, its arguments, may there be gaps?, away_matrix or away_matrix_by_col) */
#define MATRIX_WAYS(X)                                                                                       \
    X(CSR, CSR_ARGUMENTS, true, away_matrix)                                                                 \
    X(CSC, CSR_ARGUMENTS, true, away_matrix_by_col)                                                          \
    X(HyperCSR, HYPER_ARGUMENTS, true, away_matrix)                                                          \
    X(HyperCSC, HYPER_ARGUMENTS, true, away_matrix_by_col)                                                   \
    X(BitmapR, BITMAP_ARGUMENTS, true, away_matrix)                                                          \
    X(BitmapC, BITMAP_ARGUMENTS, true, away_matrix_by_col)                                                   \
    X(FullR, FULL_ARGUMENTS, false, away_matrix)                                                             \
    X(FullC, FULL_ARGUMENTS, false, away_matrix_by_col)
#define VECTOR_WAYS(X)                                                                                       \
    X(CSC, LIST_ARGUMENTS, true)                                                                             \
    X(Bitmap, BITMAP_ARGUMENTS, true)                                                                        \
    X(Full, FULL_ARGUMENTS, false)

/* A list's values lie as many as there are indices; the others are as many as the object has places. */
static void show_arrays(const char *name, arrays *a, size_t places)
{
    size_t count = a->i ? a->nvals : places;
    require(!a->is_iso, "values that differ");
    if (a->p) {
        size_t nvec = a->h ? a->nvec : a->p_size / sizeof *a->p - 1;
        while (nvec > 0 && !a->h && (nvec > ROWS || a->p[nvec] != a->nvals)) {
            nvec--;
        }
        show_bytes(a->p, (nvec + 1) * sizeof *a->p);
        show_bytes(a->h, a->h ? nvec * sizeof *a->h : 0);
    }
    show_bytes(a->i, a->i ? count * sizeof *a->i : 0);
    show_bytes(a->b, a->b ? count : 0);
    show_values(a->x, a->b, count);
    show(name);
    free(a->p);
    free(a->h);
    free(a->i);
    free(a->b);
    free(a->x);
    *a = (arrays){0};
}

#define UNPACK_MATRIX(way, arguments, may_have_gaps, new_matrix)                                             \
    for (int is_full = !(may_have_gaps); is_full < 2; is_full++) {                                           \
        C = new_matrix(is_full);                                                                             \
        TRY(GrB_Matrix_nvals(&a->nvals, C));                                                                 \
        TRY(GxB_Matrix_unpack_##way(C, arguments));                                                          \
        show_arrays("Matrix_unpack_" #way, a, (size_t)ROWS *COLS);                                           \
        TRY(GrB_Matrix_free(&C));                                                                            \
    }
#define EXPORT_MATRIX(way, arguments, may_have_gaps, new_matrix)                                             \
    for (int is_full = !(may_have_gaps); is_full < 2; is_full++) {                                           \
        C = new_matrix(is_full);                                                                             \
        TRY(GrB_Matrix_nvals(&a->nvals, C));                                                                 \
        TRY(GxB_Matrix_export_##way(&C, &a->type, &a->nrows, &a->ncols, arguments));                         \
        show_arrays("Matrix_export_" #way, a, (size_t)ROWS *COLS);                                           \
    }
#define UNPACK_VECTOR(way, arguments, may_have_gaps)                                                         \
    for (int is_full = !(may_have_gaps); is_full < 2; is_full++) {                                           \
        v = away_vector(is_full);                                                                            \
        TRY(GxB_Vector_unpack_##way(v, arguments));                                                          \
        show_arrays("Vector_unpack_" #way, a, ROWS);                                                         \
        TRY(GrB_Vector_free(&v));                                                                            \
    }
#define EXPORT_VECTOR(way, arguments, may_have_gaps)                                                         \
    for (int is_full = !(may_have_gaps); is_full < 2; is_full++) {                                           \
        v = away_vector(is_full);                                                                            \
        TRY(GxB_Vector_export_##way(&v, &a->type, &a->nrows, arguments));                                    \
        show_arrays("Vector_export_" #way, a, ROWS);                                                         \
    }

/* There are no addresses for more than the content itself. (Sanitizers have reserved theirs.) */
void away_short_of_addresses(void)
{
    GrB_Matrix C = away_matrix(true);
    struct rlimit before, now;
    void *values = NULL;
    GrB_Index size;
    bool is_iso;
    long pages = 0;
    FILE *statistics = fopen("/proc/self/statm", "r");
    require(statistics && fscanf(statistics, "%ld", &pages) == 1 && fclose(statistics) == 0, "statm");
    getrlimit(RLIMIT_AS, &before);
    now = before;
    now.rlim_cur = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + (1 << 20);
    setrlimit(RLIMIT_AS, &now);
    GrB_Info info = GxB_Matrix_unpack_FullR(C, &values, &size, &is_iso, NULL);
    setrlimit(RLIMIT_AS, &before);
    TRY(info);
    show_values(values, NULL, (size_t)ROWS * COLS);
    free(values);
    TRY(GrB_Matrix_free(&C));
    show("short of addresses");
}

static long lines_of(const char *path)
{
    long lines = 0;
    FILE *file = fopen(path, "r");
    require(file != NULL, path);
    for (int c; (c = getc(file)) != EOF;) {
        lines += c == '\n';
    }
    fclose(file);
    return lines;
}

static long number_in(const char *path)
{
    long number = 0;
    FILE *file = fopen(path, "r");
    require(file && fscanf(file, "%ld", &number) == 1 && fclose(file) == 0, path);
    return number;
}

/* The program has nearly as many mappings as it may have: every other page of its own is one. */
void away_short_of_mappings(void)
{
    enum { LEFT = 4, MOST = 1 << 20 };
    GrB_Matrix C = away_matrix(true);
    void *values = NULL;
    GrB_Index size;
    bool is_iso;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    long most = number_in("/proc/sys/vm/max_map_count"), more = most - lines_of("/proc/self/maps") - LEFT;
    more = most <= MOST ? more : 0; /* no more can be reached in little time */
    char *own =
        mmap(NULL, ((size_t)more + 2) * page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    require(own != MAP_FAILED, "mmap");
    for (long i = 0; i < more; i += 2) {
        mprotect(own + (size_t)i * page, page, PROT_NONE);
    }
    GrB_Info info = GxB_Matrix_unpack_FullR(C, &values, &size, &is_iso, NULL);
    double last = info == GrB_SUCCESS ? ((const double *)values)[ROWS * COLS - 1] : 0;
    munmap(own, ((size_t)more + 2) * page);
    TRY(info);
    show_bytes(&last, sizeof last);
    show_values(values, NULL, (size_t)ROWS * COLS);
    free(values);
    TRY(GrB_Matrix_free(&C));
    show("short of mappings");
}

/* The program may have no more memory than it has. (SuiteSparse needs none to unpack.) */
void away_short_of_memory(void)
{
    GrB_Matrix C = away_matrix(true);
    struct rlimit before, now;
    void *values = NULL;
    GrB_Index size;
    bool is_iso;
    getrlimit(RLIMIT_DATA, &before);
    now = before;
    now.rlim_cur = 1 << 20;
    require(setrlimit(RLIMIT_DATA, &now) == 0, "setrlimit");
    GrB_Info info = GxB_Matrix_unpack_FullR(C, &values, &size, &is_iso, NULL);
    double last = info == GrB_SUCCESS ? ((const double *)values)[ROWS * COLS - 1] : 0;
    require(setrlimit(RLIMIT_DATA, &before) == 0, "setrlimit back");
    TRY(info);
    show_bytes(&last, sizeof last);
    show_values(values, NULL, (size_t)ROWS * COLS);
    free(values);
    TRY(GrB_Matrix_free(&C));
    show("short of memory");
}

void away_ways_out(void)
{
    arrays all = {0}, *a = &all;
    GrB_Matrix C;
    GrB_Vector v;
    MATRIX_WAYS(UNPACK_MATRIX)
    MATRIX_WAYS(EXPORT_MATRIX)
    VECTOR_WAYS(UNPACK_VECTOR)
    VECTOR_WAYS(EXPORT_VECTOR)
}
