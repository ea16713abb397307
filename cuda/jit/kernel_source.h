/* kernel_source.h: the C++ text of one SpMM kernel: the composition of templates in spmm_kernel.cuh that a
 * torc_spmm_kernel stands for, and its two entry points torc_spmm_main and torc_spmm_combine. User-defined
 * source stands in a namespace of its own, where no name of torc's can be in its way. */
#ifndef TORC_KERNEL_SOURCE_H
#define TORC_KERNEL_SOURCE_H

#include "backend.h"

#define TORC_SPMM_MAIN "torc_spmm_main"
#define TORC_SPMM_COMBINE "torc_spmm_combine"

enum { TORC_SOURCE_SIZE = 16384 };

/* TORC_UNSUPPORTED: a value is out of its range, or user-defined operators have no source, or too long a one.
 */
torc_status torc_kernel_source(char source[TORC_SOURCE_SIZE], const torc_spmm_kernel *kernel);

#endif
