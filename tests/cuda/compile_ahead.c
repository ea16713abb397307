#include "compile_ahead.h"
#include "compile.h"
#include "gpu.h"
#include "kernel_cache.h"
#include "kernel_source.h"
#include <sys/wait.h>
#include <unistd.h>

static void store_image(torc_kernel_cache *cache, const torc_spmm_kernel *kernel, int architecture)
{
    char source[TORC_SOURCE_SIZE], key[TORC_KEY_SIZE], log[TORC_LOG_SIZE];
    torc_image image = {NULL, 0};
    if (torc_spmm_source(source, kernel) == TORC_SUCCESS &&
        torc_compile_key(key, source, architecture, torc_compiler_version()) &&
        !torc_kernel_cache_load(&image, cache, key) &&
        torc_compile(&image, log, source, architecture) == TORC_SUCCESS) {
        torc_kernel_cache_store(cache, key, &image);
    }
    torc_image_release(&image);
}

void torc_compile_ahead(torc_device *device, const torc_kernel_cases *cases)
{
    torc_device_info info;
    TORC_GPU_TRY(device, torc_executor_cuda()->info(&info, device));
    int workers = (int)sysconf(_SC_NPROCESSORS_ONLN);
    for (int worker = 0; worker < workers; worker++) {
        if (fork() == 0) {
            torc_kernel_cache cache;
            torc_kernel_cache_open(&cache, info.cache_dir);
            for (int i = worker; i < cases->count; i += workers) {
                store_image(&cache, &cases->kernels[i], info.compute_capability);
            }
            _exit(0);
        }
    }
    for (int worker = 0; worker < workers; worker++) {
        wait(NULL);
    }
}
