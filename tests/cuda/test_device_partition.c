/* test_device_partition.c: rows measured and cut, and columns listed and counted, on the device beside the
 * host's: the same arrays, bit for bit. */
#include "footprint.h"
#include "gpu.h"
#include "partition.h"
#include "ugly_csr.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POISON = 0xA5, NAME_SIZE = 128 };

/* An array of the partition: where its pointer is, and how long it is. */
typedef struct part {
    const char *name;
    size_t offset, size;
} part;

enum { PARTS = 9 };

static void list_parts(part parts[PARTS], const torc_partition *p)
{
    size_t nrows = (size_t)p->statistics.nrows, nslices = (size_t)p->nslices;
    const part all[PARTS] = {
        {"present", offsetof(torc_partition, present), nrows},
        {"segments", offsetof(torc_partition, segments), (size_t)p->nsegments * sizeof *p->segments},
        {"long rows", offsetof(torc_partition, long_rows), (size_t)p->nlong_rows * sizeof *p->long_rows},
        {"pieces", offsetof(torc_partition, pieces), (size_t)p->npieces * sizeof *p->pieces},
        {"pieced rows", offsetof(torc_partition, pieced_rows),
            (size_t)p->npieced_rows * sizeof *p->pieced_rows},
        {"row ends", offsetof(torc_partition, row_ends), nslices * (TORC_SLICE_NNZ / 8)},
        {"rows", offsetof(torc_partition, rows), nrows * sizeof *p->rows},
        {"slice rows", offsetof(torc_partition, slice_rows), nslices * sizeof *p->slice_rows},
        {"spanning rows", offsetof(torc_partition, spanning_rows),
            (size_t)p->nspanning_rows * sizeof *p->spanning_rows},
    };
    memcpy(parts, all, sizeof all);
}

static void **array_of(torc_partition *partition, const part *which)
{
    return (void **)((char *)partition + which->offset);
}

static void check_measures(const torc_partition *found, const torc_partition *expected, const char *name)
{
    const torc_statistics *s = &found->statistics, *t = &expected->statistics;
    cr_expect(s->nrows == t->nrows && s->ncols == t->ncols && s->nnz == t->nnz, "%s: shape", name);
    cr_expect(s->empty_rows == t->empty_rows && s->max_row == t->max_row, "%s: extremes", name);
    cr_expect(s->mean_row == t->mean_row, "%s: mean", name);
    /* Sums of squares in another order; they cancel by rounding errors of squares of at most max_row. */
    cr_expect(
        fabs(s->deviation_row - t->deviation_row) <= 1e-6 * (double)(t->max_row + 1), "%s: deviation", name);
    cr_expect(found->nsegments == expected->nsegments && found->nlong_rows == expected->nlong_rows &&
                  found->npieces == expected->npieces && found->nsplit_pieces == expected->nsplit_pieces &&
                  found->npieced_rows == expected->npieced_rows && found->nslices == expected->nslices &&
                  found->nspanning_rows == expected->nspanning_rows &&
                  found->nheavy_rows == expected->nheavy_rows,
        "%s: counts", name);
}

static void check_matrix(torc_device *device, const torc_ugly_csr *csr, bool is_wide)
{
    const torc_executor *cuda = torc_executor_cuda();
    char name[NAME_SIZE];
    snprintf(name, sizeof name, "%s, %s offsets", csr->name, is_wide ? "wide" : "narrow");
    const void *row_ptr = is_wide ? (const void *)csr->wide_row_ptr : csr->row_ptr;
    size_t row_ptr_size = ((size_t)csr->nrows + 1) * (is_wide ? sizeof(uint64_t) : sizeof(uint32_t));
    torc_partition expected, found;
    int bits = is_wide ? 64 : 32;
    cr_assert_eq(torc_partition_build(&expected, row_ptr, bits, csr->nrows, csr->ncols), TORC_SUCCESS);
    cr_assert_eq(torc_partition_slice(&expected, row_ptr, bits, csr->nrows), TORC_SUCCESS);

    torc_device_csr A = {.nrows = csr->nrows, .ncols = csr->ncols, .nnz = csr->nnz, .wide_offsets = is_wide};
    torc_window windows[TORC_WINDOWS];
    A.row_ptr = torc_gpu_copy(device, row_ptr, row_ptr_size);
    A.col_idx = torc_gpu_copy(device, csr->col_idx, (size_t)csr->nnz * sizeof *csr->col_idx);
    TORC_GPU_TRY(device, cuda->measure(device, &found, windows, &A));
    check_measures(&found, &expected, name);

    part parts[PARTS];
    list_parts(parts, &expected);
    for (int i = 0; i < PARTS; i++) {
        void *poison = memset(malloc(parts[i].size + 1), POISON, parts[i].size + 1);
        *array_of(&found, &parts[i]) = torc_gpu_copy(device, poison, parts[i].size);
        free(poison);
    }
    TORC_GPU_TRY(device, cuda->cut_rows(device, &found, &A));
    for (int i = 0; i < PARTS; i++) {
        void *received = malloc(parts[i].size + 1), *there = *array_of(&found, &parts[i]);
        if (parts[i].size > 0) {
            TORC_GPU_TRY(device, cuda->download(device, received, there, parts[i].size));
        }
        cr_expect_eq(memcmp(received, *array_of(&expected, &parts[i]), parts[i].size), 0, "%s: %s", name,
            parts[i].name);
        free(received);
        cuda->release(device, there);
    }
    cuda->release(device, A.row_ptr);
    cuda->release(device, A.col_idx);
    torc_partition_free(&expected);
}

static void check_columns(torc_device *device, torc_device *reference, const torc_ugly_csr *csr)
{
    size_t size = (size_t)csr->ncols * sizeof(uint32_t);
    uint32_t *expected = malloc(size + 1), *found = malloc(size + 1);
    int64_t nexpected, nfound;
    torc_device_csr A = {csr->nrows, csr->ncols, csr->nnz, false, 0, csr->row_ptr, csr->col_idx, NULL};
    cr_assert_eq(torc_executor_reference()->list_columns(reference, expected, &nexpected, &A), TORC_SUCCESS);
    memset(found, POISON, size);
    uint32_t *col_idx = torc_gpu_copy(device, A.col_idx, (size_t)csr->nnz * sizeof *col_idx);
    uint32_t *columns = torc_gpu_copy(device, found, size);
    A.row_ptr = NULL;
    A.col_idx = col_idx;
    TORC_GPU_TRY(device, torc_executor_cuda()->list_columns(device, columns, &nfound, &A));
    cr_assert_eq(nfound, nexpected, "%s: %ld columns, not %ld", csr->name, (long)nfound, (long)nexpected);
    if (nfound > 0) {
        size_t listed = (size_t)nfound * sizeof *found;
        TORC_GPU_TRY(device, torc_executor_cuda()->download(device, found, columns, listed));
        cr_expect(memcmp(found, expected, listed) == 0, "%s: other columns", csr->name);
    }
    torc_executor_cuda()->release(device, col_idx);
    torc_executor_cuda()->release(device, columns);
    free(expected);
    free(found);
}

Test(device_partition, equals_the_host_s_on_every_ugly_pattern)
{
    torc_device *device = torc_gpu_open(0), *reference;
    torc_options options = TORC_OPTIONS_INIT;
    cr_assert_eq(torc_executor_reference()->open(&reference, &options), TORC_SUCCESS);
    for (int which = 0; which < TORC_UGLY_COUNT; which++) {
        torc_ugly_csr csr = torc_ugly_csr_build(which);
        check_matrix(device, &csr, false);
        check_matrix(device, &csr, true);
        check_columns(device, reference, &csr);
        torc_ugly_csr_free(&csr);
    }
    torc_executor_reference()->close(reference);
    torc_executor_cuda()->close(device);
}

/* More rows than the measuring grid has threads, long ones among them. */
Test(device_partition, equals_the_host_s_on_many_rows)
{
    enum { ROWS = 300000 };
    torc_device *device = torc_gpu_open(0);
    uint64_t random = 1, *state = &random;
    torc_ugly_csr csr = {.name = "many rows", .nrows = ROWS, .ncols = 100000};
    csr.row_ptr = calloc(ROWS + 1, sizeof *csr.row_ptr);
    csr.wide_row_ptr = calloc(ROWS + 1, sizeof *csr.wide_row_ptr);
    for (int64_t i = 0; i < ROWS; i++) {
        static const uint64_t bounds[] = {1, 5, 40}; /* empty, short, longer; a few long and heavy */
        uint64_t bound = torc_random(state, 64) == 0 ? 9000 : bounds[torc_random(state, 3)];
        csr.nnz += (int64_t)torc_random(state, bound);
        csr.row_ptr[i + 1] = (uint32_t)csr.nnz;
        csr.wide_row_ptr[i + 1] = (uint64_t)csr.nnz;
    }
    csr.col_idx = calloc((size_t)csr.nnz, sizeof *csr.col_idx);
    check_matrix(device, &csr, false);
    check_matrix(device, &csr, true);
    torc_ugly_csr_free(&csr);
    torc_executor_cuda()->close(device);
}

/* All columns in the last row. */
static void check_windows(
    torc_device *device, const uint32_t *col_idx, int64_t nnz, int64_t ncols, const char *name)
{
    const torc_executor *cuda = torc_executor_cuda();
    int64_t nrows = nnz / 10 + 1;
    uint32_t *row_ptr = calloc((size_t)nrows + 1, sizeof *row_ptr);
    row_ptr[nrows] = (uint32_t)nnz;
    torc_window expected[TORC_WINDOWS], found[TORC_WINDOWS];
    torc_partition rows;
    torc_device_csr A = {.nrows = nrows, .ncols = ncols, .nnz = nnz};
    A.row_ptr = torc_gpu_copy(device, row_ptr, ((size_t)nrows + 1) * sizeof *row_ptr);
    A.col_idx = torc_gpu_copy(device, col_idx, (size_t)nnz * sizeof *col_idx);
    torc_footprint_count(expected, col_idx, nnz, nrows, ncols);
    TORC_GPU_TRY(device, cuda->measure(device, &rows, found, &A));
    for (int w = 0; w < TORC_WINDOWS; w++) {
        for (int e = 0; e < TORC_WINDOW_ENDS; e++) {
            cr_expect_eq(found[w].columns[e], expected[w].columns[e],
                "%s: window %d of %ld entries: %u columns up to end %d, not %u", name, w, (long)nnz,
                found[w].columns[e], e, expected[w].columns[e]);
        }
        cr_expect_eq(found[w].sectors, expected[w].sectors,
            "%s: window %d of %ld entries: %u sectors, not %u", name, w, (long)nnz, found[w].sectors,
            expected[w].sectors);
    }
    free(row_ptr);
    cuda->release(device, A.row_ptr);
    cuda->release(device, A.col_idx);
}

Test(device_partition, counts_the_columns_that_the_host_counts)
{
    static const int64_t sizes[] = {0, 1, 4095, 4096, 4097, 65535, 65536, 65537, 1000003};
    static const int64_t widths[] = {1, 300, TORC_WINDOW_BITS, TORC_WINDOW_BITS + 1, 3000000000};
    torc_device *device = torc_gpu_open(0);
    for (int which = 0; which < TORC_UGLY_COUNT; which++) {
        torc_ugly_csr csr = torc_ugly_csr_build(which);
        check_windows(device, csr.col_idx, csr.nnz, csr.ncols, csr.name);
        torc_ugly_csr_free(&csr);
    }
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
            uint64_t random = s;
            char name[NAME_SIZE];
            snprintf(name, sizeof name, "%ld columns, seed %zu", (long)widths[i], s);
            uint32_t *columns = malloc((size_t)(sizes[s] + 1) * sizeof *columns);
            for (int64_t p = 0; p < sizes[s]; p++) {
                columns[p] = (uint32_t)torc_random(&random, (uint64_t)widths[i]);
            }
            check_windows(device, columns, sizes[s], widths[i], name);
            free(columns);
        }
    }
    torc_executor_cuda()->close(device);
}
