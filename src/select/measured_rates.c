/* measured_rates.c: the constants of prediction.h, fitted to every candidate without a plan of 17491
 * products. Written by
 *
 *     torc-fit 2026-11-21-h200-sweep.csv 2026-11-26-h200-rivals-in-turn.csv 2026-11-26-h200-corpus.csv
 *
 * of bench/results, unpacked, from the rates that were fitted to the first alone.
 *
 * Those of bricks were fitted to bench/results/2026-11-24-h200-bricks.csv, of seven matrices, by descent
 * along one of them at a time, and are a twelfth off in the mean; but brick_double was lowered by a twelfth
 * so that the faster kernels of 2026-11-24-h200-tensor.csv are chosen, and brick_split by a fifth for those
 * of 2026-11-26-h100-bricks.csv and 2026-11-26-h200-brick-windows.txt. All four were lowered by .15 when the
 * others became what they are, so that the same kernels are chosen in these files and
 * 2026-11-26-h200-tensor.csv.
 *
 * Those of tiles were fitted to the 450 products with tiles of the corpora of bench/results and of
 * 2026-11-26-h100-pruned-tiles.csv, then tile_step was lowered by a fifth, since the least of many
 * predictions of other kernels is too low (docs/selection.md). Since columns are counted otherwise it is 8 %
 * higher, by what is selected in six of the files of 2026-11-27-epyc-tiles-columns.txt.
 */
#include "prediction.h"

const torc_rates torc_measured_rates = {
    .memory = 6.41e+12,
    .scatter = 545,
    .cache = 1.52e+13,
    .near = 1.67e+05,
    .far = 2.57e+07,
    .request = 55,
    .lines = 4.57e+09,
    .launch = 4.07e-07,
    .combine = 9.74e-07,
    .alone = 0.724,
    .row = 1.2e-06,
    .batch = 3.22e-07,
    .cached_batch = 2.28e-07,
    .shared_batch = 2.44e-07,
    .stream_byte = 4.76e-09,
    .element = 1.02e-08,
    .imbalance = 0.65,
    .divergence = 1.52,
    .scan = 4.83e-07,
    .slice_row = 4.93e-07,
    .bundled_row = 2.18e-07,
    .fill = 4.38e+10,
    .panel = 9.61e-06,
    .visit = 2.25e-08,
    .turn = 8.82e-09,
    .tiles = 7e-06,
    .tile_fill = 4e-06,
    .tile_step = 1.12e-08,
    .tile_uneven = 0.6,
    .tile_rest = 1.6,
    .brick = 8.75e-09,
    .brick_byte = 5.02e-11,
    .brick_split = 7.4e-11,
    .brick_double = 6.12e-11,
    .brick_window = 4.3,
    .brick_gather = 1.5,
    .slice_lines = 1.39,
};
