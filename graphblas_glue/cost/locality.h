/* locality.h: how often the entries of S name a row of D that a cache still has. */
#ifndef TORC_LOCALITY_H
#define TORC_LOCALITY_H

#include "view.h"

/* How many different columns so many consecutive entries name, in the mean of a few places of S. */
typedef struct torc_locality {
    double entries[2], columns[2]; /* of a near window, and of a far one; 0: not looked at */
    double all;                    /* columns that there are */
} torc_locality;

/* Reads 2^17 entries of S at most: .2 ms. Where memory is lacking, the windows are 0: not looked at. */
torc_locality torc_locality_sample(const torc_view *S);

/* The locality of an S whose entries lie at random. */
torc_locality torc_locality_of_chance(double entries, double columns);

/* The share of the entries that name none of the `kept` columns that were named last. */
double torc_locality_misses(const torc_locality *locality, double kept);

#endif
