/* load_graphblas.c: the GraphBLAS that a program would meet, loaded into this one. */
#include "tool.h"

#include <GraphBLAS.h>
#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

bool torc_load_graphblas(void)
{
    static const char *const names[] = {"libgraphblas.so", "libgraphblas.so.7", "libgraphblas.so.8",
        "libgraphblas.so.9", "libgraphblas.so.10"};
    void *library = NULL;
    for (size_t i = 0; !library && i < sizeof names / sizeof *names; i++) {
        library = dlopen(names[i], RTLD_LAZY | RTLD_LOCAL);
    }
    GrB_Info (*init)(int) = NULL;
    if (library) {
        void *address = dlsym(library, "GrB_init");
        memcpy(&init, &address, sizeof address);
    }
    return init && init(GrB_NONBLOCKING) == GrB_SUCCESS;
}
