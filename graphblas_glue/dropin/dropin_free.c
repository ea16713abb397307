/* dropin_free.c: free, realloc, reallocarray and malloc_usable_size of the whole process. Programs call
 * libc's free for arrays that GraphBLAS hands out. So blocks of the arena go back to it here. All other
 * pointers go to the next definition of the name: libc's, or that of an allocator preloaded behind torc. For
 * them the detour is a comparison, a load and an indirect jump; where such memory was packed into a matrix
 * that the device has a copy of, a search in a small table too.
 *
 * The loader calls these functions before any constructor has run, even a sanitizer's. Hence they are not
 * sanitized, and their pointers begin at functions that first find the next definition. Other functions of
 * libc that take a block, such as getline, come here through their own call of realloc.
 */
#include "dropin_free.h"
#include "arena.h"
#include "seal.h"

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <torc/graphblas.h>

typedef void (*free_function)(void *);
typedef void *(*realloc_function)(void *, size_t);
typedef size_t (*usable_size_function)(void *);

static void first_free(void *memory);
static void *first_realloc(void *memory, size_t size);
static size_t first_usable_size(void *memory);

static _Atomic(free_function) next_free = first_free;
static _Atomic(realloc_function) next_realloc = first_realloc;
static _Atomic(usable_size_function) next_usable_size = first_usable_size;

/* ISO C knows no cast from an object pointer to a function pointer. */
#define FIND(next, type, name)                                                                               \
    do {                                                                                                     \
        void *address = dlsym(RTLD_NEXT, name);                                                              \
        type function;                                                                                       \
        memcpy(&function, &address, sizeof address);                                                         \
        if (function) {                                                                                      \
            atomic_store_explicit(&next, function, memory_order_relaxed);                                    \
        }                                                                                                    \
    } while (0)

/* A constructor, so that it runs while there is one thread. The loader may call these functions before. */
TORC_UNSANITIZED __attribute__((constructor)) static void find_next(void)
{
    static _Thread_local bool is_looking;
    if (!is_looking) {
        is_looking = true;
        FIND(next_free, free_function, "free");
        FIND(next_realloc, realloc_function, "realloc");
        FIND(next_usable_size, usable_size_function, "malloc_usable_size");
        is_looking = false;
    }
}

/* dlsym itself frees the text of an error that came before: that one is lost. */
TORC_UNSANITIZED static void first_free(void *memory)
{
    find_next();
    free_function found = atomic_load_explicit(&next_free, memory_order_relaxed);
    if (found != first_free) {
        found(memory);
    }
}

TORC_UNSANITIZED static void *first_realloc(void *memory, size_t size)
{
    find_next();
    realloc_function found = atomic_load_explicit(&next_realloc, memory_order_relaxed);
    return found != first_realloc ? found(memory, size) : NULL;
}

TORC_UNSANITIZED static size_t first_usable_size(void *memory)
{
    find_next();
    usable_size_function found = atomic_load_explicit(&next_usable_size, memory_order_relaxed);
    return found != first_usable_size ? found(memory) : 0;
}

TORC_UNSANITIZED TORC_API void free(void *memory)
{
    if (torc_arena_owns(memory)) {
        torc_free(memory);
    } else {
        torc_seal_freed(memory);
        atomic_load_explicit(&next_free, memory_order_relaxed)(memory);
    }
}

TORC_UNSANITIZED static void *reallocate(void *memory, size_t size)
{
    if (torc_arena_owns(memory)) {
        return torc_realloc(memory, size);
    }
    torc_seal_freed(memory);
    return atomic_load_explicit(&next_realloc, memory_order_relaxed)(memory, size);
}

TORC_UNSANITIZED TORC_API void *realloc(void *memory, size_t size)
{
    return reallocate(memory, size);
}

/* Sanitizers, and some allocators, have one that does not call realloc. */
TORC_UNSANITIZED TORC_API void *reallocarray(void *memory, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    return reallocate(memory, bytes);
}

TORC_UNSANITIZED TORC_API size_t malloc_usable_size(void *memory)
{
    size_t size;
    if (torc_arena_owns(memory)) {
        return torc_arena_block(memory, NULL, &size) ? size : 0;
    }
    return atomic_load_explicit(&next_usable_size, memory_order_relaxed)(memory);
}

/* ---- Are they the process's? -------------------------------------------------------------------------- */

static pthread_mutex_t probing = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(void *) probe; /* a small block of libc's, which no other thread has */
static atomic_bool has_come;
static free_function real_free;
static realloc_function real_realloc;
static usable_size_function real_usable_size;

static void watched_free(void *memory)
{
    has_come = has_come || memory == probe;
    real_free(memory);
}

static void *watched_realloc(void *memory, size_t size)
{
    has_come = has_come || memory == probe;
    return real_realloc(memory, size);
}

static size_t watched_usable_size(void *memory)
{
    has_come = has_come || memory == probe;
    return real_usable_size(memory);
}

static bool came(void)
{
    return atomic_exchange(&has_come, false);
}

/* Each is called as the whole process finds it under that name, and as the compiler knows nothing of. */
static const char *find_foreign(void)
{
    void (*volatile call_free)(void *) = free;
    void *(*volatile call_realloc)(void *, size_t) = realloc;
    void *(*volatile call_reallocarray)(void *, size_t, size_t) = reallocarray;
    size_t (*volatile call_usable_size)(void *) = malloc_usable_size;
    const char *foreign = NULL;
    void *block = malloc(1);
    probe = block;
    call_usable_size(block);
    foreign = came() ? foreign : "malloc_usable_size";
    probe = block = call_realloc(block, 2);
    foreign = came() ? foreign : "realloc";
    probe = block = call_reallocarray(block, 1, 3);
    foreign = came() ? foreign : "reallocarray";
    call_free(block);
    return came() ? foreign : "free";
}

/* From here on, calls that reach libc's free, realloc or malloc_usable_size through ours are noticed. */
static void begin_to_watch(void)
{
    find_next();
    pthread_mutex_lock(&probing);
    real_free = atomic_load(&next_free);
    real_realloc = atomic_load(&next_realloc);
    real_usable_size = atomic_load(&next_usable_size);
    atomic_store(&next_free, watched_free);
    atomic_store(&next_realloc, watched_realloc);
    atomic_store(&next_usable_size, watched_usable_size);
}

static void end_watching(void)
{
    atomic_store(&next_free, real_free);
    atomic_store(&next_realloc, real_realloc);
    atomic_store(&next_usable_size, real_usable_size);
    pthread_mutex_unlock(&probing);
}

const char *torc_dropin_foreign_function(void)
{
    begin_to_watch();
    const char *foreign = find_foreign();
    end_watching();
    return foreign;
}

bool torc_dropin_ends_family(const torc_malloc_family *family)
{
    begin_to_watch();
    void *block = family->allocate(24);
    probe = block;
    probe = block = family->reallocate(block, 48);
    bool ends = came();
    family->release(block);
    ends = came() && ends;
    probe = block = family->allocate_zeroed(3, 8);
    family->release(block);
    ends = came() && ends;
    end_watching();
    return ends;
}
