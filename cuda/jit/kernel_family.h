/* kernel_family.h: a family of kernels. A kernel is a description, a struct of values, from which its family
 * makes the text to compile; so a family says all that loading a kernel has to know. */
#ifndef TORC_KERNEL_FAMILY_H
#define TORC_KERNEL_FAMILY_H

#include "kernel_source.h"
#include <cuda_runtime_api.h>

typedef struct torc_kernel_family {
    torc_status (*source)(char source[TORC_SOURCE_SIZE], const void *description);
    const char *main, *combine; /* the entry points; combine is NULL where there is none */
    size_t description_size;    /* at most TORC_DESCRIPTION_SIZE */
    size_t definition_at; /* where in it is the pointer to what is user-defined: its bytes alone tell no more
                             than that there is something */
    /* Set what the main entry point needs of the device, once it is loaded; NULL: nothing. */
    torc_status (*prepare)(torc_device *device, cudaKernel_t main, const void *description);
} torc_kernel_family;

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
    const torc_kernel_family *family;
    unsigned char description[TORC_DESCRIPTION_SIZE];
} torc_known_kernel;

/* The family's kernel of that description: known, loaded, on disk, or compiled. */
torc_status torc_kernel_load(const torc_loaded_kernel **loaded, torc_device *device,
    const torc_kernel_family *family, const void *description);

void torc_kernels_unload(torc_device *device);

extern const torc_kernel_family torc_spmm_family; /* spmm_launch.c */

#endif
