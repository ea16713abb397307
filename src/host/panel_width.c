#include "streamed.h"

enum {
    MAX_PANELS = 16, /* reasoned: the first and the last panel travel alone, 1/16 each */
    /* bench/results/2026-11-21-h200-bus.txt: rows of 256 bytes fill the bus both ways, rows of 128 four
     * fifths of it; but two panels are on the bus both ways half of the time only. Where A has many entries
     * for each row of B and C (reasoned: the device takes half as long as the bus) narrow panels cost more
     * than they gain: 200,000 x 50,000 with 99.5M entries took 11.0 ms in four (-mxm-panels.csv beside it),
     * 9.5 in three (-mxm.csv). */
    PANEL_ROW_BYTES = 256,
    SHORTEST_ROW_BYTES = 128,
    SECTOR_BYTES = 32,
    PACKED_COLUMNS = 64,
    FEW_PANELS = 4,
    MANY_ENTRIES = 32,
};

static int64_t panels_of(const torc_stream *s, int64_t columns)
{
    return s->C.ncols / (columns > TORC_FEW_COLUMNS ? columns : TORC_FEW_COLUMNS);
}

/* How many panels, if matrices are by row: rows of a panel have to be long enough for the bus. */
static int64_t count_by_row(const torc_stream *s, int64_t value_size, bool has_many_entries)
{
    int64_t count = panels_of(s, PANEL_ROW_BYTES / value_size);
    if (count < FEW_PANELS && !has_many_entries) {
        count = panels_of(s, SHORTEST_ROW_BYTES / value_size);
        count = count < FEW_PANELS ? count : FEW_PANELS;
    }
    return count;
}

/* The fewest columns of a panel, if matrices are by column: the kernel should gather a whole sector, or for
 * booleans a packed word. */
static int64_t fewest_by_column(int64_t value_size)
{
    int64_t columns = value_size == 1 ? PACKED_COLUMNS : SECTOR_BYTES / value_size;
    return columns > TORC_MAX_VECTOR ? columns : TORC_MAX_VECTOR;
}

int64_t torc_stream_width(const torc_stream *s)
{
    size_t bytes = 0;
    int64_t smallest = PANEL_ROW_BYTES;
    bool is_by_row = false;
    for (int i = 0; i < TORC_TRACK_COUNT; i++) {
        const torc_track *t = &s->tracks[i];
        bytes += t->is_used ? torc_track_bytes(t) : 0;
        bool has_values = t->is_used && (i == TORC_TRACK_B || i == TORC_TRACK_C);
        smallest = has_values && (int64_t)t->size < smallest ? (int64_t)t->size : smallest;
        is_by_row |= has_values && t->order == TORC_ROW_MAJOR;
    }
    bool has_many_entries = s->A->csr.nnz >= MANY_ENTRIES * (s->B.nrows + s->C.nrows);
    int64_t unit = is_by_row || has_many_entries ? 1 : fewest_by_column(smallest);
    int64_t count = unit > 1 ? s->C.ncols / unit : count_by_row(s, smallest, has_many_entries);
    int64_t affordable = (int64_t)(bytes / TORC_PANEL_BYTES);
    count = count < affordable ? count : affordable;
    count = count < MAX_PANELS ? count : MAX_PANELS;
    int64_t width = count > 1 ? (s->C.ncols + count - 1) / count : s->C.ncols;
    return (width + unit - 1) / unit * unit;
}
