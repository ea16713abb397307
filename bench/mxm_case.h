/* mxm_case.h: one case of torc-bench-mxm: whole calls, from matrices in host memory to a matrix in host
 * memory, by torc and by SuiteSparse. */
#ifndef BENCH_MXM_CASE_H
#define BENCH_MXM_CASE_H

#include <GraphBLAS.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct mxm_options {
    int scale;   /* log2 of the rows of R-MAT and uniform; the others shrink likewise */
    int repeats; /* calls that are timed */
    int threads; /* of the case that has some */
    FILE *csv;
} mxm_options;

typedef enum mxm_matrix { MXM_RMAT, MXM_UNIFORM, MXM_RECTANGULAR, MXM_TINY } mxm_matrix;

typedef struct mxm_case {
    const char *name, *tells;
    mxm_matrix matrix;
    int64_t ncols;
    bool is_fp64, is_min_plus;
    bool is_sum;  /* plus_second, or plus_first where is_left: of B's values alone */
    bool is_left; /* C = B*A', B of few rows: the same product, its dense matrices the other way round */
    bool is_accumulated; /* C += A*B, C full before: the first time all zeros */
    bool is_held;        /* A, by torc_matrix_hold, in calls before those that are timed */
    bool is_first;       /* the timed calls meet matrices that torc has not seen, and fresh memory for C */
    bool changes_b;      /* by an assign before each call, which is not timed */
    bool has_threads;    /* all threads call at once, each with a C of its own */
    bool is_unforced;    /* the cost model decides, for the CPU */
} mxm_case;

extern const char mxm_csv_header[];

/* Run it in this process, which has not used GraphBLAS before, and write its line. Ends the program if
 * results differ, or calls did not run where they should. */
void mxm_case_run(const mxm_case *c, const mxm_options *options);

#endif
