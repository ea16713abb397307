/* reduce_args.h: what one launch of a reduction is given: one round of it. Plain C, read by the host, by nvcc
 * and by NVRTC.
 *
 * A is nlines lines of `length` places, element (line, place) at line·ld + place. A round makes of it fewer
 * sums, which are the elements of the next round, until there is one for each line, or each place:
 *
 *     along lines     chunk c of a line has its elements c·TORC_REDUCE_CHUNK and so on, as many at most.
 *                     Its sum is element line·ldc + c of C; a line without elements has one chunk, empty.
 *     across lines    strip s has lines s·TORC_REDUCE_STRIP and so on, as many at most.
 *                     Its sums are elements s·ldc + place of C; where there are no lines there is one strip,
 *                     empty.
 *
 * The order of a sum is fixed, on every device, and does not depend on ld. Elements that are absent, or
 * beyond the end, have no part in it.
 *
 *     strip    for each place, line by line, ascending: ((x0 + x1) + x2) + ...
 *     chunk    1. Lane t of TORC_REDUCE_LANES has the elements e, counted from the chunk's begin, for which
 *                 e / TORC_REDUCE_ADJACENT % TORC_REDUCE_LANES is t. It sums them, ascending.
 *              2. The sums of each 32 consecutive lanes: for stride 16, 8, 4, 2, 1, lane t < stride of the 32
 *                 becomes t + (t + stride).
 *              3. The sums of those groups likewise: for stride 4, 2, 1, group g < stride becomes
 *                 g + (g + stride).
 *
 * x + y is add (x, y) where both are there, else the one that is. A sum of nothing is absent, with the
 * identity as its value.
 */
#ifndef TORC_REDUCE_ARGS_H
#define TORC_REDUCE_ARGS_H

#include "fixed_width.h"

enum {
    TORC_REDUCE_CHUNK = 8192,
    TORC_REDUCE_LANES = 256,
    TORC_REDUCE_ADJACENT = 4,
    TORC_REDUCE_STRIP = 128,
    TORC_REDUCE_SHORT_LINES = 4 /* that lanes sum together where a warp or less has a line */
};

typedef struct torc_reduce_args {
    int64_t nlines, length, ld;
    const void *a;           /* as the kernel's access says */
    const uint8_t *a_bitmap; /* 0: absent */
    void *c;                 /* of the reduction's type */
    int64_t ldc;
    uint8_t *c_bitmap; /* laid out as c: 1 where there is a sum, else 0 */
} torc_reduce_args;

/* Chunks of a line, or strips of lines: there is always one. */
TORC_HOST_DEVICE static inline int64_t torc_reduce_parts(int64_t count, int64_t most)
{
    return count > most ? (count - 1) / most + 1 : 1;
}

/* Lanes that have elements of the first chunk of a line, a power of two up to a warp, or else all. */
TORC_HOST_DEVICE static inline int torc_reduce_lanes(int64_t length)
{
    int lanes = 1;
    while (lanes * TORC_REDUCE_ADJACENT < length && lanes < 32) {
        lanes *= 2;
    }
    return lanes * TORC_REDUCE_ADJACENT < length ? TORC_REDUCE_LANES : lanes;
}

#endif
