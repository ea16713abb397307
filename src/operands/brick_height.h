/* brick_height.h: how many blocks of TORC_BRICK_ROWS rows the windows of an operand's bricks have, 1 or 2,
 * and what that costs. A row of B is loaded, put in order and split once for each brick, then multiplied for
 * each block: taller windows pay where neighbouring rows share most of their columns. */
#ifndef TORC_BRICK_HEIGHT_H
#define TORC_BRICK_HEIGHT_H

#include "spmm_args.h"
#include <torc/torc.h>

/* Different columns that windows of that height name, all windows together. */
double torc_brick_columns(const torc_statistics *A, int height);

/* Bricks, the half that is empty at the end of each window included. */
double torc_brick_count(const torc_statistics *A, int height);

/* How long such a brick takes, in bricks of one block. */
double torc_brick_cost(int height);

/* The height that takes the least time; 1 where A's values are fp64, of which taller windows are always
 * slower. It depends on the statistics and the type alone, so that an operand has one plan, and its products
 * the same bits each time. */
int torc_brick_height(const torc_statistics *A, torc_type type);

#endif
