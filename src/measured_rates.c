/* measured_rates.c: the constants of prediction.h, fitted to 242 products, every candidate, one
 * NVIDIA H200. Written by
 *
 *     torc-fit bench/results/2026-11-21-h200-sweep.csv
 */
#include "prediction.h"

const torc_rates torc_measured_rates = {
    .memory = 6.33e+12,
    .scatter = 571,
    .cache = 2.18e+13,
    .near = 1.53e+05,
    .far = 3.84e+07,
    .request = 57.2,
    .stride = 3.09e+04,
    .lines = 3.35e+09,
    .row = 1.89e-06,
    .batch = 4.83e-07,
    .cached_batch = 2.99e-07,
    .shared_batch = 3.34e-07,
    .stream_byte = 2.62e-08,
    .element = 6.18e-09,
    .imbalance = 0.854,
    .divergence = 1.48,
    .scan = 2.86e-07,
    .slice_row = 7.04e-07,
    .fill = 3.95e+10,
    .panel = 5.32e-06,
    .visit = 1.53e-08,
    .turn = 8.76e-09,
    .slice_lines = 2.72,
};
