/* spmm_bound.h: is a C right? Exact semirings: equal to the reference's C (NaN equals NaN, -0 equals 0, since
 * min and max leave both open). any: one of the terms, 0 for a row without entries. Floating-point sums: with
 * n terms z, each already rounded, within gamma(n + 2) times the sum of |z| of their sum, gamma(k) = k u / (1
 * - k u) and u the unit roundoff; one more for the product's own rounding, which a fused multiply-add leaves
 * out, and one for the sum here. One term is itself, the sign of a zero included. Infinite and NaN sums are
 * as IEEE has them, whatever the order. */
#ifndef TORC_SPMM_BOUND_H
#define TORC_SPMM_BOUND_H

#include "backend.h"

/* Elements of C, on the host, that are wrong; the first of them is put to words in `what`. expected: the
 * reference's C, same layout. */
int64_t torc_spmm_check(
    char what[256], const torc_spmm_kernel *kernel, const torc_spmm_args *args, const void *expected);

#endif
