/* device_memory.c: device memory, counted against the device's limit; host memory, page-locked. */
#include "cuda_device.h"
#include <stdio.h>
#include <stdlib.h>

/* Few are alive at a time: a list will do. */
struct torc_device_block {
    void *memory;
    size_t size;
    torc_device_block *next;
};

torc_status torc_cuda_allocate(void **memory, torc_device *device, size_t size)
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
    torc_status status = torc_device_check(device, cudaMalloc(&block->memory, size), "cudaMalloc");
    if (status != TORC_SUCCESS) {
        free(block);
        return status;
    }
    block->size = size;
    block->next = device->blocks;
    device->blocks = block;
    device->held += size;
    *memory = block->memory;
    return TORC_SUCCESS;
}

void torc_cuda_release(torc_device *device, void *memory)
{
    for (torc_device_block **link = &device->blocks; memory && *link; link = &(*link)->next) {
        torc_device_block *block = *link;
        if (block->memory == memory) {
            torc_device_check(device, cudaSetDevice(device->ordinal), "cudaSetDevice");
            /* Waits for queued work that may use the block. */
            torc_device_check(device, cudaFree(memory), "cudaFree");
            device->held -= block->size;
            *link = block->next;
            free(block);
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
