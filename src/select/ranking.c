#include "ranking.h"
#include "families.h"
#include "occupancy.h"
#include <math.h>

/* The logarithm of a number that may be 0. */
static double logarithm(double x)
{
    static const double LEAST = 1e-12;
    return log2(fmax(LEAST, x));
}

bool torc_rank_applies(const torc_problem *problem)
{
    const torc_spmm_kernel *kernel = &problem->kernel;
    torc_semiring semiring = kernel->semiring;
    bool is_sum = semiring.add == TORC_PLUS_MONOID && !semiring.definition &&
                  (semiring.multiply == TORC_TIMES || semiring.multiply == TORC_SECOND);
    return is_sum && (semiring.type == TORC_FP32 || semiring.type == TORC_FP64) &&
           kernel->b_access == TORC_ACCESS_ARRAY && problem->b_size == problem->c_size &&
           problem->is_everywhere && !kernel->has_accum && problem->rows->nnz > 0;
}

void torc_rank_features(float features[TORC_RANK_FEATURES], const torc_spmm_kernel *kernel,
    const torc_problem *problem, const torc_prediction *prediction, double least)
{
    torc_problem known = *problem;
    known.device = torc_device_complete(problem->device);
    const torc_statistics *rows = problem->rows;
    double span = (double)kernel->shape.lanes * kernel->shape.vector, ncols = (double)problem->ncols;
    double spans = ceil(ncols / span), ways = torc_ways(kernel), mean = fmax(1e-3, rows->mean_row);
    double b_bytes = (double)rows->ncols * ncols * (double)problem->b_size;
    double needed = (double)rows->nrows * spans * kernel->shape.lanes * ways;
    double held = torc_resident_threads(kernel, &known) * known.device.multiprocessors;
    const double found[TORC_RANK_FEATURES] = {
        [TORC_RANK_longer] = logarithm(prediction->seconds / least),
        [TORC_RANK_memory] = prediction->memory / prediction->seconds,
        [TORC_RANK_gather] = prediction->gather / prediction->seconds,
        [TORC_RANK_lines] = prediction->lines / prediction->seconds,
        [TORC_RANK_threads] = prediction->threads / prediction->seconds,
        [TORC_RANK_seconds] = logarithm(prediction->seconds),
        [TORC_RANK_family] = kernel->family,
        [TORC_RANK_lanes] = logarithm(kernel->shape.lanes),
        [TORC_RANK_vector] = logarithm(kernel->shape.vector),
        [TORC_RANK_ways] = logarithm(ways),
        [TORC_RANK_spans] = logarithm(spans),
        [TORC_RANK_fill] = ncols / (spans * span),
        [TORC_RANK_columns] = logarithm(ncols),
        [TORC_RANK_size] = (double)problem->c_size,
        [TORC_RANK_rows] = logarithm((double)rows->nrows),
        [TORC_RANK_b_rows] = logarithm((double)rows->ncols),
        [TORC_RANK_entries] = logarithm((double)rows->nnz),
        [TORC_RANK_mean] = logarithm(mean),
        [TORC_RANK_deviation] = rows->deviation_row / mean,
        [TORC_RANK_longest] = logarithm((double)rows->max_row / mean),
        [TORC_RANK_most] = logarithm((double)rows->max_row),
        [TORC_RANK_empty] = (double)rows->empty_rows / fmax(1, (double)rows->nrows),
        [TORC_RANK_near] = logarithm(rows->near_footprint),
        [TORC_RANK_far] = logarithm(rows->far_footprint),
        [TORC_RANK_sectors] = logarithm(rows->sector_footprint),
        [TORC_RANK_b_bytes] = logarithm(b_bytes / (double)known.device.l2_bytes),
        [TORC_RANK_busy] = logarithm(needed / held),
        [TORC_RANK_turns] = logarithm(mean / ways),
        [TORC_RANK_balance] =
            logarithm(known.device.bandwidth / (known.device.clock * known.device.multiprocessors)),
    };
    for (int f = 0; f < TORC_RANK_FEATURES; f++) {
        features[f] = (float)found[f];
    }
}

double torc_rank_score(const float features[TORC_RANK_FEATURES])
{
    double score = 0;
    for (int t = 0; t < torc_rank_ntrees; t++) {
        const torc_rank_node *node = &torc_rank_nodes[torc_rank_trees[t]];
        while (node->feature < TORC_RANK_FEATURES) {
            node += features[node->feature] <= node->value ? 1 : node->right;
        }
        score += (double)node->value;
    }
    return score;
}
