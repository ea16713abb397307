/* tile_parts.h: into how many parts of about the same columns the rows of an operand are cut for tiles. Parts
 * make blocks of tiles where rows are few: each block then has many rows, but some of the columns. Else few
 * columns of B, one line of them, would keep few multiprocessors busy. */
#ifndef TORC_TILE_PARTS_H
#define TORC_TILE_PARTS_H

#include <torc/torc.h>

/* It depends on the statistics alone, so that an operand has one plan, and its products the same bits. */
int torc_tile_parts(const torc_statistics *A);

/* Blocks of all parts, if no part has long rows. */
int64_t torc_tile_blocks(const torc_statistics *A, int parts);

#endif
