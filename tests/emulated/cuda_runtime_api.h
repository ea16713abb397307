/* cuda_runtime_api.h: of the CUDA runtime's, what the launch code and cuda_device.h name. */
#ifndef TORC_EMULATED_CUDA_RUNTIME_API_H
#define TORC_EMULATED_CUDA_RUNTIME_API_H

#include <stddef.h>

typedef enum cudaError { cudaSuccess, cudaErrorMemoryAllocation = 2 } cudaError_t;
typedef struct CUstream *cudaStream_t;
typedef struct CUevent *cudaEvent_t;
typedef struct CUlibrary *cudaLibrary_t;
typedef struct CUkernel *cudaKernel_t;
typedef struct CUmemPoolHandle *cudaMemPool_t;

typedef struct dim3 {
    unsigned x, y, z;
} dim3;

typedef struct cudaLaunchAttribute {
    enum { cudaLaunchAttributeProgrammaticStreamSerialization } id;
    struct {
        int programmaticStreamSerializationAllowed;
    } val;
} cudaLaunchAttribute;

typedef struct cudaLaunchConfig {
    dim3 gridDim, blockDim;
    size_t dynamicSmemBytes;
    cudaStream_t stream;
    cudaLaunchAttribute *attrs;
    unsigned numAttrs;
} cudaLaunchConfig_t;

enum cudaDeviceAttr { cudaDevAttrMaxSharedMemoryPerMultiprocessor };
enum cudaFuncAttribute {
    cudaFuncAttributePreferredSharedMemoryCarveout,
    cudaFuncAttributeMaxDynamicSharedMemorySize
};

cudaError_t cudaSetDevice(int device);
cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device);
cudaError_t cudaKernelSetAttributeForDevice(
    cudaKernel_t kernel, enum cudaFuncAttribute attribute, int value, int device);
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *kernel, void **parameters);

#endif
