/* graphblas.h: torc for programs that use SuiteSparse:GraphBLAS.
 *
 * torc_mxm answers as GrB_mxm does and runs on the GPU where that is possible and worth it. It finds the
 * GraphBLAS library that the program has loaded and links to none itself. The drop-in (torc run PROGRAM)
 * gives unchanged programs the same through GrB_mxm.
 *
 * Threads: as GraphBLAS: distinct outputs from distinct threads at once; inputs may be shared when finished
 * (GrB_Matrix_wait). Environment variables are read at the first call: see docs/environment.md.
 */
#ifndef TORC_GRAPHBLAS_H
#define TORC_GRAPHBLAS_H

#include <torc/torc.h>

#ifdef __cplusplus
#include <complex> /* and what it includes, which is no C */
extern "C" {       /* for GraphBLAS.h too: that of 7.4 does not say so */
#endif

#include <GraphBLAS.h>

/** Multiply, C⟨M,r⟩ = accum (C, op(A) ⊕.⊗ op(B)): GrB_mxm, argument by argument, status by status, error text
 *  included.
 *  On error C is unchanged. Whatever the device cannot do, or fails at, SuiteSparse computes.
 *  @retval GrB_PANIC  no GraphBLAS library is loaded in this process. */
TORC_API GrB_Info torc_mxm(GrB_Matrix C, const GrB_Matrix Mask, const GrB_BinaryOp accum,
    const GrB_Semiring semiring, const GrB_Matrix A, const GrB_Matrix B, const GrB_Descriptor desc);

/** Multiply by a vector, w⟨m,r⟩ = accum (w, op(A) ⊕.⊗ u) and w⟨m,r⟩ᵀ = accum (wᵀ, uᵀ ⊕.⊗ op(A)): GrB_mxv and
 *  GrB_vxm, in the same manner. */
TORC_API GrB_Info torc_mxv(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum,
    const GrB_Semiring semiring, const GrB_Matrix A, const GrB_Vector u, const GrB_Descriptor desc);
TORC_API GrB_Info torc_vxm(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum,
    const GrB_Semiring semiring, const GrB_Vector u, const GrB_Matrix A, const GrB_Descriptor desc);

/** Promise that the content of A does not change until torc_matrix_release(A), so that its device copy is
 * kept and used by every multiplication in which A is an operand, through GrB_mxm or torc_mxm. The copy is
 * made by the first of them. Holding twice is holding once. Without the promise a copy is used again where
 * torc can prove that nothing has changed: see docs/residency.md.
 *
 * If A changes while it is held, products may use its old content. If it is freed, a new matrix at the same
 * address counts as held, and products may use the old one's content. So release it before either. Any
 * thread; does not wait for the device.
 *  @retval GrB_SUCCESS        also where there is no device, and in a child of fork(): a hold is only a hint.
 *  @retval GrB_NULL_POINTER   A is NULL.
 *  @retval GrB_OUT_OF_MEMORY  no host memory to note it: A is not held. */
TORC_API GrB_Info torc_matrix_hold(GrB_Matrix A);

/** Hold A, and have copies that are made from now on compute their rows in an order in which neighbours name
 * the same columns: torc_sparse_reorder of torc.h, which takes seconds for a hundred million entries, within
 * the product that makes the copy. `torc tune` says after how many products that pays, if it does. Answers
 * stay what they are, but that sums of floating point may be rounded otherwise. Where there is no memory for
 * it, rows keep their order. A matrix that has a copy already keeps that: release it first. Any thread.
 *  @retval  as torc_matrix_hold. */
TORC_API GrB_Info torc_matrix_hold_reordered(GrB_Matrix A);

/** End the promise and free the device copy. Waits for calls of other threads that use the device. Releasing
 * what is not held does nothing. Any thread.
 *  @retval GrB_SUCCESS  always, for NULL too. */
TORC_API GrB_Info torc_matrix_release(GrB_Matrix A);

/* ---- Memory ------------------------------------------------------------------------------------------- */

/* An allocator for GraphBLAS, for programs that start it themselves, with these four as they are:
 *
 *     GxB_init (GrB_NONBLOCKING, torc_malloc, torc_calloc, torc_realloc, torc_free) ;
 *
 * The drop-in does that for a program that leaves GraphBLAS with libc's functions. They do what libc's of
 * their names do. Blocks of at least 1 MiB come from an arena of torc's, 2 MiB aligned, in whole huge pages:
 * matrices of sizes that come again find memory that was touched before, and the arrays that travel to the
 * GPU are page-locked once they have done so twice (up to half of the machine's memory), so that they travel
 * at the speed of the bus. Smaller ones are libc's, and so is everything where mapped memory counts before it
 * is touched (ulimit -v or -d, mlockall, overcommit_memory = 2).
 *
 * A block goes back to torc_free or torc_realloc, also where GraphBLAS handed it out (GxB_Matrix_unpack...);
 * these two take blocks of libc's malloc as well, so that arrays may be packed that come from there. Under
 * the drop-in libc's own free, realloc, reallocarray and malloc_usable_size take blocks of the arena.
 *
 * Any thread, before GrB_init and after GrB_finalize too. A child of fork() may use and free the blocks it
 * has. Of freed blocks the arena keeps as many bytes as are in use, or 256 MiB where that is more, but never
 * more than an eighth of the machine's memory, or of what a control group (a container, a batch system)
 * leaves of it; the rest, freed longest ago, goes back to the kernel. */

/** Allocate `size` bytes, undefined, aligned as malloc aligns them, from 1 MiB on mostly to 2 MiB; NULL with
 * ENOMEM where there is no memory. */
TORC_API void *torc_malloc(size_t size);

/** Allocate `count` times `size` bytes of zeros; NULL with ENOMEM where there is no memory, or no such
 * number. */
TORC_API void *torc_calloc(size_t count, size_t size);

/** Give the block `size` bytes, moved if need be; NULL where there is no memory, the block staying as it is.
 *  memory may be NULL: torc_malloc. size 0: torc_free, and NULL. */
TORC_API void *torc_realloc(void *memory, size_t size);

/** Free a block. NULL is allowed. errno stays. */
TORC_API void torc_free(void *memory);

/* ---- Statistics --------------------------------------------------------------------------------------- */

/* Why calls ran where they did: a static string, and how many gave it. */
typedef struct torc_mxm_reason {
    const char *text;
    uint64_t calls;
} torc_mxm_reason;

enum { TORC_MXM_REASONS = 24 };

/* Calls on one side. Where the cost model was asked, what it said of them stands beside what they took. */
typedef struct torc_mxm_side {
    uint64_t calls;
    double seconds; /* that callers waited in them, summed over all calls of all threads */
    uint64_t predicted_calls;
    double predicted_seconds, measured_seconds;
    torc_mxm_reason reasons[TORC_MXM_REASONS]; /* the first without text, if any, ends them */
} torc_mxm_side;

#define TORC_MXM_STATISTICS_VERSION 1

/* Of all calls of torc_mxm, and of GrB_mxm under the drop-in, since the process started. Bytes. */
typedef struct torc_mxm_statistics {
    int version; /* TORC_MXM_STATISTICS_VERSION: of this struct, as the caller knows it */
    torc_mxm_side cpu, device;
    uint64_t bytes_in, bytes_out; /* that calls on the device needed moved, to it and back */
    uint64_t bytes_spared;        /* and need not have moved, the device having them already */
    uint64_t device_bytes;        /* of host arrays that have a copy there now */
    uint64_t arena_bytes_used;    /* torc's allocator: in blocks that are in use, */
    uint64_t arena_bytes_kept;    /* kept for reuse, */
    uint64_t arena_bytes_pinned;  /* and of both those that are pinned */
    uint64_t other_calls;         /* of operations other than products, on the device */
} torc_mxm_statistics;

#define TORC_MXM_STATISTICS_INIT                                                                             \
    {                                                                                                        \
        TORC_MXM_STATISTICS_VERSION, {0, 0, 0, 0, 0, {{NULL, 0}}}, {0, 0, 0, 0, 0, {{NULL, 0}}}, 0, 0, 0, 0, \
            0, 0, 0, 0                                                                                       \
    }

/** Read the statistics. Any thread; calls that end meanwhile may be in some of the numbers and not in others.
 *  With TORC_BURBLE=1 they are written to standard error at GrB_finalize, or else when the process ends, in
 *  lines that begin with "torc: total".
 *  @retval GrB_NULL_POINTER   statistics is NULL.
 *  @retval GrB_INVALID_VALUE  a version that this library does not know. *statistics is unchanged. */
TORC_API GrB_Info torc_mxm_statistics_get(torc_mxm_statistics *statistics);

#ifdef __cplusplus
}
#endif

#endif
