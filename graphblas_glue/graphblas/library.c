/* library.c: see library.h. The names of the loaded objects are collected first and looked into afterwards,
 * because dl_iterate_phdr holds a lock that dlopen takes in another order. */
#include "library.h"
#include "brief_lock.h"

#include <dlfcn.h>
#include <link.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { REMEMBERED = 8, MOST_STARTED = 16 };

static torc_library started[MOST_STARTED]; /* under the brief lock; base 0: none */
static _Atomic(const torc_library *) only; /* of them; NULL: there are none, or several */
static atomic_uint epoch;

static struct link_map *object_of(const void *address)
{
    Dl_info info;
    struct link_map *object;
    return address && dladdr1(address, &info, (void **)&object, RTLD_DL_LINKMAP) ? object : NULL;
}

/* NULL for the program itself, which has no name. The reference must be given back. */
static void *open_loaded(const char *name)
{
    return name[0] ? dlopen(name, RTLD_LAZY | RTLD_NOLOAD) : NULL;
}

/* A handle's symbol may come from the object's dependencies: this asks for the object itself. */
static bool is_library(void *handle, const struct link_map *object)
{
    return object_of(dlsym(handle, "GrB_mxm")) == object &&
           object_of(dlsym(handle, "GrB_getVersion")) == object;
}

static bool take(torc_library *library, const struct link_map *object)
{
    void *handle = object ? open_loaded(object->l_name) : NULL;
    bool is_taken = handle && is_library(handle, object);
    if (is_taken) {
        *library = (torc_library){handle, (uintptr_t)object->l_addr};
    }
    if (handle) {
        dlclose(handle);
    }
    return is_taken;
}

/* Take the first library that a search from this object on, through the objects it was linked to, finds. */
static bool find_from(torc_library *library, void *handle)
{
    return handle && take(library, object_of(dlsym(handle, "GrB_getVersion")));
}

static bool find_in_process(torc_library *library)
{
    void *handle = dlopen(NULL, RTLD_LAZY);
    bool is_found = find_from(library, handle);
    dlclose(handle);
    return is_found;
}

static bool find_in_scope(torc_library *library, const void *caller)
{
    const struct link_map *object = object_of(caller);
    void *handle = object ? open_loaded(object->l_name) : NULL;
    bool is_found = find_from(library, handle);
    if (handle) {
        dlclose(handle);
    }
    return is_found;
}

/* ---- Any that is loaded ------------------------------------------------------------------------------- */

typedef struct name_list {
    size_t count, capacity;
    char **names;
} name_list;

static int append_name(struct dl_phdr_info *object, size_t size, void *data)
{
    (void)size;
    name_list *list = data;
    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? 2 * list->capacity : 64;
        char **names = realloc(list->names, capacity * sizeof *names);
        if (!names) {
            return 1;
        }
        list->names = names;
        list->capacity = capacity;
    }
    char *name = strdup(object->dlpi_name);
    if (!name) {
        return 1;
    }
    list->names[list->count++] = name;
    return 0;
}

static bool find_last(torc_library *library)
{
    name_list list = {0, 0, NULL};
    dl_iterate_phdr(append_name, &list);
    bool is_found = false;
    while (list.count > 0) {
        char *name = list.names[--list.count];
        void *handle = is_found ? NULL : open_loaded(name);
        struct link_map *object;
        is_found =
            is_found || (handle && dlinfo(handle, RTLD_DI_LINKMAP, &object) == 0 && take(library, object));
        if (handle) {
            dlclose(handle);
        }
        free(name);
    }
    free(list.names);
    return is_found;
}

/* ---- Who asks ----------------------------------------------------------------------------------------- */

/* How many objects were ever loaded, and how many unloaded. */
typedef struct generation {
    unsigned long long loads, unloads;
} generation;

static int read_generation(struct dl_phdr_info *object, size_t size, void *now)
{
    (void)size;
    *(generation *)now = (generation){object->dlpi_adds, object->dlpi_subs};
    return 1;
}

typedef struct answer {
    const void *caller;
    generation when;
    torc_library library;
} answer;

/* An address of a call, mostly: those of a loop lie apart. */
static answer *place_of(const void *caller)
{
    static _Thread_local answer answers[REMEMBERED];
    return &answers[((uintptr_t)caller * 0x9e3779b97f4a7c15u) >> 61];
}

static bool search(torc_library *library, const void *caller)
{
    generation now = {0, 0};
    dl_iterate_phdr(read_generation, &now);
    answer *known = place_of(caller);
    if (known->caller != caller || known->when.loads != now.loads || known->when.unloads != now.unloads) {
        torc_library found;
        if (!find_in_process(&found) && !find_in_scope(&found, caller) && !find_last(&found)) {
            return false;
        }
        *known = (answer){caller, now, found};
    }
    *library = known->library;
    return true;
}

bool torc_library_find(torc_library *library, const void *caller)
{
    const torc_library *one = atomic_load_explicit(&only, memory_order_acquire);
    if (one) {
        *library = *one;
        return true;
    }
    return search(library, caller);
}

static int compare_base(struct dl_phdr_info *object, size_t size, void *base)
{
    (void)size;
    return object->dlpi_addr == *(const uintptr_t *)base;
}

bool torc_library_is_loaded(const torc_library *library)
{
    uintptr_t base = library->base;
    return dl_iterate_phdr(compare_base, &base);
}

const char *torc_library_path(const torc_library *library)
{
    struct link_map *object;
    return dlinfo(library->handle, RTLD_DI_LINKMAP, &object) == 0 ? object->l_name : "";
}

/* ---- Those that were started -------------------------------------------------------------------------- */

/* Under the brief lock. */
static void count_started(void)
{
    const torc_library *last = NULL;
    int count = 0;
    for (int i = 0; i < MOST_STARTED; i++) {
        if (started[i].base && !torc_library_is_loaded(&started[i])) {
            started[i].base = 0;
        }
        if (started[i].base) {
            last = &started[i];
            count++;
        }
    }
    atomic_fetch_add(&epoch, 1);
    atomic_store_explicit(&only, count == 1 ? last : NULL, memory_order_release);
}

static torc_library *find_started(uintptr_t base)
{
    for (int i = 0; i < MOST_STARTED; i++) {
        if (started[i].base == base) {
            return &started[i];
        }
    }
    return NULL;
}

void torc_library_start(const void *caller)
{
    torc_library library;
    if (search(&library, caller)) {
        torc_brief_lock();
        torc_library *place = find_started(library.base);
        place = place ? place : find_started(0);
        if (place) {
            *place = library;
        }
        count_started();
        torc_brief_unlock();
    }
}

void torc_library_end(const torc_library *library)
{
    torc_brief_lock();
    torc_library *place = find_started(library->base);
    if (place) {
        place->base = 0;
    }
    count_started();
    torc_brief_unlock();
}

unsigned torc_library_epoch(void)
{
    return atomic_load_explicit(&only, memory_order_acquire) ? atomic_load(&epoch) : 0;
}

void *torc_library_symbol(const void *caller, const char *name)
{
    torc_library library;
    return search(&library, caller) ? dlsym(library.handle, name) : NULL;
}
