/* binding.c: see binding.h. GraphBLAS tells its version only once it is initialised, so the table is filled
 * at the first call after that. */
#include "binding.h"
#include "brief_lock.h"
#include "open_faults.h"
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
    if (!look_up(&global_get, graphblas->library.handle, "GxB_Global_Option_get_INT32")) {
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
           (!numbers->hyper_hash || (graphblas->get_int32 && graphblas->set_int32));
}

static bool bind(torc_binding *graphblas)
{
    if (!read_version(graphblas)) {
        return false;
    }
    bool is_complete = true;
#define X(field, symbol, type, arguments)                                                                    \
    is_complete &= look_up(&graphblas->field, graphblas->library.handle, #symbol);
    TORC_BINDING_MAP(X)
#undef X
#define X(field, symbol, type, arguments) look_up(&graphblas->field, graphblas->library.handle, #symbol);
    TORC_BINDING_LATER_MAP(X)
#undef X
    graphblas->numbers = torc_version_numbers(graphblas->version);
    graphblas->all_indices = torc_binding_handle(graphblas, "GrB_ALL");
    graphblas->is_known = is_complete && has_all(graphblas);
    return true;
}

static torc_binding table; /* nobody reads what is replaced: its library is finalised, or gone */
static atomic_bool is_bound;

static bool is_served(const torc_library *library)
{
    return atomic_load_explicit(&is_bound, memory_order_acquire) && table.library.handle == library->handle &&
           table.library.base == library->base;
}

static bool serves_another(const torc_library *library)
{
    return atomic_load_explicit(&is_bound, memory_order_acquire) && !is_served(library) &&
           torc_library_is_loaded(&table.library);
}

/* Threads that come at once each look, and the first one's answer stays. */
static void serve(const torc_library *library)
{
    torc_binding found = {.library = *library};
    if (!bind(&found)) {
        return;
    }
    bool serves_other = serves_another(library);
    torc_brief_lock();
    if (!is_served(library) && !serves_other) {
        found.serial = table.serial + 1;
        table = found;
        atomic_store_explicit(&is_bound, true, memory_order_release);
    }
    torc_brief_unlock();
}

const torc_binding *torc_binding_of(const void *caller)
{
    torc_library library;
    if (!torc_library_find(&library, caller)) {
        return NULL;
    }
    if (!is_served(&library) && !serves_another(&library)) {
        serve(&library);
    }
    return is_served(&library) ? &table : NULL;
}

const torc_binding *torc_binding_get(void)
{
    return atomic_load_explicit(&is_bound, memory_order_acquire) ? &table
           : torc_process_is_ours()                              ? torc_binding_of(NULL)
                                                                 : NULL;
}

bool torc_binding_is_for(const void *caller)
{
    if (!torc_process_is_ours()) {
        return true;
    }
    torc_open_faults();
    if (torc_library_epoch() > 0) {
        return true;
    }
    torc_binding_of(caller); /* the first that is called is served */
    torc_library library;
    return torc_library_find(&library, caller) && !serves_another(&library);
}

void torc_binding_start(const void *caller)
{
    torc_library_start(caller);
    if (atomic_load(&is_bound) && !torc_library_is_loaded(&table.library)) {
        atomic_store(&is_bound, false);
    }
}

bool torc_binding_end(const void *caller)
{
    torc_library library;
    bool is_found = torc_library_find(&library, caller), serves_other = is_found && serves_another(&library);
    if (is_found) {
        torc_library_end(&library);
    }
    if (!serves_other) {
        atomic_store(&is_bound, false);
    }
    return !serves_other;
}

void *torc_binding_handle(const torc_binding *graphblas, const char *name)
{
    void *const *handle = dlsym(graphblas->library.handle, name);
    return handle ? *handle : NULL;
}

GrB_Info torc_binding_get_option(const torc_binding *graphblas, GrB_Matrix A, int option, int32_t *value)
{
    return graphblas->get_int32 ? graphblas->get_int32(A, value, option)
                                : graphblas->option_get_int32(A, option, value);
}

GrB_Info torc_binding_set_option(const torc_binding *graphblas, GrB_Matrix A, int option, int32_t value)
{
    return graphblas->set_int32 ? graphblas->set_int32(A, value, option)
                                : graphblas->option_set_int32(A, option, value);
}

static _Thread_local bool is_asking;

bool torc_binding_is_asking(void)
{
    return is_asking;
}

GrB_Info torc_binding_get_switch(const torc_binding *graphblas, GrB_Matrix A, int option, double *value)
{
    is_asking = true;
    GrB_Info info = graphblas->option_get_fp64(A, option, value);
    is_asking = false;
    return info;
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

int torc_binding_threads_served(void)
{
    return atomic_load_explicit(&is_bound, memory_order_acquire) ? torc_binding_threads(&table, NULL) : 0;
}
