/* compare.h: is C what GrB_mxm would have made of it?
 *
 * Structure, settings and values are equal, except where two right answers may differ:
 *
 * Floating-point sums in another order. Each of the n terms is rounded at most n times (once as a product,
 * n-1 times as a part of a sum), then come cast, accumulator and cast. With u the unit roundoff of the
 * narrowest type on the way and g = (n+3)u / (1 - (n+3)u), one answer is within g·(Σ|a ⊗ b| + |c|) of the
 * true one and two are within twice that of each other. Underflow adds the least number once a rounding.
 * Where the sum of the absolute values leaves the type's range, one order may overflow and another not:
 * anything goes. A product that is infinite or NaN by itself is so in every order.
 *
 * ANY: each answer is one of the products. */
#ifndef TORC_COMPARE_H
#define TORC_COMPARE_H

#include "call_operands.h"
#include "entries.h"

/* NULL, or what differs: a static string. */
const char *torc_compare(const random_call *call, const entries *expected, const entries *actual);

#endif
