/* cuda_device.h: an open GPU, and what the files of this room ask of each other.
 *
 * Work runs in the order it was queued, on one stream; what send and fetch move, on one each. Every entry
 * point of the executor first enters the device, since any thread may come; the thread's current device is
 * left at it.
 */
#ifndef TORC_CUDA_DEVICE_H
#define TORC_CUDA_DEVICE_H

#include "backend.h"
#include "kernel_cache.h"
#include "kernel_kind.h"
#include <cudaTypedefs.h>
#include <cuda_runtime_api.h>
#include <pthread.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { TORC_RING_CHUNKS = 4, TORC_CHUNK_SIZE = 16 << 20 };

/* Pinned memory through which copies between host and device pass. */
typedef struct torc_ring {
    char *memory[TORC_RING_CHUNKS];          /* the first `count` are there */
    cudaEvent_t travelled[TORC_RING_CHUNKS]; /* the chunk's last copy is done */
    size_t count;
    size_t next; /* the chunk to use next is next % count */
} torc_ring;

typedef struct torc_device_block torc_device_block; /* device_memory.c */

/* The kernel that an operation lacked and did not wait for, on its way to the thread that compiles it and
 * back. One at a time. */
typedef struct torc_deferred_kernel {
    pthread_mutex_t mutex;
    enum { TORC_DEFERRED_NONE, TORC_DEFERRED_WANTED, TORC_DEFERRED_COMPILING, TORC_DEFERRED_DONE } state;
    char *source;
    torc_status status; /* where done */
    torc_image image;
    char log[TORC_LOG_SIZE];
} torc_deferred_kernel;

struct torc_device {
    int ordinal;
    torc_device_info info; /* all but memory_available */
    cudaStream_t stream;
    cudaStream_t traffic[2];              /* to the device, from it */
    cudaEvent_t reached[3];               /* by each stream, at the last fence */
    size_t limit, held;                   /* bytes */
    cudaMemPool_t pool;                   /* NULL: the device has none */
    torc_device_block *blocks, *released; /* released while they may be on their way */
    bool has_traffic;    /* since the last fence: work does not wait for all that is on its way */
    bool has_new_memory; /* handed out since what is sent last waited for work */
    PFN_cuPointerGetAttribute_v4000 pointer_attribute; /* tells how far pinned memory reaches */
    torc_ring ring;
    torc_kernel_cache cache, installed;
    torc_loaded_kernel *kernels;
    torc_known_kernel known[TORC_KNOWN_KERNELS]; /* by the hash of their descriptions */
    size_t shared;                               /* bytes that each block of the last kernel was given */
    char source[TORC_SOURCE_SIZE];               /* of the kernel that is looked for */
    bool defers_kernels;
    torc_deferred_kernel deferred;
    char error[1024];
};

/* Turn the result of a call to the CUDA runtime into a status, and keep its text. */
torc_status torc_device_check(torc_device *device, cudaError_t result, const char *call);

/* Keep the first line of a text as the device's error. */
void torc_device_note(torc_device *device, const char *what, const char *text);

/* Leave the function with the status of a call that failed. */
#define TORC_TRY(call)                                                                                       \
    do {                                                                                                     \
        torc_status status_of_call = (call);                                                                 \
        if (status_of_call != TORC_SUCCESS) {                                                                \
            return status_of_call;                                                                           \
        }                                                                                                    \
    } while (0)

#define TORC_TRY_CUDA(device, call) TORC_TRY(torc_device_check(device, call, #call))

#define TORC_ENTER(device) TORC_TRY_CUDA(device, cudaSetDevice((device)->ordinal))

/* The largest power of two, 16 at most, that divides the size of a value: what it is aligned to, and moved
 * by. 0 for 0. */
static inline size_t torc_word_size(size_t value_size)
{
    return value_size % 16 != 0 ? value_size & -value_size : value_size > 0 ? 16 : 0;
}

/* NVRTC, and the disk for the next process. */
torc_status torc_kernel_compile(
    torc_image *image, char log[TORC_LOG_SIZE], const torc_device *device, const char *source);

/* deferred_kernel.c: was that kernel deferred, and is done? Then it is the caller's: its image, or the status
 * with which it failed. Else TORC_NOT_COMPILED. */
torc_status torc_deferred_take(torc_image *image, torc_device *device, const char *source);
/* Ask for it, unless another one is on its way. */
void torc_deferred_ask(torc_device *device, const char *source);
void torc_deferred_open(torc_device *device);
void torc_deferred_close(torc_device *device);

torc_status torc_ring_open(torc_device *device);
void torc_ring_close(torc_device *device);

/* device_memory.c: the pool that memory comes from; how much of it nobody has. */
void torc_pool_open(torc_device *device);
void torc_pool_close(torc_device *device);
torc_status torc_pool_unused(size_t *size, torc_device *device);

/* Before something is sent, or fetched, beside the work; once work waits for all of it. */
torc_status torc_traffic_begin(torc_device *device, bool is_sent);
void torc_traffic_passed(torc_device *device);

/* Queue the counting of A's columns in windows, into device memory. */
torc_status torc_count_columns(torc_device *device, torc_window *windows, const torc_device_csr *A);

static inline int64_t torc_ceiling(int64_t a, int64_t b)
{
    return (a + b - 1) / b;
}

/* kernel_launch.c: queue a kernel, which takes its turn (take_turn in instructions.cuh). shared: bytes of
 * shared memory that each block gets. */
torc_status torc_kernel_launch(
    torc_device *device, cudaKernel_t kernel, dim3 grid, int threads, size_t shared, const void *args);

/* move_lines.cu: can a kernel move them between the device and pinned memory? Queue it. */
bool torc_lines_suit_kernel(const torc_lines *lines);
torc_status torc_lines_move(torc_device *device, const torc_lines *lines, cudaStream_t stream, bool is_sent);

/* staging.c: queue lines from another device, in order with other work. */
torc_status torc_lines_receive(torc_device *device, const torc_lines *lines);

/* The executor's entry points. */
void torc_cuda_defer_kernels(torc_device *device, bool defers);
torc_status torc_cuda_compile(torc_device *device);
torc_status torc_cuda_allocate(void **memory, torc_device *device, size_t size);
void torc_cuda_release(torc_device *device, void *memory);
torc_status torc_cuda_pin(torc_device *device, void *host, size_t size);
void torc_cuda_unpin(torc_device *device, void *host, size_t size);
torc_status torc_cuda_upload(torc_device *device, void *to, const void *from, size_t size);
torc_status torc_cuda_download(torc_device *device, void *to, const void *from, size_t size);
torc_status torc_cuda_follow(torc_device *device, torc_device *other);
torc_status torc_cuda_receive(torc_device *device, torc_device *other, const torc_lines *lines);
torc_status torc_cuda_exchange_identity(torc_exchange_identity *identity, torc_device *device);
torc_status torc_cuda_exchange_unique_id(torc_exchange_unique_id *id, torc_device *device);
torc_status torc_cuda_exchange_open(torc_device_exchange **exchange, torc_device *device,
    const torc_exchange_unique_id *id, int number, int count);
void torc_cuda_exchange_close(torc_device *device, torc_device_exchange *exchange, bool aborts);
torc_status torc_cuda_exchange_progress(
    torc_exchange_stage *stage, torc_device *device, torc_device_exchange *exchange);
torc_status torc_cuda_exchange_move(torc_device *device, torc_device_exchange *exchange, int turn,
    const torc_exchange_piece *pieces, int count);
torc_status torc_cuda_exchange_await(torc_device *device, torc_device_exchange *exchange, int turn);
torc_status torc_cuda_exchange_export_events(
    torc_exchange_events *events, torc_device *device, torc_device_exchange *exchange);
torc_status torc_cuda_exchange_import_events(
    torc_device *device, torc_device_exchange *exchange, int other, const torc_exchange_events *events);
torc_status torc_cuda_exchange_allocate(
    void **memory, torc_exchange_memory_handle *handle, torc_device *device, size_t size);
torc_status torc_cuda_exchange_map(
    void **mapped, torc_device *device, const torc_exchange_memory_handle *handle);
void torc_cuda_exchange_unmap(torc_device *device, void *mapped);
torc_status torc_cuda_exchange_ready(torc_device *device, torc_device_exchange *exchange);
torc_status torc_cuda_exchange_write(
    torc_device *device, torc_device_exchange *exchange, int turn, const torc_exchange_rows *rows, int count);
/* NCCL takes one turn after the other, .1 ms each. In four of 29 MB a product of two H200s' ranks was 37 %
 * longer, or 5 % of many in a row; in four of 115 MB 3 % and 7 % shorter, in four of 381 MB 3 %
 * (bench/results/2026-11-26-h200-x2-ranks.csv). */
enum { TORC_NCCL_TURN_BYTES = 96 << 20 };
/* What is written: two turns of 16 MB made a product of two H100s' ranks 12 % shorter, four of 8 MB 1 %;
 * seven of 18 MB were 21 % shorter than sixteen of 8 MB (bench/results/2026-11-26-h100-x2-writes.txt, scale
 * 18). */
enum { TORC_WRITTEN_TURN_BYTES = 12 << 20 };
torc_status torc_cuda_upload_narrow(torc_device *device, uint32_t *to, const int64_t *from, int64_t count);
torc_status torc_cuda_send(torc_device *device, const torc_lines *lines);
torc_status torc_cuda_set(torc_device *device, const torc_lines *lines, int byte);
torc_status torc_cuda_fetch(torc_device *device, const torc_lines *lines);
torc_status torc_cuda_measure(
    torc_device *device, torc_partition *rows, torc_window *windows, const torc_device_csr *A);
torc_status torc_cuda_cut_rows(torc_device *device, const torc_partition *rows, const torc_device_csr *A);
torc_status torc_cuda_list_columns(
    torc_device *device, uint32_t *columns, int64_t *count, const torc_device_csr *A);
torc_status torc_cuda_transpose_csr(torc_device *device, const torc_device_csr *T, const torc_device_csr *A);
torc_status torc_cuda_transpose_dense(torc_device *device, void *to, int64_t ldto, const void *from,
    int64_t ldfrom, int64_t nrows, int64_t ncols, size_t size);
torc_status torc_cuda_pack_bits(torc_device *device, uint64_t *words, const torc_dense *X);
torc_status torc_cuda_unpack_bits(torc_device *device, const torc_dense *X, const uint64_t *words);
torc_status torc_cuda_mask_bits(
    torc_device *device, uint64_t *words, const uint64_t *mask, int64_t count, bool complement);
torc_status torc_cuda_plan_tiles(
    torc_device *device, torc_tiles *tiles, torc_device_csr *rest, const torc_device_csr *A, int parts);
torc_status torc_cuda_plan_bricks(
    torc_device *device, torc_bricks *bricks, const torc_device_csr *A, torc_type type, int height);
torc_status torc_cuda_load(torc_device *device, const torc_spmm_kernel *kernel);
torc_status torc_cuda_spmm(torc_device *device, const torc_spmm_kernel *kernel, const torc_spmm_args *args);
torc_status torc_cuda_constant_load(
    torc_constant_program **program, torc_device *device, const torc_constant_kernel *kernel);
torc_status torc_cuda_constant_multiply(
    torc_device *device, const torc_constant_program *program, const torc_constant_args *args);
void torc_cuda_constant_unload(torc_device *device, torc_constant_program *program);
void torc_cuda_remember(torc_device *device, const char *about, const char *text);
bool torc_cuda_recall(char *text, size_t size, torc_device *device, const char *about);
torc_status torc_cuda_elementwise(
    torc_device *device, const torc_elementwise_kernel *kernel, const torc_elementwise_args *args);
torc_status torc_cuda_reduce(
    torc_device *device, const torc_reduce_kernel *kernel, const torc_reduce_args *args);
torc_status torc_cuda_build(torc_device *device, const torc_build_args *build);
torc_status torc_cuda_gather(
    torc_device *device, void *to, const void *from, const uint64_t *offsets, size_t count, size_t size);
torc_status torc_cuda_scatter(
    torc_device *device, void *to, const void *from, const uint64_t *offsets, size_t count, size_t size);
torc_status torc_cuda_count(torc_device *device, int64_t *count, const uint8_t *bytes, size_t size);

#ifdef __cplusplus
}
#endif

#endif
