/* prediction.h: how long a kernel is likely to take: what it moves, what it names and what its threads wait
 * for, added up with rates that were measured. It ranks kernels on one product; it is no promise of
 * milliseconds, for it knows the lengths of rows and nothing of where their columns lie. */
#ifndef TORC_PREDICTION_H
#define TORC_PREDICTION_H

#include "problem.h"

/* X(term, what it says of a kernel of which it is the largest) */
#define TORC_TERM_MAP(X)                                                                                     \
    X(memory, "bytes of A and C")                                                                            \
    X(gather, "bytes of B")                                                                                  \
    X(lines, "cache lines that loads name")                                                                  \
    X(threads, "threads waiting for their entries")

typedef struct torc_prediction {
    double seconds; /* their sum */
#define X(term, text) double term;
    TORC_TERM_MAP(X)
#undef X
} torc_prediction;

/* X(rate, unit), what is fitted (bench/torc_fit.c) */
#define TORC_RATE_MAP(X)                                                                                     \
    X(memory, "bytes of A and C a second")                                                                   \
    X(gather, "bytes of B a second, in sectors of 32")                                                       \
    X(lines, "cache lines a second and multiprocessor")                                                      \
    X(row, "seconds of a thread to begin a row or a slice")                                                  \
    X(batch, "seconds of a thread for 4 entries")                                                            \
    X(cached_batch, "the same, of cached rows and in slices")                                                \
    X(element, "seconds of a thread for 4 elements of B")                                                    \
    X(imbalance, "what each doubling of the rows of a block adds where lengths differ much")                 \
    X(scan, "seconds of a thread for each doubling of the ways of a slice")                                  \
    X(slice_row, "seconds of a way for a row that ends in a slice")                                          \
    X(slice_lines, "times a line of A in slices, which is fetched anew, counts")

typedef struct torc_rates {
#define X(rate, unit) double rate;
    TORC_RATE_MAP(X)
#undef X
} torc_rates;

extern const torc_rates torc_measured_rates;

torc_prediction torc_predict(
    const torc_spmm_kernel *kernel, const torc_problem *problem, const torc_rates *rates);

#endif
