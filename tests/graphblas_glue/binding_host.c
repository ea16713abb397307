/* binding_host LIBRARY ...: a host that links to no GraphBLAS loads each library with RTLD_LOCAL, as Python
 * loads extensions, and must then find GraphBLAS through the last of them, and in no other. Prints the file
 * found. */
#include "binding.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static int fail(const char *what)
{
    fprintf(stderr, "binding_host: %s\n", what);
    return 1;
}

int main(int argc, char **argv)
{
    torc_library none;
    if (torc_library_find(&none, NULL) || torc_binding_get()) {
        return fail("a GraphBLAS was found before one was loaded");
    }
    void *library = NULL;
    for (int i = 1; i < argc; i++) {
        library = dlopen(argv[i], RTLD_NOW | RTLD_LOCAL);
        if (!library) {
            return fail(dlerror());
        }
        if (i < argc - 1 && torc_library_find(&none, NULL)) {
            return fail("a library that only wraps GrB_mxm was taken for GraphBLAS");
        }
    }
    GrB_Info (*init)(int);
    void *address = dlsym(library, "GrB_init");
    if (!address) {
        return fail("the last library does not lead to GraphBLAS");
    }
    memcpy(&init, &address, sizeof address);
    if (torc_binding_get()) {
        return fail("there is a table before GrB_init");
    }
    init(GrB_NONBLOCKING);
    const torc_binding *graphblas = torc_binding_get();
    if (!graphblas || !graphblas->is_known) {
        return fail("no table");
    }
    if (dlsym(RTLD_DEFAULT, "GrB_mxm")) {
        return fail("RTLD_LOCAL was undone");
    }
    GrB_Matrix A = NULL;
    GrB_Index nrows = 0;
    if (graphblas->matrix_new(&A, torc_binding_handle(graphblas, "GrB_FP32"), 3, 4) != GrB_SUCCESS ||
        graphblas->matrix_nrows(&nrows, A) != GrB_SUCCESS || nrows != 3) {
        return fail("the table does not work");
    }
    graphblas->matrix_free(&A);
    return puts(torc_library_path(&graphblas->library)) < 0;
}
