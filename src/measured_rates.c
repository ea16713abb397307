/* measured_rates.c: the constants of prediction.h, fitted to 242 products, every candidate, one
 * NVIDIA H200. Written by
 *
 *     torc-fit bench/results/2026-11-21-h200-sweep.csv
 */
#include "prediction.h"

const torc_rates torc_measured_rates = {
    .memory = 6.7e+12,
    .scatter = 597,
    .cache = 2.3e+13,
    .near = 1.54e+05,
    .far = 3.85e+07,
    .request = 55.7,
    .stride = 2.97e+04,
    .lines = 3.21e+09,
    .row = 1.83e-06,
    .batch = 4.34e-07,
    .cached_batch = 2.74e-07,
    .shared_batch = 3.16e-07,
    .stream_byte = 2.42e-08,
    .element = 8.8e-09,
    .imbalance = 0.964,
    .divergence = 0.907,
    .scan = 3.14e-07,
    .slice_row = 8.69e-07,
    .fill = 4e+10,
    .panel = 2e-06,
    .visit = 2.5e-08,
    .turn = 2.5e-08,
    .slice_lines = 3,
};
