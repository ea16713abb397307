/* kernel_load.c: a compiled kernel on the device: kept from an earlier call, or installed with torc, or found
 * on disk, or compiled and stored there, now or by another thread meanwhile. */
#include "cuda_device.h"
#include "fnv1a.h"
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
static torc_status load_image(
    torc_loaded_kernel *kernel, torc_device *device, const torc_kernel_kind *kind, const torc_image *image)
{
    TORC_ENTER(device);
    TORC_TRY_CUDA(device, cudaLibraryLoadData(&kernel->library, image->data, NULL, NULL, 0, NULL, NULL, 0));
    TORC_TRY_CUDA(device, cudaLibraryGetKernel(&kernel->main, kernel->library, kind->main));
    if (kind->combine) {
        struct cudaFuncAttributes attributes;
        TORC_TRY_CUDA(device, cudaLibraryGetKernel(&kernel->combine, kernel->library, kind->combine));
        /* To ask for them loads the function, which may fail for want of memory: not once main is launched.
         */
        TORC_TRY_CUDA(device, cudaFuncGetAttributes(&attributes, (const void *)kernel->combine));
    }
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
    const torc_kernel_kind *kind;
    const void *description; /* whose text is the device's source */
    torc_loaded_kernel *made;
    torc_status status;
} kernel_search;

/* The kernel may be made when this fails. */
static torc_status make_kernel(kernel_search *search)
{
    torc_device *device = search->device;
    const torc_kernel_kind *kind = search->kind;
    torc_image image = {NULL, 0};
    torc_status found = find_image(&image, device, device->source), status = TORC_OUT_OF_MEMORY;
    if (found != TORC_SUCCESS && found != TORC_COMPILE_ERROR) {
        return found;
    }
    torc_loaded_kernel *made = search->made = calloc(1, sizeof *made);
    if (made && (made->source = strdup(device->source))) {
        status = found;
    }
    if (status == TORC_SUCCESS) {
        status = load_image(made, device, kind, &image);
    }
    if (status == TORC_SUCCESS && kind->prepare) {
        status = kind->prepare(device, made->main, search->description);
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

static void keep(torc_device *device, torc_loaded_kernel *kernel)
{
    kernel->next = device->kernels;
    device->kernels = kernel;
}

/* By its text. */
static torc_status load_source(const torc_loaded_kernel **loaded, torc_device *device,
    const torc_kernel_kind *kind, const void *description)
{
    TORC_TRY(kind->source(device->source, description));
    for (*loaded = device->kernels; *loaded; *loaded = (*loaded)->next) {
        if (strcmp((*loaded)->source, device->source) == 0) {
            return (*loaded)->library ? TORC_SUCCESS : TORC_COMPILE_ERROR;
        }
    }
    kernel_search search = {.device = device, .kind = kind, .description = description};
    torc_status status = make_aside(&search);
    if (status == TORC_COMPILE_ERROR && search.made) { /* once is enough */
        keep(device, search.made);
        return status;
    }
    if (status != TORC_SUCCESS) {
        if (search.made) {
            unload(search.made);
        }
        return status;
    }
    keep(device, search.made);
    *loaded = search.made;
    return TORC_SUCCESS;
}

static bool is_place_of(const torc_known_kernel *known, const torc_kernel_kind *kind, const void *description)
{
    return known->loaded && known->kind == kind &&
           memcmp(known->description, description, kind->description_size) == 0;
}

/* Where the description is known, or may become so: a free place, else somebody's. */
static torc_known_kernel *find_place(
    torc_device *device, const torc_kernel_kind *kind, const void *description)
{
    uint64_t first = torc_fnv1a(TORC_FNV1A_START, description, kind->description_size);
    torc_known_kernel *known;
    for (uint64_t i = 0; i < TORC_KNOWN_KERNELS; i++) {
        known = &device->known[(first + i) % TORC_KNOWN_KERNELS];
        if (!known->loaded || is_place_of(known, kind, description)) {
            return known;
        }
    }
    return known;
}

static bool is_user_defined(const torc_kernel_kind *kind, const void *description)
{
    const torc_definition *definition;
    memcpy(&definition, (const char *)description + kind->definition_at, sizeof definition);
    return definition;
}

/* Descriptions are told apart by all of their bytes. Where two that mean the same differ in bytes that mean
 * nothing, both become known. */
torc_status torc_kernel_load(const torc_loaded_kernel **loaded, torc_device *device,
    const torc_kernel_kind *kind, const void *description)
{
    if (is_user_defined(kind, description)) {
        return load_source(loaded, device, kind, description);
    }
    torc_known_kernel *place = find_place(device, kind, description);
    if (is_place_of(place, kind, description)) {
        *loaded = place->loaded;
        return TORC_SUCCESS;
    }
    TORC_TRY(load_source(loaded, device, kind, description));
    place->loaded = *loaded;
    place->kind = kind;
    memcpy(place->description, description, kind->description_size);
    return TORC_SUCCESS;
}

torc_status torc_cuda_load(torc_device *device, const torc_spmm_kernel *kernel)
{
    const torc_loaded_kernel *loaded;
    TORC_ENTER(device);
    return torc_kernel_load(&loaded, device, &torc_spmm_kind, kernel);
}

void torc_kernels_unload(torc_device *device)
{
    while (device->kernels) {
        torc_loaded_kernel *kernel = device->kernels;
        device->kernels = kernel->next;
        unload(kernel);
    }
}
