/* numpy_allocator.h: recognises the functions that python-graphblas starts GraphBLAS with: PyDataMem_NEW and
 * its kin of numpy 1 and 2. They call libc's, and tell tracemalloc of each block; tracemalloc ignores blocks
 * that it was not told of. So numpy's functions, libc's and torc's take each other's blocks: numpy frees an
 * array that came out of GraphBLAS with libc's free, and GraphBLAS frees a numpy array that went in.
 *
 * Other allocators may count their blocks, and are not replaced. */
#ifndef TORC_NUMPY_ALLOCATOR_H
#define TORC_NUMPY_ALLOCATOR_H

#include "arena.h"

bool torc_dropin_is_numpy(const torc_malloc_family *family);

#endif
