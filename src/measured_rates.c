/* measured_rates.c: the constants of prediction.h, fitted to 220 products, every candidate, one
 * NVIDIA H200. Written by
 *
 *     torc-fit bench/results/2026-11-21-h200-sweep.csv
 */
#include "prediction.h"

const torc_rates torc_measured_rates = {
    .memory = 7.84e+12,
    .cache = 2.84e+13,
    .near = 2.57e+05,
    .far = 3.25e+07,
    .request = 95,
    .stride = 2.46e+04,
    .lines = 2.5e+09,
    .row = 1.73e-06,
    .batch = 6.1e-07,
    .cached_batch = 4.43e-07,
    .slice_batch = 1.02e-06,
    .stream_byte = 1.11e-07,
    .fold = 2.36e-08,
    .element = 9.49e-09,
    .imbalance = 0.441,
    .divergence = 1.25,
    .scan = 6.37e-07,
    .slice_row = 7.36e-07,
    .stream_row = 8.27e-07,
    .fill = 4e+10,
    .panel = 2e-06,
    .visit = 2.5e-08,
    .turn = 2.5e-08,
    .slice_lines = 5.17,
    .tail = 2.07,
    .overlap = 1.82,
};
