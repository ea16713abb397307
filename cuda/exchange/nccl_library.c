#include "nccl_library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static torc_nccl table;
static bool is_found;

/* ISO C knows no cast from an object pointer to a function pointer. */
static bool look_up(void *function, void *handle, const char *symbol)
{
    void *address = dlsym(handle, symbol);
    memcpy(function, &address, sizeof address);
    return address;
}

static bool bind(void *handle)
{
    bool is_complete = true;
#define X(field, symbol) is_complete &= look_up(&table.field, handle, #symbol);
    TORC_NCCL_MAP(X)
#undef X
    return is_complete;
}

static void find(void)
{
    static const char *const names[] = {TORC_NCCL_FOLDER "/" TORC_NCCL_SONAME, TORC_NCCL_SONAME};
    for (size_t i = 0; !is_found && i < sizeof names / sizeof *names; i++) {
        void *handle = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
        is_found = handle && bind(handle);
        if (handle && !is_found) {
            dlclose(handle);
        }
    }
}

const torc_nccl *torc_nccl_get(void)
{
    pthread_once(&once, find);
    return is_found ? &table : NULL;
}
