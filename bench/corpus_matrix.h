/* corpus_matrix.h: random matrices of all families: family, size and parameters follow from a seed. */
#ifndef BENCH_CORPUS_MATRIX_H
#define BENCH_CORPUS_MATRIX_H

#include "bench_matrix.h"

enum { CORPUS_LEAST_ENTRIES = 1000 };

/* About CORPUS_LEAST_ENTRIES to `most_entries` entries. Its name is the family's, "-" and the seed;
 * successive seeds are of different families. */
bench_matrix corpus_matrix_make(uint64_t seed, double most_entries);

#endif
