/* group.h: several GPUs of one machine as one: the engine's operations over a group of devices.
 *
 *     sparse A     on every device, whole; or, where it fits none, in host memory
 *     dense X      split by columns: each device has some of them, as a row-major panel;
 *                  with fewer than 8 columns a device: on every device, whole
 *     product      by columns, without exchange; of operands that are not split by rows: each device computes
 *                  rows of C, as many as have its share of A's entries. Whoever needs all of C next has it
 *                  exchanged then
 *     the rest     element-wise operations and reductions of columns without exchange
 *
 * The same bits whatever the number of devices, and the bits of torc_spmm and torc_spmm_host on one, where
 * precision is exact: each part is computed by the kernel that the whole would have. A group of one device is
 * a group like any other.
 *
 * Statuses and texts are as in torc.h. One thread at a time may use a group and what belongs to it. A
 * function that takes or gives host memory, and one that makes A, works on all devices at once, a thread for
 * each.
 *
 * Faults: a device that is lost leaves the group, which torc_group_size and torc_group_error tell. Sparse
 * operands remain; dense ones that were on it are lost too: what uses them gives TORC_DEVICE_ERROR, until
 * they are made again. A product in host memory goes on without it.
 */
#ifndef TORC_GROUP_H
#define TORC_GROUP_H

#include <torc/elementwise.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Group -------------------------------------------------------------------------------------------- */

typedef struct torc_group torc_group;

typedef struct torc_group_options {
    torc_options each; /* of each device's context; its `device` is not read */
    const char
        *devices; /* "all", or ordinals, as in "0,1"; NULL: all. Of the reference executor, which has
                     as many as anybody asks for, all are one. A device may be named twice. 64 at most */
} torc_group_options;

#define TORC_GROUP_OPTIONS_INIT                                                                              \
    {                                                                                                        \
        TORC_OPTIONS_INIT, NULL                                                                              \
    }

/** torc_options_from_environment, and TORC_DEVICES. */
TORC_API void torc_group_options_from_environment(torc_group_options *options);

/** Open the devices. options may be NULL: all defaults. Those that cannot be opened are left out, and
 *  torc_group_error names the last of them.
 *  @retval TORC_INVALID_VALUE  `devices` is neither "all" nor a list of ordinals.
 *  @retval TORC_NO_DEVICE      none is left, or another status of torc_context_create. *group is NULL. */
TORC_API torc_status torc_group_create(torc_group **group, const torc_group_options *options);

/** NULL is allowed. All that was made on the group must have been destroyed before. */
TORC_API void torc_group_destroy(torc_group *group);

/** How many devices compute; 0 once all are lost. */
TORC_API int torc_group_size(const torc_group *group);

/** What is known of one of them, 0 to torc_group_size - 1. */
TORC_API torc_status torc_group_info(torc_device_info *info, torc_group *group, int number);

/** Wait for all queued work. */
TORC_API torc_status torc_group_wait(torc_group *group);

/** What went wrong last, with the device's ordinal, in one line; "" if nothing did. */
TORC_API const char *torc_group_error(const torc_group *group);

/* ---- Operands ----------------------------------------------------------------------------------------- */

typedef struct torc_group_sparse torc_group_sparse;
typedef struct torc_group_dense torc_group_dense;

/** torc_sparse_create on every device, by its own bus. */
TORC_API torc_status torc_group_sparse_create(torc_group_sparse **A, torc_group *group, const torc_csr *csr);
TORC_API void torc_group_sparse_destroy(torc_group_sparse *A);

/** A dense matrix without content, all of it absent or undefined until it is written.
 *  @retval TORC_INVALID_VALUE  a negative dimension, or no type. */
TORC_API torc_status torc_group_dense_create(
    torc_group_dense **X, torc_group *group, int64_t nrows, int64_t ncols, torc_type type, bool has_bitmap);
TORC_API void torc_group_dense_destroy(torc_group_dense *X);

/** Content from and to host memory: the same shape and type, row-major, not iso, a bitmap if and only if X
 * has one. Returns when the copy is done. Pinned memory travels by all buses at once: torc_memory_pin on any
 * context pins it for all.
 *  @retval TORC_INVALID_VALUE  host is something else. On another error what was written to is undefined. */
TORC_API torc_status torc_group_upload(torc_group_dense *X, const torc_dense *host);
TORC_API torc_status torc_group_download(const torc_dense *host, torc_group_dense *X);

/* ---- Operations --------------------------------------------------------------------------------------- */

/* torc_update of groups. */
typedef struct torc_group_update {
    torc_group_dense *mask; /* of C's shape, of TORC_BOOL: C may change where it is true, or, if structural,
                               where it is present, whatever its type; NULL: everywhere */
    bool is_structural;     /* the mask has a bitmap; otherwise it has none */
    bool complement, replace, has_accum;
    torc_multiply accum;
} torc_group_update;

/** torc_spmm. Element-wise operations and it return once their work is queued.
 *  @retval TORC_DEVICE_ERROR  also operands that were on a device that is lost.
 *  On an error that is not of the arguments C is undefined. */
TORC_API torc_status torc_group_spmm(torc_group_dense *C, torc_semiring semiring, torc_group_sparse *A,
    bool transpose, torc_group_dense *B, const torc_group_update *update);

/** torc_spmm_host. What one device cannot do, for a fault or for want of memory, another one does.
 *  @param[in,out] C    undefined on an error that is not of the arguments, unless the update reads its old
 *                      values where they lie: these are copied before, in host memory, and put back.
 *  @param[in]     old  as in torc_host_options; NULL: it is where C goes. */
TORC_API torc_status torc_group_spmm_host(const torc_dense *C, torc_semiring semiring, torc_group_sparse *A,
    bool transpose, const torc_dense *B, const torc_update *update, const torc_dense *old);

/** torc_spmm_by_rows: for an A that fits no device beside panels. Devices take blocks of A's rows in turn.
 * The device with the least memory decides how large a block is, so that the number of devices does not show:
 *  devices of one kind give the same bits as torc_spmm_by_rows on that one. Only where a block turns out to
 * be too large, or memory beside it is short and panels become narrower, sums may be rounded otherwise. What
 * one device cannot do another one does.
 *  @param[in,out] C    as in torc_group_spmm_host.
 *  @param[in]     old  as in torc_host_options; NULL: it is where C goes.
 *  @retval TORC_OUT_OF_MEMORY  some row of A fits no device beside single columns. */
TORC_API torc_status torc_group_spmm_by_rows(const torc_dense *C, torc_semiring semiring, torc_group *group,
    const torc_csr *A, const torc_dense *B, const torc_update *update, const torc_dense *old);

/* An operand of an element-wise operation. */
typedef struct torc_group_operand {
    torc_group_dense *dense; /* of C's shape; NULL: `value` is at every place */
    torc_scalar value;
} torc_group_operand;

/** torc_elementwise.
 *  @param[in] operation  binary is not firstj, firstj1, secondj or secondj1.
 *  @retval TORC_UNSUPPORTED  also those. */
TORC_API torc_status torc_group_elementwise(torc_group_dense *C, const torc_operation *operation,
    const torc_group_operand *A, const torc_group_operand *B, const torc_group_update *update);

/** torc_reduce_to_vector of the columns of A, into host memory.
 *  @param[out] sums     ncols values of the reduction's type; the identity where a column has no element.
 *  @param[out] present  ncols bytes: 0 there, else 1. NULL: not asked for.
 *  Waits for it. */
TORC_API torc_status torc_group_reduce_columns(
    void *sums, uint8_t *present, torc_reduction reduction, torc_group_dense *A);

/** *result = ⊕ of all elements of A: of the sums of its columns, as torc_reduce_to_scalar has it. Waits for
 * it.
 *  @param[out] is_empty  NULL: not asked for. */
TORC_API torc_status torc_group_reduce_to_scalar(
    void *result, bool *is_empty, torc_reduction reduction, torc_group_dense *A);

#ifdef __cplusplus
}
#endif

#endif
