/* rmat_rows.h: some rows of the matrix of an R-MAT graph, made without the others: every rank draws all
 * edges, which are a function of their numbers, and keeps those that are its own, with all of its threads.
 * The graph does not depend on the number of ranks. Chakrabarti, Zhan, Faloutsos, R-MAT: A Recursive Model
 * for Graph Mining (SDM 2004), with Graph500's probabilities and 16 edges a vertex; vertices are shuffled. */
#ifndef TORC_RMAT_ROWS_H
#define TORC_RMAT_ROWS_H

#include <stdint.h>

typedef struct rmat_rows {
    int64_t begin, end; /* the rank's vertices */
    int64_t *row_ptr;   /* of its rows: edges that lead to the vertex */
    int64_t *from;      /* where they come from, ascending, each once */
    double *count;      /* how many of them do */
    double *out_degree; /* edges that leave each of the rank's vertices */
} rmat_rows;

/* Ends the process for want of memory. */
rmat_rows rmat_rows_make(int scale, int64_t begin, int64_t end);
void rmat_rows_free(rmat_rows *rows);

#endif
