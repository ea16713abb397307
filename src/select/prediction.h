/* prediction.h: how long a kernel is likely to take, from the bytes it moves, the cache lines it names and
 * the time its threads wait, at measured rates. A prediction ranks kernels for one product. It is no promise
 * of milliseconds, since all it knows of a matrix is its statistics. */
#ifndef TORC_PREDICTION_H
#define TORC_PREDICTION_H

#include "problem.h"

/* X(term, what limits a kernel whose largest term it is) */
#define TORC_TERM_MAP(X)                                                                                     \
    X(memory, "bytes from and to memory")                                                                    \
    X(gather, "bytes of B, and requests, from L2")                                                           \
    X(lines, "cache lines that loads name")                                                                  \
    X(threads, "threads waiting for their entries")                                                          \
    X(launches, "launches of kernels")

typedef struct torc_prediction {
    double seconds; /* the launches, and the square root of the sum of the squares of the other terms: those
                       overlap in part */
#define X(term, text) double term;
    TORC_TERM_MAP(X)
#undef X
} torc_prediction;

/* X(rate, unit), what is fitted (bench/torc_fit.c) */
#define TORC_RATE_MAP(X)                                                                                     \
    X(memory, "bytes a second of A, C, partials, and of B what misses L2")                                   \
    X(scatter, "bytes that each row counts beside its own where a warp walks several slices")                \
    X(cache, "bytes a second of L2: what misses L1 of B, in sectors of 32, and requests")                    \
    X(near, "bytes of B that the L1 of a multiprocessor keeps")                                              \
    X(far, "bytes of B that L2 keeps")                                                                       \
    X(request, "bytes that a request for a line counts beside its sectors")                                  \
    X(lines, "cache lines a second and multiprocessor")                                                      \
    X(launch, "seconds of a launch")                                                                         \
    X(combine, "the same, of one that combines partials, and waits for the first")                           \
    X(alone, "factor on a thread's time where others do not keep memory busy")                               \
    X(row, "seconds of a thread to begin a row or a slice")                                                  \
    X(batch, "seconds of a thread for 4 entries")                                                            \
    X(cached_batch, "the same, of cached rows")                                                              \
    X(shared_batch, "the same, of slices that lanes walk side by side")                                      \
    X(stream_byte, "seconds of a thread for a byte of each of 4 streamed entries, and of its product")       \
    X(element, "seconds of a thread for a byte of each of 4 pieces of rows of B")                            \
    X(imbalance, "what rows whose lengths differ much add")                                                  \
    X(divergence, "the same, for each doubling of the rows of a warp")                                       \
    X(scan, "seconds of a thread for each doubling of the ways of a slice")                                  \
    X(slice_row, "seconds of a way for a row that ends in a slice")                                          \
    X(bundled_row, "the same, in a bundle")                                                                  \
    X(fill, "bytes a second and multiprocessor, of B into panels")                                           \
    X(panel, "seconds to change panels")                                                                     \
    X(visit, "seconds of a multiprocessor for a warp's visit of rows in a panel")                            \
    X(turn, "the same for each flight of entries there")                                                     \
    X(tiles, "seconds to begin and end where there are tiles")                                               \
    X(tile_fill, "seconds of a multiprocessor to bring a tile, while it multiplies another")                 \
    X(tile_step, "seconds of a multiprocessor for a warp's step in a tile")                                  \
    X(tile_uneven, "what the longest row of a block adds, where it has as much as a group in the mean")      \
    X(tile_rest, "factor on an entry that tiles leave out")                                                  \
    X(brick, "seconds of a multiprocessor for a brick")                                                      \
    X(brick_byte, "the same for a byte of a span of its rows of B")                                          \
    X(brick_split, "the same, where values are split in two")                                                \
    X(brick_double, "the same in fp64")                                                                      \
    X(brick_window, "bricks that take as long as beginning and ending a window")                             \
    X(brick_gather, "factor on what bricks gather from L2")                                                  \
    X(slice_lines, "factor on a line of A in slices, which is fetched again")

typedef struct torc_rates {
#define X(rate, unit) double rate;
    TORC_RATE_MAP(X)
#undef X
} torc_rates;

/* The rates of an H200. */
extern const torc_rates torc_measured_rates;

/* The likely rates of another device. */
torc_rates torc_rates_for(const torc_rates *of_an_h200, const torc_device_facts *device);

/* The prediction for the problem's device. */
torc_prediction torc_predict(
    const torc_spmm_kernel *kernel, const torc_problem *problem, const torc_rates *of_an_h200);

#endif
