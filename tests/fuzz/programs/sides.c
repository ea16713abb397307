/* sides.c: see sides.h. */
#include "sides.h"
#include "require.h"
#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

/* ISO C knows no cast from an object pointer to a function pointer. */
static void find_real(void *function, void *library, const char *name)
{
    void *address = dlsym(library, name);
    TORC_REQUIRE(address);
    memcpy(function, &address, sizeof address);
}

static void find_all(side *sides)
{
    void *library = dlopen(FUZZ_GRAPHBLAS, RTLD_NOW | RTLD_NOLOAD);
    TORC_REQUIRE(library);
    sides[SUBJECT].index = SUBJECT;
    sides[MODEL].index = MODEL;
#define X(field, function)                                                                                   \
    sides[SUBJECT].field = function;                                                                         \
    find_real(&sides[MODEL].field, library, #function);
    TYPED_FUNCTIONS(X)
#undef X
#define X(name)                                                                                              \
    sides[SUBJECT].name = name;                                                                              \
    find_real(&sides[MODEL].name, library, #name);
    PLAIN_FUNCTIONS(X)
#undef X
}

const side *torc_sides(void)
{
    static side sides[SIDES];
    if (!sides[MODEL].GrB_mxm) {
        find_all(sides);
    }
    return sides;
}
