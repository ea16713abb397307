/* listing.h: the list of kernels for a product, to which families add theirs. */
#ifndef TORC_LISTING_H
#define TORC_LISTING_H

#include "problem.h"

enum { TORC_WARP = 32, TORC_VECTOR_BYTES = 16, TORC_LINE_BYTES = 128 };

typedef struct torc_listing {
    torc_spmm_kernel *list; /* TORC_MAX_CANDIDATES */
    int count;
} torc_listing;

void torc_listing_add(torc_listing *listing, torc_spmm_kernel kernel);

/* Add the kernel with every number of ways that makes a group of at least `group` threads, and at most a
 * warp. */
void torc_listing_add_ways(torc_listing *listing, torc_spmm_kernel kernel, int group);

bool torc_is_legal_vector(int vector, const torc_problem *problem);

/* Does one group have all columns of C? */
bool torc_reaches_across(const torc_problem *problem, torc_shape shape);

/* Does a thread per vector of C leave most of the device idle? Then several groups per row, and more spans of
 * columns, have more entries on their way at once; A, which each span reads again, is small. Only spans that
 * fill lines of B. Before, 1024 rows of 102 entries at N = 128 in fp32 took 10.2 us on an H200, cuSPARSE's
 * ALG3 7.0. */
bool torc_leaves_threads_idle(const torc_problem *problem, torc_shape shape);

/* Have values that pass through shared memory and registers 16 bytes at most? */
bool torc_has_small_values(const torc_spmm_kernel *kernel, const torc_problem *problem);

#endif
