/* test_group_kernels.c: parts of a product are computed by the kernel that the whole has on one device, and
 * rows are cut where the kernel's own cuts are: that makes their bits the same on a GPU. */
#include "engine_fixture.h"
#include "group_fixture.h"
#include "group_operands.h"
#include "splitmix.h"
#include <stdlib.h>
#include <string.h>

enum { ROWS = 6000, FEW = 500, CASES = 20 };

/* The kernels of the last products, and where their entries begin in A, as all record them. */
static torc_spmm_kernel kernels[64];
static int launches;

static torc_status record(torc_device *device, const torc_spmm_kernel *kernel, const torc_spmm_args *args)
{
    cr_assert(launches < 64);
    kernels[launches++] = *kernel;
    cr_assert(args->ncols % kernel->shape.vector == 0 && args->ldb % kernel->shape.vector == 0 &&
              args->ldc % kernel->shape.vector == 0);
    return torc_executor_reference()->spmm(device, kernel, args);
}

static const torc_executor *recording(void)
{
    static torc_executor executor;
    executor = *torc_executor_reference();
    executor.spmm = record;
    return &executor;
}

static bool is_same_kernel(const torc_spmm_kernel *a, const torc_spmm_kernel *b)
{
    bool has_same_vector = a->shape.vector == b->shape.vector || a->family == TORC_UNIFORM;
    return has_same_vector && a->shape.lanes == b->shape.lanes && a->family == b->family &&
           a->number == b->number && a->wide_offsets == b->wide_offsets;
}

/* Rows of up to `longest` entries, 70 at most. */
static torc_csr random_sparse(uint64_t *seed, int64_t longest, int64_t ncols)
{
    int64_t *row_ptr = calloc(ROWS + 1, sizeof *row_ptr);
    for (int64_t i = 0; i < ROWS; i++) {
        row_ptr[i + 1] = row_ptr[i] + random_below(seed, longest + 1);
    }
    int64_t nnz = row_ptr[ROWS];
    int64_t *col_idx = malloc((size_t)(nnz + 1) * sizeof *col_idx);
    float *values = malloc((size_t)(nnz + 1) * sizeof *values);
    for (int64_t i = 0; i < ROWS; i++) {
        int64_t first = random_below(seed, ncols);
        for (int64_t p = row_ptr[i]; p < row_ptr[i + 1]; p++) {
            col_idx[p] = (first + 7 * (p - row_ptr[i])) % ncols;
            values[p] = 1;
        }
    }
    return (torc_csr){ROWS, ncols, row_ptr, col_idx, values, 64, 64, TORC_FP32, false, NULL};
}

static torc_spmm_kernel kernel_of_whole(
    const torc_csr *csr, torc_semiring semiring, int64_t n, bool is_frontier)
{
    torc_context *context = open_reference(0);
    size_t cells = (size_t)(ROWS * n);
    void *bitmaps[2] = {NULL, NULL};
    torc_dense B = {csr->ncols, n, n, TORC_ROW_MAJOR, TORC_FP32, false, NULL, NULL}, C = B;
    C.nrows = ROWS;
    torc_sparse *A;
    context->executor = recording();
    cr_assert(torc_sparse_create(&A, context, csr) == TORC_SUCCESS);
    cr_assert(torc_memory_allocate(&B.data, context, cells * sizeof(float)) == TORC_SUCCESS);
    cr_assert(torc_memory_allocate(&C.data, context, cells * sizeof(float)) == TORC_SUCCESS);
    for (int i = 0; i < 2 && is_frontier; i++) {
        cr_assert(torc_memory_allocate(&bitmaps[i], context, cells) == TORC_SUCCESS);
    }
    B.bitmap = bitmaps[0];
    C.bitmap = bitmaps[1];
    launches = 0;
    cr_assert(torc_spmm(&C, semiring, A, false, &B, NULL) == TORC_SUCCESS && launches == 1);
    void *all[] = {B.data, C.data, bitmaps[0], bitmaps[1]};
    for (int i = 0; i < 4; i++) {
        torc_memory_release(context, all[i]);
    }
    torc_sparse_destroy(A);
    torc_context_destroy(context);
    return kernels[0];
}

Test(group_kernels, of_parts_are_those_of_the_whole)
{
    static const torc_multiply multiplies[] = {TORC_TIMES, TORC_FIRST, TORC_PAIR};
    int64_t by_rows = 0, by_nonzeros = 0, by_panels = 0, uniform = 0;
    for (uint64_t seed = 1; seed <= CASES; seed++) {
        uint64_t state = seed;
        bool is_dense = random_below(&state, 4) == 0;
        torc_csr csr =
            random_sparse(&state, is_dense ? 60 : 1 + random_below(&state, 6), is_dense ? FEW : ROWS);
        torc_semiring semiring = {TORC_PLUS_MONOID, multiplies[random_below(&state, 3)], TORC_FP32};
        int64_t n = 1 + random_below(&state, is_dense ? 2 : random_below(&state, 2) ? 8 : 30);
        bool is_frontier = random_below(&state, 4) == 0;
        torc_spmm_kernel expected = kernel_of_whole(&csr, semiring, n, is_frontier);
        for (int g = 0; g < GROUPS; g++) {
            torc_group *group = open_group(group_devices[g]);
            torc_group_sparse *A;
            torc_group_dense *B, *C;
            cr_assert(torc_group_sparse_create(&A, group, &csr) == TORC_SUCCESS);
            cr_assert(
                torc_group_dense_create(&B, group, csr.ncols, n, TORC_FP32, is_frontier) == TORC_SUCCESS);
            cr_assert(torc_group_dense_create(&C, group, ROWS, n, TORC_FP32, is_frontier) == TORC_SUCCESS);
            for (int m = 0; m < group->count; m++) {
                group->members[m].context->executor = recording();
            }
            launches = 0;
            cr_assert(torc_group_spmm(C, semiring, A, false, B, NULL) == TORC_SUCCESS);
            cr_assert(launches == group->count || (C->owned && launches > 0), "seed %lu on %s: %d launches",
                (unsigned long)seed, group_devices[g], launches);
            for (int i = 0; i < launches; i++) {
                cr_assert(is_same_kernel(&kernels[i], &expected), "seed %lu on %s: N = %ld, part %d",
                    (unsigned long)seed, group_devices[g], (long)n, i);
            }
            cr_assert(!C->owned || expected.family != TORC_PANELS);
            by_rows += C->owned != NULL;
            torc_group_dense_destroy(B);
            torc_group_dense_destroy(C);
            torc_group_sparse_destroy(A);
            torc_group_destroy(group);
        }
        by_nonzeros += torc_families[expected.family].cut == TORC_CUT_SLICES;
        by_panels += expected.family == TORC_PANELS;
        uniform += expected.family == TORC_UNIFORM;
        free((void *)csr.row_ptr);
        free((void *)csr.col_idx);
        free((void *)csr.values);
    }
    cr_expect(by_rows > 0 && by_nonzeros > 0 && by_panels > 0 && uniform > 0, "%ld %ld %ld %ld", by_rows,
        by_nonzeros, by_panels, uniform);
}

/* Kernels that compute all rows or none refuse shares of rows: then the product begins anew, with C's old
 * content as it was. */
Test(group_kernels, of_all_rows_read_old_content_once)
{
    static float b[FEW], c[ROWS], expected[ROWS];
    int64_t by_panels = 0;
    for (uint64_t seed = 1; seed <= CASES; seed++) {
        uint64_t state = seed;
        torc_csr csr = random_sparse(&state, 40 + random_below(&state, 30), FEW);
        torc_semiring semiring = {TORC_PLUS_MONOID, TORC_TIMES, TORC_FP32};
        torc_update update = {.has_accum = true, .accum = TORC_PLUS};
        torc_dense B = {FEW, 1, 1, TORC_ROW_MAJOR, TORC_FP32, false, b, NULL}, C = B;
        C.nrows = ROWS;
        C.data = c;
        by_panels += kernel_of_whole(&csr, semiring, 1, false).family == TORC_PANELS;
        for (int k = 0; k < FEW; k++) {
            b[k] = (float)(k % 5);
        }
        for (int i = 0; i < ROWS; i++) {
            expected[i] = (float)i;
            for (int64_t p = ((const int64_t *)csr.row_ptr)[i]; p < ((const int64_t *)csr.row_ptr)[i + 1];
                 p++) {
                expected[i] += b[((const int64_t *)csr.col_idx)[p]];
            }
        }
        for (int g = 0; g < GROUPS; g++) {
            torc_group *group = open_group(group_devices[g]);
            torc_group_sparse *A;
            cr_assert(torc_group_sparse_create(&A, group, &csr) == TORC_SUCCESS);
            for (int i = 0; i < ROWS; i++) {
                c[i] = (float)i;
            }
            cr_assert(torc_group_spmm_host(&C, semiring, A, false, &B, &update, NULL) == TORC_SUCCESS);
            cr_assert(
                memcmp(c, expected, sizeof c) == 0, "seed %lu on %s", (unsigned long)seed, group_devices[g]);
            torc_group_sparse_destroy(A);
            torc_group_destroy(group);
        }
        free((void *)csr.row_ptr);
        free((void *)csr.col_idx);
        free((void *)csr.values);
    }
    cr_expect(by_panels > 0);
}
