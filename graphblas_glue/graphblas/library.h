/* library.h: which GraphBLAS library a caller meets. There may be several in a process, each in a plugin's
 * own scope (RTLD_LOCAL), as Python extensions bring theirs, and they come and go with dlopen and dlclose.
 *
 * It is the one that the loader would have given the caller without torc. That is the one in the scope of the
 * whole process; or else among the objects that the caller's was linked to; or else, if it was linked to
 * none, the last that was loaded. A library is an object that itself defines both GrB_mxm and GrB_getVersion,
 * under whatever file name or soname. torc's drop-in and other wrappers of GrB_mxm do not define the second.
 *
 * torc loads no library that the program has not loaded, and keeps none loaded.
 */
#ifndef TORC_LIBRARY_H
#define TORC_LIBRARY_H

#include <stdint.h>
#include <torc/graphblas.h>

typedef struct torc_library {
    void *handle;   /* of the loader, without a reference: good for as long as the library is loaded */
    uintptr_t base; /* where it lies */
} torc_library;

/* caller: an address in the caller's code; NULL: a caller that was linked to none. false: there is no
 * library. Fast if only one library has been started, or if this thread has asked before and nothing was
 * loaded or unloaded since. Any thread. */
bool torc_library_find(torc_library *library, const void *caller);

/* start: the library that the caller meets has been initialised. end: the library is about to be finalised.
 * epoch: while a single library is started, a number of that time, different each time; otherwise 0, as in a
 * process whose libraries do not all tell of start and end. */
void torc_library_start(const void *caller);
void torc_library_end(const torc_library *library);
unsigned torc_library_epoch(void);

bool torc_library_is_loaded(const torc_library *library);

/* The library's file, as the loader names it. */
const char *torc_library_path(const torc_library *library);

/* An exported symbol of the library that the caller meets; NULL where there is none. */
void *torc_library_symbol(const void *caller, const char *name);

#endif
