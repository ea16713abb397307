/* row_cuts.h: rows shared out so that each share has about as many entries. */
#ifndef TORC_ROW_CUTS_H
#define TORC_ROW_CUTS_H

#include <stdint.h>

/* Share s has rows cuts[s] .. cuts[s+1]-1, of nrows. Cuts are where a row begins with an entry that `unit`
 * divides the number of, the nearest to balance: where there are few such rows shares differ, or are empty.
 * Returns how many have entries. */
int torc_cut_rows(
    int64_t *cuts, int shares, const void *row_ptr, int row_ptr_bits, int64_t nrows, int64_t unit);

#endif
