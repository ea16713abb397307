/* blocks_program.c: a GraphBLAS program whose large blocks cross the border both ways, as LAGraph's do: it
 * packs what libc's malloc gave, and hands what it unpacks to libc's realloc, reallocarray and free, one
 * block even after GrB_finalize. It prints what it computes, and on standard error whose its large blocks
 * are.
 *
 *     blocks_program GrB_init | GxB_init | own | own_free | late DROPIN
 *
 * own: GxB_init with functions of its own; own_free: with one, and libc's for the rest. late: the drop-in is
 * loaded by the program itself, too late to stand between the program and libc's free.
 */
#include <GraphBLAS.h>
#include <dlfcn.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <torc/graphblas.h>

enum { N = 400000 };

static void require(bool condition, const char *what)
{
    if (!condition) {
        printf("failed: %s\n", what);
        exit(1);
    }
}

static void try(GrB_Info status, const char *what)
{
    require(status == GrB_SUCCESS, what);
}

static void *own_malloc(size_t size)
{
    return malloc(size);
}

static void *own_realloc(void *memory, size_t size)
{
    return realloc(memory, size);
}

static void own_free(void *memory)
{
    free(memory);
}

static void *symbol(void *handle, const char *name)
{
    void *address = dlsym(handle, name);
    require(address, name);
    return address;
}

static void start(int argc, char **argv)
{
    require(argc > 1, "an argument");
    if (strcmp(argv[1], "GrB_init") == 0) {
        try(GrB_init(GrB_NONBLOCKING), "GrB_init");
    } else if (strcmp(argv[1], "GxB_init") == 0) {
        try(GxB_init(GrB_NONBLOCKING, malloc, calloc, realloc, free), "GxB_init");
    } else if (strcmp(argv[1], "own") == 0) {
        try(GxB_init(GrB_NONBLOCKING, own_malloc, NULL, own_realloc, own_free), "GxB_init");
    } else if (strcmp(argv[1], "own_free") == 0) {
        try(GxB_init(GrB_NONBLOCKING, malloc, calloc, realloc, own_free), "GxB_init");
    } else {
        require(argc > 2, "the drop-in");
        void *dropin = dlopen(argv[2], RTLD_NOW | RTLD_GLOBAL), *address;
        GrB_Info (*init)(GrB_Mode);
        require(dropin, "the drop-in");
        address = symbol(dropin, "GrB_init");
        memcpy(&init, &address, sizeof address);
        try(init(GrB_NONBLOCKING), "GrB_init");
    }
}

/* Of large blocks: asked of torc, where it is in the process. */
static const char *owner(void)
{
    GrB_Info (*get)(torc_mxm_statistics *);
    torc_mxm_statistics statistics = TORC_MXM_STATISTICS_INIT;
    void *address = dlsym(RTLD_DEFAULT, "torc_mxm_statistics_get");
    memcpy(&get, &address, sizeof address);
    require(!get || get(&statistics) == GrB_SUCCESS, "statistics");
    return statistics.arena_bytes_used > 0 ? "arena" : "libc";
}

/* A diagonal matrix: i + 1 at (i,i). */
static GrB_Matrix make_diagonal(void)
{
    GrB_Index *indices = malloc(N * sizeof *indices);
    double *values = malloc(N * sizeof *values);
    GrB_Matrix S;
    require(indices && values, "memory");
    for (GrB_Index i = 0; i < N; i++) {
        indices[i] = i;
        values[i] = (double)i + 1;
    }
    try(GrB_Matrix_new(&S, GrB_FP64, N, N), "GrB_Matrix_new");
    try(GrB_Matrix_build_FP64(S, indices, indices, values, N, GrB_PLUS_FP64), "GrB_Matrix_build");
    free(indices);
    free(values);
    return S;
}

static double *multiply(GrB_Matrix S, double *x)
{
    GrB_Matrix X, Y;
    void *values = x;
    GrB_Index size;
    try(GrB_Matrix_new(&X, GrB_FP64, N, 1), "GrB_Matrix_new");
    try(GrB_Matrix_new(&Y, GrB_FP64, N, 1), "GrB_Matrix_new");
    try(GxB_Matrix_pack_FullR(X, &values, N * sizeof *x, false, NULL), "pack");
    try(GrB_mxm(Y, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, S, X, NULL), "GrB_mxm");
    try(GxB_Matrix_unpack_FullR(Y, &values, &size, NULL, NULL), "unpack");
    require(size >= N * sizeof *x && malloc_usable_size(values) >= N * sizeof *x, "the size of the block");
    GrB_Matrix_free(&X);
    GrB_Matrix_free(&Y);
    return values;
}

static void print(const char *title, const double *values)
{
    double sum = 0;
    for (size_t i = 0; i < N; i++) {
        sum += values[i];
    }
    printf("%s: %.17g, %.17g ... %.17g\n", title, sum, values[0], values[N - 1]);
}

int main(int argc, char **argv)
{
    start(argc, argv);
    GrB_Matrix S = make_diagonal();
    double *x = malloc(N * sizeof *x);
    require(x, "memory");
    for (size_t i = 0; i < N; i++) {
        x[i] = 1;
    }

    double *y = multiply(S, x);
    fprintf(stderr, "%s\n", owner());
    print("once", y);
    y = multiply(S, y);
    print("twice", y);
    y = realloc(y, 3 * N * sizeof *y);
    require(y, "realloc");
    memset(y + N, 1, 2 * N * sizeof *y);
    print("grown", y);
    y = reallocarray(y, 9 * N, sizeof *y);
    require(y, "reallocarray");
    print("grown again", y);
    volatile size_t too_many = SIZE_MAX / sizeof *y + 2; /* modulo 2^64 that is one value */
    require(strcmp(owner(), "arena") != 0 || !reallocarray(y, too_many, sizeof *y), "no such size");
    y = realloc(y, N * sizeof *y);
    require(y, "realloc");
    y = multiply(S, y);
    print("packed again", y);
    double *last = multiply(S, memcpy(malloc(N * sizeof *x), y, N * sizeof *x));
    free(y);
    require(
        !realloc(multiply(S, memcpy(malloc(N * sizeof *x), last, N * sizeof *x)), 0), "realloc to nothing");
    GrB_Matrix_free(&S);
    try(GrB_finalize(), "GrB_finalize");
    print("after the end", last);
    free(last);
    return 0;
}
