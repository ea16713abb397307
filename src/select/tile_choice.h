/* tile_choice.h: tiles, or what ranks first of the other kernels? Both predictions err, that of tiles by .475
 * and the other by a sixth (standard deviation of the logarithm), in ways that statistics of A know. Trees
 * add up what was learned of that from measured products of random matrices. */
#ifndef TORC_TILE_CHOICE_H
#define TORC_TILE_CHOICE_H

#include "ranking.h"

/* X(feature, what it is), in the order of the trees' numbers; logarithms are of base 2. "The first" is the
 * other kernel. */
#define TORC_TILE_FEATURE_MAP(X)                                                                             \
    X(longer, "logarithm of the predicted time of tiles over the least of the other kernels")                \
    X(behind, "the same over that of the first")                                                             \
    X(memory, "share of each term in what is predicted of the first")                                        \
    X(gather, "")                                                                                            \
    X(lines, "")                                                                                             \
    X(threads, "")                                                                                           \
    X(seconds, "logarithm of what is predicted of the first")                                                \
    X(family, "number of the family of the first")                                                           \
    X(vector, "logarithm, of the first")                                                                     \
    X(waves, "of the first, as the ranking has it")                                                          \
    X(tail, "the same")                                                                                      \
    X(columns, "of the product, as the ranking has them")                                                    \
    X(size, "")                                                                                              \
    X(mean, "")                                                                                              \
    X(deviation, "")                                                                                         \
    X(longest, "")                                                                                           \
    X(near, "")                                                                                              \
    X(far, "")                                                                                               \
    X(sectors, "")                                                                                           \
    X(b_bytes, "")                                                                                           \
    X(balance, "")                                                                                           \
    X(share, "of the entries, that tiles have")                                                              \
    X(parts, "of a row")                                                                                     \
    X(rounds, "logarithm of the blocks over the multiprocessors")                                            \
    X(full, "whole rounds over rounds, 4 at most")                                                           \
    X(steps, "logarithm of those of a block")                                                                \
    X(filling, "logarithm of a block's steps over its tiles")                                                \
    X(left, "share of the columns, behind the last line")

enum {
#define X(feature, text) TORC_TILE_##feature,
    TORC_TILE_FEATURE_MAP(X)
#undef X
        TORC_TILE_FEATURES
};

/* least: the least predicted seconds of the other kernels. */
void torc_tile_features(int16_t features[TORC_TILE_FEATURES], const torc_spmm_kernel *tiles,
    const torc_spmm_kernel *first, const torc_problem *problem, double least);

/* Are tiles likely the faster ones? Never where they are predicted to take more than 1.25 times the least.
 * Trees were trained where torc_rank_applies, and are asked there. */
bool torc_tiles_come_first(
    const torc_spmm_kernel *tiles, const torc_spmm_kernel *first, const torc_problem *problem, double least);

/* tile_trees.c, which bench/train_tiles writes. */
extern const torc_trees torc_tile_trees;

#endif
