/* decision.h: CPU or GPU: a cost model of one product, from the bytes that must move, the work, and the rates
 * of this machine. */
#ifndef TORC_DECISION_H
#define TORC_DECISION_H

#include "cpu_time.h"

/* Where the content of an operand is. */
typedef struct torc_place {
    bool is_on_device; /* nothing has to move */
    bool is_pinned;    /* host memory that the device reads by itself; otherwise it is staged */
    bool would_stay;   /* on the device, once it is sent */
} torc_place;

/* What of a call the product itself does not tell. */
typedef struct torc_circumstances {
    torc_place sparse, dense, side; /* side: bitmaps, mask and old C */
    bool result_is_pinned;          /* the memory that the result lands in */
    bool result_stays;              /* on the device */
    double away;                    /* bytes that the CPU would have to fetch first */
    torc_cpu_circumstances cpu;
} torc_circumstances;

/* What one call needs on either side. Bytes. */
typedef struct torc_workload {
    double in_pinned, in_staged, out_pinned, out_staged; /* over the bus */
    double kept_pinned, kept_staged; /* of those that go in: what later calls find there */
    double overlapped;               /* of those pinned, that take no time of their own */
    double spared;                   /* that are on the device already */
    double fresh;                    /* of pages to be made for the result */
    double away;                     /* to be fetched before the CPU begins */
    double copied, gathered;         /* on the device */
    double kept_copied;              /* of those copied: to make what stays */
    bool made, kept_made;            /* S: several launches, and statistics that are waited for */
    torc_cpu_work cpu;
} torc_workload;

typedef struct torc_cost {
    double cpu, gpu;  /* predicted seconds of the whole call */
    double upfront;   /* of gpu: what later calls with the same operands need not pay again */
    bool is_advanced; /* gpu is without it: upfront.h */
} torc_cost;

/* All of these are pure functions. */
torc_workload torc_decision_workload(const torc_product *product, const torc_circumstances *circumstances);
torc_cost torc_decision_cost(const torc_workload *workload, const torc_machine_rates *rates);

/* So few terms, nnz(S)·N, that SuiteSparse in the slowest of its ways is done before a call on the device can
 * be. */
bool torc_decision_is_too_small(double terms, const torc_machine_rates *rates);

/* Seconds that the call gains by the device, and so may wait for it; less than 0: it loses. While the device
 * is opened beside it, a call on all processors takes about twice as long as else
 * (bench/results/2026-11-23-h200-opening.txt). */
double torc_decision_gain(torc_cost cost, bool is_being_opened);

/* What is known of the calls before this one, where the device is not open. */
typedef struct torc_prospect {
    double start;   /* seconds that opening takes */
    int processors; /* of which it takes one */
    double lost;    /* seconds, by calls that an open device would have sped up */
    int like_calls; /* calls like this one */
    double age;     /* seconds that the program has taken so far */
} torc_prospect;

/* Is it worth opening beside the program? That takes one processor from calls that use them all, and a
 * program that ends meanwhile waits for it: so a loop is worth it once it is one, at the third like call, and
 * expected to go on for as long as it went on so far; one call is that gains a quarter of what opening takes,
 * in a program that has gone on for four times as long; any calls are, once they have lost what opening takes
 * (the ski rental rule: at most twice the best that could have been done). On an H200 with 16 processors
 * opening takes .19 to .29 s of one, and calls on all of them take 10 to 25 % longer meanwhile:
 * bench/results/2026-11-21-h200-startup.txt. */
bool torc_decision_is_worth_opening(torc_cost cost, const torc_prospect *prospect);

/* What a call has lost by `seconds` on the CPU. */
double torc_decision_loss(torc_cost cost, double seconds);

#endif
