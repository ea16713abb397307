/* selection.h: which kernel computes a product: a pure function of what is known before it runs. */
#ifndef TORC_SELECTION_H
#define TORC_SELECTION_H

#include "candidates.h"

/* rule: "" takes the least predicted time (prediction.h), of those close to it the one that ranks highest
 * (ranking.h); "yang" and "huang" choose the class of kernels as those papers do, and of that class the first
 * in the same order; else a kernel's name. Where no candidate obeys
 * the rule it is "". */
torc_spmm_kernel torc_select_kernel(const torc_problem *problem, const char *rule);

/* All candidates, in that order, for where the chosen one cannot be had. Writes at most
 * TORC_MAX_CANDIDATES and returns how many. */
int torc_rank_kernels(torc_spmm_kernel *list, const torc_problem *problem);

/* Does it name one of the papers, or a kernel? */
bool torc_rule_exists(const char *rule);

#endif
