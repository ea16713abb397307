#include "ugly_csr.h"
#include "spmm_args.h"
#include <stdbool.h>
#include <stdlib.h>

/* splitmix64 */
uint64_t torc_random(uint64_t *state, uint64_t bound)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (z ^ z >> 31) % bound;
}

enum { S = TORC_SEGMENT_NNZ };

static int64_t one(int64_t row, uint64_t *state)
{
    (void)row, (void)state;
    return 1;
}

static int64_t none(int64_t row, uint64_t *state)
{
    (void)row, (void)state;
    return 0;
}

static int64_t few(int64_t row, uint64_t *state)
{
    return row % 3 ? (int64_t)torc_random(state, 9) : 0;
}

static int64_t around_a_segment(int64_t row, uint64_t *state)
{
    static const int64_t lengths[] = {0, 1, S - 1, S, S + 1, 0, 2 * S, 2 * S + 1, 3, 3 * S + 17, 0};
    (void)state;
    return lengths[row];
}

static int64_t one_huge(int64_t row, uint64_t *state)
{
    return row == 17 ? 9 * S + 5 : (int64_t)torc_random(state, 40);
}

static int64_t every_length(int64_t row, uint64_t *state)
{
    (void)state;
    return row;
}

static const struct {
    const char *name;
    int64_t nrows, ncols;
    int64_t (*row_length)(int64_t row, uint64_t *state);
} patterns[TORC_UGLY_COUNT] = {
    {"1x1", 1, 1, one},
    {"no entries", 300, 7, none},
    {"no columns", 5, 0, none},
    {"short and empty rows", 1000, 60, few},
    {"rows around a segment", 11, 4 * S, around_a_segment},
    {"one huge row", 70, 10 * S, one_huge},
    {"every length", 140, 141, every_length},
    {"one entry a row", 777, 3, one},
};

static int compare_columns(const void *x, const void *y)
{
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return (a > b) - (a < b);
}

/* Distinct columns: a walk with a stride that is prime to ncols, in its own order or ascending. */
static void fill_row(uint32_t *col_idx, int64_t length, int64_t ncols, bool ascends, uint64_t *state)
{
    uint64_t stride = 1 + torc_random(state, (uint64_t)ncols), a = stride, b = (uint64_t)ncols;
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    stride = a == 1 ? stride : 1;
    uint64_t column = torc_random(state, (uint64_t)ncols);
    for (int64_t p = 0; p < length; p++) {
        col_idx[p] = (uint32_t)column;
        column = (column + stride) % (uint64_t)ncols;
    }
    if (ascends) {
        qsort(col_idx, (size_t)length, sizeof *col_idx, compare_columns);
    }
}

torc_ugly_csr torc_ugly_csr_build(int which)
{
    uint64_t state = (uint64_t)which;
    torc_ugly_csr csr = {
        .name = patterns[which].name, .nrows = patterns[which].nrows, .ncols = patterns[which].ncols};
    csr.wide_row_ptr = calloc((size_t)csr.nrows + 1, sizeof *csr.wide_row_ptr);
    csr.row_ptr = calloc((size_t)csr.nrows + 1, sizeof *csr.row_ptr);
    for (int64_t i = 0; i < csr.nrows; i++) {
        csr.nnz += patterns[which].row_length(i, &state);
        csr.wide_row_ptr[i + 1] = (uint64_t)csr.nnz;
        csr.row_ptr[i + 1] = (uint32_t)csr.nnz;
    }
    csr.col_idx = calloc((size_t)csr.nnz + 1, sizeof *csr.col_idx);
    for (int64_t i = 0; i < csr.nrows; i++) {
        int64_t length = csr.row_ptr[i + 1] - csr.row_ptr[i];
        if (length > 0) {
            fill_row(csr.col_idx + csr.row_ptr[i], length, csr.ncols, i % 2, &state);
        }
    }
    return csr;
}

void torc_ugly_csr_free(torc_ugly_csr *csr)
{
    free(csr->wide_row_ptr);
    free(csr->row_ptr);
    free(csr->col_idx);
}
