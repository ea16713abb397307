/* memory.c: device memory for the caller's dense operands, copies, and host memory page-locked for them. */
#include "context.h"

torc_status torc_memory_allocate(void **memory, torc_context *context, size_t size)
{
    if (!memory || !context) {
        return TORC_NULL_POINTER;
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

torc_status torc_memory_upload(torc_context *context, void *device, const void *host, size_t size)
{
    if (!context || (size > 0 && (!device || !host))) {
        return TORC_NULL_POINTER;
    }
    return size > 0 ? context->executor->upload(context->device, device, host, size) : TORC_SUCCESS;
}

torc_status torc_memory_download(torc_context *context, void *host, const void *device, size_t size)
{
    if (!context || (size > 0 && (!device || !host))) {
        return TORC_NULL_POINTER;
    }
    return size > 0 ? context->executor->download(context->device, host, device, size) : TORC_SUCCESS;
}

torc_status torc_memory_pin(torc_context *context, void *host, size_t size)
{
    if (!context || (size > 0 && !host)) {
        return TORC_NULL_POINTER;
    }
    return size > 0 ? context->executor->pin(context->device, host, size) : TORC_SUCCESS;
}

void torc_memory_unpin(torc_context *context, void *host, size_t size)
{
    if (context && host && size > 0) {
        context->executor->unpin(context->device, host, size);
    }
}
