/* numpy_program.c MODULE: GraphBLAS with the module's allocator, as python-graphblas starts it, and arrays
 * that go in and out of it. Prints whether a large array is the arena's, and the number of blocks that are
 * left. */
#include "require.h"
#include <dlfcn.h>
#include <string.h>
#include <torc/graphblas.h>

enum { N = 300000 };

static void *find(void *module, const char *name)
{
    void *address = dlsym(module, name);
    TORC_REQUIRE(address);
    return address;
}

int main(int argc, char **argv)
{
    TORC_REQUIRE(argc == 2);
    void *module = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL), *address;
    TORC_REQUIRE(module);
    void *(*allocate)(size_t), *(*allocate_zeroed)(size_t, size_t), *(*reallocate)(void *, size_t);
    void (*release)(void *);
    long (*blocks)(void);
    memcpy(&allocate, (address = find(module, "numpy_module_new"), &address), sizeof allocate);
    memcpy(&allocate_zeroed, (address = find(module, "numpy_module_new_zeroed"), &address), sizeof address);
    memcpy(&reallocate, (address = find(module, "numpy_module_renew"), &address), sizeof address);
    memcpy(&release, (address = find(module, "numpy_module_free"), &address), sizeof address);
    memcpy(&blocks, (address = find(module, "numpy_module_blocks"), &address), sizeof address);
    TORC_REQUIRE(GxB_init(GrB_NONBLOCKING, allocate, allocate_zeroed, reallocate, release) == GrB_SUCCESS);

    GrB_Vector v;
    double sum;
    void *array = allocate(N * sizeof(double));
    for (int i = 0; i < N; i++) {
        ((double *)array)[i] = i;
    }
    TORC_REQUIRE(GrB_Vector_new(&v, GrB_FP64, N) == GrB_SUCCESS);
    TORC_REQUIRE(GxB_Vector_pack_Full(v, &array, N * sizeof(double), false, NULL) == GrB_SUCCESS);
    TORC_REQUIRE(GrB_Vector_apply(v, NULL, NULL, GrB_AINV_FP64, v, NULL) == GrB_SUCCESS);
    GrB_Vector w;
    TORC_REQUIRE(GrB_Vector_dup(&w, v) == GrB_SUCCESS);
    TORC_REQUIRE(GrB_Vector_free(&v) == GrB_SUCCESS);
    TORC_REQUIRE(GrB_Vector_reduce_FP64(&sum, NULL, GrB_PLUS_MONOID_FP64, w, NULL) == GrB_SUCCESS);
    GrB_Index size;
    bool is_iso;
    TORC_REQUIRE(GxB_Vector_unpack_Full(w, &array, &size, &is_iso, NULL) == GrB_SUCCESS);
    printf("%.0f %.0f\n", sum, ((double *)array)[N - 1]);
    fprintf(stderr, "blocks of the module: %ld\n", blocks());
    array = reallocate(array, 2 * N * sizeof(double));
    TORC_REQUIRE(array && ((double *)array)[N - 1] == 1 - N);
    release(array);
    TORC_REQUIRE(GrB_Vector_free(&w) == GrB_SUCCESS);
    return GrB_finalize();
}
