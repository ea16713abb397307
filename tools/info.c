/* info.c: torc info: the device or why there is none, the GraphBLAS that a program would meet, the cache. */
#include "tool.h"

#include "binding.h"

#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static void print_cache(const char *folder)
{
    size_t count = 0;
    unsigned long long bytes = 0;
    DIR *entries = *folder ? opendir(folder) : NULL;
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        struct stat status;
        if (fstatat(dirfd(entries), entry->d_name, &status, 0) == 0 && S_ISREG(status.st_mode)) {
            count++;
            bytes += (unsigned long long)status.st_size;
        }
    }
    if (entries) {
        closedir(entries);
    }
    printf("cache      %s, %zu files, %llu bytes\n", folder, count, bytes);
}

/* TORC_HAS_CUDA: whether the engine beside this tool was built with it. */
static const char *why_there_is_none(torc_status status, torc_backend_choice backend)
{
    if (status != TORC_NO_DEVICE) {
        return torc_status_text(status);
    }
    void *driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
    const char *why = backend == TORC_BACKEND_OFF         ? "TORC_BACKEND=off"
                      : backend == TORC_BACKEND_REFERENCE ? "the reference executor has no such device"
                      : !TORC_HAS_CUDA                    ? "torc was built without CUDA"
                      : !driver                           ? "no NVIDIA driver, libcuda.so.1 is not found"
                                                          : torc_status_text(status);
    if (driver) {
        dlclose(driver);
    }
    return why;
}

static void print_device(void)
{
    torc_options options = TORC_OPTIONS_INIT;
    torc_options_from_environment(&options);
    torc_context *context = NULL;
    torc_device_info device;
    torc_status status = torc_context_create(&context, &options);
    if (status == TORC_SUCCESS) {
        status = torc_context_info(&device, context);
    }
    if (status != TORC_SUCCESS) {
        printf("device     none: %s\n", why_there_is_none(status, options.backend));
    } else {
        printf("device     %s (%s)\n", device.name, device.backend);
        if (device.compute_capability) {
            printf("           compute capability %d.%d, %d multiprocessors, L2 cache %zu MiB\n",
                device.compute_capability / 10, device.compute_capability % 10, device.multiprocessors,
                device.l2_bytes >> 20);
        }
        printf("memory     %zu MiB, %zu MiB available\n", device.memory_total >> 20,
            device.memory_available >> 20);
        if (device.compiler_version) {
            printf("compiler   NVRTC %d.%d\n", device.compiler_version / 100,
                device.compiler_version % 100 / 10);
        } else if (device.compute_capability) {
            printf("compiler   none: %s; only installed kernels run\n", torc_status_text(TORC_NO_COMPILER));
        }
        if (device.cache_dir[0]) {
            print_cache(device.cache_dir);
        }
    }
    torc_context_destroy(context);
}

static void print_graphblas(void)
{
    const torc_binding *graphblas = torc_load_graphblas() ? torc_binding_get() : NULL;
    if (!graphblas) {
        printf("GraphBLAS  none on the loader's path; a program may bring its own\n");
    } else {
        printf("GraphBLAS  %u.%u.%u, %s: %s\n", graphblas->version[0], graphblas->version[1],
            graphblas->version[2], torc_library_path(&graphblas->library),
            graphblas->is_known ? "supported" : "not supported, GrB_mxm stays on the CPU");
    }
}

int torc_info(void)
{
    printf("torc       %d.%d.%d\n", TORC_VERSION_MAJOR, TORC_VERSION_MINOR, TORC_VERSION_PATCH);
    print_device();
    print_graphblas();
    return 0;
}
