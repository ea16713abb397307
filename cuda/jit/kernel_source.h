/* kernel_source.h: the C++ text of kernels: the composition of templates that a description stands for, and
 * its entry points. User-defined source stands in a namespace of its own, where no name of torc's can be in
 * its way. */
#ifndef TORC_KERNEL_SOURCE_H
#define TORC_KERNEL_SOURCE_H

#include "backend.h"

#define TORC_SPMM_MAIN "torc_spmm_main"
#define TORC_SPMM_COMBINE "torc_spmm_combine"
#define TORC_ELEMENTWISE_MAIN "torc_elementwise_main"
#define TORC_REDUCE_MAIN "torc_reduce_main"

enum { TORC_SOURCE_SIZE = 16384 };

/* The text of a torc_spmm_kernel, a torc_elementwise_kernel, a torc_reduce_kernel.
 *  TORC_UNSUPPORTED: a value is out of its range, or user-defined operators have no source, or too long a
 * one.
 */
torc_status torc_spmm_source(char source[TORC_SOURCE_SIZE], const void *description);
torc_status torc_elementwise_source(char source[TORC_SOURCE_SIZE], const void *description);
torc_status torc_reduce_source(char source[TORC_SOURCE_SIZE], const void *description);

/* How many vectors a thread of an element-wise kernel has. */
int torc_elementwise_vectors(const torc_elementwise_kernel *kernel);

#endif
