/* dropin_real.h: the function of GraphBLAS behind one of the drop-in's. */
#ifndef TORC_DROPIN_REAL_H
#define TORC_DROPIN_REAL_H

#include "library.h"
#include <stdatomic.h>
#include <string.h>

/* `found` remembers it; NULL where there is no GraphBLAS. */
static inline void *torc_dropin_real(void *_Atomic *found, const char *name)
{
    void *real = atomic_load_explicit(found, memory_order_relaxed);
    if (!real) {
        real = torc_library_symbol(name);
        atomic_store_explicit(found, real, memory_order_relaxed);
    }
    return real;
}

/* return function (arguments). ISO C knows no cast from an object pointer to a function pointer. */
#define TORC_RETURN_REAL(function, ...)                                                                      \
    do {                                                                                                     \
        static void *_Atomic found;                                                                          \
        __typeof__(&function) real;                                                                          \
        void *address = torc_dropin_real(&found, #function);                                                 \
        memcpy(&real, &address, sizeof real);                                                                \
        return real ? real(__VA_ARGS__) : GrB_PANIC;                                                         \
    } while (0)

#endif
