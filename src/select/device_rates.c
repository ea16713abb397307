/* device_rates.c: rates of an H200, scaled to another device: bandwidths by the ratio of bandwidths, caches
 * by the ratio of their sizes, and rates of a multiprocessor by the ratio of clocks. */
#include "prediction.h"

torc_rates torc_rates_for(const torc_rates *of_an_h200, const torc_device_facts *device)
{
    const torc_device_facts h200 = torc_device_complete((torc_device_facts){0});
    double memory = device->bandwidth / h200.bandwidth, clock = device->clock / h200.clock;
    double all = clock * device->multiprocessors / h200.multiprocessors; /* multiprocessors and their L2 */
    torc_rates rates = *of_an_h200;
    rates.memory *= memory;
    rates.cache *= all;
    rates.near *= (double)device->multiprocessor_shared / (double)h200.multiprocessor_shared;
    rates.far *= (double)device->l2_bytes / (double)h200.l2_bytes;
    rates.lines *= clock;
    rates.fill *= clock;
    double *const seconds[] = {&rates.launch, &rates.combine, &rates.row, &rates.batch, &rates.cached_batch,
        &rates.shared_batch, &rates.stream_byte, &rates.element, &rates.scan, &rates.slice_row,
        &rates.bundled_row, &rates.panel, &rates.visit, &rates.turn, &rates.tiles, &rates.tile_fill,
        &rates.tile_step, &rates.brick, &rates.brick_byte, &rates.brick_split, &rates.brick_double};
    for (size_t i = 0; i < sizeof seconds / sizeof *seconds; i++) {
        *seconds[i] /= clock;
    }
    return rates;
}
