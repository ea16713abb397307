/* deepbind_program.c PLUGIN: what GraphBLAS allocated goes to a plugin that is loaded with RTLD_DEEPBIND,
 * which frees it, or makes it larger or smaller and hands it back. */
#include <GraphBLAS.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 400000 };

static GrB_Matrix make(double value)
{
    GrB_Matrix A, copy;
    double *values = malloc(N * sizeof *values);
    for (int i = 0; i < N; i++) {
        values[i] = value;
    }
    void *array = values;
    GrB_Matrix_new(&A, GrB_FP64, N, 1);
    GxB_Matrix_pack_FullR(A, &array, N * sizeof *values, false, NULL);
    GrB_Matrix_dup(&copy, A); /* in memory of GraphBLAS's own */
    GrB_Matrix_free(&A);
    return copy;
}

int main(int argc, char **argv)
{
    void *plugin = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_DEEPBIND) : NULL, *address;
    void *(*take)(GrB_Matrix, size_t);
    if (!plugin || GrB_init(GrB_NONBLOCKING) != GrB_SUCCESS) {
        return 1;
    }
    address = dlsym(plugin, "plugin_take");
    memcpy(&take, &address, sizeof address);
    static const size_t sizes[] = {0, N, N * sizeof(double), 5 * N * sizeof(double)};
    for (size_t i = 0; i < 3 * sizeof sizes / sizeof *sizes; i++) {
        size_t size = sizes[i % (sizeof sizes / sizeof *sizes)];
        GrB_Matrix A = make((double)i + 1);
        double *values = take(A, size);
        GrB_Matrix_free(&A);
        if (size > 0) {
            memset((char *)values + size / 2, 1, size - size / 2);
            printf("%zu bytes, %g\n", size, values[0]);
        }
        free(values);
    }
    printf("end %d\n", GrB_finalize());
    return 0;
}
