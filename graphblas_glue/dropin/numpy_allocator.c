#include "numpy_allocator.h"
#include "dropin_free.h"
#include <dlfcn.h>
#include <string.h>

/* numpy/core/_multiarray_umath.cpython-311-x86_64-linux-gnu.so, from numpy 2 on numpy/_core/. */
static bool is_in_numpy(const void *address)
{
    static const char module[] = "_multiarray_umath.";
    Dl_info library;
    if (!address || dladdr(address, &library) == 0 || !library.dli_fname) {
        return false;
    }
    const char *slash = strrchr(library.dli_fname, '/');
    return strncmp(slash ? slash + 1 : library.dli_fname, module, strlen(module)) == 0;
}

bool torc_dropin_is_numpy(const torc_malloc_family *family)
{
    enum { FUNCTIONS = sizeof *family / sizeof(void *) };
    const void *addresses[FUNCTIONS];
    memcpy(addresses, family, sizeof addresses); /* ISO C knows no cast from a function pointer */
    for (int i = 0; i < FUNCTIONS; i++) {
        if (!is_in_numpy(addresses[i])) {
            return false;
        }
    }
    return torc_dropin_ends_family(family);
}
