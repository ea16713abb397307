/* test_device_tiles.c: products through shared tiles beside the reference executor's, on every pattern of
 * tile_patterns.h. tests/emulated/ runs it too. */
#include "cuts.h"
#include "gpu.h"
#include "tile_cases.h"
#include "tile_patterns.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Products ----------------------------------------------------------------------------------------- */

typedef struct product {
    torc_semiring semiring;
    torc_access a_access;
    int64_t ncols;
} product;

static product product_of(const torc_spmm_kernel *kernel, int which)
{
    static const int64_t vectors[] = {16, 33, 8, 22}; /* of which a line has 8 */
    return (product){kernel->semiring, kernel->a_access, kernel->shape.vector * vectors[which % 4]};
}

/* Sums of floating point are of small integers, and exact. */
static void *random_values(uint64_t *state, torc_semiring semiring, size_t count)
{
    static const double ordered[] = {0.5, -1, 3e9, -1e30, NAN, INFINITY, -INFINITY, 0, 7};
    static const int64_t integers[] = {0, 1, -1, 3, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN, 17};
    size_t size = torc_type_size(semiring.type);
    char *values = malloc(count * size + 1);
    for (size_t i = 0; i < count; i++) {
        uint64_t pick = torc_random(state, 9);
        bool is_sum = semiring.add == TORC_PLUS_MONOID || semiring.add == TORC_TIMES_MONOID;
        double real = is_sum ? (double)pick - 4 : ordered[pick];
        bool is_real = semiring.type == TORC_FP32 || semiring.type == TORC_FP64;
        torc_cast(values + i * size, semiring.type, is_real ? (void *)&real : (void *)&integers[pick],
            is_real ? TORC_FP64 : TORC_INT64);
    }
    return values;
}

/* C, on the host, of a context. */
static void *multiply(torc_context *context, torc_sparse *A, const product *p, int64_t nrows, const void *b,
    int64_t ldb, int64_t ldc)
{
    torc_type type = p->semiring.type, z = torc_semiring_traits(p->semiring).z_type;
    size_t b_size = (size_t)(A->csr.ncols * ldb) * torc_type_size(type);
    size_t c_size = (size_t)(nrows * ldc) * torc_type_size(z);
    torc_dense B = {A->csr.ncols, p->ncols, ldb, TORC_ROW_MAJOR, type, false, NULL, NULL};
    torc_dense C = {nrows, p->ncols, ldc, TORC_ROW_MAJOR, z, false, NULL, NULL};
    void *c = malloc(c_size + 1);
    memset(c, 0x5A, c_size);
    cr_assert_eq(torc_memory_allocate(&B.data, context, b_size), TORC_SUCCESS);
    cr_assert_eq(torc_memory_allocate(&C.data, context, c_size), TORC_SUCCESS);
    cr_assert_eq(torc_memory_upload(context, B.data, b, b_size), TORC_SUCCESS);
    cr_assert_eq(torc_memory_upload(context, C.data, c, c_size), TORC_SUCCESS);
    torc_status status = torc_spmm(&C, p->semiring, A, false, &B, NULL);
    cr_assert_eq(status, TORC_SUCCESS, "%s: %s", torc_status_text(status), torc_context_error(context));
    cr_assert_eq(torc_memory_download(context, c, C.data, c_size), TORC_SUCCESS);
    torc_memory_release(context, B.data);
    torc_memory_release(context, C.data);
    return c;
}

/* Equal, or both NaN. */
static bool agree(const char *x, const char *y, torc_type type)
{
    double a, b;
    if (type != TORC_FP32 && type != TORC_FP64) {
        return memcmp(x, y, torc_type_size(type)) == 0;
    }
    torc_cast(&a, TORC_FP64, x, type);
    torc_cast(&b, TORC_FP64, y, type);
    return a == b || (isnan(a) && isnan(b));
}

static void check(torc_context *device, torc_context *reference, const torc_ugly_csr *A, const product *p)
{
    static const char *const kernels[] = {[4] = "rows/tiles/v4x8", [8] = "rows/tiles/v2x8"};
    torc_type type = p->semiring.type;
    size_t size = torc_type_size(type);
    uint64_t seed = (uint64_t)p->ncols + (uint64_t)A->nnz, random = seed;
    int64_t vector = 16 / (int64_t)size, ldb = p->ncols + vector, ldc = p->ncols + 2 * vector;
    void *a = random_values(&random, p->semiring, (size_t)A->nnz + 1);
    void *b = random_values(&random, p->semiring, (size_t)(A->ncols * ldb));
    torc_csr csr = {A->nrows, A->ncols, A->row_ptr, A->col_idx, p->a_access == TORC_ACCESS_NONE ? NULL : a,
        32, 32, type, p->a_access == TORC_ACCESS_ISO, NULL};
    torc_sparse *there, *here;
    strcpy(device->kernel, kernels[size]);
    cr_assert_eq(torc_sparse_create(&there, device, &csr), TORC_SUCCESS);
    cr_assert_eq(torc_sparse_create(&here, reference, &csr), TORC_SUCCESS);
    if (p->ncols % 3 == 0) { /* the same in another order */
        cr_assert_eq(torc_sparse_reorder(NULL, there, false), TORC_SUCCESS);
    }
    char *expected = multiply(reference, here, p, A->nrows, b, ldb, ldc);
    char *first = multiply(device, there, p, A->nrows, b, ldb, ldc);
    char *second = multiply(device, there, p, A->nrows, b, ldb, ldc);
    const torc_sparse *planned = torc_sparse_ordered(there);
    cr_expect(
        torc_sparse_has_plan(planned, TORC_CUT_TILES) || torc_sparse_has_plan(planned, TORC_CUT_PART_TILES),
        "\"%s\" has no tiles", A->name);
    int64_t wrong = 0, differ = 0, touched = 0, at = -1;
    for (int64_t i = 0; i < A->nrows * ldc; i++) {
        size_t place = (size_t)i * size;
        bool is_padding = i % ldc >= p->ncols;
        bool is_wrong = !is_padding && !agree(first + place, expected + place, type);
        at = is_wrong && wrong == 0 ? i : at;
        wrong += is_wrong;
        touched += is_padding && first[place] != 0x5A;
        differ += memcmp(first + place, second + place, size) != 0;
    }
    cr_expect(wrong == 0 && differ == 0 && touched == 0,
        "%s_%s %s, access %d, \"%s\", %lld columns, seed %llu: %lld wrong, first (%lld, %lld); %lld differ, "
        "%lld "
        "touched",
        torc_monoid_name(p->semiring.add), torc_multiply_name(p->semiring.multiply), torc_type_name(type),
        p->a_access, A->name, (long long)p->ncols, (unsigned long long)seed, (long long)wrong,
        (long long)(at / ldc), (long long)(at % ldc), (long long)differ, (long long)touched);
    torc_sparse_destroy(there);
    torc_sparse_destroy(here);
    free(expected);
    free(first);
    free(second);
    free(a);
    free(b);
}

Test(device_tiles, products_through_tiles_equal_the_reference)
{
    torc_options options = TORC_OPTIONS_INIT;
    torc_context *device = torc_gpu_context(&options), *reference;
    options.backend = TORC_BACKEND_REFERENCE;
    cr_assert_eq(torc_context_create(&reference, &options), TORC_SUCCESS);
    torc_kernel_cases cases = torc_tile_cases_build();
    for (int which = 0; which < TORC_TILE_PATTERNS; which++) {
        torc_ugly_csr A = torc_tile_pattern_build(which);
        bool has_tiles =
            A.nnz > 0 && A.nnz * TORC_TILE_ROWS >= A.nrows * A.ncols; /* else the engine takes none */
        for (int i = 0; i < cases.count && has_tiles; i += i == 0 ? 1 + which % 8 : 8) {
            product p = product_of(&cases.kernels[i], i + which);
            check(device, reference, &A, &p);
        }
        torc_ugly_csr_free(&A);
    }
    free(cases.kernels);
    torc_context_destroy(device);
    torc_context_destroy(reference);
}
