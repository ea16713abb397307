/* spmm_bound.h: is a C right? Exact semirings: equal to the reference's C (NaN equals NaN, -0 equals 0, since
 * min and max leave both open). any: one of the terms, 0 for a row without entries. Floating-point sums and
 * products of n terms z, u the unit roundoff, gamma(k) = k u / (1 - k u):
 *   sum      within gamma(n) times the sum of |z|, which both sides round alike; one more than the n - 1
 *            additions for the sum here
 *   product  within gamma(n) |product|
 *   complex  the same of moduli, with gamma(3 n + 24): a complex product is within sqrt(5) u of its modulus
 *            (Brent, Percival and Zimmermann, Error bounds on complex floating-point multiplication, 2007),
 *            a quotient by Smith's method within 12 u, and both sides may differ
 *
 * A single term is itself, the sign of a zero included. Infinite and NaN sums are as IEEE has them, whatever
 * the order. */
#ifndef TORC_SPMM_BOUND_H
#define TORC_SPMM_BOUND_H

#include "backend.h"

/* Elements of C, on the host, that are wrong; the first of them is put to words in `what`. expected: the
 * reference's C, same layout. */
int64_t torc_spmm_compare(
    char what[256], const torc_spmm_kernel *kernel, const torc_spmm_args *args, const void *expected);

#endif
