/* listed_entries.h: the entries of a sparse matrix as the engine scatters them into a dense one: a position
 * for each. */
#ifndef TORC_LISTED_ENTRIES_H
#define TORC_LISTED_ENTRIES_H

#include "view.h"

/* The position of each entry in a gapless array of the matrix's shape, laid out by column or by row: nvals of
 * them, in the order of the values, for free(). NULL: no memory. */
uint64_t *torc_listed_positions(const torc_view *view, bool by_col);

#endif
