/* brick_cases.h: kernels with bricks: every arithmetic, every width of a panel, and windows of 8 rows and, in
 * fp32, 16. */
#ifndef TORC_BRICK_CASES_H
#define TORC_BRICK_CASES_H

#include "kernel_cases.h"

torc_kernel_cases torc_brick_cases_build(void);

#endif
