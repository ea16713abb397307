/* constant_load.c: a product with its sparse matrix in its text: written, found on disk by what the text
 * says, or compiled and stored there, and loaded. The text is long, up to some megabytes, so the key of the
 * cache has two hashes of it, and its length, in its place. */
#include "constant_source.h"
#include "cuda_device.h"
#include "fnv1a.h"
#include "own_thread.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct torc_constant_program {
    cudaLibrary_t library;
    cudaKernel_t main;
    dim3 grid;
    int threads;
};

typedef struct constant_work {
    torc_device *device;
    const torc_constant_kernel *kernel;
    torc_constant_program *program;
    torc_status status;
} constant_work;

bool torc_constant_key(char key[TORC_KEY_SIZE], const char *source, int architecture)
{
    char stand_in[128];
    size_t length = strlen(source);
    uint64_t hash = torc_fnv1a(TORC_FNV1A_START, source, length);
    uint64_t other = torc_fnv1a(~hash, source, length);
    snprintf(stand_in, sizeof stand_in, "a text of %zu characters: %016llx %016llx\n", length,
        (unsigned long long)hash, (unsigned long long)other);
    return torc_compile_key(key, stand_in, architecture, torc_compiler_version());
}

static torc_status find_image(torc_image *image, torc_device *device, const char *source)
{
    char key[TORC_KEY_SIZE], log[TORC_LOG_SIZE];
    bool has_key = torc_constant_key(key, source, device->info.compute_capability);
    if (has_key && torc_kernel_cache_load(image, &device->cache, key)) {
        return TORC_SUCCESS;
    }
    torc_status status = torc_compile(image, log, source, device->info.compute_capability);
    if (status != TORC_SUCCESS) {
        torc_device_note(device, "NVRTC", log);
    } else if (has_key) {
        torc_kernel_cache_store(&device->cache, key, image);
    }
    return status;
}

static torc_status load(constant_work *work)
{
    torc_device *device = work->device;
    char *source;
    torc_image image = {NULL, 0};
    TORC_ENTER(device);
    TORC_TRY(torc_constant_source(&source, work->kernel));
    torc_status status = find_image(&image, device, source);
    free(source);
    if (status == TORC_SUCCESS) {
        status = torc_device_check(device,
            cudaLibraryLoadData(&work->program->library, image.data, NULL, NULL, 0, NULL, NULL, 0),
            "cudaLibraryLoadData");
    }
    torc_image_release(&image);
    if (status == TORC_SUCCESS) {
        status = torc_device_check(device,
            cudaLibraryGetKernel(&work->program->main, work->program->library, TORC_CONSTANT_MAIN),
            "cudaLibraryGetKernel");
    }
    return status;
}

static void *load_in_thread(void *argument)
{
    constant_work *work = argument;
    work->status = load(work);
    return NULL;
}

torc_status torc_cuda_constant_load(
    torc_constant_program **program, torc_device *device, const torc_constant_kernel *kernel)
{
    pthread_t thread;
    *program = NULL;
    torc_constant_program *made = calloc(1, sizeof *made);
    constant_work work = {device, kernel, made, TORC_OUT_OF_MEMORY};
    if (made && torc_own_thread(&thread, TORC_LARGE_STACK, load_in_thread, &work)) {
        pthread_join(thread, NULL);
    }
    if (work.status != TORC_SUCCESS) {
        torc_cuda_constant_unload(device, made);
        return work.status;
    }
    made->grid = (dim3){(unsigned)torc_ceiling(kernel->nrows, kernel->tile_rows),
        (unsigned)torc_ceiling(kernel->ncols, kernel->threads), 1};
    made->threads = kernel->threads;
    *program = made;
    return TORC_SUCCESS;
}

torc_status torc_cuda_constant_multiply(
    torc_device *device, const torc_constant_program *program, const torc_constant_args *args)
{
    TORC_ENTER(device);
    return torc_kernel_launch(device, program->main, program->grid, program->threads, 0, args);
}

void torc_cuda_constant_unload(torc_device *device, torc_constant_program *program)
{
    if (program && program->library) {
        cudaSetDevice(device->ordinal);
        cudaLibraryUnload(program->library);
    }
    free(program);
}
