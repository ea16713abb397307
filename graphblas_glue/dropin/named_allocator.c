#include "named_allocator.h"
#include "dropin_real.h"
#include <torc/graphblas.h>

static torc_malloc_family named; /* written while GraphBLAS is started; programs ask afterwards */

void torc_dropin_name_allocator(const torc_malloc_family *family)
{
    named = *family;
}

/* Changes *function, if it is one of torc's. ISO C knows no cast from an object pointer to a function
 * pointer. */
#define TELL(function, mine, programs)                                                                       \
    do {                                                                                                     \
        __typeof__(programs) replaced = (mine), told = (programs);                                           \
        if (told && memcmp(function, &replaced, sizeof replaced) == 0) {                                     \
            memcpy(function, &told, sizeof told);                                                            \
            return;                                                                                          \
        }                                                                                                    \
    } while (0)

static void tell(void *function)
{
    TELL(function, torc_malloc, named.allocate);
    TELL(function, torc_calloc, named.allocate_zeroed);
    TELL(function, torc_realloc, named.reallocate);
    TELL(function, torc_free, named.release);
}

/* Both write a pointer to a function. Of GraphBLAS 9 and later, and of 8: neither is in the header that this
 * is compiled with. */
#define ASK(function, parameters, value, ...)                                                                \
    TORC_API int torc_##function parameters __asm__(#function);                                              \
    int torc_##function parameters                                                                           \
    {                                                                                                        \
        int status;                                                                                          \
        static torc_found found;                                                                             \
        int(*real) parameters;                                                                               \
        void *address = torc_dropin_real(&found, TORC_CALLER, #function);                                    \
        memcpy(&real, &address, sizeof real);                                                                \
        status = real ? real(__VA_ARGS__) : GrB_PANIC;                                                       \
        if (status == GrB_SUCCESS && (value)) {                                                              \
            tell(value);                                                                                     \
        }                                                                                                    \
        return status;                                                                                       \
    }

ASK(GrB_Global_get_VOID, (void *global, void *value, int field), value, global, value, field)
ASK(GxB_Global_Option_get_FUNCTION, (int field, void **value), value, field, value)
