/* sides.c: see sides.h. */
#include "sides.h"
#include "require.h"
#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

/* The library that answers a question which the drop-in leaves alone. */
static void *open_graphblas(void)
{
    Dl_info found;
    TORC_REQUIRE(dladdr(dlsym(RTLD_DEFAULT, "GrB_getVersion"), &found));
    return dlopen(found.dli_fname, RTLD_NOW | RTLD_NOLOAD);
}

/* ISO C knows no cast from an object pointer to a function pointer. */
static void find(void *function, void *library, const char *name)
{
    void *address = dlsym(library, name);
    memcpy(function, &address, sizeof address);
}

static void find_real(void *function, void *library, const char *name)
{
    TORC_REQUIRE(dlsym(library, name));
    find(function, library, name);
}

static void find_all(side *sides)
{
    void *library = open_graphblas();
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
#define X(name, parameters)                                                                                  \
    find(&sides[SUBJECT].name, RTLD_DEFAULT, #name);                                                         \
    find(&sides[MODEL].name, library, #name);
    LATER_FUNCTIONS(X)
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
