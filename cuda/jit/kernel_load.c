/* kernel_load.c: a compiled kernel on the device: kept from an earlier call, or installed with torc, or found
 * on disk, or compiled and stored there, now or by another thread meanwhile. */
#include "cuda_device.h"
#include "kernel_source.h"
#include "own_thread.h"
#include <stdlib.h>
#include <string.h>

static torc_status find_image(torc_image *image, torc_device *device, const char *source)
{
    char key[TORC_KEY_SIZE], log[TORC_LOG_SIZE];
    int architecture = device->info.compute_capability;
    if (torc_compile_key(key, source, architecture, torc_compiler_built_with()) &&
        torc_kernel_cache_load(image, &device->installed, key)) {
        return TORC_SUCCESS;
    }
    int compiler = torc_compiler_version();
    if (torc_compile_key(key, source, architecture, compiler) &&
        torc_kernel_cache_load(image, &device->cache, key)) {
        return TORC_SUCCESS;
    }
    torc_status status = torc_deferred_take(image, device, source);
    if (status == TORC_NOT_COMPILED && device->defers_kernels && compiler > 0) {
        torc_deferred_ask(device, source);
    } else if (status == TORC_NOT_COMPILED) {
        status = torc_kernel_compile(image, log, device, source);
        if (status != TORC_SUCCESS) {
            torc_device_note(device, "NVRTC", log);
        }
    }
    return status;
}

torc_status torc_kernel_compile(
    torc_image *image, char log[TORC_LOG_SIZE], const torc_device *device, const char *source)
{
    char key[TORC_KEY_SIZE];
    int architecture = device->info.compute_capability;
    torc_status status = torc_compile(image, log, source, architecture);
    if (status == TORC_SUCCESS && torc_compile_key(key, source, architecture, torc_compiler_version())) {
        torc_kernel_cache_store(&device->cache, key, image); /* or the next process compiles it again */
    }
    return status;
}

/* Fills in the library and the entry points; the library may be loaded when this fails. */
static torc_status load_image(torc_loaded_kernel *kernel, torc_device *device, const torc_image *image)
{
    TORC_TRY_CUDA(device, cudaLibraryLoadData(&kernel->library, image->data, NULL, NULL, 0, NULL, NULL, 0));
    TORC_TRY_CUDA(device, cudaLibraryGetKernel(&kernel->main, kernel->library, TORC_SPMM_MAIN));
    TORC_TRY_CUDA(device, cudaLibraryGetKernel(&kernel->combine, kernel->library, TORC_SPMM_COMBINE));
    return TORC_SUCCESS;
}

/* Shared memory for five or six blocks that stream; L1 has the rest. Left to itself, CUDA gives what the most
 * blocks could use. Measured on an H200, N = 1: the next larger share takes up to 4 % longer in fp32 and up
 * to 12 % in fp64. */
static torc_status divide_l1(
    const torc_loaded_kernel *loaded, torc_device *device, const torc_spmm_kernel *kernel)
{
    size_t size = torc_type_size(torc_semiring_traits(kernel->semiring).z_type);
    size_t bytes = (kernel->is_packed ? sizeof(uint64_t) : size) * (size_t)kernel->shape.vector;
    int wanted = (bytes <= 4 ? 32 : bytes <= 8 ? 64 : 132) << 10, most, percent;
    TORC_TRY_CUDA(
        device, cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerMultiprocessor, device->ordinal));
    percent = wanted < most ? (int)(INT64_C(100) * wanted / most) : 100;
    TORC_TRY_CUDA(device, cudaKernelSetAttributeForDevice(loaded->main,
                              cudaFuncAttributePreferredSharedMemoryCarveout, percent, device->ordinal));
    return TORC_SUCCESS;
}

/* All the shared memory that a block can have. */
static torc_status take_shared_memory(const torc_loaded_kernel *loaded, torc_device *device)
{
    TORC_TRY_CUDA(
        device, cudaKernelSetAttributeForDevice(loaded->main, cudaFuncAttributeMaxDynamicSharedMemorySize,
                    (int)device->shared_memory, device->ordinal));
    return TORC_SUCCESS;
}

static void unload(torc_loaded_kernel *kernel)
{
    if (kernel->library) {
        cudaLibraryUnload(kernel->library);
    }
    free(kernel->source);
    free(kernel);
}

typedef struct kernel_search {
    torc_device *device;
    const torc_spmm_kernel *kernel; /* whose text is the device's source */
    torc_loaded_kernel *made;
    torc_status status;
} kernel_search;

/* The kernel may be made when this fails. */
static torc_status make_kernel(kernel_search *search)
{
    torc_device *device = search->device;
    const torc_spmm_kernel *kernel = search->kernel;
    torc_image image;
    TORC_ENTER(device);
    TORC_TRY(find_image(&image, device, device->source));
    torc_status status = TORC_OUT_OF_MEMORY;
    torc_loaded_kernel *made = search->made = calloc(1, sizeof *made);
    if (made && (made->source = strdup(device->source))) {
        status = load_image(made, device, &image);
    }
    if (status == TORC_SUCCESS && kernel->streams) {
        status = divide_l1(made, device, kernel);
    }
    if (status == TORC_SUCCESS && (kernel->split == TORC_SPLIT_PANELS || kernel->split == TORC_SPLIT_TILES)) {
        status = take_shared_memory(made, device);
    }
    torc_image_release(&image);
    return status;
}

static void *make_in_thread(void *argument)
{
    kernel_search *search = argument;
    search->status = make_kernel(search);
    return NULL;
}

/* In a thread with room for the compiler and the driver's loader: the caller's stack may be small. */
static torc_status make_aside(kernel_search *search)
{
    pthread_t thread;
    if (!torc_own_thread(&thread, TORC_LARGE_STACK, make_in_thread, search)) {
        return TORC_OUT_OF_MEMORY;
    }
    pthread_join(thread, NULL);
    return search->status;
}

torc_status torc_kernel_load(
    const torc_loaded_kernel **loaded, torc_device *device, const torc_spmm_kernel *kernel)
{
    TORC_TRY(torc_kernel_source(device->source, kernel));
    for (*loaded = device->kernels; *loaded; *loaded = (*loaded)->next) {
        if (strcmp((*loaded)->source, device->source) == 0) {
            return TORC_SUCCESS;
        }
    }
    kernel_search search = {.device = device, .kernel = kernel};
    torc_status status = make_aside(&search);
    if (status != TORC_SUCCESS) {
        if (search.made) {
            unload(search.made);
        }
        return status;
    }
    search.made->next = device->kernels;
    device->kernels = search.made;
    *loaded = search.made;
    return TORC_SUCCESS;
}

torc_status torc_cuda_load(torc_device *device, const torc_spmm_kernel *kernel)
{
    const torc_loaded_kernel *loaded;
    TORC_ENTER(device);
    return torc_kernel_load(&loaded, device, kernel);
}

void torc_kernels_unload(torc_device *device)
{
    while (device->kernels) {
        torc_loaded_kernel *kernel = device->kernels;
        device->kernels = kernel->next;
        unload(kernel);
    }
}
