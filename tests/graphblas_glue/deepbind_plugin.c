/* deepbind_plugin.c: loaded with RTLD_DEEPBIND, its free and realloc are libc's own, whatever stands before
 * them in the rest of the process. */
#include <GraphBLAS.h>
#include <stdlib.h>

void *plugin_take(GrB_Matrix A, size_t size);

/* The values of a full matrix: of `size` bytes from now on, or none. */
void *plugin_take(GrB_Matrix A, size_t size)
{
    void *values = NULL;
    GrB_Index bytes;
    if (GxB_Matrix_unpack_FullR(A, &values, &bytes, NULL, NULL) != GrB_SUCCESS || size > 0) {
        return realloc(values, size);
    }
    free(values);
    return NULL;
}
