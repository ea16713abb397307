/* burble.h: one line for each call (log.h), if TORC_BURBLE asks for it. Its first word after "torc:" says
 * where the call ran: "cpu", "reference" or "cuda". Then come why it ran there, shapes, formats, semiring and
 * times. */
#ifndef TORC_BURBLE_H
#define TORC_BURBLE_H

#include "clock.h"
#include "summary.h"
#include "view.h"

typedef struct torc_times { /* seconds */
    double upload;          /* of the sparse operand */
    double multiply;        /* dense operands and the result travel meanwhile */
    double finish;          /* structure, packing */
    double once;            /* the part of the call that later ones are spared: pinning, measuring the bus */
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

/* The line of an operation that is no product and that the device computed. */
void torc_burble_dense(const char *name, double seconds);

/* A line with a text of its own, if TORC_BURBLE asks for lines. */
void torc_burble_note(const char *text);

#endif
