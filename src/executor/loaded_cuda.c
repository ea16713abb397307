/* loaded_cuda.c: cuda/ for libtorc: a library of its own beside it, loaded when a GPU is first asked for. A
 * process that asks for none has nothing of CUDA's runtime: not its constructors, and not the page that it
 * takes from the stack of each thread. */
#include "backend.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const torc_executor *executor;

static void load(void)
{
    Dl_info here;
    char path[4096];
    const torc_executor *(*get)(void);
    if (dladdr(&once, &here) == 0 || !here.dli_fname) {
        return;
    }
    const char *slash = strrchr(here.dli_fname, '/');
    int folder = slash ? (int)(slash + 1 - here.dli_fname) : 0;
    int length = snprintf(path, sizeof path, "%.*s%s", folder, here.dli_fname, TORC_CUDA_LIBRARY);
    void *library = length < (int)sizeof path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    void *address = library ? dlsym(library, "torc_executor_cuda") : NULL;
    if (address) { /* ISO C knows no cast from an object pointer to a function pointer */
        memcpy(&get, &address, sizeof get);
        executor = get();
    }
}

const torc_executor *torc_executor_cuda(void)
{
    pthread_once(&once, load);
    return executor;
}
