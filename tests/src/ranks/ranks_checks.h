/* ranks_checks.h: what the parts of ranks_products have of it: this rank, what went wrong so far, and blocks
 * of rows on its device. */
#ifndef TORC_RANKS_CHECKS_H
#define TORC_RANKS_CHECKS_H

#include <torc/ranks.h>

extern int rank, nranks, failures;

/* What differs is told, and goes on; what fails ends the run. */
void expect(bool condition, uint64_t seed, const char *what);
void require(torc_status status, uint64_t seed, const char *what);

void *put(torc_context *context, const void *host, size_t size);

/* Rows begin .. end-1 of X on the device. */
torc_dense put_rows(torc_context *context, int64_t begin, int64_t end, int64_t n, torc_type type,
    const double *values, const uint8_t *bitmap);
void release(torc_context *context, torc_dense *X);

/* ranks_refusals.c: what one rank gives is wrong: all are told, and go on. The second: of two ranks or more.
 */
void check_refusals(torc_ranks *ranks, torc_context *context);
void check_iso_on_some(torc_ranks *ranks, torc_context *context);

/* ranks_written.c: by two ranks or more, with so many rows each. */
void check_written(torc_ranks *ranks, torc_context *context, int64_t own);

#endif
