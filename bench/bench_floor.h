/* bench_floor.h: the bytes that a product must move, whatever computes it.
 *
 * compulsory: A, B and C once each. gather: the row of B that an entry names read from memory for every
 * entry, as if no cache held any. Row offsets and column indices have 4 bytes; values that the semiring does
 * not read are not counted. */
#ifndef BENCH_FLOOR_H
#define BENCH_FLOOR_H

#include "bench_matrix.h"
#include <torc/torc.h>

typedef struct bench_floor {
    double compulsory, gather; /* bytes */
} bench_floor;

bench_floor bench_floor_bytes(const bench_matrix *A, torc_semiring semiring, int64_t ncols);

#endif
