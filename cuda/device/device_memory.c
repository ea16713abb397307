/* device_memory.c: device memory, counted against the device's limit; host memory, page-locked.
 *
 * Memory comes from a pool of the device's own, in the order of work: nobody waits, and what was released is
 * there for the next one. So a block may still be in use by work queued before it was handed out, and what is
 * sent, on a stream of its own, waits for that once. A block that may be on its way in or out when it is
 * released goes back after the next fence. Where there are no pools, and for memory that other processes
 * write to, which no pool gives, cudaFree waits for everybody. */
#include "cuda_device.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Few are alive at a time: a list will do. */
struct torc_device_block {
    void *memory;
    size_t size;
    bool is_pooled; /* of the pool, where there is one */
    torc_device_block *next;
};

/* ---- The pool ----------------------------------------------------------------------------------------- */

/* The first block of a pool takes some 10 ms, whatever its size. */
static void prepare_pool(torc_device *device)
{
    void *memory;
    if (cudaMallocFromPoolAsync(&memory, 1, device->pool, device->stream) == cudaSuccess) {
        cudaFreeAsync(memory, device->stream);
        cudaStreamSynchronize(device->stream); /* it counts as used until then */
    }
}

void torc_pool_open(torc_device *device)
{
    int has_pools = 0;
    uint64_t all = UINT64_MAX; /* nothing goes back to the system before the pool does */
    struct cudaMemPoolProps properties = {.allocType = cudaMemAllocationTypePinned,
        .handleTypes = cudaMemHandleTypeNone,
        .location = {.type = cudaMemLocationTypeDevice, .id = device->ordinal}};
    cudaDeviceGetAttribute(&has_pools, cudaDevAttrMemoryPoolsSupported, device->ordinal);
    if (has_pools && cudaMemPoolCreate(&device->pool, &properties) != cudaSuccess) {
        device->pool = NULL;
    }
    if (device->pool &&
        cudaMemPoolSetAttribute(device->pool, cudaMemPoolAttrReleaseThreshold, &all) != cudaSuccess) {
        torc_pool_close(device);
    }
    if (device->pool) {
        prepare_pool(device);
    }
    cudaGetLastError(); /* without a pool memory comes from the system */
}

void torc_pool_close(torc_device *device)
{
    if (device->pool) {
        cudaMemPoolDestroy(device->pool);
    }
    device->pool = NULL;
}

torc_status torc_pool_unused(size_t *size, torc_device *device)
{
    uint64_t reserved = 0, used = 0;
    if (device->pool) {
        TORC_TRY_CUDA(
            device, cudaMemPoolGetAttribute(device->pool, cudaMemPoolAttrReservedMemCurrent, &reserved));
        TORC_TRY_CUDA(device, cudaMemPoolGetAttribute(device->pool, cudaMemPoolAttrUsedMemCurrent, &used));
    }
    *size = (size_t)(reserved - used);
    return TORC_SUCCESS;
}

/* ---- Traffic beside the work -------------------------------------------------------------------------- */

static void free_block(torc_device *device, torc_device_block *block)
{
    cudaError_t result =
        block->is_pooled ? cudaFreeAsync(block->memory, device->stream) : cudaFree(block->memory);
    torc_device_check(device, result, block->is_pooled ? "cudaFreeAsync" : "cudaFree");
    free(block);
}

void torc_traffic_passed(torc_device *device)
{
    device->has_traffic = false;
    while (device->released) {
        torc_device_block *block = device->released;
        device->released = block->next;
        free_block(device, block);
    }
}

/* What is queued from now on waits for all that is on its way. */
static torc_status let_traffic_pass(torc_device *device)
{
    for (int i = 0; device->has_traffic && i < 2; i++) {
        TORC_TRY_CUDA(device, cudaEventRecord(device->reached[1 + i], device->traffic[i]));
        TORC_TRY_CUDA(device, cudaStreamWaitEvent(device->stream, device->reached[1 + i], 0));
    }
    torc_traffic_passed(device);
    return TORC_SUCCESS;
}

torc_status torc_traffic_begin(torc_device *device, bool is_sent)
{
    if (is_sent && device->has_new_memory) {
        TORC_TRY_CUDA(device, cudaEventRecord(device->reached[0], device->stream));
        TORC_TRY_CUDA(device, cudaStreamWaitEvent(device->traffic[0], device->reached[0], 0));
        device->has_new_memory = false;
    }
    device->has_traffic = true;
    return TORC_SUCCESS;
}

/* ---- Blocks ------------------------------------------------------------------------------------------- */

static cudaError_t take(torc_device_block *block, torc_device *device)
{
    cudaError_t error =
        block->is_pooled ? cudaMallocFromPoolAsync(&block->memory, block->size, device->pool, device->stream)
                         : cudaMalloc(&block->memory, block->size);
    if (error == cudaErrorMemoryAllocation) {
        cudaGetLastError(); /* for another attempt */
    }
    return error;
}

/* Where memory is short, what was released and is in use yet, and what the pool has in pieces, counts. */
static torc_status take_memory(torc_device_block *block, torc_device *device)
{
    cudaError_t error = take(block, device);
    if (error == cudaErrorMemoryAllocation && device->pool) {
        TORC_TRY(let_traffic_pass(device));
        TORC_TRY_CUDA(device, cudaStreamSynchronize(device->stream));
        TORC_TRY_CUDA(device, cudaMemPoolTrimTo(device->pool, 0));
        error = take(block, device);
    }
    return torc_device_check(device, error, block->is_pooled ? "cudaMallocFromPoolAsync" : "cudaMalloc");
}

static torc_status allocate(void **memory, torc_device *device, size_t size, bool is_pooled)
{
    *memory = NULL;
    if (size == 0) {
        return TORC_SUCCESS;
    }
    if (size > device->limit - device->held) {
        snprintf(device->error, sizeof device->error, "memory limit: %zu bytes asked, %zu of %zu held", size,
            device->held, device->limit);
        return TORC_OUT_OF_MEMORY;
    }
    TORC_ENTER(device);
    torc_device_block *block = malloc(sizeof *block);
    if (!block) {
        return TORC_OUT_OF_MEMORY;
    }
    *block = (torc_device_block){.size = size, .is_pooled = is_pooled};
    torc_status status = take_memory(block, device);
    if (status != TORC_SUCCESS) {
        free(block);
        return status;
    }
    block->next = device->blocks;
    device->blocks = block;
    device->held += size;
    device->has_new_memory = device->has_new_memory || is_pooled;
    *memory = block->memory;
    return TORC_SUCCESS;
}

torc_status torc_cuda_allocate(void **memory, torc_device *device, size_t size)
{
    return allocate(memory, device, size, device->pool);
}

torc_status torc_cuda_exchange_allocate(
    void **memory, torc_exchange_memory_handle *handle, torc_device *device, size_t size)
{
    cudaIpcMemHandle_t of_cuda = {{0}};
    _Static_assert(sizeof of_cuda == sizeof handle->bytes, "it is CUDA's");
    TORC_TRY(allocate(memory, device, size, false));
    torc_status status =
        *memory ? torc_device_check(device, cudaIpcGetMemHandle(&of_cuda, *memory), "cudaIpcGetMemHandle")
                : TORC_SUCCESS;
    if (status != TORC_SUCCESS) {
        torc_cuda_release(device, *memory);
        *memory = NULL;
    }
    memcpy(handle->bytes, &of_cuda, sizeof of_cuda);
    return status;
}

void torc_cuda_release(torc_device *device, void *memory)
{
    for (torc_device_block **link = &device->blocks; memory && *link; link = &(*link)->next) {
        torc_device_block *block = *link;
        if (block->memory == memory) {
            torc_device_check(device, cudaSetDevice(device->ordinal), "cudaSetDevice");
            device->held -= block->size;
            *link = block->next;
            if (device->pool && device->has_traffic) {
                block->next = device->released;
                device->released = block;
            } else {
                free_block(device, block);
            }
            return;
        }
    }
}

/* As the next one in any thread: the device's error is not written. */
torc_status torc_cuda_pin(torc_device *device, void *host, size_t size)
{
    cudaError_t error = cudaSetDevice(device->ordinal);
    error = error == cudaSuccess ? cudaHostRegister(host, size, cudaHostRegisterDefault) : error;
    cudaGetLastError(); /* else the next, unrelated check would find it */
    return error == cudaSuccess                 ? TORC_SUCCESS
           : error == cudaErrorMemoryAllocation ? TORC_OUT_OF_MEMORY
                                                : TORC_DEVICE_ERROR;
}

/* Any thread may come at any time, free() of the program's among them: its current device stays what it was,
 * and the device's error is not written. */
void torc_cuda_unpin(torc_device *device, void *host, size_t size)
{
    (void)size;
    int current = device->ordinal;
    cudaGetDevice(&current);
    cudaSetDevice(device->ordinal);
    cudaHostUnregister(host);
    cudaSetDevice(current);
    cudaGetLastError();
}

/* ---- Other devices ------------------------------------------------------------------------------------ */

/* Memory of a pool is the device's own until others are let in. Where that cannot be, the driver copies by
 * way of the host. */
static void let_in(torc_device *device, const torc_device *other)
{
    struct cudaMemLocation here = {.type = cudaMemLocationTypeDevice, .id = device->ordinal};
    struct cudaMemAccessDesc access = {.location = here, .flags = cudaMemAccessFlagsProtReadWrite};
    enum cudaMemAccessFlags flags = cudaMemAccessFlagsProtNone;
    if (other->pool && other->ordinal != device->ordinal &&
        cudaMemPoolGetAccess(&flags, other->pool, &here) == cudaSuccess &&
        flags == cudaMemAccessFlagsProtNone) {
        cudaMemPoolSetAccess(other->pool, &access, 1);
    }
    cudaGetLastError();
}

torc_status torc_cuda_follow(torc_device *device, torc_device *other)
{
    TORC_ENTER(other);
    TORC_TRY(let_traffic_pass(other));
    TORC_TRY_CUDA(device, cudaEventRecord(other->reached[0], other->stream));
    TORC_TRY_CUDA(device, cudaStreamWaitEvent(device->stream, other->reached[0], 0));
    return TORC_SUCCESS;
}

torc_status torc_cuda_receive(torc_device *device, torc_device *other, const torc_lines *lines)
{
    TORC_ENTER(device);
    let_in(device, other);
    return torc_lines_receive(device, lines);
}
