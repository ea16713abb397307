/* loaded_library.h: a library that is looked for at run time, and its functions. */
#ifndef TORC_LOADED_LIBRARY_H
#define TORC_LOADED_LIBRARY_H

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* *function = the symbol's address; false: the library has none. ISO C knows no cast from an object pointer
 * to a function pointer. */
static inline bool torc_look_up(void *function, void *handle, const char *symbol)
{
    void *address = dlsym(handle, symbol);
    memcpy(function, &address, sizeof address);
    return address;
}

/* Load the first library of these names in which all is found. It stays loaded. */
static inline bool torc_load_library(const char *const *names, size_t count, bool (*bind)(void *handle))
{
    bool is_found = false;
    for (size_t i = 0; !is_found && i < count; i++) {
        void *handle = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
        is_found = handle && bind(handle);
        if (handle && !is_found) {
            dlclose(handle);
        }
    }
    return is_found;
}

#endif
