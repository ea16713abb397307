/* schedule.h: schedules of a product whose sparse matrix is compiled into the kernel, found without compiling
 * any: the hierarchical 2-dimensional tiling and the constraints of Lin et al., LO-SpMM: Low-cost Search for
 * High-performance SpMM Kernels on GPUs, section 3.
 *
 *     A tile    M1 rows of A, adjacent or not          B tile    N1 adjacent columns of B
 *     thread    (M1, 1) of C: a partial result per row in registers; a value of B serves up to M1 rows
 *     warp      (M1, 32)
 *     block     (M1, N1): N1 threads walk the same rows, so that a block is balanced by itself
 *
 * What the constraints leave is ranked by an analytic cost, where the paper has a learned model: the bytes of
 * instructions that a multiprocessor fetches, and the cycles to issue them. Plain C on the host; knows
 * nothing of how kernels are written. */
#ifndef TORC_SCHEDULE_H
#define TORC_SCHEDULE_H

#include "device_facts.h"

/* A CSR matrix in host memory, columns ascending or not. */
typedef struct torc_host_csr {
    int64_t nrows, ncols;
    const uint32_t *row_ptr, *col_idx; /* nrows+1, row_ptr[nrows] */
} torc_host_csr;

typedef struct torc_schedule {
    int rows;      /* M1 */
    int columns;   /* N1 */
    bool is_dealt; /* rows of a tile are not adjacent: dealt out by length, so that tiles weigh the same */
} torc_schedule;

/* X(name, why a schedule is left out) */
#define TORC_VERDICT_MAP(X)                                                                                  \
    X(KEPT, "kept")                                                                                          \
    X(REGISTERS, "registers: a block needs more than a multiprocessor has")                                  \
    X(WARPS, "utilisation: columns are no multiple of a warp")                                               \
    X(BLOCKS, "utilisation: fewer blocks than half of the multiprocessors")                                  \
    X(ROWS, "balance: entries per tile of A differ by more than .25")                                        \
    X(COLUMNS, "balance: more than .25 of the columns are padding")

typedef enum torc_verdict {
#define X(name, text) TORC_SCHEDULE_##name,
    TORC_VERDICT_MAP(X)
#undef X
        TORC_VERDICT_COUNT
} torc_verdict;

/* The product, and what of the values decides. */
typedef struct torc_search_problem {
    torc_host_csr A;
    int64_t ncols;     /* of C */
    size_t value_size; /* bytes, of A, B and C */
    torc_device_facts device;
} torc_search_problem;

typedef struct torc_candidate_schedule {
    torc_schedule schedule;
    torc_verdict verdict;
    int registers;  /* of a thread, counted */
    int64_t blocks; /* of the grid */
    double seconds; /* predicted; of what is kept */
} torc_candidate_schedule;

enum {
    TORC_MOST_TILE_ROWS = 64,
    TORC_MOST_TILE_COLUMNS = 1024,
    TORC_COLUMN_STEP = 16, /* between the N1 that are looked at */
    TORC_MOST_SCHEDULES = 2 * TORC_MOST_TILE_ROWS * (TORC_MOST_TILE_COLUMNS / TORC_COLUMN_STEP)
};

/* May a schedule for an A of that size gain? Where not, the search is not worth its time. */
bool torc_search_may_gain(int64_t nrows, int64_t nnz);

/* All schedules that there are, those that are kept first, the least predicted time before the others. Writes
 * at most TORC_MOST_SCHEDULES and returns how many; 0: no memory. nkept: how many are kept. */
int torc_search_schedules(torc_candidate_schedule *list, int *nkept, const torc_search_problem *problem);

/* order[t * rows .. ]: the rows of tile t, ceil (nrows / rows) tiles, all rows once. Dealt: longest first, to
 * each tile in turn, forth and back. */
torc_status torc_arrange_rows(uint32_t *order, const torc_host_csr *A, const torc_schedule *schedule);

/* The coefficient of variation of entries per tile: standard deviation over mean. */
double torc_tile_imbalance(const torc_host_csr *A, const uint32_t *order, int rows);

/* Registers of a thread: a partial result per row, values of B on their way, addresses. 174 at most, of the
 * 255 that a thread can have. */
int torc_counted_registers(int rows, size_t value_size);

const char *torc_verdict_text(torc_verdict verdict);

/* constant/4x128, or constant/4x128/dealt; and back. */
enum { TORC_SCHEDULE_NAME = 48 };
void torc_schedule_name(char name[TORC_SCHEDULE_NAME], const torc_schedule *schedule);
bool torc_schedule_parse(torc_schedule *schedule, const char *name);

#endif
