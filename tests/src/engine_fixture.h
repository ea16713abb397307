/* engine_fixture.h: a context on the reference executor, and operands put on it. */
#ifndef TORC_ENGINE_FIXTURE_H
#define TORC_ENGINE_FIXTURE_H

#include <criterion/criterion.h>
#include <stdlib.h>
#include <torc/torc.h>

/* devices: "0,1" and the like are several as one; NULL: one. */
static inline torc_context *open_devices(const char *devices, size_t memory_limit)
{
    torc_options options = TORC_OPTIONS_INIT;
    options.backend = TORC_BACKEND_REFERENCE;
    options.memory_limit = memory_limit;
    options.devices = devices;
    torc_context *context;
    cr_assert(torc_context_create(&context, &options) == TORC_SUCCESS);
    return context;
}

static inline torc_context *open_reference(size_t memory_limit)
{
    return open_devices(getenv("TORC_TEST_DEVICES"), memory_limit);
}

static inline void *device_copy(torc_context *context, const void *host, size_t size)
{
    void *device;
    cr_assert(torc_memory_allocate(&device, context, size) == TORC_SUCCESS);
    cr_assert(torc_memory_upload(context, device, host, size) == TORC_SUCCESS);
    return device;
}

#endif
