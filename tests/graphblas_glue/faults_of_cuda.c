/* faults_of_cuda.c: see faults.h. The program is linked with --wrap for each function below, so that calls of
 * cuda/, and of what CUB and the compiler put there, arrive here. A call that is made to fail does nothing,
 * but what waits does wait and what frees does free: as far as the host is concerned the device is at rest
 * then. Of what is made, one count is kept for all kinds: memory, pinned memory, streams, events, loaded
 * kernels. */
#include "compile.h"
#include "faults.h"
#include "session.h"
#include "traced_mxm.h"
#include <cuda_runtime_api.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char torc_fault_place[] = "cuda";

static int64_t calls_until_failure = -1, held;
static bool failure_lasts;
static cudaError_t last_error; /* of those made to fail */

static bool is_made_to_fail(void)
{
    if (calls_until_failure < 0) {
        return failure_lasts;
    }
    return calls_until_failure-- == 0;
}

static cudaError_t fail(cudaError_t error)
{
    last_error = error;
    return error;
}

#define WRAP(name, parameters)                                                                               \
    cudaError_t __real_##name parameters;                                                                    \
    cudaError_t __wrap_##name parameters;                                                                    \
    cudaError_t __wrap_##name parameters

/* ---- What does something ------------------------------------------------------------------------------- */

#define FALLIBLE(name, parameters, arguments)                                                                \
    WRAP(name, parameters)                                                                                   \
    {                                                                                                        \
        return is_made_to_fail() ? fail(cudaErrorLaunchFailure) : __real_##name arguments;                   \
    }

FALLIBLE(cudaSetDevice, (int device), (device))
FALLIBLE(cudaMemGetInfo, (size_t * available, size_t *total), (available, total))
FALLIBLE(
    cudaPointerGetAttributes, (struct cudaPointerAttributes * attributes, const void *p), (attributes, p))
FALLIBLE(cudaGetDriverEntryPointByVersion,
    (const char *name, void **function, unsigned version, unsigned long long flags,
        enum cudaDriverEntryPointQueryResult *found),
    (name, function, version, flags, found))
FALLIBLE(cudaMemcpyAsync,
    (void *to, const void *from, size_t size, enum cudaMemcpyKind kind, cudaStream_t stream),
    (to, from, size, kind, stream))
FALLIBLE(cudaMemcpy2DAsync,
    (void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
        enum cudaMemcpyKind kind, cudaStream_t stream),
    (to, to_pitch, from, from_pitch, width, height, kind, stream))
FALLIBLE(cudaMemsetAsync, (void *to, int byte, size_t size, cudaStream_t stream), (to, byte, size, stream))
FALLIBLE(cudaMemset2DAsync,
    (void *to, size_t pitch, int byte, size_t width, size_t height, cudaStream_t stream),
    (to, pitch, byte, width, height, stream))
FALLIBLE(cudaMemPoolSetAttribute, (cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value),
    (pool, attribute, value))
FALLIBLE(cudaMemPoolGetAttribute, (cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value),
    (pool, attribute, value))
FALLIBLE(cudaMemPoolTrimTo, (cudaMemPool_t pool, size_t size), (pool, size))
FALLIBLE(cudaEventRecord, (cudaEvent_t event, cudaStream_t stream), (event, stream))
FALLIBLE(
    cudaStreamWaitEvent, (cudaStream_t stream, cudaEvent_t event, unsigned flags), (stream, event, flags))
FALLIBLE(cudaLibraryGetKernel, (cudaKernel_t * kernel, cudaLibrary_t library, const char *name),
    (kernel, library, name))
FALLIBLE(
    cudaFuncGetAttributes, (struct cudaFuncAttributes * attributes, const void *kernel), (attributes, kernel))
FALLIBLE(cudaLaunchKernel,
    (const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared, cudaStream_t stream),
    (kernel, grid, block, arguments, shared, stream))
FALLIBLE(cudaLaunchKernelExC, (const cudaLaunchConfig_t *config, const void *kernel, void **arguments),
    (config, kernel, arguments))
FALLIBLE(__cudaLaunchKernel, /* what <<<>>> is, in CUDA 13 */
    (cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments, size_t shared, cudaStream_t stream),
    (kernel, grid, block, arguments, shared, stream))

torc_status __real_torc_compile(torc_image *image, char *log, const char *source, int architecture);
torc_status __wrap_torc_compile(torc_image *image, char *log, const char *source, int architecture);

torc_status __wrap_torc_compile(torc_image *image, char *log, const char *source, int architecture)
{
    if (is_made_to_fail()) {
        *image = (torc_image){NULL, 0};
        strcpy(log, "failed as the test asked");
        return TORC_COMPILE_ERROR;
    }
    return __real_torc_compile(image, log, source, architecture);
}

/* ---- What makes, and what frees ------------------------------------------------------------------------ */

#define MAKING(name, error, parameters, arguments)                                                           \
    WRAP(name, parameters)                                                                                   \
    {                                                                                                        \
        cudaError_t result = is_made_to_fail() ? fail(error) : __real_##name arguments;                      \
        held += result == cudaSuccess;                                                                       \
        return result;                                                                                       \
    }

#define FREEING(name, type)                                                                                  \
    WRAP(name, (type made))                                                                                  \
    {                                                                                                        \
        cudaError_t result = __real_##name(made);                                                            \
        held -= made && result == cudaSuccess;                                                               \
        return calls_until_failure < 0 && failure_lasts ? fail(cudaErrorLaunchFailure) : result;             \
    }

MAKING(cudaMalloc, cudaErrorMemoryAllocation, (void **memory, size_t size), (memory, size))
MAKING(cudaMallocFromPoolAsync, cudaErrorMemoryAllocation,
    (void **memory, size_t size, cudaMemPool_t pool, cudaStream_t stream), (memory, size, pool, stream))
MAKING(cudaMemPoolCreate, cudaErrorMemoryAllocation,
    (cudaMemPool_t * pool, const struct cudaMemPoolProps *properties), (pool, properties))
MAKING(cudaHostRegister, cudaErrorMemoryAllocation, (void *memory, size_t size, unsigned flags),
    (memory, size, flags))
MAKING(cudaStreamCreateWithPriority, cudaErrorLaunchFailure,
    (cudaStream_t * stream, unsigned flags, int priority), (stream, flags, priority))
MAKING(
    cudaEventCreateWithFlags, cudaErrorLaunchFailure, (cudaEvent_t * event, unsigned flags), (event, flags))
MAKING(cudaLibraryLoadData, cudaErrorLaunchFailure,
    (cudaLibrary_t * library, const void *code, enum cudaJitOption *options, void **values, unsigned count,
        enum cudaLibraryOption *library_options, void **library_values, unsigned library_count),
    (library, code, options, values, count, library_options, library_values, library_count))
FREEING(cudaFree, void *)
FREEING(cudaMemPoolDestroy, cudaMemPool_t)
FREEING(cudaHostUnregister, void *)
FREEING(cudaStreamDestroy, cudaStream_t)
FREEING(cudaEventDestroy, cudaEvent_t)
FREEING(cudaLibraryUnload, cudaLibrary_t)

WRAP(cudaFreeAsync, (void *memory, cudaStream_t stream))
{
    cudaError_t result = __real_cudaFreeAsync(memory, stream);
    held -= memory && result == cudaSuccess;
    return calls_until_failure < 0 && failure_lasts ? fail(cudaErrorLaunchFailure) : result;
}

/* ---- What waits, and what tells ------------------------------------------------------------------------ */

#define WAITING(name, type)                                                                                  \
    WRAP(name, (type awaited))                                                                               \
    {                                                                                                        \
        cudaError_t result = __real_##name(awaited);                                                         \
        return is_made_to_fail() ? fail(cudaErrorLaunchFailure) : result;                                    \
    }

WAITING(cudaStreamSynchronize, cudaStream_t)
WAITING(cudaEventSynchronize, cudaEvent_t)

WRAP(cudaPeekAtLastError, (void))
{
    return last_error != cudaSuccess ? last_error : __real_cudaPeekAtLastError();
}

WRAP(cudaGetLastError, (void))
{
    cudaError_t real = __real_cudaGetLastError(), error = last_error != cudaSuccess ? last_error : real;
    last_error = cudaSuccess;
    return error;
}

/* ---- Interface ----------------------------------------------------------------------------------------- */

static char folder[] = "/tmp/torc-faults-XXXXXX";

/* The first device of a process is measured, which is no part of a call. */
bool torc_fault_begin(void)
{
    setenv("TORC_BACKEND", torc_fault_place, 1);
    if (mkdtemp(folder)) {
        setenv("TORC_CACHE_DIR", folder, 1);
    }
    torc_trace_begin();
    const char *reason;
    bool has_device = torc_session_acquire(&reason, TORC_FOREVER);
    if (has_device) {
        torc_session_release();
        torc_session_close();
    } else {
        torc_fault_end();
    }
    return has_device;
}

static int delete (const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)status, (void)kind, (void)place;
    return remove(path);
}

void torc_fault_end(void)
{
    nftw(folder, delete, 8, FTW_DEPTH | FTW_PHYS);
}

void torc_fault_at(int64_t call, bool lasts)
{
    calls_until_failure = call;
    failure_lasts = lasts;
}

int64_t torc_fault_calls_left(void)
{
    return calls_until_failure;
}

int64_t torc_fault_held(void)
{
    return held;
}
