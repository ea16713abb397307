/* dense_cost.h: is a dense call faster on the device? The device's side is one pass at its bandwidth, and
 * sending what is not there. The CPU's side is one pass (cpu_time.h), and bringing home what is away. What is
 * sent stays there for the next operation of a chain, and for the next time that the same inputs meet
 * (upfront.h). */
#ifndef TORC_DENSE_COST_H
#define TORC_DENSE_COST_H

#include "dense_plan.h"
#include "upfront.h"

typedef struct torc_dense_cost { /* predicted */
    torc_cost seconds;           /* upfront: what sending takes */
    double fetch;                /* the part of seconds.cpu that bringing home takes */
    torc_upfront_call account;   /* the inputs' */
} torc_dense_cost;

torc_dense_cost torc_dense_predict(const torc_dense_call *call, const torc_dense_plan *plan);

bool torc_dense_is_worth_it(const torc_dense_cost *cost, const torc_dense_plan *plan);

/* they_wait: products that would run on the device wait for it, for a kernel, or for their operands to be
 * sent. They run on the CPU meanwhile, so a dense call stays there too unless something of it is away: the
 * next 64, if no other product comes. */
void torc_dense_expect_products(bool they_wait);

#endif
