/* panel_family.h: row split by panels of columns. While a panel is multiplied, its rows of B are in shared
 * memory. */
#ifndef TORC_PANEL_FAMILY_H
#define TORC_PANEL_FAMILY_H

#include "families.h"

enum { TORC_PANEL_WAYS = 8 }; /* measured on an H200: with 4, N = 1 and 2 take 1 to 5 % longer */

void torc_list_panels(torc_listing *listing, const torc_problem *problem, torc_spmm_kernel kernel);
torc_prediction torc_predict_panels(
    const torc_work *w, const torc_spmm_kernel *kernel, const torc_problem *problem, const torc_rates *rates);

#endif
