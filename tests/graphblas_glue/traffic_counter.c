/* traffic_counter.c: preloaded, says on standard error how many bytes torc's glue had sent to the device and
 * fetched when the program ends. What the engine moves inside of a product is not among them. */
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <torc/torc.h>

static atomic_size_t sent, fetched;

static torc_status (*next(const char *name))(torc_context *, void *, const void *, size_t)
{
    void *address = dlsym(RTLD_NEXT, name);
    torc_status (*function)(torc_context *, void *, const void *, size_t);
    memcpy(&function, &address, sizeof address);
    return function;
}

TORC_API torc_status torc_memory_upload(torc_context *context, void *to, const void *from, size_t size)
{
    atomic_fetch_add(&sent, size);
    return next("torc_memory_upload")(context, to, from, size);
}

TORC_API torc_status torc_memory_download(torc_context *context, void *to, const void *from, size_t size)
{
    atomic_fetch_add(&fetched, size);
    return next("torc_memory_download")(context, to, from, size);
}

__attribute__((destructor)) static void say(void)
{
    if (sent + fetched > 0) {
        fprintf(stderr, "traffic: %zu sent, %zu fetched\n", sent, fetched);
    }
}
