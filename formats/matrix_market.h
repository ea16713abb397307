/* matrix_market.h: Matrix Market files, .mtx or .mtx.gz, entry by entry as they stand in the file.
 *
 * Coordinate format, any field and symmetry. Values of real and integer files are read, complex ones are
 * checked and dropped. Whatever is wrong is told with the file and the line.
 */
#ifndef TORC_MATRIX_MARKET_H
#define TORC_MATRIX_MARKET_H

#include "text_lines.h"

typedef struct torc_mtx {
    uint64_t nrows, ncols;
    uint64_t nentries; /* that the size line announces */
    bool has_values;   /* real or integer */
    bool is_symmetric; /* an entry off the diagonal stands for its mirror image too, */
    double mirrored;   /* whose value is this times the entry's: 1, or -1 */
    char error[256];   /* empty, or what is wrong */
    const char *path;  /* or the end of a long one, for what is told */
    torc_text_lines lines;
    int nvalues;    /* numbers after the two indices of an entry */
    uint64_t count; /* of entries read */
} torc_mtx;

typedef struct torc_mtx_entry {
    uint64_t row, column; /* from 0 */
    double value;         /* 1 where there are no values */
} torc_mtx_entry;

/* Read up to the size line. false, with error set, where that fails; torc_mtx_close is due in both cases. */
bool torc_mtx_open(torc_mtx *mtx, const char *path);

/* false after the last entry, and with error set where there is something else than an entry. */
bool torc_mtx_next(torc_mtx_entry *entry, torc_mtx *mtx);

/* Set error to what is wrong at this line, and return false. */
bool torc_mtx_fail(torc_mtx *mtx, const char *what);

void torc_mtx_close(torc_mtx *mtx);

#endif
