#include "row_cuts.h"
#include "offsets.h"
#include <stdbool.h>

typedef struct offsets {
    const void *row_ptr;
    int bits;
    int64_t nrows, unit;
} offsets;

static int64_t at(const offsets *o, int64_t row)
{
    return torc_offset(o->row_ptr, o->bits, row);
}

/* The first row, or the end, that begins with that entry or a later one. */
static int64_t first_row_from(const offsets *o, int64_t entry)
{
    int64_t low = 0, high = o->nrows;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (at(o, middle) >= entry) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

/* The row from `least` on, or the end, that is a cut and whose first entry is the nearest to `entry`. */
static int64_t nearest_cut(const offsets *o, int64_t entry, int64_t least)
{
    int64_t start = first_row_from(o, entry), up = start, down = start - 1;
    while (up < o->nrows && at(o, up) % o->unit != 0) {
        up++;
    }
    int64_t reach = at(o, up) - entry;
    while (down > least && at(o, down) % o->unit != 0 && entry - at(o, down) < reach) {
        down--;
    }
    bool is_nearer = down > least && at(o, down) % o->unit == 0 && entry - at(o, down) < reach;
    return is_nearer ? down : up > least ? up : least;
}

int torc_cut_rows(
    int64_t *cuts, int shares, const void *row_ptr, int row_ptr_bits, int64_t nrows, int64_t unit)
{
    offsets o = {row_ptr, row_ptr_bits, nrows, unit};
    int64_t nnz = at(&o, nrows);
    int filled = 0;
    cuts[0] = 0;
    cuts[shares] = nrows;
    for (int s = 1; s < shares; s++) {
        cuts[s] = nearest_cut(&o, nnz / shares * s, cuts[s - 1]);
    }
    for (int s = 0; s < shares; s++) {
        filled += at(&o, cuts[s + 1]) > at(&o, cuts[s]);
    }
    return filled;
}
