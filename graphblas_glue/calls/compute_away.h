/* compute_away.h: a product whose result stays on the device (residency.h). Operands, mask and C's old
 * content are there or are sent; nothing comes back. */
#ifndef TORC_COMPUTE_AWAY_H
#define TORC_COMPUTE_AWAY_H

#include "burble.h"
#include "epilogue.h"

/* May the result of this product stay? Any thread. maker: as torc_residency_should_leave has it. */
bool torc_compute_away_is_possible(const torc_product *product, const torc_epilogue *epilogue,
    const torc_binding *graphblas, uint64_t maker);

/* The caller has acquired the device. T is empty where C has its content already; otherwise it is to be
 * packed into C by torc_put_off_pack. On error C is unchanged, and T empty. */
torc_status torc_compute_away(torc_arrays *T, const torc_product *product, const torc_epilogue *epilogue,
    const torc_binding *graphblas, torc_context *context, uint64_t maker, torc_times *times);

#endif
