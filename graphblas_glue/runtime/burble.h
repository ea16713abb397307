/* burble.h: one line for each call (log.h), where TORC_BURBLE asks for it: where the call ran
 * ("cpu", "reference" or "cuda", the first word after the name), why, and with it shapes, formats, semiring
 * and times. */
#ifndef TORC_BURBLE_H
#define TORC_BURBLE_H

#include "clock.h"
#include "summary.h"
#include "view.h"

typedef struct torc_times { /* seconds */
    double upload;          /* of the sparse operand */
    double multiply;        /* dense operands and the result travel meanwhile */
    double finish;          /* structure, packing */
    double once;            /* of these, what later calls on the same memory need not */
} torc_times;

typedef struct torc_report {
    const char *name; /* of GraphBLAS's function */
    const char *where, *why;
    const torc_view *A, *B; /* nvec < 0: could not be read */
    bool transpose_a, transpose_b, has_mask, has_accum;
    const torc_semiring *semiring; /* NULL: not one that torc has */
    double seconds;                /* the whole call */
    const torc_times *times;       /* of its parts on a device; NULL on the CPU */
    const torc_traffic *traffic;   /* NULL: not known */
    bool stays;                    /* the result, on the device */
} torc_report;

void torc_burble(const torc_report *report);

/* The line of an operation other than a product, which the device computed. */
void torc_burble_dense(const char *name, double seconds);

/* A line of its own, where TORC_BURBLE asks for any. */
void torc_burble_note(const char *text);

#endif
