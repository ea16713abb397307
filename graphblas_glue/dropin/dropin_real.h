/* dropin_real.h: the function of GraphBLAS behind one of the drop-in's. */
#ifndef TORC_DROPIN_REAL_H
#define TORC_DROPIN_REAL_H

#include "binding.h"
#include "library.h"
#include "residency.h"
#include "view.h"
#include <stdatomic.h>
#include <string.h>

/* Who called the function that this is in. */
#define TORC_CALLER __builtin_return_address(0)

/* What was found while one library alone was started (library.h). */
typedef struct torc_found {
    void *_Atomic real;
    atomic_uint epoch;
} torc_found;

/* NULL where the caller meets no GraphBLAS. */
static inline void *torc_dropin_real(torc_found *found, const void *caller, const char *name)
{
    unsigned now = torc_library_epoch();
    if (now > 0 && atomic_load_explicit(&found->epoch, memory_order_acquire) == now) {
        return atomic_load_explicit(&found->real, memory_order_relaxed);
    }
    void *real = torc_library_symbol(caller, name);
    if (now > 0) {
        atomic_store_explicit(&found->real, real, memory_order_relaxed);
        atomic_store_explicit(&found->epoch, now, memory_order_release);
    }
    return real;
}

/* info = function (arguments). ISO C knows no cast from an object pointer to a function pointer. */
#define TORC_CALL_REAL(info, function, ...)                                                                  \
    do {                                                                                                     \
        static torc_found found;                                                                             \
        __typeof__(&function) real;                                                                          \
        void *address = torc_dropin_real(&found, TORC_CALLER, #function);                                    \
        memcpy(&real, &address, sizeof real);                                                                \
        info = real ? real(__VA_ARGS__) : GrB_PANIC;                                                         \
    } while (0)

/* return function (arguments). */
#define TORC_RETURN_REAL(function, ...)                                                                      \
    do {                                                                                                     \
        GrB_Info info_of_real;                                                                               \
        TORC_CALL_REAL(info_of_real, function, __VA_ARGS__);                                                 \
        info_of_real = torc_view_answer(info_of_real);                                                       \
        return torc_residency_has_lost() ? GrB_PANIC : info_of_real;                                         \
    } while (0)

#endif
