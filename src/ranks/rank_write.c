/* rank_write.c: the halo of B, written to its place by the ranks that have it.
 *
 *     B of this rank      own rows            | room
 *                          | listed, a panel     ^
 *                          v                     | likewise, by the others' devices
 *     B of the others     own rows            | room
 *
 * B lies in memory of torc_ranks_allocate on all ranks. Nothing is gathered, and nothing copied. */
#include "rank_travel.h"

/* Where rows go: the number of the memory, and how far from its first byte; no memory: -1. */
static torc_rank_place find(const torc_ranks *ranks, const void *at)
{
    torc_rank_place place = {0, 0};
    for (const torc_rank_memory *m = ranks->memories; m; m = m->next, place.memory++) {
        uintptr_t begin = (uintptr_t)m->own, address = (uintptr_t)at;
        if (address >= begin && address - begin < m->size) {
            place.offset = (int64_t)(address - begin);
            return place;
        }
    }
    return (torc_rank_place){-1, 0};
}

static char *mapped(const torc_ranks *ranks, int other, torc_rank_place place)
{
    const torc_rank_memory *m = ranks->memories;
    for (int64_t i = 0; i < place.memory; i++) {
        m = m->next;
    }
    return (char *)m->mapped[other] + place.offset;
}

/* Where this rank has an array; a rank that needs nothing may have it anywhere, if it can write at all. */
static torc_rank_place place_of(
    const torc_travel *travel, const torc_rank_array *array, bool has_room, bool is_ready)
{
    torc_rank_place nowhere = {-1, 0}, anywhere = {0, 0};
    bool needs_nothing = travel->A->needed.total == 0;
    return !is_ready || (!needs_nothing && !has_room) ? nowhere
           : needs_nothing                            ? anywhere
                                                      : find(travel->A->ranks, array->from);
}

/* The places of all arrays, for each rank: where its rows of the halo begin. */
static void list_places(const torc_travel *travel, bool has_room, bool is_ready)
{
    const torc_rank_sparse *A = travel->A;
    for (int i = 0; i < travel->narrays; i++) {
        const torc_rank_array *array = &travel->arrays[i];
        int64_t row = travel->ncols * (int64_t)array->size;
        torc_rank_place place = place_of(travel, array, has_room, is_ready);
        for (int r = 0; r < A->ranks->count; r++) {
            torc_rank_place *own = &A->own_places[r * TORC_RANK_ARRAYS + i];
            *own = place;
            own->offset += (A->b_rows + A->needed.starts[r]) * row;
        }
    }
}

bool torc_travel_is_written(torc_travel *travel, bool has_room)
{
    const torc_rank_sparse *A = travel->A;
    const torc_ranks *ranks = A->ranks;
    if (!ranks->exchange || !ranks->memories || travel->narrays == 0) {
        return false;
    }
    bool is_written = torc_exchange_ready(ranks->exchange) == TORC_SUCCESS;
    int bytes = TORC_RANK_ARRAYS * (int)sizeof *A->places;
    list_places(travel, has_room, is_written);
    MPI_Alltoall(A->own_places, bytes, MPI_BYTE, A->places, bytes, MPI_BYTE, ranks->communicator);
    for (int r = 0; r < ranks->count; r++) {
        for (int i = 0; i < travel->narrays; i++) {
            is_written = is_written && A->places[r * TORC_RANK_ARRAYS + i].memory >= 0;
        }
    }
    for (int i = 0; i < travel->narrays && is_written; i++) {
        travel->arrays[i].to = (char *)travel->arrays[i].from;
    }
    return is_written;
}

/* The columns of a panel, to all that need rows of this rank. The ranks begin with different ones. */
static torc_status write_panel(const torc_travel *travel, int panel)
{
    const torc_rank_sparse *A = travel->A;
    const torc_ranks *ranks = A->ranks;
    int64_t first = torc_travel_column(travel, panel), end = torc_travel_column(travel, panel + 1);
    int count = 0;
    for (int step = 1; step < ranks->count; step++) {
        int other = (ranks->number + step) % ranks->count;
        for (int i = 0; i < travel->narrays && A->lent.counts[other] > 0; i++) {
            const torc_rank_array *array = &travel->arrays[i];
            size_t row = (size_t)travel->ncols * array->size, skipped = (size_t)first * array->size;
            char *to = mapped(ranks, other, A->places[other * TORC_RANK_ARRAYS + i]);
            A->written[count++] = (torc_exchange_rows){other, to + skipped, row, array->from + skipped, row,
                (size_t)(end - first) * array->size, A->lent.counts[other],
                A->lent_rows + A->lent.starts[other]};
        }
    }
    return torc_exchange_write(ranks->exchange, panel, A->written, count);
}

torc_status torc_travel_write(const torc_travel *travel)
{
    torc_status status = TORC_SUCCESS;
    for (int p = 0; p < travel->panels && status == TORC_SUCCESS; p++) {
        status = write_panel(travel, p);
    }
    return torc_ranks_agree(travel->A->ranks, status);
}
