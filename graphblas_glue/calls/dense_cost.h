/* dense_cost.h: is a dense call worth the device? By where the operands are: on the device a pass at its
 * bandwidth and what is sent, on the CPU one at the speed of its processors and what comes home. What is sent
 * is kept, and a chain uses it again. */
#ifndef TORC_DENSE_COST_H
#define TORC_DENSE_COST_H

#include "dense_plan.h"

typedef struct torc_dense_cost { /* predicted seconds */
    double device, cpu;
    double sent; /* of the device's, for what is not there */
    double away; /* bytes that would come home */
} torc_dense_cost;

torc_dense_cost torc_dense_predict(const torc_dense_call *call, const torc_dense_plan *plan);

bool torc_dense_is_worth_it(const torc_dense_call *call, const torc_dense_plan *plan);

/* Do products that would run on the device wait for it, for a kernel, or for their operands to be sent? Their
 * operands come home meanwhile: nothing more is sent there. */
void torc_dense_call_expect_products(bool they_wait);

#endif
