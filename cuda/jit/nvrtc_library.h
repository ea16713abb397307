/* nvrtc_library.h: NVRTC, CUDA's run-time compiler, as a table of functions.
 *
 * Only machines with the CUDA toolkit have libnvrtc. torc does not link to it, so that the same library loads
 * everywhere, and looks for it when a device is opened: in the folder of the toolkit that torc was built
 * with, whose version installed kernels are compiled by; then on the loader's path under its soname, then
 * under any.
 */
#ifndef TORC_NVRTC_LIBRARY_H
#define TORC_NVRTC_LIBRARY_H

#include <nvrtc.h>

/* X(field, symbol) */
#define TORC_NVRTC_MAP(X)                                                                                    \
    X(version, nvrtcVersion)                                                                                 \
    X(error_string, nvrtcGetErrorString)                                                                     \
    X(create, nvrtcCreateProgram)                                                                            \
    X(compile, nvrtcCompileProgram)                                                                          \
    X(log_size, nvrtcGetProgramLogSize)                                                                      \
    X(log, nvrtcGetProgramLog)                                                                               \
    X(cubin_size, nvrtcGetCUBINSize)                                                                         \
    X(cubin, nvrtcGetCUBIN)                                                                                  \
    X(destroy, nvrtcDestroyProgram)

typedef struct torc_nvrtc {
#define X(field, symbol) __typeof__(symbol) *field;
    TORC_NVRTC_MAP(X)
#undef X
} torc_nvrtc;

/* The same table for all threads; NULL where there is no libnvrtc. The library stays loaded. */
const torc_nvrtc *torc_nvrtc_get(void);

#endif
