/* row_windows.h: windows of rows of a sequence, whose columns are cut into bricks. */
#ifndef TORC_ROW_WINDOWS_H
#define TORC_ROW_WINDOWS_H

#include "row_lists.h"

/* Bring the first `count` rows of a sequence, all with entries, into an order in which the rows of a window
 * of TORC_BRICK_ROWS share columns. They stay near where they were. false: no memory. */
bool torc_windows_arrange(uint32_t *sequence, int64_t count, const torc_row_lists *A);

/* How many bricks a sequence of all rows has, with windows of that height; -1 without memory. */
int64_t torc_windows_count(const uint32_t *sequence, const torc_row_lists *A, int height);

#endif
