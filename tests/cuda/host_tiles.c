#include "host_tiles.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_PARTS = 16, GROUPS = TORC_TILE_WARPS * TORC_TILE_GROUPS, K = TORC_TILE_COLUMNS };

typedef struct piece {
    int64_t row, begin, end, step;
    uint32_t owner;
    int64_t number; /* row by row */
    int64_t inside; /* entries of shared columns */
} piece;

typedef struct planner {
    torc_device *reference;
    const torc_device_csr *A;
    torc_tiles *tiles;
    torc_device_csr *rest;
    int parts;
    piece *pieces;    /* part by part */
    int64_t *in_rows; /* the pieces, row by row */
    int64_t part_begin[MOST_PARTS + 1], part_blocks;
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

/* Memory of the executor's, with a copy of what was planned; of nothing NULL, as the CUDA executor gives. */
static void *keep(planner *p, void *planned, int64_t count, size_t size)
{
    void *memory = NULL;
    size_t bytes = (size_t)count * size;
    if (p->status == TORC_SUCCESS && bytes > 0) {
        p->status = torc_executor_reference()->allocate(&memory, p->reference, bytes);
    }
    if (memory) {
        memcpy(memory, planned, bytes);
    }
    free(planned);
    return memory;
}

/* The entries of a row before its part p. */
static int64_t before_part(const planner *p, int64_t length, int part)
{
    if (length < (int64_t)p->parts * TORC_TILE_PART) {
        return part > 0 ? length : 0;
    }
    return length * part / p->parts;
}

static void cut_into_pieces(planner *p)
{
    const uint32_t *row_ptr = p->A->row_ptr;
    int64_t nrows = p->A->nrows, count = 0, nsplit = 0, *own = take((size_t)nrows, sizeof *own);
    torc_split_row *split_rows = take((size_t)nrows, sizeof *split_rows);
    p->pieces = take((size_t)(nrows + p->A->nnz), sizeof *p->pieces);
    p->in_rows = take((size_t)(nrows + p->A->nnz), sizeof *p->in_rows);
    for (int part = 0; part < p->parts; part++) {
        p->part_begin[part] = count;
        for (int64_t i = 0; i < nrows; i++) {
            int64_t length = (int64_t)row_ptr[i + 1] - row_ptr[i];
            int64_t begin = before_part(p, length, part), end = before_part(p, length, part + 1);
            int64_t pieces = (end - begin + TORC_TILE_PIECE - 1) / TORC_TILE_PIECE;
            pieces = part == 0 && length == 0 ? 1 : pieces;
            for (int64_t q = 0; q < pieces; q++) {
                p->pieces[count++] = (piece){i, row_ptr[i] + begin + q, row_ptr[i] + end, pieces, 0, 0, 0};
            }
            own[i] += pieces;
        }
    }
    int64_t *next = take((size_t)nrows, sizeof *next);
    for (int64_t i = 0, first = 0; i < nrows; first += own[i++]) {
        next[i] = first;
        if (own[i] > 1) {
            split_rows[nsplit++] = (torc_split_row){i, first, first + own[i]};
        }
    }
    for (int64_t n = 0; n < count; n++) {
        piece *found = &p->pieces[n];
        int64_t i = found->row, number = next[i]++;
        bool is_empty = row_ptr[i + 1] == row_ptr[i];
        found->number = number;
        found->owner = own[i] > 1 ? (uint32_t)number | TORC_TILE_IS_PARTIAL
                                  : (uint32_t)i | (is_empty ? TORC_TILE_IS_EMPTY : 0);
        p->in_rows[number] = n;
    }
    free(own);
    free(next);
    int64_t most = 0; /* pieces of a part */
    p->part_begin[p->parts] = count;
    for (int part = 0; part < p->parts; part++) {
        int64_t pieces = p->part_begin[part + 1] - p->part_begin[part];
        most = pieces > most ? pieces : most;
    }
    p->part_blocks = torc_tile_part_blocks(most, p->parts);
    p->height = (most + p->part_blocks - 1) / p->part_blocks;
    p->tiles->npieces = count;
    p->tiles->nblocks = p->part_blocks * p->parts;
    p->tiles->nsplit_rows = nsplit;
    p->tiles->split_rows = keep(p, split_rows, nsplit, sizeof *split_rows);
}

/* Of a block's pieces the first, or the one after the last. */
static int64_t block_begin(const planner *p, int64_t block, int after)
{
    int64_t part = block / p->part_blocks;
    int64_t begin = p->part_begin[part] + (block % p->part_blocks + after) * p->height;
    return begin < p->part_begin[part + 1] ? begin : p->part_begin[part + 1];
}

/* Columns of a block by the logarithm of how often they are named; returns how many are shared. */
static uint32_t rank_columns(planner *p, int64_t block, uint32_t *columns)
{
    uint32_t *named = take((size_t)p->A->ncols, sizeof *named), rank = 0;
    int64_t end = block_begin(p, block, 1);
    for (int64_t n = block_begin(p, block, 0); n < end; n++) {
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
        piece *own = &p->pieces[block_begin(p, block, 0) + n];
        for (int64_t e = own->begin; e < own->end; e += own->step) {
            own->inside += p->ranks[p->A->col_idx[e]] > 0;
        }
        int64_t at = n;
        for (; at > 0 && p->pieces[order[at - 1]].inside < own->inside; at--) {
            order[at] = order[at - 1];
        }
        order[at] = block_begin(p, block, 0) + n;
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
    int64_t count = block_begin(p, block, 1) - block_begin(p, block, 0);
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

/* Entries of a block that no tile has. */
static void mark_rest(planner *p, int64_t block, bool *is_left)
{
    int64_t end = block_begin(p, block, 1);
    for (int64_t n = block_begin(p, block, 0); n < end; n++) {
        const piece *own = &p->pieces[n];
        for (int64_t e = own->begin; e < own->end; e += own->step) {
            is_left[e] = p->ranks[p->A->col_idx[e]] == 0;
        }
    }
}

/* Those of all blocks, piece by piece of each row. */
static void list_rest(planner *p, const bool *is_left, uint32_t *row_ptr, uint32_t *columns, char *values)
{
    size_t value = p->A->value_size;
    for (int64_t n = 0; n < p->tiles->npieces; n++) {
        const piece *own = &p->pieces[p->in_rows[n]];
        for (int64_t e = own->begin; e < own->end; e += own->step) {
            if (is_left[e]) {
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

torc_status torc_host_plan_tiles(
    torc_device *reference, torc_tiles *tiles, torc_device_csr *rest, const torc_device_csr *A, int parts)
{
    *tiles =
        (torc_tiles){.batch_size = TORC_TILE_POSITIONS + (int64_t)A->value_size * TORC_TILE_POSITIONS / 2};
    *rest = (torc_device_csr){.nrows = A->nrows, .ncols = A->ncols, .value_size = A->value_size};
    planner p = {.reference = reference, .A = A, .tiles = tiles, .rest = rest, .parts = parts};
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
    bool *is_left = take((size_t)A->nnz, sizeof *is_left);
    p.ranks = take((size_t)A->ncols, sizeof *p.ranks);
    for (size_t b = 0; b < nblocks; b++) {
        ncolumns[b] = rank_columns(&p, (int64_t)b, columns + (size_t)to.ntiles * K);
        place_block(&p, &to, (int64_t)b, (ncolumns[b] + K - 1) / K);
        tile_begin[b + 1] = (uint32_t)to.ntiles;
        mark_rest(&p, (int64_t)b, is_left);
    }
    list_rest(&p, is_left, row_ptr, rest_columns, rest_values);
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
    free(p.in_rows);
    free(p.ranks);
    free(is_left);
    return p.status;
}
