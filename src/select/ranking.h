/* ranking.h: the order of kernels whose predictions are close. It corrects what prediction.h misses, as
 * learned from measured products of random matrices. The model is gradient-boosted trees: LambdaMART (Burges,
 * From RankNet to LambdaRank to LambdaMART, 2010), as Lin et al. rank schedules (LO-SpMM, 2024, section 3.5).
 */
#ifndef TORC_RANKING_H
#define TORC_RANKING_H

#include "families.h"
#include "trees.h"

/* X(feature, what it is), in the order of the trees' numbers; logarithms are of base 2 */
#define TORC_RANK_FEATURE_MAP(X)                                                                             \
    X(longer, "logarithm of the predicted time over the least of the product")                               \
    X(memory, "share of each term in it")                                                                    \
    X(gather, "")                                                                                            \
    X(lines, "")                                                                                             \
    X(threads, "")                                                                                           \
    X(seconds, "its logarithm")                                                                              \
    X(family, "number of the family")                                                                        \
    X(lanes, "logarithm")                                                                                    \
    X(vector, "logarithm")                                                                                   \
    X(ways, "logarithm")                                                                                     \
    X(spans, "logarithm of the spans of columns")                                                            \
    X(fill, "columns over those of whole spans")                                                             \
    X(columns, "logarithm of those of C")                                                                    \
    X(size, "bytes of an element of C")                                                                      \
    X(rows, "logarithm of those of A")                                                                       \
    X(b_rows, "logarithm of those of B")                                                                     \
    X(entries, "logarithm")                                                                                  \
    X(mean, "logarithm of the mean row")                                                                     \
    X(deviation, "of rows, over the mean")                                                                   \
    X(longest, "logarithm of the longest row over the mean")                                                 \
    X(most, "logarithm of the longest row")                                                                  \
    X(empty, "share of the rows")                                                                            \
    X(near, "logarithms of the footprints")                                                                  \
    X(far, "")                                                                                               \
    X(sectors, "")                                                                                           \
    X(b_bytes, "logarithm of B's bytes over those of L2")                                                    \
    X(waves, "logarithm of the threads of all groups over those that the device holds")                      \
    X(rounds, "whole waves over waves, LONE_WAVE at most")                                                   \
    X(shares, "whole blocks of a multiprocessor over its share of them; 1 if they are many")                 \
    X(batches, "logarithm of the rounds of loads for a group's mean row, or its slice")                      \
    X(most_batches, "logarithm of those for its longest row")                                                \
    X(idle, "entries that all ways could take in their turns over those of the mean row")                    \
    X(tail, "logarithm of most_batches over the predicted seconds")                                          \
    X(resident, "blocks that a multiprocessor holds")                                                        \
    X(flight, "logarithm of the bytes of C that threads have which are there at once")                       \
    X(span, "logarithm of the bytes of C that a group has")                                                  \
    X(warp, "how far the longest of a warp's rows is beyond the mean, over that, were lengths normal")       \
    X(block, "the same of a block's")                                                                        \
    X(stragglers, "logarithm of the longest row over the mean one, less where there are many waves")         \
    X(balance, "logarithm of the bytes that memory moves in a cycle of a multiprocessor")

typedef enum torc_rank_feature {
#define X(feature, text) TORC_RANK_##feature,
    TORC_RANK_FEATURE_MAP(X)
#undef X
        TORC_RANK_FEATURES
} torc_rank_feature;

/* Features that all kernels of a product have in common, and then those of a kernel; what the other function
 * sets is left as it is. least: the least predicted seconds of all candidates. */
void torc_rank_product_features(int16_t features[TORC_RANK_FEATURES], const torc_problem *problem);
void torc_rank_kernel_features(int16_t features[TORC_RANK_FEATURES], const torc_spmm_kernel *kernel,
    const torc_problem *problem, const torc_prediction *prediction, double least);

extern const torc_trees torc_rank_trees; /* ranking_trees.c, which bench/train_ranking writes */

enum { TORC_RANK_MOST = 32 }; /* kernels: of one product in 400 there are more, 37 at most */

/* The sums over the trees, of so many kernels, TORC_RANK_MOST at most: the one with the largest comes
 * first. Kernels far behind are not asked of all trees, and come after the others; nor is one that is left
 * alone. Scores of different products do not compare. */
void torc_rank_scores(int32_t scores[], int16_t (*features)[TORC_RANK_FEATURES], int count);

/* Is it a product of the kind that the model was trained on, or one that differs by A's values alone, or by
 * an accumulator where rows of C take a cache line or more? plus_times or plus_second in fp32 or fp64, B an
 * array, all of C written. (Narrower ones took up to 1.2 times as long with an accumulator:
 * bench/results/2026-11-27-h200-accumulate-ranked.csv.xz.) */
bool torc_rank_applies(const torc_problem *problem);

/* Kernels with tiles or bricks need a plan, whose time the prediction counts and the measurements did not. So
 * they are not ranked: tile_choice.h decides on tiles, predictions on bricks. */
static inline bool torc_rank_has_plan(const torc_spmm_kernel *kernel)
{
    return torc_cut_is_plan(torc_families[kernel->family].cut);
}

#endif
