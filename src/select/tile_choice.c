#include "tile_choice.h"
#include "tile_family.h"
#include <math.h>

static const double LONE_ROUND = 4; /* of rounds, where most of the device is idle */
static const double TRUSTED = 1.25; /* times the least: beyond it trees err most on families new to them */

/* What is predicted of the first, and what the ranking knows of it. */
static void look_at_first(int16_t features[TORC_TILE_FEATURES], const torc_spmm_kernel *first,
    const torc_problem *problem, const torc_prediction *prediction, double least)
{
    int16_t known[TORC_RANK_FEATURES];
    torc_rank_product_features(known, problem);
    torc_rank_kernel_features(known, first, problem, prediction, least);
#define KNOWN(feature) features[TORC_TILE_##feature] = known[TORC_RANK_##feature]
    KNOWN(memory);
    KNOWN(gather);
    KNOWN(lines);
    KNOWN(threads);
    KNOWN(seconds);
    KNOWN(family);
    KNOWN(vector);
    KNOWN(waves);
    KNOWN(tail);
    KNOWN(columns);
    KNOWN(size);
    KNOWN(mean);
    KNOWN(deviation);
    KNOWN(longest);
    KNOWN(near);
    KNOWN(far);
    KNOWN(sectors);
    KNOWN(b_bytes);
    KNOWN(balance);
#undef KNOWN
}

void torc_tile_features(int16_t features[TORC_TILE_FEATURES], const torc_spmm_kernel *tiles,
    const torc_spmm_kernel *first, const torc_problem *problem, double least)
{
    torc_prediction of_first = torc_predict(first, problem, &torc_measured_rates);
    double seconds = torc_predict(tiles, problem, &torc_measured_rates).seconds;
    torc_tiling made = torc_tiling_of(tiles, problem);
    double rounds = made.blocks * made.spans / problem->device.multiprocessors;
    int64_t left = problem->ncols - torc_tiled_columns(tiles, problem->ncols);
    look_at_first(features, first, problem, &of_first, least);
    features[TORC_TILE_longer] = torc_feature_logarithm(seconds / least);
    features[TORC_TILE_behind] = torc_feature_logarithm(seconds / of_first.seconds);
    features[TORC_TILE_share] = torc_feature(made.share);
    features[TORC_TILE_parts] = torc_feature(made.parts);
    features[TORC_TILE_rounds] = torc_feature_logarithm(rounds);
    features[TORC_TILE_full] = torc_feature(fmin(LONE_ROUND, ceil(rounds) / rounds));
    features[TORC_TILE_steps] = torc_feature_logarithm(made.steps);
    features[TORC_TILE_filling] = torc_feature_logarithm(made.steps / made.tiles);
    features[TORC_TILE_left] = torc_feature((double)left / (double)problem->ncols);
}

bool torc_tiles_come_first(
    const torc_spmm_kernel *tiles, const torc_spmm_kernel *first, const torc_problem *problem, double least)
{
    int16_t features[TORC_TILE_FEATURES];
    int32_t said = 0;
    if (torc_predict(tiles, problem, &torc_measured_rates).seconds > TRUSTED * least) {
        return false;
    }
    torc_tile_features(features, tiles, first, problem, least);
    for (int t = 0; t < torc_tile_trees.count; t += TORC_TREES_ABREAST) {
        said += torc_trees_ask(&torc_tile_trees, t, features);
    }
    return said > 0;
}
