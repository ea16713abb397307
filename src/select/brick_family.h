/* brick_family.h: row split of a window of rows at once, by tensor cores. */
#ifndef TORC_BRICK_FAMILY_H
#define TORC_BRICK_FAMILY_H

#include "families.h"

void torc_list_bricks(torc_listing *listing, const torc_problem *problem, torc_spmm_kernel kernel);
torc_prediction torc_predict_bricks(
    const torc_work *w, const torc_spmm_kernel *kernel, const torc_problem *problem, const torc_rates *rates);

#endif
