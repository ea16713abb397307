/* row_cuts.h: rows cut into shares with about as many entries each. */
#ifndef TORC_ROW_CUTS_H
#define TORC_ROW_CUTS_H

#include <stdint.h>

/* Share s has rows cuts[s] .. cuts[s+1]-1. A cut is possible only before a row whose first entry has a number
 * that `unit` divides; the ones nearest to balance are taken. If there are few such rows, shares differ, and
 * some may be empty. Returns how many shares have entries. */
int torc_cut_rows(
    int64_t *cuts, int shares, const void *row_ptr, int row_ptr_bits, int64_t nrows, int64_t unit);

#endif
