/* library.h: which GraphBLAS library this process has loaded.
 *
 * It is the first of the loaded objects, in the loader's order, that itself defines both GrB_mxm and
 * GrB_getVersion: under whatever file name or soname, and also when it came in with RTLD_LOCAL, as Python
 * extensions do. torc's drop-in and other wrappers of GrB_mxm do not define the second. A library found once
 * is kept loaded. Nothing is ever loaded that the program has not loaded itself.
 */
#ifndef TORC_LIBRARY_H
#define TORC_LIBRARY_H

#include <torc/graphblas.h>

/* Loader's handle of the library, and its file; NULL and "" where there is none. path may be NULL. */
void *torc_library_find(char *path, size_t path_size);

/* An exported symbol of that library, for the drop-in; NULL where there is none. */
void *torc_library_symbol(const char *name);

#endif
