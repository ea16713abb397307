/* test_emulated_joined.c: products of several devices have the bits of one with every kernel that is
 * emulated: of floating-point values, whose sums show every other order. */
#include "candidates.h"
#include "emulated_cases.h"
#include "joined.h"
#include "part_kernel.h"
#include "sparse.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROWS = 1200,
    COLUMNS = 4400,
    LONG_ROW = 650,
    HEAVY_ROW = 100 * TORC_SLICE_NNZ, /* more than threads that combine it, with columns named thrice */
    MOST = 100,
    MOST_NAMES = 256,
    TALL_ROWS = 9 * TORC_TILE_ROWS, /* so many that tiles copy B */
    TALL_COLUMNS = 64
};

static int32_t row_ptr[ROWS + 1], col_idx[ROWS * 40];
static float values[ROWS * 40], from[COLUMNS * MOST], one[ROWS * MOST], several[ROWS * MOST];
static const torc_semiring plus_times = {TORC_PLUS_MONOID, TORC_TIMES, TORC_FP32};

static uint32_t draw(void)
{
    static uint64_t state = 1;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33);
}

/* Short rows, now and then a long one, a heavy one, and every 150th ends with an entry that all cuts know. */
static torc_csr make_sparse(void)
{
    for (int i = 0; i < ROWS; i++) {
        int count = i == ROWS / 2 ? HEAVY_ROW
                    : i % 97 == 5 ? LONG_ROW
                                  : (int)(draw() % 9),
            first = (int)(draw() % COLUMNS);
        if (i % 150 == 149) {
            int past = row_ptr[i] % 1024;
            count = 1024 - past < LONG_ROW ? 1024 - past : LONG_ROW;
        }
        for (int e = 0; e < count; e++) {
            col_idx[row_ptr[i] + e] = (first + e) % COLUMNS;
            values[row_ptr[i] + e] = (float)draw() / 3e8f - 3;
        }
        row_ptr[i + 1] = row_ptr[i] + count;
    }
    for (int p = 0; p < COLUMNS * MOST; p++) {
        from[p] = (float)draw() / 7e8f - 1;
    }
    return (torc_csr){ROWS, COLUMNS, row_ptr, col_idx, values, 32, 32, TORC_FP32, false, NULL};
}

static torc_spmm_kernel launched; /* first, by the last product */
static bool has_launched, is_emulated;
static const char *wanted; /* the kernel's name */

/* Is it that kernel, and emulated? Not for all widths and operands. */
static bool is_wanted(const torc_spmm_kernel *kernel)
{
    char name[TORC_KERNEL_NAME];
    torc_kernel_name(name, kernel);
    return strcmp(name, wanted) == 0 && torc_is_emulated(kernel);
}

static bool is_by_rows;
static void note(const torc_spmm_kernel *kernel)
{
    if (!has_launched) {
        launched = *kernel;
        is_emulated = is_wanted(kernel);
        has_launched = true;
    }
}

static const torc_executor *plain; /* of the context */

static torc_status record(torc_device *device, const torc_spmm_kernel *kernel, const torc_spmm_args *args)
{
    note(kernel);
    return is_emulated ? plain->spmm(device, kernel, args) : TORC_SUCCESS;
}

static torc_status record_share(
    torc_device *device, const torc_spmm_kernel *kernel, const torc_spmm_args *args, const torc_share *share)
{
    note(kernel);
    is_by_rows = true;
    return is_emulated ? plain->spmm_share(device, kernel, args, share) : TORC_SUCCESS;
}

static int copies; /* of B's columns, by the last product */

static torc_status count_copy(
    torc_device *device, const torc_elementwise_kernel *kernel, const torc_elementwise_args *args)
{
    torc_status status = plain->elementwise(device, kernel, args);
    copies += status == TORC_SUCCESS;
    return status;
}

static torc_context *open_devices(const char *devices, const char *kernel)
{
    torc_options options = TORC_OPTIONS_INIT;
    torc_context *context;
    options.backend = TORC_BACKEND_CUDA;
    options.kernel = kernel;
    options.devices = devices;
    cr_assert(torc_context_create(&context, &options) == TORC_SUCCESS);
    if (devices) { /* as little as there is is shared out */
        torc_joined *joined = torc_joined_of(context->device);
        joined->least_work = joined->least_line = 1;
        joined->least_copy = 1;
    }
    return context;
}

/* C in host memory. */
static void multiply(float *to, const torc_csr *csr, int64_t n, const char *devices, const char *kernel)
{
    static torc_executor recording;
    torc_context *context = open_devices(devices, wanted = kernel);
    torc_dense B = {csr->ncols, n, n, TORC_ROW_MAJOR, TORC_FP32, false, NULL, NULL};
    torc_dense C = {csr->nrows, n, n, TORC_ROW_MAJOR, TORC_FP32, false, NULL, NULL};
    size_t b_size = (size_t)(B.nrows * n) * sizeof *from, c_size = (size_t)(C.nrows * n) * sizeof *to;
    torc_sparse *A;
    cr_assert(torc_sparse_create(&A, context, csr) == TORC_SUCCESS);
    cr_assert(torc_memory_allocate(&B.data, context, b_size) == TORC_SUCCESS);
    cr_assert(torc_memory_allocate(&C.data, context, c_size) == TORC_SUCCESS);
    cr_assert(torc_memory_upload(context, B.data, from, b_size) == TORC_SUCCESS);
    plain = context->executor;
    recording = *plain;
    recording.spmm = record;
    recording.spmm_share = record_share;
    recording.elementwise = count_copy;
    context->executor = &recording;
    has_launched = is_by_rows = false;
    copies = 0;
    cr_assert(torc_spmm(&C, plus_times, A, false, &B, NULL) == TORC_SUCCESS);
    cr_assert(torc_memory_download(context, to, C.data, c_size) == TORC_SUCCESS);
    torc_memory_release(context, B.data);
    torc_memory_release(context, C.data);
    torc_sparse_destroy(A);
    torc_context_destroy(context);
}

/* What is not emulated the reference executor computes, in another order. */
static bool parts_are_emulated(int64_t n)
{
    const torc_joined three = {.count = 3};
    torc_joined_cut cut = torc_joined_even_cut(&three, n, TORC_JOINED_VECTOR);
    bool are_emulated = true;
    for (int m = 0; m < three.count; m++) {
        int64_t width = cut.at[m + 1] - cut.at[m];
        torc_spmm_kernel kernel = torc_kernel_of_columns(&launched, width);
        are_emulated = are_emulated && (width == 0 || torc_is_emulated(&kernel));
    }
    return are_emulated;
}

/* Those of plain products in fp32, by name. */
static int list_names(char (*names)[TORC_KERNEL_NAME])
{
    torc_kernel_cases cases = torc_emulated_cases_build();
    int count = 0;
    for (int i = 0; i < cases.count; i++) {
        const torc_spmm_kernel *k = &cases.kernels[i];
        bool is_plain = k->semiring.add == TORC_PLUS_MONOID && k->semiring.multiply == TORC_TIMES &&
                        k->semiring.type == TORC_FP32 && !k->has_mask && !k->has_accum && !k->b_is_bitmap &&
                        !k->c_is_bitmap && k->a_access == TORC_ACCESS_ARRAY &&
                        k->b_access == TORC_ACCESS_ARRAY && k->family != TORC_BRICKS;
        if (is_plain && count < MOST_NAMES) {
            torc_kernel_name(names[count++], k);
        }
    }
    free(cases.kernels);
    return count;
}

Test(emulated_joined, products_have_the_bits_of_one_device_with_every_kernel)
{
    static char names[MOST_NAMES][TORC_KERNEL_NAME];
    static const int64_t widths[] = {1, 2, 4, 12, 24, 33, 36, 72, MOST};
    torc_csr csr = make_sparse();
    int count = list_names(names), by_rows = 0, by_tiles = 0, by_slices = 0, by_columns = 0;
    for (int i = 0; i < count; i++) {
        for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++) {
            int64_t n = widths[w];
            multiply(one, &csr, n, NULL, names[i]);
            if (!is_emulated) {
                continue;
            }
            multiply(several, &csr, n, "0,1,2", names[i]);
            if (!is_by_rows && !parts_are_emulated(n)) {
                continue;
            }
            cr_assert(memcmp(one, several, (size_t)(ROWS * n) * sizeof *one) == 0, "%s, N = %ld, %s",
                names[i], (long)n, is_by_rows ? "by rows" : "by columns");
            by_rows += is_by_rows;
            by_columns +=
                !is_by_rows && torc_kernel_of_columns(&launched, n / 3).shape.lanes < launched.shape.lanes;
            by_tiles += launched.family == TORC_TILES;
            by_slices += is_by_rows && torc_families[launched.family].cut == TORC_CUT_SLICES;
        }
    }
    cr_expect(by_rows > 0 && by_tiles > 0 && by_slices > 0 && by_columns > 0, "%d, %d, %d, %d", by_rows,
        by_tiles, by_slices, by_columns);
}

/* Two entries a row: their sum has the same bits in any order. */
Test(emulated_joined, tiles_copy_b_on_every_device)
{
    static const int64_t widths[] = {36, 40, 100};
    static int32_t begin[TALL_ROWS + 1], names[2 * TALL_ROWS];
    static float entries[2 * TALL_ROWS], got[TALL_ROWS * MOST];
    for (int p = 0; p < TALL_COLUMNS * MOST; p++) {
        from[p] = (float)draw() / 7e8f - 1;
    }
    for (int e = 0; e < 2 * TALL_ROWS; e++) {
        begin[e / 2 + 1] = e + 1;
        names[e] = (int32_t)(e % 2 * (TALL_COLUMNS / 2) + draw() % (TALL_COLUMNS / 2));
        entries[e] = (float)draw() / 3e8f - 3;
    }
    torc_csr csr = {TALL_ROWS, TALL_COLUMNS, begin, names, entries, 32, 32, TORC_FP32, false, NULL};
    for (int devices = 1; devices <= 3; devices += 2) {
        for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++) {
            int64_t n = widths[w], wrong = 0;
            multiply(got, &csr, n, devices == 1 ? NULL : "0,1,2", "rows/tiles/v4x8");
            cr_expect(launched.family == TORC_TILES && copies == 2, "%d devices, N = %ld: %d copies", devices,
                (long)n, copies);
            for (int64_t at = 0; at < TALL_ROWS * n; at++) {
                const int32_t *k = names + at / n * 2;
                const float *x = entries + at / n * 2;
                float first = x[0] * from[k[0] * n + at % n], second = x[1] * from[k[1] * n + at % n];
                wrong += got[at] != first + second;
            }
            cr_expect(wrong == 0, "%d devices, N = %ld: %ld wrong", devices, (long)n, (long)wrong);
        }
    }
}
