/* policy_cases.h: kernels for the policies beyond the plain one: parallel reduction, nonzero split,
 * row caching, a uniform C, packed booleans. */
#ifndef TORC_POLICY_CASES_H
#define TORC_POLICY_CASES_H

#include "kernel_cases.h"

/* Every group of each of them but the last, for some semirings. The caller frees kernels.
 */
torc_kernel_cases torc_policy_cases_build(void);

/* Every packed semiring, each at one shape, number of ways, offset width and way to reach A, which go round;
 * every shape for one. The caller frees kernels. */
torc_kernel_cases torc_packed_cases_build(void);

#endif
