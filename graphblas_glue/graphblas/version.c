/* version.c: one row for each major version that torc knows; see version.h. */
#include "version.h"

#include <stddef.h>

static const torc_numbers known[] = {
    {.major = 7,
        .minor = 4,
        .hyper_switch = 0,
        .bitmap_switch = 34,
        .sparsity_status = 33,
        .sparsity_control = 32,
        .axb_method = 1000,
        .axb_gustavson = 1001,
        .nthreads = 5,
        .descriptor_nthreads = 5,
        .keeps_small_blocks = true,
        .divides_complex_as_torc = true,
        .options_clear_errors = true},
    {.major = 8,
        .minor = 2,
        .hyper_switch = 7000,
        .bitmap_switch = 7001,
        .sparsity_status = 7034,
        .sparsity_control = 7036,
        .axb_method = 7090,
        .axb_gustavson = 7081,
        .malloc_function = 7037,
        .free_function = 7040,
        .nthreads = 7086,
        .options_clear_errors = true},
    {.major = 9,
        .minor = 0,
        .hyper_switch = 7000,
        .bitmap_switch = 7001,
        .sparsity_status = 7034,
        .sparsity_control = 7036,
        .axb_method = 7090,
        .axb_gustavson = 7081,
        .malloc_function = 7037,
        .free_function = 7040,
        .nthreads = 7086,
        .name = 10,
        .hyper_hash = 7048,
        .options_clear_errors = true},
    {.major = 10,
        .minor = 0,
        .hyper_switch = 7000,
        .bitmap_switch = 7001,
        .sparsity_status = 7034,
        .sparsity_control = 7036,
        .axb_method = 7090,
        .axb_gustavson = 7081,
        .malloc_function = 7037,
        .free_function = 7040,
        .nthreads = 7086,
        .name = 10,
        .hyper_hash = 7048,
        .is_readonly = 7078,
        .matrices_clear_errors = true,
        .integer_hints = {7053, 7054, 7056},
        .has_mixed_integers = true},
};

const torc_numbers *torc_version_numbers(const unsigned version[3])
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (known[i].major == version[0] && version[1] >= known[i].minor) {
            return &known[i];
        }
    }
    return NULL;
}
