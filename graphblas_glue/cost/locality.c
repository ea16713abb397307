/* locality.c: in windows of S's entries the different columns are counted. Between the lengths of the
 * windows, and beyond them, the count is taken to follow a curve. Its slope, where it is as high as the cache
 * is large, is the share of misses (Xiang et al., HOTL, ASPLOS 2013).
 *
 * The engine asks the same of L2 (src/operands/footprint.h). It has all of S on the device, and looks at 64
 * places.
 */
#include "locality.h"
#include "brief_lock.h"
#include "recent.h"
#include <math.h>
#include <stdlib.h>

enum {
    NEAR = 1 << 12,
    FAR = 1 << 16,
    PLACES = 2,
    BITS_LOG = 18,
    BITS = 1 << BITS_LOG,
    WORD = 64,
    KNOWN = 256
};

static const double ALMOST = 1 - 1e-9; /* of the columns, where a window names all */

static uint64_t column_at(const torc_view *S, int64_t p)
{
    return S->idx_bits == 32 ? ((const uint32_t *)S->idx)[p] : ((const uint64_t *)S->idx)[p];
}

/* Each column has a bit of its own; or, where there are too many columns, a random one: the finaliser of
 * MurmurHash3 (Appleby). */
static uint64_t bit_of(uint64_t column, int64_t columns)
{
    if (columns <= BITS) {
        return column;
    }
    column = (column ^ column >> 33) * UINT64_C(0xff51afd7ed558ccd);
    column = (column ^ column >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
    return column >> (64 - BITS_LOG);
}

/* How many bits the entries set that were not set before. */
static int64_t set_bits(uint64_t *bits, const torc_view *S, int64_t first, int64_t end)
{
    int64_t set = 0;
    for (int64_t p = first; p < end; p++) {
        uint64_t bit = bit_of(column_at(S, p), S->veclen);
        uint64_t before = bits[bit / WORD];
        bits[bit / WORD] |= UINT64_C(1) << bit % WORD;
        set += bits[bit / WORD] != before;
    }
    return set;
}

/* Columns that share bits are counted all the same: linear counting (Whang et al., TODS 1990). */
static double columns_of(int64_t bits, int64_t columns)
{
    return columns <= BITS ? (double)bits : -(double)BITS * log1p(-(double)bits / BITS);
}

static torc_locality count(const torc_view *S)
{
    int64_t far = S->nvals < FAR ? S->nvals : FAR, near = far < NEAR ? far : NEAR;
    torc_locality found = {.entries = {(double)near, (double)far}, .all = (double)S->veclen};
    for (int64_t place = 0; place < PLACES; place++) {
        uint64_t *bits = calloc(BITS / WORD, sizeof *bits);
        if (!bits) {
            return (torc_locality){.all = 0};
        }
        int64_t first = (S->nvals - far) * (2 * place + 1) / ((int64_t)2 * PLACES);
        int64_t set = set_bits(bits, S, first, first + near);
        found.columns[0] += columns_of(set, S->veclen) / PLACES;
        set += set_bits(bits, S, first + near, first + far);
        found.columns[1] += columns_of(set, S->veclen) / PLACES;
        free(bits);
    }
    return found;
}

/* What was looked at lately: calls repeat. Other content in the same place is taken for what was there
 * before: then the prediction is somewhat off, and no more. */
typedef struct looked_at {
    struct {
        const void *idx;
        int64_t nvals, veclen;
    } place;
    torc_locality locality;
} looked_at;
TORC_RECENT(recent, looked_at, place, KNOWN);

torc_locality torc_locality_sample(const torc_view *S)
{
    const looked_at asked = {.place = {S->idx, S->nvals, S->veclen}};
    torc_brief_lock();
    looked_at *before = torc_recent_find(&recent, &asked.place);
    torc_locality found = before ? before->locality : (torc_locality){0};
    torc_brief_unlock();
    if (!before) {
        found = count(S);
        torc_brief_lock();
        looked_at *kept = torc_recent_find_or_add(&recent, &asked.place);
        kept->locality = found;
        torc_brief_unlock();
    }
    return found;
}

torc_locality torc_locality_of_chance(double entries, double columns)
{
    torc_locality found = {.entries = {fmin(entries, NEAR), fmin(entries, FAR)}, .all = columns};
    for (int i = 0; i < 2; i++) {
        found.columns[i] = -columns * expm1(-found.entries[i] / columns);
    }
    return found;
}

double torc_locality_misses(const torc_locality *locality, double kept)
{
    double x = 0, y = 0, wanted = log2(fmax(1, kept)); /* one entry names one column */
    for (int i = 0; i < 2; i++) {
        double next_x = log2(locality->entries[i]), next_y = log2(fmax(1, locality->columns[i]));
        if (wanted < next_y && next_y > y && next_x > x) {
            double slope = (next_y - y) / (next_x - x);
            return fmin(1, slope * exp2(wanted - x - (wanted - y) / slope));
        }
        x = next_x;
        y = next_y;
    }
    double share = fmin(locality->columns[1] / locality->all, ALMOST);
    double rate = -log1p(-share) / locality->entries[1]; /* of an entry, to name any one of those left */
    return fmin(1, fmax(0, locality->all - kept) * rate);
}
