/* emulated_executor.c: the CUDA executor without a GPU: all is as the reference executor has it, but the
 * plans of tiles and bricks, and spmm with an emulated kernel, which spmm_launch.c launches in simt.cpp.
 * Every other launch runs backwards. */
#include "constant_source.h"
#include "cuda_device.h"
#include "emulated_cases.h"
#include "emulated_kernels.h"
#include "host_bricks.h"
#include "host_tiles.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_reversed;

torc_status torc_device_check(torc_device *device, cudaError_t result, const char *call)
{
    (void)device;
    (void)call;
    return result == cudaSuccess                 ? TORC_SUCCESS
           : result == cudaErrorMemoryAllocation ? TORC_OUT_OF_MEMORY
                                                 : TORC_DEVICE_ERROR;
}

cudaError_t cudaSetDevice(int device)
{
    (void)device;
    return cudaSuccess;
}

static int64_t launches_until_failure = -1;

int64_t torc_emulated_lack_memory_at(int64_t launch)
{
    int64_t left = launches_until_failure;
    launches_until_failure = launch;
    return left;
}

/* kernel: where a table has the entry point. */
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *kernel, void **parameters)
{
    dim3 grid = config->gridDim;
    if (launches_until_failure >= 0 && launches_until_failure-- == 0) {
        return cudaErrorMemoryAllocation;
    }
    torc_simt_launch(*(torc_emulated_entry *const *)kernel, parameters[0], grid.x, grid.y, grid.z,
        (int)config->blockDim.x, config->dynamicSmemBytes, is_reversed);
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device)
{
    (void)attribute;
    (void)device;
    *value = 0;
    return cudaSuccess;
}

cudaError_t cudaKernelSetAttributeForDevice(
    cudaKernel_t kernel, enum cudaFuncAttribute attribute, int value, int device)
{
    (void)kernel;
    (void)attribute;
    (void)value;
    (void)device;
    return cudaSuccess;
}

static const torc_emulated_kernel *find_source(const char *source)
{
    for (int i = 0; i < torc_emulated_kernel_count; i++) {
        if (strcmp(torc_emulated_kernels[i].source, source) == 0) {
            return &torc_emulated_kernels[i];
        }
    }
    return NULL;
}

static const torc_emulated_kernel *find(const torc_kernel_kind *kind, const void *description)
{
    char source[TORC_SOURCE_SIZE];
    return kind->source(source, description) == TORC_SUCCESS ? find_source(source) : NULL;
}

bool torc_is_emulated(const torc_spmm_kernel *kernel)
{
    return find(&torc_spmm_kind, kernel);
}

torc_status torc_kernel_load(const torc_loaded_kernel **loaded, torc_device *device,
    const torc_kernel_kind *kind, const void *description)
{
    static torc_loaded_kernel found;
    const torc_emulated_kernel *emulated = find(kind, description);
    (void)device;
    if (!emulated) {
        return TORC_COMPILE_ERROR;
    }
    found.main = (cudaKernel_t)&emulated->main;
    found.combine = (cudaKernel_t)&emulated->combine;
    *loaded = &found;
    return TORC_SUCCESS;
}

static torc_status spmm(torc_device *device, const torc_spmm_kernel *kernel, const torc_spmm_args *args)
{
    if (!torc_is_emulated(kernel)) {
        return torc_executor_reference()->spmm(device, kernel, args);
    }
    bool is_tiled = kernel->family == TORC_TILES; /* then a block is to have several spans of columns */
    /* Little shared memory, so that there are several panels, and rows by turns. */
    struct torc_device launching = {
        .info = {.compute_capability = 90, .multiprocessors = is_tiled ? 132 : 3, .block_shared = 4 << 10}};
    is_reversed = !is_reversed;
    return torc_cuda_spmm(&launching, kernel, args);
}

/* ---- Products with A in their text: those of constant_cases.h ----------------------------------------- */

struct torc_constant_program {
    const torc_emulated_kernel *kernel;
    unsigned tiles, panels;
    int threads;
};

static int programs;

int torc_emulated_programs(void)
{
    return programs;
}

static bool has_choice(torc_device *device)
{
    (void)device;
    return true;
}

static torc_status constant_load(
    torc_constant_program **program, torc_device *device, const torc_constant_kernel *kernel)
{
    char *source;
    (void)device;
    torc_status status = torc_constant_source(&source, kernel);
    if (status != TORC_SUCCESS) {
        return status;
    }
    const torc_emulated_kernel *found = find_source(source);
    free(source);
    torc_constant_program *made = found ? calloc(1, sizeof *made) : NULL;
    if (made) {
        *made = (torc_constant_program){found, (unsigned)torc_ceiling(kernel->nrows, kernel->tile_rows),
            (unsigned)torc_ceiling(kernel->ncols, kernel->threads), kernel->threads};
        programs++;
    }
    *program = made;
    return made ? TORC_SUCCESS : TORC_COMPILE_ERROR;
}

static torc_status constant_multiply(
    torc_device *device, const torc_constant_program *program, const torc_constant_args *args)
{
    (void)device;
    is_reversed = !is_reversed;
    torc_simt_launch(
        program->kernel->main, args, program->tiles, program->panels, 1, program->threads, 0, is_reversed);
    return TORC_SUCCESS;
}

static void constant_unload(torc_device *device, torc_constant_program *program)
{
    (void)device;
    programs--;
    free(program);
}

/* One line. */
static char remembered_about[512], remembered[256];

static void remember(torc_device *device, const char *about, const char *text)
{
    (void)device;
    snprintf(remembered_about, sizeof remembered_about, "%s", about);
    snprintf(remembered, sizeof remembered, "%s", text);
}

static bool recall(char *text, size_t size, torc_device *device, const char *about)
{
    (void)device;
    snprintf(text, size, "%s", remembered);
    return remembered[0] && strcmp(remembered_about, about) == 0;
}

static torc_status elementwise(
    torc_device *device, const torc_elementwise_kernel *kernel, const torc_elementwise_args *args)
{
    struct torc_device launching = {.info = {.compute_capability = 90}};
    (void)device;
    is_reversed = !is_reversed;
    return torc_cuda_elementwise(&launching, kernel, args);
}

static torc_status reduce(torc_device *device, const torc_reduce_kernel *kernel, const torc_reduce_args *args)
{
    struct torc_device launching = {.info = {.compute_capability = 90}};
    (void)device;
    is_reversed = !is_reversed;
    return torc_cuda_reduce(&launching, kernel, args);
}

const torc_executor *torc_executor_cuda(void)
{
    static torc_executor executor;
    executor = *torc_executor_reference();
    executor.name = "cuda";
    executor.plan_tiles = torc_host_plan_tiles;
    executor.plan_bricks = torc_host_plan_bricks;
    executor.spmm = spmm;
    executor.has_choice = has_choice;
    executor.constant_load = constant_load;
    executor.constant_multiply = constant_multiply;
    executor.constant_unload = constant_unload;
    executor.remember = remember;
    executor.recall = recall;
    executor.elementwise = elementwise;
    executor.reduce = reduce;
    return &executor;
}
