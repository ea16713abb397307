/* program_check.h: a program of the bench run on small graphs of every kind, and its answer as an array. */
#ifndef PROGRAM_CHECK_H
#define PROGRAM_CHECK_H

#include "graph_program.h"
#include "plain_graph.h"

/* A program's answers on one graph. Arrays are by row, NaN where GraphBLAS has no entry. */
typedef struct checked_run {
    const char *where;
    plain_graph graph;
    bench_input input;
    bench_answer answer;
    size_t n, batch;
    double longest; /* no row and no column of S has more entries */
    double *values; /* of the first result */
} checked_run;

void expect_on_every_graph(const char *program, void (*check)(const checked_run *it));

/* The same with another batch than the bench's. */
void expect_of_batch(const char *program, size_t batch, void (*check)(const checked_run *it));

/* The entries of a matrix, or of a vector where there is none. */
double *dense_of(GrB_Matrix matrix, GrB_Vector vector);

void expect_near(const checked_run *it, size_t p, double value, double expected, double bound);
void expect_equal(const checked_run *it, size_t p, double value, double expected);

/* For a suite's .init and .fini. */
void begin_graphblas(void);
void end_graphblas(void);

#endif
