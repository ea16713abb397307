#include "context.h"
#include "joined_executor.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static torc_status choose_executor(const torc_executor **executor, torc_backend_choice choice)
{
    switch (choice) {
    case TORC_BACKEND_AUTO:
    case TORC_BACKEND_CUDA:
        *executor = torc_executor_cuda();
        break;
    case TORC_BACKEND_REFERENCE:
        *executor = torc_executor_reference();
        break;
    case TORC_BACKEND_OFF:
        *executor = NULL;
        break;
    default:
        return TORC_INVALID_VALUE;
    }
    return *executor ? TORC_SUCCESS : TORC_NO_DEVICE;
}

torc_status torc_context_create(torc_context **context, const torc_options *options)
{
    const torc_options defaults = TORC_OPTIONS_INIT;
    if (!context) {
        return TORC_NULL_POINTER;
    }
    *context = NULL;
    options = options ? options : &defaults;
    const torc_executor *executor;
    if ((unsigned)options->precision > TORC_PRECISION_TF32) {
        return TORC_INVALID_VALUE;
    }
    torc_status status = choose_executor(&executor, options->backend);
    if (status != TORC_SUCCESS) {
        return status;
    }
    torc_context *opened = calloc(1, sizeof *opened);
    if (!opened) {
        return TORC_OUT_OF_MEMORY;
    }
    opened->executor = executor;
    status = options->devices ? torc_joined_open(&opened->device, &opened->executor, options)
                              : executor->open(&opened->device, options);
    if (status != TORC_SUCCESS) {
        free(opened);
        return status;
    }
    torc_device_info info;
    status = opened->executor->info(&info, opened->device);
    if (status != TORC_SUCCESS) {
        torc_context_destroy(opened);
        return status;
    }
    opened->facts = torc_device_facts_of(&info);
    opened->memory = info.memory_available;
    snprintf(opened->kernel, sizeof opened->kernel, "%s", options->kernel ? options->kernel : "");
    opened->precision = options->precision;
    *context = opened;
    return TORC_SUCCESS;
}

void torc_context_destroy(torc_context *context)
{
    if (!context) {
        return;
    }
    torc_context_trim(context);
    context->executor->close(context->device);
    free(context);
}

torc_status torc_context_wait(torc_context *context)
{
    return context ? context->executor->wait(context->device) : TORC_NULL_POINTER;
}

torc_status torc_context_info(torc_device_info *info, torc_context *context)
{
    return info && context ? context->executor->info(info, context->device)
                           : torc_context_explain(context, TORC_NULL_POINTER, "info is NULL");
}

void torc_context_defer_kernels(torc_context *context, bool defers)
{
    if (context) {
        context->executor->defer_kernels(context->device, defers);
    }
}

torc_status torc_context_compile(torc_context *context)
{
    return context ? context->executor->compile(context->device) : TORC_NULL_POINTER;
}

const char *torc_context_error(torc_context *context)
{
    return context ? context->executor->error(context->device) : "";
}

torc_status torc_context_explain(torc_context *context, torc_status status, const char *text)
{
    if (context && text != context->executor->error(context->device)) {
        context->executor->explain(context->device, text ? text : "");
    }
    return status;
}

torc_status torc_context_refuse(torc_context *context, torc_status status, const char *reason, ...)
{
    char text[160];
    va_list arguments;
    va_start(arguments, reason);
    vsnprintf(text, sizeof text, reason, arguments);
    va_end(arguments);
    return torc_context_explain(context, status, text);
}

torc_status torc_context_workspace(void **memory, torc_context *context, torc_workspace which, size_t size)
{
    if (context->workspace[which].size < size) {
        context->executor->release(context->device, context->workspace[which].memory);
        context->workspace[which].memory = NULL;
        context->workspace[which].size = 0;
        torc_status status =
            context->executor->allocate(&context->workspace[which].memory, context->device, size);
        if (status != TORC_SUCCESS) {
            return status;
        }
        context->workspace[which].size = size;
    } else if (context->executor->renew) {
        context->executor->renew(context->device, context->workspace[which].memory);
    }
    *memory = context->workspace[which].memory;
    return TORC_SUCCESS;
}

bool torc_context_trim(torc_context *context)
{
    bool had_some = false;
    int count = context->is_streaming ? TORC_WORKSPACE_PANELS : TORC_WORKSPACE_COUNT;
    for (int i = 0; i < count; i++) {
        had_some = had_some || context->workspace[i].memory;
        context->executor->release(context->device, context->workspace[i].memory);
        context->workspace[i].memory = NULL;
        context->workspace[i].size = 0;
    }
    return had_some;
}
