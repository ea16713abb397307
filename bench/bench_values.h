/* bench_values.h: the values of every operand: uniform in (0, 1], or below 1024, or one boolean in 16 true, a
 * function of the element's position alone, so that a result is checked without B on the host. They repeat
 * after a prime number of elements, so that device memory is filled by copying. */
#ifndef BENCH_VALUES_H
#define BENCH_VALUES_H

#include "bench_random.h"
#include <torc/torc.h>

enum { BENCH_VALUE_PERIOD = 16777213 };

/* fp32, fp64, int64 or bool: exact in its type. */
static inline double bench_value(torc_type type, int64_t element)
{
    uint64_t word = bench_mix((uint64_t)(element % BENCH_VALUE_PERIOD) * 0x9e3779b97f4a7c15u + 1);
    if (type == TORC_BOOL) {
        return word >> 60 == 0;
    }
    if (type == TORC_INT64) {
        return (double)(word >> 54);
    }
    return type == TORC_FP64 ? (double)((word >> 11) + 1) * 0x1p-53 : (double)((word >> 40) + 1) * 0x1p-24;
}

/* The first `count` values, in host memory, to be freed. */
void *bench_values_make(torc_type type, int64_t count);

#endif
