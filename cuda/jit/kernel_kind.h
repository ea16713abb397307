/* kernel_kind.h: a kind of kernels: of products, element-wise operations, reductions. A kernel is a
 * description, a struct of values, from which its kind makes the text to compile; so a kind says all that
 * loading a kernel has to know. */
#ifndef TORC_KERNEL_KIND_H
#define TORC_KERNEL_KIND_H

#include "kernel_source.h"
#include <cuda_runtime_api.h>

typedef struct torc_kernel_kind {
    torc_status (*source)(char source[TORC_SOURCE_SIZE], const void *description);
    const char *main, *combine; /* the entry points; combine is NULL where there is none */
    size_t description_size;    /* at most TORC_DESCRIPTION_SIZE */
    size_t definition_at; /* where in it is the pointer to what is user-defined: its bytes alone tell no more
                             than that there is something */
    /* Set what the main entry point needs of the device, once it is loaded; NULL: nothing. */
    torc_status (*prepare)(torc_device *device, cudaKernel_t main, const void *description);
} torc_kernel_kind;

enum { TORC_DESCRIPTION_SIZE = 256, TORC_KNOWN_KERNELS = 128 };

/* The entry points of a loaded kernel. */
typedef struct torc_loaded_kernel torc_loaded_kernel;
struct torc_loaded_kernel {
    cudaKernel_t main, combine;
    cudaLibrary_t library;
    char *source;
    torc_loaded_kernel *next;
};

/* A description and its kernel, so that no text is made of a description that came before. */
typedef struct torc_known_kernel {
    const torc_loaded_kernel *loaded; /* NULL: a free place */
    const torc_kernel_kind *kind;
    unsigned char description[TORC_DESCRIPTION_SIZE];
} torc_known_kernel;

/* The kind's kernel of that description: known, loaded, on disk, or compiled. */
torc_status torc_kernel_load(const torc_loaded_kernel **loaded, torc_device *device,
    const torc_kernel_kind *kind, const void *description);

void torc_kernels_unload(torc_device *device);

extern const torc_kernel_kind torc_spmm_kind; /* spmm_launch.c */

#endif
