#include "emulated_cases.h"
#include "brick_cases.h"
#include "policy_cases.h"
#include "tile_cases.h"
#include "update_cases.h"
#include <stdlib.h>

enum { STRIDE = 41, RARE_STRIDE = 11, UPDATES_STRIDE = 17 }; /* prime to the numbers of shapes */

/* Slices of a wide C, whose heavy rows are combined by many threads. */
static bool has_wide_slices(const torc_spmm_kernel *kernel)
{
    return kernel->family == TORC_SLICES && kernel->shape.lanes == 8 && kernel->shape.vector == 4 &&
           kernel->semiring.add == TORC_PLUS_MONOID && kernel->semiring.multiply == TORC_TIMES &&
           kernel->semiring.type == TORC_FP32;
}

/* A plain product by slices: of 32 columns at once, and of 16, which some of these columns take. */
static void add_narrower(torc_kernel_cases *chosen)
{
    torc_spmm_kernel plain = {.semiring = {TORC_PLUS_MONOID, TORC_TIMES, TORC_FP32},
        .a_type = TORC_FP32,
        .b_type = TORC_FP32,
        .a_access = TORC_ACCESS_ARRAY,
        .b_access = TORC_ACCESS_ARRAY,
        .family = TORC_SLICES};
    for (int lanes = 8; lanes >= 4; lanes /= 2) {
        plain.shape = (torc_shape){lanes, 4};
        chosen->kernels[chosen->count++] = plain; /* in the place of one that was left out */
    }
}

torc_kernel_cases torc_emulated_cases_build(void)
{
    torc_kernel_cases all = torc_policy_cases_build(), chosen = {all.kernels, 0};
    for (int i = 0; i < all.count; i++) {
        torc_family family = all.kernels[i].family;
        bool is_rare = family == TORC_PANELS || family == TORC_BUNDLES;
        if (family == TORC_STREAMED || has_wide_slices(&all.kernels[i]) ||
            i % (is_rare ? RARE_STRIDE : STRIDE) == 0) {
            chosen.kernels[chosen.count++] = all.kernels[i];
        }
    }
    add_narrower(&chosen);
    torc_kernel_cases updates = torc_update_cases_build();
    for (int i = 0; i < updates.count; i += UPDATES_STRIDE) {
        if (torc_has_mask_or_bitmap(&updates.kernels[i])) {
            chosen.kernels[chosen.count++] = updates.kernels[i]; /* in the place of one that was left out */
        }
    }
    free(updates.kernels);
    torc_kernel_cases tiles = torc_tile_cases_build();
    for (int i = 0; i < tiles.count; i++) { /* fewer than were left out */
        chosen.kernels[chosen.count++] = tiles.kernels[i];
    }
    free(tiles.kernels);
    torc_kernel_cases bricks = torc_brick_cases_build();
    for (int i = 0; i < bricks.count; i++) { /* likewise */
        chosen.kernels[chosen.count++] = bricks.kernels[i];
    }
    free(bricks.kernels);
    return chosen;
}
