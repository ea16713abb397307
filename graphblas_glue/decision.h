/* decision.h: CPU or GPU: a cost model of one product. */
#ifndef TORC_DECISION_H
#define TORC_DECISION_H

#include "product.h"

typedef struct torc_cost {
    double cpu, gpu; /* predicted seconds of the whole call */
} torc_cost;

/* A pure function. has_copy: the sparse operand is on the device already. */
torc_cost torc_decision_cost(const torc_product *product, bool has_copy, int processors);

/* Is the device worth it? Opening it costs too, and a program may end any time: it is opened once the calls
 * that it would have sped up have lost as much time as opening takes (the ski rental rule: at most twice the
 * best that could have been done). The waiting is kept in *lost, shared by threads. */
bool torc_decision_is_worth_it(torc_cost cost, bool is_open, _Atomic double *lost);

#endif
