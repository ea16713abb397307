#include "emulated_cases.h"
#include "policy_cases.h"

enum { STRIDE = 29, PANELS_STRIDE = 11 }; /* prime to the numbers of shapes */

torc_kernel_cases torc_emulated_cases_build(void)
{
    torc_kernel_cases all = torc_policy_cases_build(), chosen = {all.kernels, 0};
    for (int i = 0; i < all.count; i++) {
        bool has_panels = all.kernels[i].split == TORC_SPLIT_PANELS;
        if (all.kernels[i].streams || i % (has_panels ? PANELS_STRIDE : STRIDE) == 0) {
            chosen.kernels[chosen.count++] = all.kernels[i];
        }
    }
    return chosen;
}
