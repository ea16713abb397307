/* dense_cases.h: the element-wise kernels and the reductions that the tests walk: each operator on each type,
 * and what else a kernel is made of, chosen anew for each. */
#ifndef TORC_DENSE_CASES_H
#define TORC_DENSE_CASES_H

#include "backend.h"

typedef struct torc_elementwise_cases {
    torc_elementwise_kernel *kernels;
    int count;
} torc_elementwise_cases;

typedef struct torc_reduce_cases {
    torc_reduce_kernel *kernels;
    int count;
} torc_reduce_cases;

/* C = A + a value, on fp32, flat: the last one of every list. */
extern const torc_elementwise_kernel torc_elementwise_plus_value;

/* C is compared with A 2^B, B of bool: one of every list. */
torc_elementwise_kernel torc_elementwise_scaled(void);

/* Every stride-th of all, and the user-defined ones of user_operations.h. The caller frees kernels. */
torc_elementwise_cases torc_elementwise_cases_build(int stride);
torc_reduce_cases torc_reduce_cases_build(int stride);

/* The product of complex numbers, where 1 + 0i is not neutral. */
torc_reduce_kernel torc_complex_product_case(bool is_across);

/* Of sums that shared memory has no room for: along, along with a bitmap, across. */
enum { TORC_LARGE_REDUCTIONS = 3 };
torc_reduce_kernel torc_large_reduce_case(int number);

/* Of those that run. */
enum { TORC_ELEMENTWISE_RUN_STRIDE = 11, TORC_REDUCE_RUN_STRIDE = 3 };

/* "ewise_add minus fp32, A bool bitmap, ..." */
void torc_elementwise_describe(char text[256], const torc_elementwise_kernel *kernel);
void torc_reduce_describe(char text[256], const torc_reduce_kernel *kernel);

#endif
