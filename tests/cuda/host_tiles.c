#include "host_tiles.h"
#include <stdlib.h>
#include <string.h>

enum { BLOCKS = TORC_TILE_BLOCKS, GROUPS = TORC_TILE_WARPS * TORC_TILE_GROUPS, K = TORC_TILE_COLUMNS };

typedef struct piece {
    int64_t row, begin, end, step;
    uint32_t owner;
    int64_t inside; /* entries of shared columns */
} piece;

typedef struct planner {
    torc_device *reference;
    const torc_device_csr *A;
    torc_tiles *tiles;
    torc_device_csr *rest;
    piece *pieces;
    int64_t height;
    uint32_t *ranks; /* of the block at hand; 0: not shared */
    torc_status status;
} planner;

static void *take(size_t count, size_t size)
{
    void *memory = calloc(count + 1, size);
    if (!memory) {
        abort();
    }
    return memory;
}

/* Memory of the executor's, with a copy of what was planned. */
static void *keep(planner *p, void *planned, int64_t count, size_t size)
{
    void *memory = NULL;
    if (p->status == TORC_SUCCESS) {
        p->status = torc_executor_reference()->allocate(&memory, p->reference, (size_t)count * size);
    }
    if (memory && count > 0) {
        memcpy(memory, planned, (size_t)count * size);
    }
    free(planned);
    return memory;
}

static void cut_into_pieces(planner *p)
{
    const uint32_t *row_ptr = p->A->row_ptr;
    torc_split_row *split_rows = take((size_t)p->A->nrows, sizeof *split_rows);
    p->pieces = take((size_t)(p->A->nrows + p->A->nnz), sizeof *p->pieces);
    int64_t count = 0, nlong = 0;
    for (int64_t i = 0; i < p->A->nrows; i++) {
        int64_t length = (int64_t)row_ptr[i + 1] - row_ptr[i];
        int64_t parts = length > TORC_TILE_PIECE ? (length + TORC_TILE_PIECE - 1) / TORC_TILE_PIECE : 1;
        if (length > TORC_SEGMENT_NNZ) {
            split_rows[nlong++] = (torc_split_row){i, count, count + parts};
        }
        for (int64_t q = 0; q < parts; q++) {
            uint32_t owner = (uint32_t)i | (length == 0 ? TORC_TILE_IS_EMPTY : 0);
            if (length > TORC_SEGMENT_NNZ) {
                owner = (uint32_t)count | TORC_TILE_IS_PARTIAL;
            }
            p->pieces[count++] = (piece){i, row_ptr[i] + q, row_ptr[i + 1], parts, owner, 0};
        }
    }
    int64_t full = (count + TORC_TILE_ROWS - 1) / TORC_TILE_ROWS;
    int64_t wanted = (full + BLOCKS - 1) / BLOCKS * BLOCKS;
    p->height = (count + wanted - 1) / wanted;
    p->tiles->npieces = count;
    p->tiles->nblocks = (count + p->height - 1) / p->height;
    p->tiles->nsplit_rows = nlong;
    p->tiles->split_rows = keep(p, split_rows, nlong, sizeof *split_rows);
}

static int64_t least(int64_t x, int64_t y)
{
    return x < y ? x : y;
}

/* Columns of a block by the logarithm of how often they are named; returns how many are shared. */
static uint32_t rank_columns(planner *p, int64_t block, uint32_t *columns)
{
    uint32_t *named = take((size_t)p->A->ncols, sizeof *named), rank = 0;
    int64_t end = least((block + 1) * p->height, p->tiles->npieces);
    for (int64_t n = block * p->height; n < end; n++) {
        for (int64_t e = p->pieces[n].begin; e < p->pieces[n].end; e += p->pieces[n].step) {
            named[p->A->col_idx[e]]++;
        }
    }
    memset(p->ranks, 0, (size_t)p->A->ncols * sizeof *p->ranks);
    for (int log = 31; log >= 1; log--) {
        for (int64_t k = 0; k < p->A->ncols; k++) {
            /* All above 2^15 are alike. */
            bool is_of_log = log == 15 ? named[k] >> 15 != 0 : log < 15 && named[k] >> log == 1;
            if (is_of_log && named[k] >= TORC_TILE_SHARERS) {
                columns[rank] = (uint32_t)k;
                p->ranks[k] = ++rank;
            }
        }
    }
    free(named);
    return rank;
}

/* Pieces of a block, those of most shared entries first, then in their order. */
static void sort_pieces(planner *p, int64_t block, int64_t *order, int64_t count)
{
    for (int64_t n = 0; n < count; n++) {
        piece *own = &p->pieces[block * p->height + n];
        for (int64_t e = own->begin; e < own->end; e += own->step) {
            own->inside += p->ranks[p->A->col_idx[e]] > 0;
        }
        int64_t at = n;
        for (; at > 0 && p->pieces[order[at - 1]].inside < own->inside; at--) {
            order[at] = order[at - 1];
        }
        order[at] = block * p->height + n;
    }
}

/* A block's entries in batches: appended to *batches, of which there are *count. */
typedef struct filling {
    unsigned char *batches;
    int64_t count, ntiles;
    uint32_t *owners, *batch_begin;
    uint8_t *steps;
} filling;

static void place_warp(planner *p, filling *to, const int64_t *slots, uint8_t *steps, int64_t ntiles)
{
    size_t value = p->A->value_size, size = (size_t)p->tiles->batch_size;
    int64_t step = 0, first = to->count;
    for (int64_t t = 0; t < ntiles; t++) {
        for (int j = 0; j < TORC_TILE_SLOTS; j++) {
            int64_t most = 0;
            for (int g = 0; g < TORC_TILE_GROUPS; g++) {
                int64_t n = slots[g * TORC_TILE_SLOTS + j], placed = 0;
                for (int64_t e = n < 0 ? 0 : p->pieces[n].begin; n >= 0 && e < p->pieces[n].end;
                     e += p->pieces[n].step) {
                    uint32_t rank = p->ranks[p->A->col_idx[e]];
                    if (rank == 0 || (rank - 1) / K != t) {
                        continue;
                    }
                    int64_t own = step + placed / TORC_TILE_STEP;
                    int64_t place = (own % TORC_TILE_BATCH * TORC_TILE_GROUPS + g) * TORC_TILE_STEP +
                                    placed % TORC_TILE_STEP;
                    unsigned char *batch = to->batches + (size_t)(first + own / TORC_TILE_BATCH) * size;
                    ((uint16_t *)(void *)batch)[place] = (uint16_t)((rank - 1) % K | TORC_TILE_IS_ENTRY);
                    if (value > 0) {
                        memcpy(batch + TORC_TILE_POSITIONS + (size_t)place * value,
                            (const char *)p->A->values + (size_t)e * value, value);
                    }
                    placed++;
                }
                most = placed > most ? placed : most;
            }
            steps[t * TORC_TILE_SLOTS + j] = (uint8_t)((most + TORC_TILE_STEP - 1) / TORC_TILE_STEP);
            step += steps[t * TORC_TILE_SLOTS + j];
        }
    }
    to->count += (step + TORC_TILE_BATCH - 1) / TORC_TILE_BATCH;
}

static void place_block(planner *p, filling *to, int64_t block, int64_t ntiles)
{
    int64_t order[TORC_TILE_ROWS], slots[TORC_TILE_ROWS];
    int64_t count = least(p->height, p->tiles->npieces - block * p->height);
    sort_pieces(p, block, order, count);
    for (int k = 0; k < TORC_TILE_ROWS; k++) {
        int j = k / GROUPS, g = j % 2 ? GROUPS - 1 - k % GROUPS : k % GROUPS, slot = g * TORC_TILE_SLOTS + j;
        slots[slot] = k < count ? order[k] : -1;
        to->owners[block * TORC_TILE_ROWS + slot] = k < count ? p->pieces[order[k]].owner : TORC_TILE_NOBODY;
    }
    for (int w = 0; w < TORC_TILE_WARPS; w++) {
        to->batch_begin[block * TORC_TILE_WARPS + w] = (uint32_t)to->count;
        place_warp(p, to, slots + w * TORC_TILE_GROUPS * TORC_TILE_SLOTS,
            to->steps + (to->ntiles * TORC_TILE_WARPS + w * ntiles) * TORC_TILE_SLOTS, ntiles);
    }
    to->ntiles += ntiles;
}

/* Entries of a block that no tile has, piece by piece. */
static void leave_rest(planner *p, int64_t block, uint32_t *row_ptr, uint32_t *columns, char *values)
{
    size_t value = p->A->value_size;
    int64_t end = least((block + 1) * p->height, p->tiles->npieces);
    for (int64_t n = block * p->height; n < end; n++) {
        const piece *own = &p->pieces[n];
        for (int64_t e = own->begin; e < own->end; e += own->step) {
            if (p->ranks[p->A->col_idx[e]] == 0) {
                if (value > 0) {
                    memcpy(values + (size_t)p->rest->nnz * value,
                        (const char *)p->A->values + (size_t)e * value, value);
                }
                columns[p->rest->nnz++] = p->A->col_idx[e];
            }
        }
        row_ptr[own->row + 1] = (uint32_t)p->rest->nnz;
    }
}

torc_status torc_host_plan_tiles(torc_device *reference, torc_tiles *tiles, torc_device_csr *rest,
    const torc_partition *rows, const torc_device_csr *A)
{
    (void)rows;
    *tiles =
        (torc_tiles){.batch_size = TORC_TILE_POSITIONS + (int64_t)A->value_size * TORC_TILE_POSITIONS / 2};
    *rest = (torc_device_csr){.nrows = A->nrows, .ncols = A->ncols, .value_size = A->value_size};
    planner p = {.reference = reference, .A = A, .tiles = tiles, .rest = rest};
    cut_into_pieces(&p);
    size_t nblocks = (size_t)tiles->nblocks, width = (size_t)A->ncols / K + 1; /* tiles at most */
    size_t warps = nblocks * TORC_TILE_WARPS;
    filling to = {
        /* each entry might have a step of its own */
        .batches = take((size_t)A->nnz + warps + 2, (size_t)tiles->batch_size),
        .owners = take(nblocks * TORC_TILE_ROWS, sizeof(uint32_t)),
        .batch_begin = take(warps + 1, sizeof(uint32_t)),
        .steps = take(warps * width, TORC_TILE_SLOTS),
    };
    uint32_t *tile_begin = take(nblocks + 1, sizeof *tile_begin), *ncolumns = take(nblocks, sizeof *ncolumns);
    uint32_t *columns = take((nblocks * width + 1) * K, sizeof *columns);
    uint32_t *row_ptr = take((size_t)A->nrows + 1, sizeof *row_ptr);
    uint32_t *rest_columns = take((size_t)A->nnz, sizeof *rest_columns);
    char *rest_values = take((size_t)A->nnz, A->value_size + 1);
    p.ranks = take((size_t)A->ncols, sizeof *p.ranks);
    for (size_t b = 0; b < nblocks; b++) {
        ncolumns[b] = rank_columns(&p, (int64_t)b, columns + (size_t)to.ntiles * K);
        place_block(&p, &to, (int64_t)b, (ncolumns[b] + K - 1) / K);
        tile_begin[b + 1] = (uint32_t)to.ntiles;
        leave_rest(&p, (int64_t)b, row_ptr, rest_columns, rest_values);
    }
    to.batch_begin[warps] = (uint32_t)to.count;
    tiles->tile_begin = keep(&p, tile_begin, tiles->nblocks + 1, sizeof *tile_begin);
    tiles->columns = keep(&p, columns, to.ntiles * K, sizeof *columns);
    tiles->ncolumns = keep(&p, ncolumns, tiles->nblocks, sizeof *ncolumns);
    tiles->owners = keep(&p, to.owners, tiles->nblocks * TORC_TILE_ROWS, sizeof(uint32_t));
    tiles->steps = keep(&p, to.steps, to.ntiles * TORC_TILE_WARPS, TORC_TILE_SLOTS);
    tiles->batch_begin = keep(&p, to.batch_begin, (int64_t)warps + 1, sizeof(uint32_t));
    tiles->batches = keep(&p, to.batches, to.count + 2, (size_t)tiles->batch_size);
    rest->row_ptr = keep(&p, row_ptr, rest->nnz > 0 ? A->nrows + 1 : 0, sizeof *row_ptr);
    rest->col_idx = keep(&p, rest_columns, rest->nnz, sizeof *rest_columns);
    rest->values = keep(&p, rest_values, rest->nnz, A->value_size);
    free(p.pieces);
    free(p.ranks);
    return p.status;
}
