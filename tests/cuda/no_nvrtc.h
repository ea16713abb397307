/* no_nvrtc.h: a dlopen for the whole program that finds no libnvrtc, as on a machine with no more of CUDA
 * than the driver. */
#ifndef TORC_TEST_NO_NVRTC_H
#define TORC_TEST_NO_NVRTC_H

#include <dlfcn.h>
#include <string.h>

static int refused_libraries;

__attribute__((visibility("default"))) void *dlopen(const char *file, int flags)
{
    void *(*real)(const char *, int);
    void *address = dlsym(RTLD_NEXT, "dlopen");
    memcpy(&real, &address, sizeof address);
    if (file && strstr(file, "libnvrtc")) {
        refused_libraries++;
        return NULL;
    }
    return real(file, flags);
}

#endif
