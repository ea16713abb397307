#include "tile_patterns.h"
#include <stdbool.h>
#include <stdlib.h>

static const struct {
    const char *name;
    int64_t nrows, ncols, least, most; /* entries of a row */
} own[TORC_TILE_PATTERNS - TORC_UGLY_COUNT] = {
    {"all shared", 900, 64, 64, 64},
    {"nothing shared", 700, 700, 1, 1},
    {"even rows", 700, 1700, 100, 100},
    {"uneven rows", 350, 3000, 0, 700},
    {"long rows", 60, 5000, 2, 4500},
    {"several rows a group", 9000, 900, 0, 16},
};

torc_ugly_csr torc_tile_pattern_build(int which)
{
    if (which < TORC_UGLY_COUNT) {
        return torc_ugly_csr_build(which);
    }
    int w = which - TORC_UGLY_COUNT;
    uint64_t state = (uint64_t)which;
    torc_ugly_csr A = {.name = own[w].name, .nrows = own[w].nrows, .ncols = own[w].ncols};
    A.row_ptr = malloc(((size_t)A.nrows + 1) * sizeof *A.row_ptr);
    A.col_idx = malloc((size_t)(A.nrows * own[w].most) * sizeof *A.col_idx);
    A.row_ptr[0] = 0;
    for (int64_t i = 0; i < A.nrows; i++) {
        int64_t length =
            own[w].least + (int64_t)torc_random(&state, (uint64_t)(own[w].most - own[w].least + 1));
        int64_t left = length;
        uint32_t last = (uint32_t)i; /* a row of one entry has it on the diagonal */
        for (int64_t k = 0; k < A.ncols && left > 0; k++) {
            bool is_one = length == 1 ? k == (int64_t)last
                                      : (int64_t)torc_random(&state, (uint64_t)(A.ncols - k)) < left;
            if (is_one) {
                A.col_idx[A.nnz++] = (uint32_t)k;
                left--;
            }
        }
        A.row_ptr[i + 1] = (uint32_t)A.nnz;
    }
    return A;
}
