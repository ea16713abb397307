/* device_product.h: a kernel's product on the device beside the reference's. It runs twice over different
 * rubbish: the same bits must come out, so every element is written, none is read first, and the padding of C
 * is left alone. */
#ifndef TORC_DEVICE_PRODUCT_H
#define TORC_DEVICE_PRODUCT_H

#include "device_cuts.h"

/* On both sides. */
typedef struct torc_device_pattern {
    torc_ugly_csr csr;
    torc_device_cuts cuts;
    void *row_ptr, *wide_row_ptr, *col_idx; /* on the device */
} torc_device_pattern;

/* which: below TORC_UGLY_COUNT. */
torc_device_pattern torc_device_pattern_build(torc_device *device, int which);
void torc_device_pattern_free(torc_device *device, torc_device_pattern *A);

/* A plain product of either split, of values drawn by the seed; not packed. */
void torc_device_product_check(torc_device *device, torc_device *reference, const torc_spmm_kernel *kernel,
    const torc_device_pattern *A, int64_t ncols, uint64_t seed);

#endif
