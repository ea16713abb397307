/* footprint.h: how many different columns neighbouring entries of A name. This tells how often a row of B is
 * found in a cache. */
#ifndef TORC_FOOTPRINT_H
#define TORC_FOOTPRINT_H

#include "backend.h"

/* Count the windows of backend.h on the host. */
torc_status torc_footprint_count(
    torc_window windows[TORC_WINDOWS], const uint32_t *col_idx, int64_t nnz, int64_t nrows, int64_t ncols);

/* Set the footprints from such windows; the shape in `statistics` is set already. Where a bit stands for
 * several columns, their number is estimated from the bits that are not set: linear counting (Whang,
 * Vander-Zanden, Taylor, A linear-time probabilistic counting algorithm for database applications, TODS
 * 1990). */
void torc_footprint_set(torc_statistics *statistics, const torc_window windows[TORC_WINDOWS]);

/* The footprint as a function of the number of entries. Up to the far window, the logarithm of the columns is
 * interpolated linearly over the logarithm of the entries. Beyond it, entries are taken to name the columns
 * that are left at random. */
typedef struct torc_footprint {
    double entries[3], columns[3]; /* logarithms, ascending */
    double far, all;               /* columns of the far window, and there are */
    double rate;                   /* at which an entry beyond it names any one of those left */
} torc_footprint;

torc_footprint torc_footprint_of(const torc_statistics *statistics);

/* How many different columns so many consecutive entries (1 or more) name. */
double torc_footprint_columns(const torc_footprint *footprint, double entries);

/* The columns of so many entries (1 or more), and those of them that one entry names. Up to the far window as
 * torc_footprint_columns has it. Columns are taken to be popular as unequally as makes their number right,
 * there or in the far window: how often each is named is of a Gamma distribution, and the rest follows
 * (Fisher, Corbet, Williams, The relation between the number of species and the number of individuals in a
 * random sample of an animal population, J. Animal Ecology 1943). */
typedef struct torc_named_columns {
    double all, once;
} torc_named_columns;

torc_named_columns torc_footprint_named(const torc_footprint *footprint, double entries);

/* The share of entries that name none of the last `columns` (1 or more) different columns: the slope of the
 * footprint where it is that large (Xiang et al., see torc_statistics). */
double torc_footprint_misses(const torc_footprint *footprint, double columns);

#endif
