/* ranks.h: the engine over the ranks of MPI: several machines, one device a rank.
 *
 *     A             each rank has a block of rows; columns are numbered through all ranks
 *     B             each rank has a block of rows, as many as it says when it makes A
 *     C             each rank has the rows that it has of A
 *     C = A ⊕.⊗ B   each rank receives its halo every time: the rows of B that others have and its columns
 *                   of A name, known from A
 *
 * Blocks follow each other in the order of ranks. Dense blocks are plain torc_dense in memory of the rank's
 * context; operations on them alone are torc_elementwise, and torc_reduce_to_vector of rows. Content moves
 * from GPU to GPU where each rank has one of its own and NCCL is there; else by MPI through host memory. All
 * ranks go the same way.
 *
 * Every function that takes torc_ranks or what is made on it is collective: all ranks call it in the same
 * order. All get the same status, that of the first rank that failed, and its text from torc_context_error.
 * Errors of MPI itself end the run, as its default is. Statuses and threads are as in torc.h. MPI_Init comes
 * before, with a thread level at which the thread that calls these functions may call MPI. The library is
 * libtorc_ranks; it is built where MPI is.
 *
 * Results depend on the number of ranks only by rounding: sums of a product on a GPU may be cut otherwise,
 * and reductions add the sums of ranks. Likewise they depend on the way, on B's memory, and on whether memory
 * is short: from GPU to GPU a halo of 192 MiB or more, or of 24 where B is in memory of torc_ranks_allocate,
 * comes in panels of columns, each of which is a product of its own. On the reference executor products have
 * the same bits.
 */
#ifndef TORC_RANKS_H
#define TORC_RANKS_H

#include <mpi.h>
#include <torc/elementwise.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct torc_ranks torc_ranks;
typedef struct torc_rank_sparse torc_rank_sparse;

/** Make the ranks of a communicator, and choose the way between them. Waits for all ranks.
 *  @param[in] communicator  is duplicated: it stays the caller's.
 *  @param[in] context       this rank's own; it must outlive the ranks.
 *  @retval TORC_NULL_POINTER, TORC_OUT_OF_MEMORY  On error *ranks is NULL on all of them.
 *  It is no error that NCCL cannot be used: content moves by MPI then. */
TORC_API torc_status torc_ranks_create(torc_ranks **ranks, MPI_Comm communicator, torc_context *context);

/** Destroy the ranks, and what is left of torc_ranks_allocate. NULL is allowed, on all ranks or none.
 * Collective: after torc_rank_sparse_destroy of all that was made on the ranks, before MPI_Finalize and
 * torc_context_destroy. Waits for what is under way. */
TORC_API void torc_ranks_destroy(torc_ranks *ranks);

/** Say by which way content moves, and why, in words: "from GPU to GPU", "by MPI: two ranks have one GPU",
 * "nowhere: one rank". A static string, "" for NULL; torc_context_error has more after torc_ranks_create.
 * Where NCCL fails, all ranks go by MPI from then on. Not collective. */
TORC_API const char *torc_ranks_way(const torc_ranks *ranks);

/** Allocate device memory of this rank's context, for blocks of B above all: on one host, where each rank has
 * a GPU of its own, the others write their rows of the halo into it. That takes less time, and no memory
 * more, than where B lies in other memory. Elsewhere it is as that of torc_memory_allocate, but
 * torc_ranks_release releases it.
 *  @param[in] size  bytes, of this rank's; 0 too gives memory that has to be released.
 *  @retval TORC_OUT_OF_MEMORY  of any rank. On error *memory is NULL on all ranks. */
TORC_API torc_status torc_ranks_allocate(void **memory, torc_ranks *ranks, size_t size);

/** Release memory of torc_ranks_allocate. NULL is allowed, on all ranks or none. Collective: all release what
 *  they allocated in the same call; waits until no rank writes there. torc_ranks_destroy releases the rest.
 */
TORC_API void torc_ranks_release(torc_ranks *ranks, void *memory);

/** Wait for the work of all ranks: torc_context_wait on each. Prefer it: where the way between GPUs has
 * failed, a rank that waits alone may wait for ever.
 *  @retval TORC_DEVICE_ERROR  also that it failed: what was computed since the last wait is undefined. */
TORC_API torc_status torc_ranks_wait(torc_ranks *ranks);

/** Put this rank's rows of A on its device, and agree with all ranks on the halo. Waits for all ranks and the
 * device.
 *  @param[in] rows    this rank's rows, in host memory; their columns are numbers in all of B. ncols is not
 * read. row_names are what positional operators see; NULL: the rows' numbers in all of A. The arrays are
 * copied: they may be changed or freed on return.
 *  @param[in] b_rows  rows of B that this rank has.
 *  @retval TORC_INVALID_VALUE, TORC_UNSUPPORTED, TORC_OUT_OF_MEMORY  as torc_sparse_create.
 *  @retval TORC_INVALID_VALUE  also a column beyond B, or a negative b_rows.
 *  @retval TORC_UNSUPPORTED    also 2^31 rows of B or more that a rank sends or receives, or 2^32 or more
 * that one has, its halo among them. On error *A is NULL on all ranks. */
TORC_API torc_status torc_rank_sparse_create(
    torc_rank_sparse **A, torc_ranks *ranks, const torc_csr *rows, int64_t b_rows);

/** Destroy A with its buffers. NULL is allowed. Not collective. Before torc_ranks_destroy. As
 * torc_sparse_destroy, it may wait for this rank's device. */
TORC_API void torc_rank_sparse_destroy(torc_rank_sparse *A);

/* What travels for one product. */
typedef struct torc_halo {
    int64_t needed;     /* rows of B that this rank has from others */
    int64_t lent;       /* that it sends to others, one that goes to two counted twice */
    int64_t first_row;  /* of A, of this rank, in all of A */
    int64_t first_of_b; /* likewise of B */
} torc_halo;

/** Tell what travels for one product with A, to and from this rank, and where its blocks begin. Not
 * collective; does not wait.
 *  @retval TORC_NULL_POINTER  *halo is unchanged. */
TORC_API torc_status torc_rank_sparse_halo(torc_halo *halo, const torc_rank_sparse *A);

/** Multiply over all ranks, as torc_spmm: each rank gives its blocks of C and B, which are row-major; B has
 * no gaps. C is this rank's rows of A times N, N being the number of B's columns. B is either this rank's
 * rows, b_rows of them, which are copied before they are multiplied; or it has room behind them: nrows is
 * b_rows + halo.needed, and the halo comes there, into its values and its bitmap, so that this rank's rows
 * are not copied. Ranks may differ in that. It comes fastest where all ranks have B, with room, in memory of
 * torc_ranks_allocate. The value of an iso B has to be there on every rank.
 *  @param[in] semiring  multiply is not firstj, firstj1, secondi or secondi1.
 *  @retval TORC_UNSUPPORTED    also those, and a B or C by column, or a B with gaps or rows of 2 GiB or more.
 *  @retval TORC_INVALID_VALUE  also ranks that disagree: on B's columns, its type, multiply, or whether B is
 * iso or has a bitmap.
 *  @retval  otherwise as torc_spmm. On error C, and the room of B, are undefined.
 *  Waits for all ranks' calls. Where content moves from GPU to GPU it then returns once queued; by MPI it
 * waits for the device before that. The structs have been read on return. Device arrays stay as they are
 * until the work is done: torc_ranks_wait. */
TORC_API torc_status torc_ranks_spmm(const torc_dense *C, torc_semiring semiring, torc_rank_sparse *A,
    const torc_dense *B, const torc_update *update);

/** Bring the halo into the room of B, which is not iso: what torc_ranks_spmm does before it multiplies. To
 * time it, or for other operations on these rows. Waits as torc_ranks_spmm does: work that is queued
 * afterwards finds the halo in its place.
 *  @retval TORC_DIMENSION_MISMATCH  B has no room.
 *  @retval TORC_INVALID_VALUE       also ranks that disagree on B's columns, its type, or whether it has a
 *                                   bitmap.
 *  @retval TORC_UNSUPPORTED         B is iso, by column, has gaps, or has rows of 2 GiB or more.
 *  On error the room of B is undefined; this rank's own rows are unchanged. */
TORC_API torc_status torc_ranks_exchange(const torc_dense *B, torc_rank_sparse *A);

/** Reduce the blocks of all ranks: torc_reduce_to_scalar, and torc_reduce_to_vector of columns, of each, then
 * of their sums in the order of ranks. Every rank has the result. Waits for all ranks and their devices.
 *  @param[out] result, is_empty  as in torc_reduce_to_scalar.
 *  @param[out] sums     host memory, as many as A has columns, the same on all ranks.
 *  @param[out] present  likewise, a byte each; NULL: not asked for.
 *  @retval TORC_INVALID_VALUE  also ranks that disagree on the monoid, its type, or the number of columns.
 *  @retval TORC_UNSUPPORTED    also columns whose sums take 2 GiB or more.
 *  @retval  otherwise as those two. On error what was to be written is undefined. */
TORC_API torc_status torc_ranks_reduce_to_scalar(
    void *result, bool *is_empty, torc_reduction reduction, torc_ranks *ranks, const torc_dense *A);
TORC_API torc_status torc_ranks_reduce_columns(
    void *sums, uint8_t *present, torc_reduction reduction, torc_ranks *ranks, const torc_dense *A);

#ifdef __cplusplus
}
#endif

#endif
