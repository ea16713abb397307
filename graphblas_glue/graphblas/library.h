/* library.h: which GraphBLAS library a caller meets. There may be several in a process, each in a plugin's
 * own scope (RTLD_LOCAL), as Python extensions bring theirs, and they come and go with dlopen and dlclose.
 *
 * It is the one that the loader would have given the caller, were torc not in between: of the whole process's
 * scope; else of the caller's object and what that was linked to; else, where the caller was linked to none,
 * the last that was loaded. A library is an object that itself defines both GrB_mxm and GrB_getVersion, under
 * whatever file name or soname. torc's drop-in and other wrappers of GrB_mxm do not define the second.
 *
 * Nothing is ever loaded that the program has not loaded itself, nor kept loaded.
 */
#ifndef TORC_LIBRARY_H
#define TORC_LIBRARY_H

#include <stdint.h>
#include <torc/graphblas.h>

typedef struct torc_library {
    void *handle;   /* of the loader, without a reference: good for as long as the library is loaded */
    uintptr_t base; /* where it lies */
} torc_library;

/* caller: an address of its code, or NULL: linked to none. False where there is no library. Fast where one
 * library alone has been started, or where it was asked before by this thread, and nothing was loaded or
 * unloaded since. Any thread. */
bool torc_library_find(torc_library *library, const void *caller);

/* The library that the caller meets has been initialised; it is about to be finalised. Only a process whose
 * libraries all tell so has an epoch: its number while one alone is started, another one each time; else 0.
 */
void torc_library_start(const void *caller);
void torc_library_end(const torc_library *library);
unsigned torc_library_epoch(void);

bool torc_library_is_loaded(const torc_library *library);

/* Its file, as the loader has it. */
const char *torc_library_path(const torc_library *library);

/* An exported symbol of the library that the caller meets; NULL where there is none. */
void *torc_library_symbol(const void *caller, const char *name);

#endif
