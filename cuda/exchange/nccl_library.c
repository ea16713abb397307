#include "nccl_library.h"
#include "loaded_library.h"
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static torc_nccl table;
static bool is_found;

static bool bind(void *handle)
{
    bool is_complete = true;
#define X(field, symbol) is_complete &= torc_look_up(&table.field, handle, #symbol);
    TORC_NCCL_MAP(X)
#undef X
    return is_complete;
}

static void find(void)
{
    static const char *const names[] = {TORC_NCCL_FOLDER "/" TORC_NCCL_SONAME, TORC_NCCL_SONAME};
    is_found = torc_load_library(names, sizeof names / sizeof *names, bind);
}

const torc_nccl *torc_nccl_get(void)
{
    pthread_once(&once, find);
    return is_found ? &table : NULL;
}
