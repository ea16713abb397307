/* nccl_library.h: NCCL as a table of functions.
 *
 * Few machines have libnccl. torc does not link to it, so that the same library loads everywhere, and looks
 * for it when an exchange is first thought of: in the folder that torc was built with, then on the loader's
 * path.
 */
#ifndef TORC_NCCL_LIBRARY_H
#define TORC_NCCL_LIBRARY_H

#include <nccl.h>

/* X(field, symbol): in NCCL since 2.14. */
#define TORC_NCCL_MAP(X)                                                                                     \
    X(version, ncclGetVersion)                                                                               \
    X(error_string, ncclGetErrorString)                                                                      \
    X(last_error, ncclGetLastError)                                                                          \
    X(unique_id, ncclGetUniqueId)                                                                            \
    X(open, ncclCommInitRankConfig)                                                                          \
    X(async_error, ncclCommGetAsyncError)                                                                    \
    X(destroy, ncclCommDestroy)                                                                              \
    X(abort, ncclCommAbort)                                                                                  \
    X(group_start, ncclGroupStart)                                                                           \
    X(group_end, ncclGroupEnd)                                                                               \
    X(send, ncclSend)                                                                                        \
    X(receive, ncclRecv)

typedef struct torc_nccl {
#define X(field, symbol) __typeof__(symbol) *field;
    TORC_NCCL_MAP(X)
#undef X
} torc_nccl;

/* The same table for all threads; NULL where there is no libnccl. The library stays loaded. */
const torc_nccl *torc_nccl_get(void);

#endif
