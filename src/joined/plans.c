/* plans.c: plans of tiles and of bricks. Each member makes its own, whose arrays become blocks. */
#include "joined.h"

enum { MOST_ARRAYS = 11 };

/* One member's plan: of tiles, or of bricks. */
typedef struct plan {
    torc_tiles tiles;
    torc_device_csr rest;
    torc_bricks bricks;
    void *arrays[MOST_ARRAYS];
} plan;

static void list_tiles(plan *p)
{
    void *const arrays[MOST_ARRAYS] = {p->tiles.tile_begin, p->tiles.columns, p->tiles.ncolumns,
        p->tiles.owners, p->tiles.steps, p->tiles.batch_begin, p->tiles.batches, p->tiles.split_rows,
        p->rest.row_ptr, p->rest.col_idx, p->rest.values};
    for (int i = 0; i < MOST_ARRAYS; i++) {
        p->arrays[i] = arrays[i];
    }
}

static void list_bricks(plan *p)
{
    void *const arrays[] = {p->bricks.pairs, p->bricks.values, p->bricks.pieces, p->bricks.split_rows};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        p->arrays[i] = arrays[i];
    }
}

/* The caller releases what the first member's plan names, and so the arrays of all, whatever failed. */
static void know_arrays(torc_joined *joined, const plan *plans)
{
    for (int i = 0; i < MOST_ARRAYS; i++) {
        void *addresses[TORC_JOINED_MEMBERS];
        for (int m = 0; m < joined->count; m++) {
            addresses[m] = plans[m].arrays[i];
        }
        if (addresses[0]) {
            torc_joined_know(joined, addresses, 0);
        }
    }
}

/* A is everywhere, and there is room for the blocks that its plans become. */
static torc_status prepare(torc_joined *joined, const torc_device_csr *A)
{
    torc_status status = torc_joined_csr(joined, A);
    return status == TORC_SUCCESS ? torc_joined_reserve(joined, MOST_ARRAYS) : status;
}

torc_status torc_joined_plan_tiles(
    torc_device *device, torc_tiles *tiles, torc_device_csr *rest, const torc_device_csr *A, int parts)
{
    torc_joined *joined = torc_joined_of(device);
    plan plans[TORC_JOINED_MEMBERS] = {0};
    *tiles = (torc_tiles){0};
    *rest = (torc_device_csr){.nrows = A->nrows, .ncols = A->ncols};
    torc_status status = prepare(joined, A);
    for (int m = 0; m < joined->count && status == TORC_SUCCESS; m++) {
        torc_device_csr own = torc_joined_csr_at(joined, m, A);
        status = torc_joined_note(joined, m,
            joined->each->plan_tiles(joined->members[m], &plans[m].tiles, &plans[m].rest, &own, parts));
        list_tiles(&plans[m]);
    }
    know_arrays(joined, plans);
    *tiles = plans[0].tiles;
    *rest = plans[0].rest;
    return status;
}

torc_status torc_joined_plan_bricks(
    torc_device *device, torc_bricks *bricks, const torc_device_csr *A, torc_type type, int height)
{
    torc_joined *joined = torc_joined_of(device);
    plan plans[TORC_JOINED_MEMBERS] = {0};
    *bricks = (torc_bricks){0};
    torc_status status = prepare(joined, A);
    for (int m = 0; m < joined->count && status == TORC_SUCCESS; m++) {
        torc_device_csr own = torc_joined_csr_at(joined, m, A);
        status = torc_joined_note(
            joined, m, joined->each->plan_bricks(joined->members[m], &plans[m].bricks, &own, type, height));
        list_bricks(&plans[m]);
    }
    know_arrays(joined, plans);
    *bricks = plans[0].bricks;
    return status;
}
