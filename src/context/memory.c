/* memory.c: device memory for the caller's dense operands, copies to and from it, and pinned host memory. */
#include "context.h"

torc_status torc_memory_allocate(void **memory, torc_context *context, size_t size)
{
    if (!context) {
        return TORC_NULL_POINTER;
    }
    if (!memory) {
        return torc_context_refuse(context, TORC_NULL_POINTER, "memory is NULL");
    }
    *memory = NULL;
    if (size == 0) {
        return TORC_SUCCESS;
    }
    torc_status status = context->executor->allocate(memory, context->device, size);
    if (status == TORC_OUT_OF_MEMORY && torc_context_trim(context)) {
        status = context->executor->allocate(memory, context->device, size);
    }
    return status;
}

void torc_memory_release(torc_context *context, void *memory)
{
    if (context && memory) {
        context->executor->release(context->device, memory);
    }
}

/* Both are there, where there is anything to copy. */
static torc_status check_copy(torc_context *context, const void *device, const void *host, size_t size)
{
    if (!context) {
        return TORC_NULL_POINTER;
    }
    if (size > 0 && !(device && host)) {
        return torc_context_refuse(
            context, TORC_NULL_POINTER, "%s is NULL, and size %zu", host ? "device" : "host", size);
    }
    return TORC_SUCCESS;
}

torc_status torc_memory_upload(torc_context *context, void *device, const void *host, size_t size)
{
    torc_status status = check_copy(context, device, host, size);
    if (status != TORC_SUCCESS) {
        return status;
    }
    return size > 0 ? context->executor->upload(context->device, device, host, size) : TORC_SUCCESS;
}

torc_status torc_memory_download(torc_context *context, void *host, const void *device, size_t size)
{
    torc_status status = check_copy(context, device, host, size);
    if (status != TORC_SUCCESS) {
        return status;
    }
    return size > 0 ? context->executor->download(context->device, host, device, size) : TORC_SUCCESS;
}

static torc_status check_places(torc_context *context, const void *device, const void *host,
    const uint64_t *offsets, size_t count, size_t size)
{
    if (context && size > 0 && count > SIZE_MAX / size) {
        return torc_context_refuse(context, TORC_INVALID_VALUE, "%zu elements of %zu bytes", count, size);
    }
    torc_status status = check_copy(context, device, host, count * size);
    if (status == TORC_SUCCESS && count * size > 0 && !offsets) {
        status = torc_context_refuse(context, TORC_NULL_POINTER, "offsets is NULL, and count %zu", count);
    }
    return status;
}

torc_status torc_memory_gather(
    torc_context *context, void *host, const void *device, const uint64_t *offsets, size_t count, size_t size)
{
    torc_status status = check_places(context, device, host, offsets, count, size);
    return status == TORC_SUCCESS && count * size > 0
               ? context->executor->gather(context->device, host, device, offsets, count, size)
               : status;
}

torc_status torc_memory_scatter(
    torc_context *context, void *device, const void *host, const uint64_t *offsets, size_t count, size_t size)
{
    torc_status status = check_places(context, device, host, offsets, count, size);
    return status == TORC_SUCCESS && count * size > 0
               ? context->executor->scatter(context->device, device, host, offsets, count, size)
               : status;
}

torc_status torc_memory_pin(torc_context *context, void *host, size_t size)
{
    torc_status status = check_copy(context, host, host, size);
    if (status != TORC_SUCCESS) {
        return status;
    }
    return size > 0 ? context->executor->pin(context->device, host, size) : TORC_SUCCESS;
}

void torc_memory_unpin(torc_context *context, void *host, size_t size)
{
    if (context && host && size > 0) {
        context->executor->unpin(context->device, host, size);
    }
}
