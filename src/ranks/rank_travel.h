/* rank_travel.h: the halo of B on its way, in panels of columns, so that work on some goes on while others
 * travel. */
#ifndef TORC_RANK_TRAVEL_H
#define TORC_RANK_TRAVEL_H

#include "rank_operands.h"

typedef struct torc_rank_array {
    int number;       /* of the buffers of A that it has */
    size_t size;      /* bytes of an element */
    const char *from; /* this rank's rows */
    char *to;         /* this rank's rows, and behind them the halo's */
} torc_rank_array;

typedef struct torc_travel {
    torc_rank_sparse *A;
    int64_t ncols;
    bool is_written; /* by those who have it, to its place; the same on all ranks, as is: */
    int panels;
    int narrays;
    torc_rank_array arrays[TORC_RANK_ARRAYS];
} torc_travel;

/* Has B room for the halo behind this rank's rows? */
bool torc_rank_has_room(const torc_rank_sparse *A, const torc_dense *B);

/* The halo begins to travel, and B becomes B with the halo's rows. By all ranks; they agree on the status.
 *  panels: at most so many. has_values, has_bitmap: what travels, the same on all. */
torc_status torc_travel_begin(
    torc_travel *travel, torc_dense *B, torc_rank_sparse *A, bool has_values, bool has_bitmap, int panels);

/* Where a panel begins; that behind the last: where they end. */
int64_t torc_travel_column(const torc_travel *travel, int panel);

/* Work that will be queued finds the halo's columns of a panel in B. Of all panels, in their order, also
 * where something failed: the memory of those that travel is used again. */
torc_status torc_travel_arrive(const torc_travel *travel, int panel);

/* rank_write.c: is the halo written to its place by those who have it? All ranks tell each other where that
 * is; where all can, arrays stay where they are. */
bool torc_travel_is_written(torc_travel *travel, bool has_room);

/* Write what others need of this rank's rows, panel by panel. */
torc_status torc_travel_write(const torc_travel *travel);

#endif
