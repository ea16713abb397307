/* spmm_args.h: what one SpMM kernel launch is given. Plain C, read by the host, by nvcc and by NVRTC.
 *
 * C (nrows × ncols, row-major) = A (CSR) ⊕.⊗ B (row-major).
 *
 * A row that several owners share is split: each owner stores a partial, and the combining kernel folds these
 * row by row, in order. Which rows are split depends on how A is cut. A row split cuts long rows, those of
 * more than TORC_SEGMENT_NNZ entries, into segments:
 *
 *     split_rows  [ row, first, last )                 the long rows, ascending: segments first .. last-1
 *                        |
 *     segments    [ row, begin, end ) ...              runs of at most TORC_SEGMENT_NNZ entries of one row
 *     partials      ncols values   ncols values ...    one row of results per segment
 *
 * All other rows have one owner, which stores them.
 *
 * Where blocks own long rows (block_rows.cuh), these are rows of more than TORC_SHORT_ROW entries, and
 * segments have at most TORC_PIECE_NNZ: first those of split rows, nsplit_segments of them, then the rows
 * that are one segment each, which have no partial.
 *
 * Where A's rows were reordered c_rows says which row of C each of them gives. What is said of rows here is
 * said of A's.
 *
 * A nonzero split cuts all of A into slices of TORC_SLICE_NNZ consecutive entries instead:
 *
 *     row_ends    one bit per entry, bit p % 32 of word p / 32: entry p is the last of its row
 *     rows        nonempty_rows rows that have entries, ascending, then those that have none; NULL if all
 *                 rows have entries
 *     slice_rows  nslices: the place in `rows` of the row that the slice's first entry is in
 *     split_rows  [ row, first, last )                 the rows that lie in several slices, first .. last-1:
 *                                                      nheavy_rows in more than TORC_HEAVY_SLICES, ascending,
 *                                                      then the others, ascending
 *     partials    ncols values   ncols values          two rows of results per slice: of the row that came in
 *                                                      from the slice before, of the one that goes on
 *
 * Where a block owns TORC_STREAM_SLICES slices, these together have the partials of one slice; rows that lie
 * within them have none.
 * Bundles of TORC_BUNDLE_ROWS rows take row_ptr, row_ends and rows, and have no partials.
 *
 * Tiles (shared_tiles.cuh) cut A into blocks of at most TORC_TILE_ROWS rows, or pieces of them, and each
 * block's shared columns, those that TORC_TILE_SHARERS of its entries name, the most named first, into tiles
 * of TORC_TILE_COLUMNS. Rows of TORC_TILE_PART entries a part or more are cut into parts of as many entries
 * each, and these into pieces of TORC_TILE_PIECE at most; blocks have the first parts of all rows, then the
 * second ones, and so on (operands/tile_parts.h). A block has TORC_TILE_WARPS warps of 4 groups, a group
 * TORC_TILE_SLOTS slots for a piece each. The entries of shared columns are laid out in steps: TORC_TILE_STEP
 * of each group of a warp, all of one tile and slot; and these in batches of TORC_TILE_BATCH steps:
 *
 *     tile_begin   nblocks+1: the first tile of each block
 *     columns      TORC_TILE_COLUMNS a tile; of a block's last tile the first of what is left of ncolumns
 *     ncolumns     nblocks: its shared columns
 *     owners       TORC_TILE_ROWS a block, slot by slot: where a slot's sum goes
 *     steps        of each block, warp, tile: TORC_TILE_SLOTS numbers, as many steps each slot has
 *     batch_begin  nblocks x TORC_TILE_WARPS: the warp's first batch
 *     batches      batch_size bytes each: positions in the tile, 16 bits with TORC_TILE_IS_ENTRY (else the
 *                  place is empty), [step][group][entry]; then the values of A in the same order, if it has
 *                  some. Two batches that nobody needs come after the last
 *     split_rows   [ row, first, last )             the rows of several pieces, which have the partials
 *                                                   first .. last-1
 *
 * All other entries are another CSR matrix, which another launch adds to C.
 *
 * Bricks (tensor_bricks.cuh) are after BitTCF of Zhao et al., Acc-SpMM (PPoPP 2025), section 3.3. Rows of A
 * go by windows, whose height is 1 or 2 blocks of TORC_BRICK_ROWS; the columns that a window names,
 * ascending, are cut into bricks of TORC_BRICK_COLUMNS:
 *
 *     pairs        TORC_BRICK_PAIRS per brick, of two columns each: their numbers; bits, of which
 *                  height * TORC_BRICK_ROWS * c + r says whether row r of the window names column c of the
 *                  pair; and the place in `values` of the pair's first. The last pairs of a window repeat its
 *                  last column. TORC_BRICK_SPARE bricks that nobody needs come after the last
 *     values       nnz: of A, in the order of the bits; NULL where A has no array of them
 *     pieces       bricks begin .. end-1 of a window. The sum of row r goes to C, or, where the window has
 *                  several pieces, to row partial + r * stride of the partials. TORC_BRICK_GROUP windows at a
 *                  time: their first pieces, their second ones, and so on: neighbours name about the same
 *                  columns
 *     split_rows   [ row, first, last )             the rows of windows that have several pieces: partials
 *                                                   first .. last-1
 *
 * Presence and masks are bytes, laid out as the values beside them. Whether they are there, and whether old C
 * is read, is the launch's to say.
 */
#ifndef TORC_SPMM_ARGS_H
#define TORC_SPMM_ARGS_H

#include "fixed_width.h"

enum {
    TORC_SEGMENT_NNZ = 512,
    TORC_SHORT_ROW = 64,
    TORC_PIECE_NNZ = 1024,
    TORC_PIECE_GROUPS = 8, /* groups that share a piece */
    TORC_SLICE_NNZ = 128,
    TORC_HEAVY_SLICES = 32,
    TORC_STREAM_SLICES = 8, /* that a block of TORC_STREAM_THREADS owns together */
    TORC_STREAM_THREADS = 64,
    TORC_BLOCK_THREADS = 256,
    TORC_PANEL_THREADS = 1024, /* of a block that keeps panels of B */
    TORC_TILE_WARPS = 24,      /* of a block that keeps tiles of B, beside those that fill them */
    TORC_TILE_FILLERS = 4,
    TORC_TILE_THREADS = 32 * (TORC_TILE_WARPS + TORC_TILE_FILLERS),
    TORC_TILE_LANES = 8, /* of a group */
    TORC_TILE_GROUPS = 32 / TORC_TILE_LANES,
    TORC_TILE_SLOTS = 8,
    TORC_TILE_ROWS = TORC_TILE_WARPS * TORC_TILE_GROUPS * TORC_TILE_SLOTS,
    TORC_TILE_COLUMNS = 768,
    TORC_TILE_LINE = 128, /* bytes of a row of B */
    TORC_TILE_STEP = 4,
    TORC_TILE_BATCH = 8,
    TORC_TILE_POSITIONS = 256, /* bytes of a batch's positions */
    TORC_TILE_IS_ENTRY = 0x8000,
    TORC_TILE_SHARERS = 2,
    TORC_TILE_PART = 16,    /* entries of a part at least */
    TORC_TILE_PIECE = 1024, /* entries of a piece at most */
    TORC_BRICK_ROWS = 8,
    TORC_BRICK_COLUMNS = 8,
    TORC_BRICK_PAIRS = TORC_BRICK_COLUMNS / 2,
    TORC_BRICK_SPARE = 2,
    TORC_BRICK_IMBALANCE = 8, /* where windows have so many bricks more or less than the mean, in the mean, */
    TORC_BRICK_PIECE = 32,    /* a piece has so many at most: section 3.5 */
    TORC_BRICK_THREADS = 128, /* a warp a piece */
    TORC_BRICK_LANES = 32,
    TORC_BRICK_GROUP = TORC_BRICK_THREADS / 32,
    TORC_BRICK_CAPABILITY = 80, /* that a device has, times ten: TF32, and fp64 by tensor cores */
    TORC_BUNDLE_ROWS = 8,       /* that a group owns where rows are short */
    TORC_EMPTY_ROWS = 1024 /* without entries, that a block clears; a share of them if groups are wider */
};

/* Blocks of all parts come in multiples of that: an H200 has 132 multiprocessors, which whole rows are to
 * keep busy with four lines of B, parts with one. */
#define TORC_TILE_BLOCKS(parts) ((parts) > 1 ? 132 : 33)

/* Does a block go on to further lines of B? Sums of 8 bytes, two in a vector, leave no registers for that. */
#define TORC_TILE_GOES_ON(vector) ((vector) > 2)

/* Shared memory of a block with tiles: two of them, a batch of each warp, and four barriers of 8. value_size:
 * bytes of a value of A, 0 where it is no array. */
#define TORC_TILE_SHARED_BYTES(value_size)                                                                   \
    (2 * TORC_TILE_COLUMNS * TORC_TILE_LINE +                                                                \
        TORC_TILE_WARPS * (TORC_TILE_POSITIONS + (value_size) * (TORC_TILE_POSITIONS / 2)) + 32)

typedef struct torc_segment {
    int64_t row, begin, end; /* positions in col_idx */
} torc_segment;

typedef struct torc_split_row {
    int64_t row, first, last; /* its segments, slices or pieces are first .. last-1 */
} torc_split_row;

/* What becomes of a slot's sum: that row of C, or of the partials; the rows of both are below the flags. An
 * empty row of A has no sum, an empty slot no row. */
#define TORC_TILE_IS_PARTIAL 0x80000000u
#define TORC_TILE_IS_EMPTY 0x40000000u
#define TORC_TILE_NOBODY 0xffffffffu

typedef struct torc_tiles {
    int64_t nblocks, npieces, nsplit_rows, batch_size;
    uint32_t *tile_begin, *columns, *ncolumns, *owners;
    uint8_t *steps;
    uint32_t *batch_begin;
    unsigned char *batches;
    torc_split_row *split_rows;
} torc_tiles;

/* partial, of a piece that is a whole window: its sums go to C. */
#define TORC_BRICK_WHOLE 0xffffffffu

typedef struct torc_brick_piece {
    uint32_t window, begin, end, partial, stride;
} torc_brick_piece;

typedef struct torc_brick_pair {
    uint32_t column[2], bits, first_value;
} torc_brick_pair;

typedef struct torc_bricks {
    int64_t nbricks, npieces, npartials, nsplit_rows; /* npartials: rows of them */
    torc_brick_pair *pairs;
    void *values;
    torc_brick_piece *pieces;
    torc_split_row *split_rows;
    double most; /* the largest absolute value of A in the array; infinite where one is no number */
} torc_bricks;

typedef struct torc_spmm_args {
    int64_t nrows, ncols;    /* of C */
    int64_t ldb, ldc;        /* in elements */
    int64_t first_column;    /* what positional operators take for column 0: C may be a part of a wider one */
    const void *row_ptr;     /* nrows+1 offsets, uint32_t or uint64_t as the launch says */
    const uint32_t *col_idx; /* nnz */
    const uint32_t *c_rows;  /* nrows: the row of C that is each row of A times B, and one that nobody needs;
                                NULL:   row i is row i */
    const int64_t *row_names; /* nrows, what positional operators take for i in a row of C; NULL: i */
    const void *a;            /* values of A: nnz, one, or unread, as the launch says */
    const void *b;            /* values of B: a matrix, one, or unread */
    void *c;
    const torc_segment *segments;
    const torc_split_row *split_rows;
    void *partials; /* values of C's type, row-major, ncols each: as many as the cut of A has pieces */
    int64_t nsegments, nsplit_segments, nsplit_rows;
    const uint8_t *b_bitmap; /* as b: 0 where B has no element */
    uint8_t *c_bitmap;       /* as c */
    uint8_t *partial_bitmap; /* as partials: 0 where there is no term; with b_bitmap only */
    const uint8_t *mask;     /* as c */
    const void *old_c;       /* c itself, or one value */
    uint8_t mask_complement, mask_replace;
    const uint32_t *row_ends, *rows, *slice_rows;
    int64_t nnz, nslices, nonempty_rows, nheavy_rows;
    int heavy_lanes; /* vectors of a heavy row that a block combines: the lanes of the whole product's kernel
                      */
    int64_t b_rows;  /* of B, what A has columns */
    int64_t panel_columns, round_rows; /* of A, that a block has at once: the executor's to say */
    torc_tiles tiles;
    torc_bricks bricks;
    double most_b; /* values of B up to that overflow in no product with one of A */
} torc_spmm_args;

#endif
