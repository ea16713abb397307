/* program_answer.h: what a program leaves, and its checksum: the same for every right answer, whoever
 * computed it and in whatever order.
 *
 *   exact      positions and values: integers, booleans, min, max, and floating-point values that every order
 *              of additions gives alike
 *   structure  positions alone
 *   parents    positions, and for each vertex its depth in the tree of parents: any parent on a shortest way
 *              gives the same
 *   rounded    positions, and a weighted sum of the values, which are known up to `bound`
 */
#ifndef BENCH_PROGRAM_ANSWER_H
#define BENCH_PROGRAM_ANSWER_H

#include <GraphBLAS.h>

typedef enum bench_kind { BENCH_EXACT, BENCH_STRUCTURE, BENCH_PARENTS, BENCH_ROUNDED } bench_kind;

typedef struct bench_result {
    GrB_Matrix matrix; /* or NULL, and the vector */
    GrB_Vector vector;
    bench_kind kind;
    double bound;     /* of rounded values: the relative error of the sums that made them */
    double cancelled; /* what was subtracted from each of them at the end */
} bench_result;

typedef struct bench_answer {
    bench_result results[2];
    int nresults;
    int steps; /* the program's own: rounds, levels, products */
} bench_answer;

/* The answer takes the handle. The object is complete afterwards (GrB_wait). */
bench_result *bench_answer_matrix(bench_answer *answer, GrB_Matrix *matrix, bench_kind kind);
bench_result *bench_answer_vector(bench_answer *answer, GrB_Vector *vector, bench_kind kind);
void bench_answer_free(bench_answer *answer);

/* How far two right answers may be apart, relative to their size: nsums sums, one after another, of at most
 * `terms` terms of one sign each, rounded to `unit`. Each is off by 8·√terms·unit at most, but for one in
 * 10^13: Higham, Mary, A New Approach to Probabilistic Rounding Error Analysis (SIAM J. Sci. Comput. 2019),
 * theorem 2.8 with λ = 8. */
double bench_sum_bound(double unit, double nsums, double terms);

typedef struct bench_checksum {
    uint64_t exact;
    double sum, bound; /* of rounded values: the sum, and how far another right answer's may be from it */
} bench_checksum;

/* Reads the whole answer into arrays of the host. */
bench_checksum bench_answer_checksum(const bench_answer *answer);

#endif
