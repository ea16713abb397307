/* cpu_time.h: what SuiteSparse:GraphBLAS takes for a product, on this machine's processors. */
#ifndef TORC_CPU_TIME_H
#define TORC_CPU_TIME_H

#include "locality.h"
#include "product.h"
#include "rates.h"

#define TORC_CPU_CALL 5e-6 /* seconds of the bare call, by the smallest products */

typedef struct torc_cpu_work {
    torc_rate rate;         /* by the kind of semiring */
    double work;            /* what that rate counts: multiplications, or results */
    double scanned;         /* terms that a bitmap lacks */
    double doubtful;        /* branches that the processor cannot foresee */
    double visited;         /* elements of C that are looked at once more */
    double lines, row;      /* bytes: of all cache lines that entries name; of what each needs there */
    double fresh;           /* bytes of pages to be made for the result, or to compute it */
    int threads, busy;      /* that may be used, and that have something to do; both 0: all have */
    torc_locality locality; /* of the entries */
} torc_cpu_work;

/* What the product itself does not say of the call. */
typedef struct torc_cpu_circumstances {
    bool has_accum, is_accumulated; /* the latter: by plus, into a full C, without mask */
    bool is_masked;
    double allowed;          /* share of C that the mask leaves to compute, at least: 0 to 1 */
    bool result_is_recycled; /* its pages are there */
    int threads;             /* that GraphBLAS may use */
} torc_cpu_circumstances;

/* A pure function, except that entries of a large S are read. */
torc_cpu_work torc_cpu_work_of(const torc_product *product, const torc_cpu_circumstances *circumstances);

double torc_cpu_seconds(const torc_cpu_work *work, const torc_machine_rates *rates);

/* One pass of an operation on dense operands. */
typedef struct torc_cpu_pass {
    double bytes;    /* read or written */
    double decided;  /* elements that a mask or a bitmap decides on */
    double doubtful; /* branches that the processor cannot foresee, of these decisions */
    double gathered; /* elements at listed places */
    double compared; /* minima and maxima of floating-point numbers, by a function of libm */
} torc_cpu_pass;

/* A pure function. On the machine that it was fitted to, 56 of 60 calls are within a factor of 2, all within
 * 3. Beside an H200, with the rates that are measured there, 48 of 56, all within 3.2; but there the same
 * call, plain and in the caches, took three times as long in one process as in the next
 * (bench/results/2026-11-23-epyc-dense-calls.csv, -h200-dense-calls.csv). */
double torc_cpu_pass_seconds(const torc_cpu_pass *pass, const torc_machine_rates *rates);

#endif
