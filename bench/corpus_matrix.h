/* corpus_matrix.h: random matrices of all families: family, size and parameters follow from a seed. */
#ifndef BENCH_CORPUS_MATRIX_H
#define BENCH_CORPUS_MATRIX_H

#include "bench_matrix.h"
#include <stdbool.h>

enum { CORPUS_LEAST_ENTRIES = 1000, CORPUS_FAMILIES = 20 };

/* Below CORPUS_FAMILIES. */
const char *corpus_family_name(int family);

/* Those to draw from. */
typedef struct corpus_families {
    int count, numbers[CORPUS_FAMILIES];
} corpus_families;

corpus_families corpus_families_all(void);

/* From names between commas, which are cut apart. false: one is unknown, or they are too many. */
bool corpus_families_parse(corpus_families *families, char *names);

/* About CORPUS_LEAST_ENTRIES to `most_entries` entries. Successive seeds are of successive families. Its name
 * is the family's, "-" and the seed, and says what it is, whatever other families there are to draw from. */
bench_matrix corpus_matrix_make(const corpus_families *families, uint64_t seed, double most_entries);

#endif
