/* measured_rates.c: the constants of prediction.h, fitted to every candidate of 242 products on one
 * NVIDIA H200. Written by
 *
 *     torc-fit bench/results/2026-11-21-h200-sweep.csv
 *
 * Afterwards launch, combine, alone, panel and bundled_row were fitted to random matrices, with the others as
 * they are here (docs/selection.md).
 *
 * Those of bricks were fitted to bench/results/2026-11-24-h200-bricks.csv, of seven matrices, by descent
 * along one of them at a time, and are a twelfth off in the mean; but brick_double was lowered by a twelfth
 * so that the faster kernels of 2026-11-24-h200-tensor.csv are chosen, and brick_split by a fifth for those
 * of 2026-11-26-h100-bricks.csv and 2026-11-26-h200-brick-windows.txt. tile_step and tile_rest are from
 * 2026-11-21-h200-tiles.txt.
 */
#include "prediction.h"

const torc_rates torc_measured_rates = {
    .memory = 6.4e+12,
    .scatter = 569,
    .cache = 2.37e+13,
    .near = 1.53e+05,
    .far = 3.75e+07,
    .request = 65.9,
    .stride = 4.23e+04,
    .lines = 2.98e+09,
    .launch = 1.63e-07,
    .combine = 1.97e-06,
    .alone = 0.706,
    .row = 1.84e-06,
    .batch = 4.52e-07,
    .cached_batch = 2.83e-07,
    .shared_batch = 3.27e-07,
    .stream_byte = 2.92e-08,
    .element = 7e-09,
    .imbalance = 0.919,
    .divergence = 1.35,
    .scan = 2.93e-07,
    .slice_row = 6.89e-07,
    .bundled_row = 2.42e-07,
    .fill = 4.45e+10,
    .panel = 1.02e-05,
    .visit = 1.78e-08,
    .turn = 7.52e-09,
    .tile_step = 8.3e-09,
    .tile_rest = 1.6,
    .brick = 1.03e-08,
    .brick_byte = 5.9e-11,
    .brick_split = 8.7e-11,
    .brick_double = 7.2e-11,
    .brick_window = 4.3,
    .brick_gather = 1.5,
    .slice_lines = 2.6,
};
