/* gpu.h: the GPU of the device tests, and arrays on it. A test without a GPU is skipped; a call that fails
 * ends the test with the device's own words. */
#ifndef TORC_TEST_GPU_H
#define TORC_TEST_GPU_H

#include "backend.h"
#include <criterion/criterion.h>

static inline torc_device *torc_gpu_open(size_t memory_limit)
{
    torc_options options = TORC_OPTIONS_INIT;
    options.memory_limit = memory_limit;
    torc_device *device;
    torc_status status = torc_executor_cuda()->open(&device, &options);
    if (status == TORC_NO_DEVICE) {
        cr_skip_test("no GPU");
    }
    cr_assert_eq(status, TORC_SUCCESS);
    return device;
}

/* The same as the engine has it. */
static inline torc_context *torc_gpu_context(const torc_options *options)
{
    torc_context *context;
    torc_status status = torc_context_create(&context, options);
    if (status == TORC_NO_DEVICE) {
        cr_skip_test("no GPU");
    }
    cr_assert_eq(status, TORC_SUCCESS, "%s", torc_status_text(status));
    return context;
}

/* Two GPUs as one; where there is one, it is opened twice. */
static inline torc_context *torc_gpu_joined_context(void)
{
    torc_options options = TORC_OPTIONS_INIT;
    torc_context *context;
    options.devices = "0,1";
    if (torc_context_create(&context, &options) == TORC_SUCCESS) {
        return context;
    }
    options.devices = "0,0";
    return torc_gpu_context(&options);
}

#define TORC_GPU_TRY(device, call)                                                                           \
    do {                                                                                                     \
        torc_status status_of_call = (call);                                                                 \
        cr_assert_eq(status_of_call, TORC_SUCCESS, "%s: %s", torc_status_text(status_of_call),               \
            torc_executor_cuda()->error(device));                                                            \
    } while (0)

/* A copy of `size` bytes on the device, NULL if size is 0. */
static inline void *torc_gpu_copy(torc_device *device, const void *from, size_t size)
{
    void *memory;
    TORC_GPU_TRY(device, torc_executor_cuda()->allocate(&memory, device, size));
    if (size > 0) {
        TORC_GPU_TRY(device, torc_executor_cuda()->upload(device, memory, from, size));
    }
    return memory;
}

/* Copies that are released together. */
typedef struct torc_gpu_copies {
    torc_device *device;
    void *memory[24];
    int count;
} torc_gpu_copies;

static inline void *torc_gpu_keep(torc_gpu_copies *copies, const void *from, size_t size)
{
    return copies->memory[copies->count++] = torc_gpu_copy(copies->device, from, size);
}

static inline void torc_gpu_release(torc_gpu_copies *copies)
{
    while (copies->count > 0) {
        torc_executor_cuda()->release(copies->device, copies->memory[--copies->count]);
    }
}

#endif
