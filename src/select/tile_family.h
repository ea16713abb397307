/* tile_family.h: row split by tiles. A tile has columns that many rows of a block name, and their rows of B
 * are in shared memory. */
#ifndef TORC_TILE_FAMILY_H
#define TORC_TILE_FAMILY_H

#include "families.h"

void torc_list_tiles(torc_listing *listing, const torc_problem *problem, torc_spmm_kernel kernel);
torc_prediction torc_predict_tiles(
    const torc_work *w, const torc_spmm_kernel *kernel, const torc_problem *problem, const torc_rates *rates);

/* How many columns of C are computed with tiles: whole lines, and the rest too if it is more than half a
 * line. Otherwise the rest is gathered: N = 16 in fp32 and 8 in fp64 are gathered in less time than a line
 * takes. */
int64_t torc_tiled_columns(const torc_spmm_kernel *kernel, int64_t ncols);

/* What tiles make of A and B. share: of the entries, those whose columns tiles have; tiles and steps: of a
 * block; blocks: of all parts; spans: of columns, a line each. */
typedef struct torc_tiling {
    int parts;
    double share, tiles, steps, blocks, spans;
} torc_tiling;

torc_tiling torc_tiling_of(const torc_spmm_kernel *kernel, const torc_problem *problem);

#endif
