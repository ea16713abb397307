/* program_input.h: the inputs of the programs, made once in a process: the graph as GraphBLAS's matrices, and
 * what belongs to its vertices. Values are small integers, or fractions of 16, so that sums of them are
 * exact.
 */
#ifndef BENCH_PROGRAM_INPUT_H
#define BENCH_PROGRAM_INPUT_H

#include <GraphBLAS.h>

#include "bench_matrix.h"

enum {
    BENCH_FEATURES = 32,
    BENCH_LAYERS = 2,
    BENCH_CENTRES = 64,
    BENCH_CLASSES = 16,
    BENCH_MOST_SOURCES = 64
};

/* Bits of what a program needs. */
enum {
    BENCH_NEEDS_A = 1,
    BENCH_NEEDS_AT = 2,
    BENCH_NEEDS_S = 4,
    BENCH_NEEDS_WEIGHTS = 8,
    BENCH_NEEDS_FEATURES = 16,
    BENCH_NEEDS_CENTRES = 32,
    BENCH_NEEDS_LABELS = 64
};

typedef struct bench_input {
    GrB_Index n;
    GrB_Index longest_row, longest_column; /* of A: their entries */
    int most_steps;                        /* searches and rounds end there, reached or not */
    GrB_Index sources[BENCH_MOST_SOURCES]; /* vertices with out-edges, at equal distances */

    /* By row; NULL where they are not needed. A(i,j) is there where the graph has an edge i→j. */
    GrB_Matrix A, AT;                /* bool, iso; the transpose */
    GrB_Matrix S;                    /* A and its transpose together: edges both ways */
    GrB_Matrix weights;              /* of the transpose: fp32, 1 to 255 */
    GrB_Matrix features;             /* n × BENCH_FEATURES, full, fp32: 0 and 1 */
    GrB_Matrix layers[BENCH_LAYERS]; /* BENCH_FEATURES × BENCH_FEATURES, full, fp32: -1, 0 and 1 */
    GrB_Matrix centres;              /* n × BENCH_CENTRES, full, fp64: k/16 for k in 0 to 15 */
    GrB_Matrix
        labels; /* n × BENCH_CLASSES, bitmap, fp32: rows of one in 20 vertices: 1 in one class, else 0 */
    GrB_Vector degree; /* entries of the rows of A that have some, int64 */
} bench_input;

bench_input bench_input_make(const bench_matrix *graph, unsigned needs, int most_steps);
void bench_input_free(bench_input *input);

#endif
