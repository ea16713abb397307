/* candidates.h: the kernels that can compute a product, and their names.
 *
 *     rows/sequential/v4x8      row split; 8 threads a group, 4 adjacent columns each
 *     rows/sequential/v4x8/cached    the same, entries of A staged in shared memory
 *     rows/parallel4/v2x1       4 entries of a row at once
 *     rows/blocks4/v4x8         the same, and 32 of a row of more than 64 entries
 *     rows/bundled/v4x8         several short rows, one after another
 *     nonzeros/parallel16/v2x1  slices of equal length whatever their rows, 16 entries at once
 *     nonzeros/streamed/v1x1    adjacent slices of equal length, streamed through shared memory by a block
 *     rows/panels8/v4x2         8 entries of a row at once, B from shared memory, a panel at a time
 *     rows/tiles/v4x8           rows of B that several rows of a block name, from shared memory
 *     rows/bricks3/v4x32        8 rows at once by tensor cores, each product made of 3 of theirs
 *     rows/bricks3/v4x32/16rows    the same, 16 rows at once
 *     rows/uniform8/v4          one column computed by 8 threads and spread, 4 columns a store
 */
#ifndef TORC_CANDIDATES_H
#define TORC_CANDIDATES_H

#include "problem.h"

enum { TORC_MAX_CANDIDATES = 96 };

/* Every kernel that can compute the problem, by what product_kernel.h says that each family needs, and that
 * is not plainly absurd. Writes at most TORC_MAX_CANDIDATES and returns how many: 1 or more. */
int torc_list_candidates(torc_spmm_kernel *list, const torc_problem *problem);

void torc_kernel_name(char name[TORC_KERNEL_NAME], const torc_spmm_kernel *kernel);

/* Is it the name of a kernel, for some product? */
bool torc_kernel_is_named(const char *name);

#endif
