/* test_known_kernel.c: text is made of a description once; what is user-defined is told apart by its text.
 * The CUDA runtime is asked for nothing: CMakeLists.txt puts the functions below in its place. */
#include "cuda_device.h"
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

cudaError_t __wrap_cudaLibraryLoadData(cudaLibrary_t *library, const void *code, enum cudaJitOption *options,
    void **values, unsigned count, enum cudaLibraryOption *library_options, void **library_values,
    unsigned library_count);
cudaError_t __wrap_cudaLibraryGetKernel(cudaKernel_t *kernel, cudaLibrary_t library, const char *name);
cudaError_t __wrap_cudaLibraryUnload(cudaLibrary_t library);
cudaError_t __wrap_cudaSetDevice(int device);

static int libraries, texts;

cudaError_t __wrap_cudaLibraryLoadData(cudaLibrary_t *library, const void *code, enum cudaJitOption *options,
    void **values, unsigned count, enum cudaLibraryOption *library_options, void **library_values,
    unsigned library_count)
{
    (void)code, (void)options, (void)values, (void)count, (void)library_options, (void)library_values,
        (void)library_count;
    libraries++;
    *library = (cudaLibrary_t)&libraries;
    return cudaSuccess;
}

cudaError_t __wrap_cudaLibraryGetKernel(cudaKernel_t *kernel, cudaLibrary_t library, const char *name)
{
    (void)library, (void)name;
    *kernel = (cudaKernel_t)&libraries;
    return cudaSuccess;
}

cudaError_t __wrap_cudaLibraryUnload(cudaLibrary_t library)
{
    (void)library;
    libraries--;
    return cudaSuccess;
}

cudaError_t __wrap_cudaSetDevice(int device)
{
    (void)device;
    return cudaSuccess;
}

typedef struct description {
    uint64_t number;
    const torc_definition *definition;
} description;

static torc_status write_text(char source[TORC_SOURCE_SIZE], const void *of)
{
    const description *wanted = of;
    const torc_definition *definition = wanted->definition;
    texts++;
    snprintf(source, TORC_SOURCE_SIZE, "extern \"C\" __global__ void main_%d() {} %s",
        (int)(wanted->number % 2), definition ? definition->source : "");
    return TORC_SUCCESS;
}

static const torc_kernel_kind kind = {
    .source = write_text,
    .main = "main",
    .description_size = sizeof(description),
    .definition_at = offsetof(description, definition),
};

static torc_device *open_device(void)
{
    static torc_device device;
    if (torc_compiler_version() == 0) {
        cr_skip_test("no NVRTC");
    }
    device = (torc_device){.info.compute_capability = 90, .cache.folder = -1, .installed.folder = -1};
    torc_deferred_open(&device);
    return &device;
}

static void close_device(torc_device *device)
{
    torc_kernels_unload(device);
    torc_deferred_close(device);
    cr_expect_eq(libraries, 0, "kernels that stay loaded");
}

static const torc_loaded_kernel *load(torc_device *device, uint64_t number, const torc_definition *definition)
{
    const torc_loaded_kernel *loaded;
    description wanted = {number, definition};
    torc_status status = torc_kernel_load(&loaded, device, &kind, &wanted);
    cr_assert_eq(status, TORC_SUCCESS, "%s", device->error);
    return loaded;
}

Test(known_kernel, no_text_is_made_of_a_description_that_came_before)
{
    torc_device *device = open_device();
    const torc_loaded_kernel *even = load(device, 2, NULL), *odd = load(device, 3, NULL);
    cr_expect_eq(texts, 2);
    cr_expect_neq(even, odd);
    for (int i = 0; i < 10; i++) {
        cr_expect_eq(load(device, 2, NULL), even);
        cr_expect_eq(load(device, 3, NULL), odd);
    }
    cr_expect_eq(texts, 2);
    close_device(device);
}

Test(known_kernel, more_descriptions_than_are_kept_find_their_kernels)
{
    torc_device *device = open_device();
    const torc_loaded_kernel *kernels[2] = {load(device, 0, NULL), load(device, 1, NULL)};
    for (uint64_t i = 0; i < UINT64_C(4) * TORC_KNOWN_KERNELS; i++) {
        cr_assert_eq(load(device, i, NULL), kernels[i % 2], "description %d", (int)i);
    }
    cr_expect_eq(libraries, 2, "equal texts are one kernel");
    close_device(device);
}

Test(known_kernel, source_that_changes_behind_one_pointer_is_another_kernel)
{
    torc_device *device = open_device();
    torc_definition definition = {.source = "/* one */"};
    const torc_loaded_kernel *one = load(device, 0, &definition);
    definition.source = "/* two */";
    cr_expect_neq(load(device, 0, &definition), one);
    definition.source = "/* one */";
    cr_expect_eq(load(device, 0, &definition), one);
    close_device(device);
}
