/* corpus_case.h: one random matrix: some products of it, with random numbers of columns, in fp32 and fp64, by
 * every kernel that may be the fastest. */
#ifndef BENCH_CORPUS_CASE_H
#define BENCH_CORPUS_CASE_H

#include "bench_matrix.h"
#include <stdbool.h>
#include <stdio.h>
#include <torc/torc.h>

enum { CORPUS_TYPES = 2 };

/* Columns of B, ascending. */
extern const int64_t corpus_widths[];
extern const int corpus_nwidths;

/* Operands that all matrices share, as large as was needed so far. */
typedef struct corpus_operands {
    torc_context *context;
    bool has_rivals; /* time other libraries too */
    struct {
        void *b, *c;    /* in device memory */
        void *a_values; /* in host memory */
        int64_t b_cells, c_cells, a_count;
    } of[CORPUS_TYPES];
} corpus_operands;

void corpus_operands_free(corpus_operands *operands);

extern const char corpus_csv_header[];

/* A line of CSV for each kernel; those of a product appear together. Stops after the product during which
 * `end` comes, a time of torc_now. `state`: of random numbers. */
void corpus_case_run(FILE *csv, corpus_operands *operands, const bench_matrix *A, uint64_t state, double end);

#endif
