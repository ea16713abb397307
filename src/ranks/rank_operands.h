/* rank_operands.h: the ranks, and where the operands of one lie. */
#ifndef TORC_RANK_OPERANDS_H
#define TORC_RANK_OPERANDS_H

#include <torc/exchange.h>
#include <torc/ranks.h>

/* Memory of torc_ranks_allocate. */
typedef struct torc_rank_memory torc_rank_memory;
struct torc_rank_memory {
    void *own;
    size_t size;
    void **mapped; /* that of each other rank, whose device writes to this one; NULL: none does */
    torc_rank_memory *next;
};

struct torc_ranks {
    MPI_Comm communicator;
    int number, count;
    torc_context *context;
    torc_exchange *exchange;    /* from device to device; NULL: by MPI. The same on all ranks */
    const char *way;            /* which of them, and why, in words */
    bool writes;                /* may devices write to each other's memory? The same on all */
    torc_rank_memory *memories; /* that others write to: the same number on all */
    torc_rank_memory *unshared; /* the rest */
};

enum { TORC_COMPARED = 4 };

/* Have all ranks that have some the same values? All ranks have them then, or 0 where no rank has some.
 * Otherwise TORC_INVALID_VALUE, on all, and the text. TORC_COMPARED values at most. */
torc_status torc_ranks_compare(
    const torc_ranks *ranks, int64_t *values, int count, bool has_some, const char *text);

/* A call begins: what went wrong before is forgotten. */
void torc_ranks_begin(const torc_ranks *ranks);

/* The status and the text of the first rank that failed, on all ranks. One that failed without a text since
 * the call began has that of its status. */
torc_status torc_ranks_agree(const torc_ranks *ranks, torc_status own);

/* rank_way.c: choose the way, and give it up at the end. */
void torc_ranks_open_way(torc_ranks *ranks);
void torc_ranks_close_way(torc_ranks *ranks);

/* rank_memory.c: may they write to each other's memory? */
void torc_ranks_open_writing(torc_ranks *ranks);

/* Move pieces from device to device, until work may wait for them: by all ranks that have an exchange. false,
 * on all: it failed, or what one had to do before (its own status), and they go by MPI from now on. */
bool torc_ranks_move(
    torc_ranks *ranks, torc_status own, int turn, const torc_exchange_piece *pieces, int count);

/* Before a rank waits for its device, which may be waiting for another that is lost. All get the same status.
 */
torc_status torc_ranks_guard(torc_ranks *ranks);

/* Rows to and from the other ranks: `counts` rows for each of them, which begin at `starts`. */
typedef struct torc_rank_rows {
    int *counts, *starts;
    int64_t total;
} torc_rank_rows;

/* Memory that grows with what it has to hold, and is kept. */
typedef struct torc_rank_buffer {
    void *memory;
    size_t size;
} torc_rank_buffer;

/* A place in memory of torc_ranks_allocate: the number of the memory, -1 for none, and bytes from its first.
 */
typedef struct torc_rank_place {
    int64_t memory, offset;
} torc_rank_place;

enum { TORC_RANK_VALUES, TORC_RANK_BITMAP, TORC_RANK_ARRAYS };

struct torc_rank_sparse {
    torc_ranks *ranks;
    torc_sparse *A; /* this rank's rows; columns are its rows of B, then those of the halo */
    int64_t first_row, b_begin, b_rows;
    int64_t most_needed; /* rows of B that any rank needs from others */
    torc_rank_rows needed, lent;
    uint64_t *lent_rows; /* device memory: their numbers among this rank's */
    /* Room for what travels at once; what is written at once, where it goes in each rank's memory, and where
     * each rank's goes in this one's: of all arrays. */
    torc_exchange_piece *pieces;
    torc_exchange_rows *written;
    torc_rank_place *places, *own_places;
    /* Of B's values and its bitmap: rows that others need, on the device, and the halo where it comes in
     * panels; this rank's rows and the halo's, where B has no room; and in host memory what travels by MPI.
     */
    torc_rank_buffer gathered[TORC_RANK_ARRAYS], arrived[TORC_RANK_ARRAYS], extended[TORC_RANK_ARRAYS];
    torc_rank_buffer sent[TORC_RANK_ARRAYS], received[TORC_RANK_ARRAYS];
};

#endif
