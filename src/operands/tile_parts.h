/* tile_parts.h: into how many parts of about the same columns the rows of an operand are cut for tiles. Parts
 * make blocks of tiles where rows are few: each block then has many rows, but some of the columns. Else few
 * columns of B, one line of them, would keep few multiprocessors busy. */
#ifndef TORC_TILE_PARTS_H
#define TORC_TILE_PARTS_H

#include "product_kernel.h"
#include <torc/torc.h>

/* Whole lines of B's rows that the kernel multiplies. */
int64_t torc_tile_lines(const torc_spmm_kernel *kernel, int64_t ncols);

/* 1 where there are lines enough; else a number that depends on the statistics alone. So an operand has two
 * plans at most, and its products the same bits each time. */
int torc_tile_parts(const torc_statistics *A, int64_t lines);

/* Blocks of all parts, about: rows longer than a piece are as many as if the lengths had a log-normal
 * distribution. */
int64_t torc_tile_blocks(const torc_statistics *A, int parts);

#endif
