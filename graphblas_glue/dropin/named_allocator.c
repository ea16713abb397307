#include "named_allocator.h"
#include "dropin_real.h"
#include <stdlib.h>
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

/* Of GraphBLAS 9 and later, and of 8; neither is in the header that this is compiled with. Both write a
 * pointer to a function. */
enum { PANIC = -101, SUCCESS = 0 };

TORC_API int torc_global_get(void *global, void *value, int field) __asm__("GrB_Global_get_VOID");
int torc_global_get(void *global, void *value, int field)
{
    static torc_found found;
    int (*real)(void *, void *, int);
    void *address = torc_dropin_real(&found, TORC_CALLER, "GrB_Global_get_VOID");
    memcpy(&real, &address, sizeof real);
    int status = real ? real(global, value, field) : PANIC;
    if (status == SUCCESS && value) {
        tell(value);
    }
    return status;
}

TORC_API int torc_option_get(int field, void **value) __asm__("GxB_Global_Option_get_FUNCTION");
int torc_option_get(int field, void **value)
{
    static torc_found found;
    int (*real)(int, void **);
    void *address = torc_dropin_real(&found, TORC_CALLER, "GxB_Global_Option_get_FUNCTION");
    memcpy(&real, &address, sizeof real);
    int status = real ? real(field, value) : PANIC;
    if (status == SUCCESS && value) {
        tell(value);
    }
    return status;
}
