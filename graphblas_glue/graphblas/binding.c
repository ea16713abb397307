/* binding.c: see binding.h. The version can be asked for only once GraphBLAS is initialised, so that a table
 * is filled, once and for all, at the first call after that. */
#include "binding.h"
#include "brief_lock.h"
#include "process.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <string.h>

/* ISO C knows no cast from an object pointer to a function pointer. */
static bool look_up(void *function, void *handle, const char *symbol)
{
    void *address = dlsym(handle, symbol);
    memcpy(function, &address, sizeof address);
    return address;
}

/* False while GraphBLAS is not initialised. */
static bool read_version(torc_binding *graphblas)
{
    GrB_Info (*global_get)(int, int32_t *);
    if (!look_up(&global_get, graphblas->handle, "GxB_Global_Option_get_INT32")) {
        return true;
    }
    int32_t version[3] = {0, 0, 0};
    GrB_Info status = global_get(TORC_LIBRARY_VERSION_BEFORE_8, version);
    if (status != GrB_SUCCESS) {
        status = global_get(TORC_LIBRARY_VERSION_SINCE_8, version);
    }
    for (int i = 0; status == GrB_SUCCESS && i < 3; i++) {
        graphblas->version[i] = (unsigned)version[i];
    }
    return status != GrB_PANIC;
}

/* A known version, with all that was known of it. */
static bool has_all(const torc_binding *graphblas)
{
    const torc_numbers *numbers = graphblas->numbers;
    return numbers && (!numbers->malloc_function || graphblas->global_get_function) &&
           (!numbers->name || (graphblas->get_size && graphblas->get_string && graphblas->set_string)) &&
           (!numbers->integer_hints[0] || (graphblas->get_int32 && graphblas->set_int32));
}

static bool bind(torc_binding *graphblas)
{
    graphblas->handle = torc_library_find(graphblas->path, sizeof graphblas->path);
    if (!graphblas->handle || !read_version(graphblas)) {
        return false;
    }
    bool is_complete = true;
#define X(field, symbol, type, arguments)                                                                    \
    is_complete &= look_up(&graphblas->field, graphblas->handle, #symbol);
    TORC_BINDING_MAP(X)
#undef X
#define X(field, symbol, type, arguments) look_up(&graphblas->field, graphblas->handle, #symbol);
    TORC_BINDING_LATER_MAP(X)
#undef X
    graphblas->numbers = torc_version_numbers(graphblas->version);
    graphblas->is_known = is_complete && has_all(graphblas);
    return true;
}

static torc_binding table;
static atomic_bool is_bound;

/* Threads that come at once each look, and the first one's answer stays. */
static void bind_first(void)
{
    torc_binding found = {.handle = NULL};
    if (bind(&found)) {
        torc_brief_lock();
        if (!is_bound) {
            table = found;
            atomic_store_explicit(&is_bound, true, memory_order_release);
        }
        torc_brief_unlock();
    }
}

const torc_binding *torc_binding_get(void)
{
    if (!atomic_load_explicit(&is_bound, memory_order_acquire) && torc_process_is_ours()) {
        bind_first();
    }
    return is_bound ? &table : NULL;
}

void *torc_binding_handle(const torc_binding *graphblas, const char *name)
{
    void *const *handle = dlsym(graphblas->handle, name);
    return handle ? *handle : NULL;
}

/* The descriptor's number goes before the global one (7.4). Since 8.0 the context that the thread has engaged
 * has it, or that of the world: GraphBLAS tells it to itself alone, by a function that it does export. */
int torc_binding_threads(const torc_binding *graphblas, GrB_Descriptor descriptor)
{
    const torc_numbers *numbers = graphblas->numbers;
    int32_t threads = 0;
    if (graphblas->context_threads) {
        threads = graphblas->context_threads();
    } else if (descriptor && numbers->descriptor_nthreads && graphblas->descriptor_get_int32) {
        graphblas->descriptor_get_int32(descriptor, numbers->descriptor_nthreads, &threads);
    }
    if (threads <= 0 && graphblas->global_get_int32) {
        graphblas->global_get_int32(numbers->nthreads, &threads);
    }
    return threads > 0 ? threads : 1;
}
