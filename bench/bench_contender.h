/* bench_contender.h: one way to compute C = A ⊕.⊗ B. A family of contenders lists those that can take a case,
 * by asking its own library; the rest of the bench treats all alike. */
#ifndef BENCH_CONTENDER_H
#define BENCH_CONTENDER_H

#include "bench_matrix.h"
#include <cuda_runtime_api.h>
#include <stdbool.h>
#include "problem.h"

/* Everything in device memory but the matrix itself; B and C without gaps, in a contender's order. */
typedef struct bench_problem {
    const bench_matrix *matrix;
    torc_semiring semiring; /* its type is that of A, B and C */
    int64_t ncols;          /* of B and C: N */
    cudaStream_t stream;    /* all work is queued here */
    torc_sparse *sparse;    /* A as torc holds it */
    torc_sparse *reordered; /* the same, its rows in an order of torc's; NULL: not asked for */
    int32_t *row_ptr, *col_idx;
    void *values, *b, *c;
    uint8_t *marks, *present; /* of contenders with bitmaps: B's, and C's mask, true or false as
                                 bench_values.h has it; C's */
} bench_problem;

typedef struct bench_contender bench_contender;

struct bench_contender {
    char name[80];
    int variant;              /* the family's own: an algorithm */
    double predicted;         /* seconds; 0: nobody says */
    torc_order order;         /* of B and C */
    torc_precision precision; /* of torc's sums */
    bool is_reordered;        /* torc's A is */
    bool is_on_host;          /* the result does not reach problem->c; L2 means nothing to it */
    bool adds;                /* to what C holds: zeros before it is checked */
    /* Conversion and analysis, not part of the time. NULL: it declines after all. */
    void *(*prepare)(const bench_contender *contender, const bench_problem *problem);
    void (*queue)(void *state); /* one multiplication, all of it */
    void (*release)(void *state);
    void (*read_row)(void *row, void *state, int64_t i); /* of the result; NULL: rows are in problem->c */
    void (*read_present)(uint8_t *row, void *state, int64_t i); /* which are there; NULL: all */
};

enum { BENCH_MAX_CONTENDERS = 160 };

/* The problem as torc's selection sees it. */
torc_problem bench_question(const bench_problem *problem);

/* Each writes its contenders for the case, at most BENCH_MAX_CONTENDERS, and returns how many. */
int bench_list_torc(bench_contender *list, const bench_problem *problem);
int bench_list_cusparse(bench_contender *list, const bench_problem *problem);
int bench_list_spmm_op(bench_contender *list, const bench_problem *problem);
int bench_list_suitesparse(bench_contender *list, const bench_problem *problem);

#endif
