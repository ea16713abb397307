#include "nvrtc_library.h"
#include "loaded_library.h"
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static torc_nvrtc table;
static bool is_found;

static bool bind(void *handle)
{
    bool is_complete = true;
#define X(field, symbol) is_complete &= torc_look_up(&table.field, handle, #symbol);
    TORC_NVRTC_MAP(X)
#undef X
    return is_complete;
}

static void find(void)
{
    static const char *const names[] = {
        TORC_NVRTC_FOLDER "/" TORC_NVRTC_SONAME, TORC_NVRTC_SONAME, "libnvrtc.so"};
    is_found = torc_load_library(names, sizeof names / sizeof *names, bind);
}

const torc_nvrtc *torc_nvrtc_get(void)
{
    pthread_once(&once, find);
    return is_found ? &table : NULL;
}
