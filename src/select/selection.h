/* selection.h: which kernel computes a product: a pure function of what is known before it runs. */
#ifndef TORC_SELECTION_H
#define TORC_SELECTION_H

#include "candidates.h"

/* rule:
 *
 *     ""               the least predicted time (prediction.h); among those close to it, the highest rank
 *                      (ranking.h)
 *     "yang", "huang"  the class of kernels that the paper says, and of that class the first by rule ""
 *     a kernel's name  that kernel
 *
 * If no candidate obeys the rule, "" counts. */
torc_spmm_kernel torc_select_kernel(const torc_problem *problem, const char *rule);

/* All candidates in the order of rule "", for when the first cannot be had. Writes at most
 * TORC_MAX_CANDIDATES and returns how many. */
int torc_rank_kernels(torc_spmm_kernel *list, const torc_problem *problem);

/* Is the rule one of the papers or the name of a kernel? */
bool torc_rule_exists(const char *rule);

#endif
