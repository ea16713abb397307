/* sparse.h: a sparse operand on the device: CSR with 32-bit column indices, its partition, and, once asked
 * for, its transpose. Row offsets have 64 bits only when nnz needs them. */
#ifndef TORC_SPARSE_H
#define TORC_SPARSE_H

#include "choice.h"
#include "context.h"

/* The rows, or columns, that have entries, ascending, on the device. numbers NULL: nearly all have entries,
 * or memory was short. */
typedef struct torc_filled {
    uint32_t *numbers;
    int64_t count;
} torc_filled;

/* Tiles of whole rows, or of parts of rows (tile_parts.h), on the device. */
typedef struct torc_tile_plan {
    bool was_tried; /* what follows was made, or cannot be: then there are no batches */
    torc_tiles tiles;
    struct torc_sparse *rest; /* the entries that tiles do not have; NULL: none */
} torc_tile_plan;

typedef struct torc_row_shares torc_row_shares; /* row_shares.h */

struct torc_sparse {
    torc_context *context;
    torc_device_csr csr; /* on the device */
    bool is_view;        /* all of it but the offsets is another's */
    torc_type type;
    torc_access access;       /* of the values: none, iso or array */
    int64_t *row_names;       /* on the device, or NULL */
    torc_partition partition; /* its arrays on the device, slices and pieces once asked for */
    bool is_sliced, is_pieced;
    uint8_t *present; /* on the host, NULL until asked for */
    bool is_listed;   /* what follows was made */
    torc_filled rows, columns;
    torc_tile_plan row_tiles, part_tiles;
    bool is_bricked;               /* what follows was made, or cannot be: then there are no pieces */
    torc_bricks bricks;            /* on the device */
    struct torc_sparse *transpose; /* NULL until asked for */
    struct torc_sparse *reordered; /* the same with its rows in another order, which products take; or NULL */
    torc_reordering reordering;    /* what is known of that; 0 seconds: not asked for */
    uint32_t *c_rows;        /* of what is reordered, on the device, as spmm_args.h has them; else NULL */
    torc_row_shares *shares; /* NULL until asked for */
    bool is_divided;         /* of several devices each has only its share, and A itself no arrays */
    torc_choices *selected, *tuned; /* kernels for products; NULL: none yet */
};

/* A itself, or its transpose, which is formed now if it was not. */
torc_status torc_sparse_orient(torc_sparse **oriented, torc_sparse *A, bool transpose);

/* The operand that products compute with. */
static inline torc_sparse *torc_sparse_ordered(torc_sparse *A)
{
    return A->reordered ? A->reordered : A;
}

/* TORC_OUT_OF_MEMORY for A that is divided, and a text. */
torc_status torc_sparse_refuse_divided(const torc_sparse *A, const char *what);

/* Forget the other order of rows. */
void torc_sparse_unorder(torc_sparse *A);

/* Rows begin .. end-1 of A as an operand, which has offsets of its own and else borrows from A: A must
 * outlive it. row_ptr: A's offsets in host memory, as wide as on the device. The number of the first
 * entry is a multiple of TORC_SLICE_NNZ * TORC_STREAM_SLICES, so that slices are the same as in A. Rows have
 * no names, unless A's have. */
torc_status torc_sparse_rows(
    torc_sparse **rows, torc_sparse *A, const void *row_ptr, int64_t begin, int64_t end);

/* list: make A->rows and A->columns, if they were not. unlist: release them. */
torc_status torc_sparse_list(torc_sparse *A);
void torc_sparse_unlist(torc_sparse *A);

/* Cut A into slices for a nonzero split, if it was not. */
torc_status torc_sparse_slice(torc_sparse *A);

/* Cut its long rows into pieces for blocks, if they were not. */
torc_status torc_sparse_piece(torc_sparse *A);

/* Plan tiles for A, of whole rows or of so many parts, if that was not tried: there are no batches where they
 * are not possible, or memory is short. `plan` is one of A's. */
torc_status torc_sparse_tile(torc_sparse *A, torc_tile_plan *plan, int parts);

/* Release the tiles, and do without from now on. */
void torc_sparse_untile(torc_sparse *A, torc_tile_plan *plan);

/* The same for bricks. Where a value of A is infinite or NaN there are none either. */
torc_status torc_sparse_brick(torc_sparse *A);
void torc_sparse_unbrick(torc_sparse *A);

#endif
