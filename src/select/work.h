/* work.h: how the threads of a kernel share A and B; predictions of all families count by it. */
#ifndef TORC_WORK_H
#define TORC_WORK_H

#include "prediction.h"
#include <math.h>

enum { TORC_FLIGHT = 4, TORC_SECTOR = 32 };

/* How the threads of a group share A. */
typedef struct torc_work {
    double rows, full_rows, entries; /* entries: of a full row */
    double ways, group;
    double longest;         /* entries of a row or segment */
    double most;            /* entries of a row */
    double mean, deviation; /* of the lengths of all rows */
    double spread;          /* of the lengths of rows, 0 to 1 */
    double piece;           /* bytes of a row of C that a thread has */
} torc_work;

torc_work torc_work_of(const torc_spmm_kernel *kernel, const torc_problem *problem);

/* How a kernel cuts rows of B into spans of columns, each as wide as a group. */
typedef struct torc_spans {
    double count, bytes, last_bytes; /* of a span, and of the last one */
    double alignment;                /* of their beginnings */
} torc_spans;

torc_spans torc_spans_of(const torc_spmm_kernel *kernel, const torc_problem *problem);

/* How many units of so many bytes the spans of a row touch. A span that begins within a unit touches the
 * units at its ends for a part of their bytes. */
double torc_units_of(const torc_spans *spans, double unit);

/* Bytes of an entry. */
static inline double torc_size_of_a(const torc_spmm_kernel *kernel)
{
    double value = kernel->a_access == TORC_ACCESS_ARRAY ? (double)torc_type_size(kernel->a_type) : 0;
    return sizeof(uint32_t) + value;
}

/* Rounds of loads that a way makes for so many entries. */
static inline double torc_batches(double entries, double ways)
{
    return ceil(ceil(entries / ways) / TORC_FLIGHT);
}

#endif
