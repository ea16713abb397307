/* dropin_free.c: free, realloc, reallocarray and malloc_usable_size of the whole process. Programs free with
 * libc's free what GraphBLAS hands out, so pointers of the arena go back there; all others go to the next
 * definition of the name: libc's, or that of an allocator preloaded behind torc. That is a comparison and an
 * indirect jump.
 *
 * The loader calls these functions before any constructor has run, a sanitizer's included: hence no
 * sanitizing, and pointers that begin at functions which find the next definition first. What else of libc
 * takes a block, as getline does, comes here through its own call of realloc.
 */
#include "dropin_free.h"
#include "arena.h"

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
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

/* As a constructor, so that it happens while there is one thread; the loader may come before that. */
TORC_UNSANITIZED __attribute__((constructor)) static void find_next(void)
{
    /* Not by __tls_get_addr, which sanitizers intercept. */
    static _Thread_local __attribute__((tls_model("initial-exec"))) bool is_looking;
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
        atomic_load_explicit(&next_free, memory_order_relaxed)(memory);
    }
}

TORC_UNSANITIZED TORC_API void *realloc(void *memory, size_t size)
{
    return torc_arena_owns(memory) ? torc_realloc(memory, size)
                                   : atomic_load_explicit(&next_realloc, memory_order_relaxed)(memory, size);
}

/* Sanitizers, and some allocators, have one that does not call realloc. */
TORC_UNSANITIZED TORC_API void *reallocarray(void *memory, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    return realloc(memory, bytes);
}

TORC_UNSANITIZED TORC_API size_t malloc_usable_size(void *memory)
{
    size_t size;
    if (torc_arena_owns(memory)) {
        return torc_arena_block(memory, NULL, &size) ? size : 0;
    }
    return atomic_load_explicit(&next_usable_size, memory_order_relaxed)(memory);
}

/* ---- Is it the process's free? ------------------------------------------------------------------------ */

static free_function real_free;
static atomic_bool has_come;

static void watched_free(void *memory)
{
    atomic_store(&has_come, true);
    real_free(memory);
}

bool torc_dropin_free_is_global(void)
{
    /* Whatever the whole process finds under that name, and the compiler knows nothing of. */
    void (*volatile called)(void *) = free;
    find_next();
    real_free = atomic_load(&next_free);
    atomic_store(&next_free, watched_free);
    called(NULL);
    atomic_store(&next_free, real_free);
    return atomic_load(&has_come);
}
