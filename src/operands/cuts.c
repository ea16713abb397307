#include "cuts.h"
#include "row_shares.h"
#include "tile_parts.h"
#include <float.h>
#include <math.h>

static int64_t take_nothing(torc_spmm_args *args, const torc_sparse *A, const torc_spmm_kernel *kernel)
{
    (void)args;
    (void)A;
    (void)kernel;
    return 0;
}

static int64_t take_segments(torc_spmm_args *args, const torc_sparse *A, const torc_spmm_kernel *kernel)
{
    const torc_partition *rows = &A->partition;
    (void)kernel;
    args->segments = rows->segments;
    args->nsegments = rows->nsegments;
    args->split_rows = rows->long_rows;
    args->nsplit_rows = rows->nlong_rows;
    return args->nsegments;
}

static int64_t take_pieces(torc_spmm_args *args, const torc_sparse *A, const torc_spmm_kernel *kernel)
{
    const torc_partition *rows = &A->partition;
    (void)kernel;
    args->segments = rows->pieces;
    args->nsegments = rows->npieces;
    args->nsplit_segments = rows->nsplit_pieces;
    args->split_rows = rows->pieced_rows;
    args->nsplit_rows = rows->npieced_rows;
    return args->nsplit_segments;
}

static int64_t take_bundles(torc_spmm_args *args, const torc_sparse *A, const torc_spmm_kernel *kernel)
{
    const torc_partition *rows = &A->partition;
    (void)kernel;
    args->row_ends = rows->row_ends;
    args->rows = rows->rows;
    args->slice_rows = rows->slice_rows;
    args->nnz = A->csr.nnz;
    args->nslices = rows->nslices;
    args->nonempty_rows = A->csr.nrows - rows->statistics.empty_rows;
    return 0;
}

static int64_t take_slices(torc_spmm_args *args, const torc_sparse *A, const torc_spmm_kernel *kernel)
{
    const torc_partition *rows = &A->partition;
    take_bundles(args, A, kernel);
    args->split_rows = rows->spanning_rows;
    args->nsplit_rows = rows->nspanning_rows;
    args->nheavy_rows = rows->nheavy_rows;
    return 2 * args->nslices;
}

static torc_status make_row_tiles(torc_sparse *A)
{
    return torc_sparse_tile(A, &A->row_tiles, 1);
}

static bool has_row_tiles(const torc_sparse *A)
{
    return A->row_tiles.tiles.batches;
}

static bool tried_row_tiles(const torc_sparse *A)
{
    return A->row_tiles.was_tried;
}

static void give_up_row_tiles(torc_sparse *A)
{
    torc_sparse_untile(A, &A->row_tiles);
}

static torc_status make_part_tiles(torc_sparse *A)
{
    return torc_sparse_tile(A, &A->part_tiles, torc_tile_parts(&A->partition.statistics, 1));
}

static bool has_part_tiles(const torc_sparse *A)
{
    return A->part_tiles.tiles.batches;
}

static bool tried_part_tiles(const torc_sparse *A)
{
    return A->part_tiles.was_tried;
}

static void give_up_part_tiles(torc_sparse *A)
{
    torc_sparse_untile(A, &A->part_tiles);
}

static int64_t take_tiles(torc_spmm_args *args, const torc_tiles *tiles)
{
    args->tiles = *tiles;
    args->split_rows = tiles->split_rows;
    args->nsplit_rows = tiles->nsplit_rows;
    return tiles->npieces;
}

static int64_t take_row_tiles(torc_spmm_args *args, const torc_sparse *A, const torc_spmm_kernel *kernel)
{
    (void)kernel;
    return take_tiles(args, &A->row_tiles.tiles);
}

static int64_t take_part_tiles(torc_spmm_args *args, const torc_sparse *A, const torc_spmm_kernel *kernel)
{
    (void)kernel;
    return take_tiles(args, &A->part_tiles.tiles);
}

static bool has_bricks(const torc_sparse *A)
{
    return A->bricks.pieces;
}

static bool tried_bricks(const torc_sparse *A)
{
    return A->is_bricked;
}

/* The largest value of B, half of it to spare, that overflows in no product with one of A, or with none. */
static double most_of_b(torc_type type, double most_of_a)
{
    return (type == TORC_FP32 ? FLT_MAX : DBL_MAX) / 2 / fmax(1, most_of_a);
}

static int64_t take_bricks(torc_spmm_args *args, const torc_sparse *A, const torc_spmm_kernel *kernel)
{
    args->bricks = A->bricks;
    args->most_b = most_of_b(kernel->semiring.type, A->bricks.most);
    args->split_rows = A->bricks.split_rows;
    args->nsplit_rows = A->bricks.nsplit_rows;
    return A->bricks.npartials;
}

static const struct {
    int64_t (*take)(torc_spmm_args *args, const torc_sparse *A, const torc_spmm_kernel *kernel);
    torc_status (*make)(torc_sparse *A); /* NULL: it is there with A */
    bool (*has)(const torc_sparse *A);   /* of a plan; else NULL */
    bool (*was_tried)(const torc_sparse *A);
    void (*give_up)(torc_sparse *A);
} cuts[TORC_CUTS] = {
    [TORC_CUT_BLOCKS] = {take_nothing, NULL, NULL, NULL, NULL},
    [TORC_CUT_SEGMENTS] = {take_segments, NULL, NULL, NULL, NULL},
    [TORC_CUT_PIECES] = {take_pieces, torc_sparse_piece, NULL, NULL, NULL},
    [TORC_CUT_SLICES] = {take_slices, torc_sparse_slice, NULL, NULL, NULL},
    [TORC_CUT_BUNDLES] = {take_bundles, torc_sparse_slice, NULL, NULL, NULL},
    [TORC_CUT_TILES] = {take_row_tiles, make_row_tiles, has_row_tiles, tried_row_tiles, give_up_row_tiles},
    [TORC_CUT_PART_TILES] = {take_part_tiles, make_part_tiles, has_part_tiles, tried_part_tiles,
        give_up_part_tiles},
    [TORC_CUT_BRICKS] = {take_bricks, torc_sparse_brick, has_bricks, tried_bricks, torc_sparse_unbrick},
};

torc_cut torc_sparse_cut_of(const torc_sparse *A, const torc_spmm_kernel *kernel, int64_t ncols)
{
    bool has_parts = kernel->family == TORC_TILES &&
                     torc_tile_parts(&A->partition.statistics, torc_tile_lines(kernel, ncols)) > 1;
    return has_parts ? TORC_CUT_PART_TILES : torc_families[kernel->family].cut;
}

torc_status torc_sparse_cut(torc_sparse *A, torc_cut cut)
{
    return cuts[cut].make ? cuts[cut].make(A) : TORC_SUCCESS;
}

bool torc_cut_is_plan(torc_cut cut)
{
    return cuts[cut].has;
}

bool torc_sparse_has_plan(const torc_sparse *A, torc_cut cut)
{
    return cuts[cut].has && cuts[cut].has(A);
}

bool torc_sparse_lacks_plan(const torc_sparse *A, torc_cut cut)
{
    return cuts[cut].has && cuts[cut].was_tried(A) && !cuts[cut].has(A);
}

bool torc_sparse_give_up_plans(torc_sparse *A)
{
    bool had_some = A->shares && A->shares->count > 0 && !A->is_divided;
    if (!A->is_divided) {
        torc_sparse_unshare(A);
    }
    for (int cut = 0; cut < TORC_CUTS; cut++) {
        had_some = had_some || torc_sparse_has_plan(A, (torc_cut)cut);
    }
    for (int cut = 0; cut < TORC_CUTS && had_some; cut++) {
        if (torc_cut_is_plan((torc_cut)cut)) {
            cuts[cut].give_up(A);
        }
    }
    return had_some;
}

torc_status torc_sparse_take_cut(
    torc_spmm_args *args, int64_t *npartials, torc_sparse *A, const torc_spmm_kernel *kernel)
{
    torc_cut cut = torc_sparse_cut_of(A, kernel, args->ncols);
    torc_status status = torc_sparse_cut(A, cut);
    if (status == TORC_SUCCESS) {
        *npartials = cuts[cut].take(args, A, kernel);
    }
    return status;
}
