/* cudaTypedefs.h: of the CUDA driver's functions, what cuda_device.h names; nobody calls it here. */
#ifndef TORC_EMULATED_CUDA_TYPEDEFS_H
#define TORC_EMULATED_CUDA_TYPEDEFS_H

typedef int (*PFN_cuPointerGetAttribute_v4000)(void);

#endif
