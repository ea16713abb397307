/* rank_operands.h: the ranks, and where the operands of one lie. */
#ifndef TORC_RANK_OPERANDS_H
#define TORC_RANK_OPERANDS_H

#include <torc/ranks.h>

struct torc_ranks {
    MPI_Comm communicator;
    int number, count;
    torc_context *context;
};

/* Have all ranks that have some the same values? All ranks have them then. Otherwise TORC_INVALID_VALUE, on
 * all.
 */
torc_status torc_ranks_compare(const torc_ranks *ranks, int64_t *values, int count, bool has_some);

/* The status of the first rank that failed, on all ranks. */
torc_status torc_ranks_agree(const torc_ranks *ranks, torc_status own);

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

enum { TORC_RANK_VALUES, TORC_RANK_BITMAP, TORC_RANK_ARRAYS };

struct torc_rank_sparse {
    torc_ranks *ranks;
    torc_sparse *A; /* this rank's rows; columns are its rows of B, then those of the halo */
    int64_t first_row, b_begin, b_rows;
    torc_rank_rows needed, lent;
    uint64_t *lent_rows; /* their numbers among this rank's */
    /* Of B's values and its bitmap: this rank's rows and the halo's, on the device; and in host memory rows
     * on their way. */
    torc_rank_buffer extended[TORC_RANK_ARRAYS], sent[TORC_RANK_ARRAYS], received[TORC_RANK_ARRAYS];
};

#endif
