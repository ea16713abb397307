/* test_group_products.c: products of a group leave the bits that one device leaves, whatever the number of
 * devices: of operands on the devices, and of operands in host memory. */
#include "group_fixture.h"
#include "group_operands.h"
#include "host_product.h"
#include "reference.h"
#include "row_cuts.h"
#include "splitmix.h"
#include <stdlib.h>
#include <string.h>

enum { CASES = 150, TALL = 3000 };

static const host_memory_kind heap = {malloc, free};
static int64_t shared_by_rows; /* products */

/* Now and then with rows enough to be shared out, and then few columns; otherwise none to 70. */
static host_product *random_product(uint64_t seed)
{
    uint64_t state = seed ^ 0xC0FFEE;
    bool is_tall = random_below(&state, 5) == 0;
    int64_t m = is_tall ? TALL : 1 + random_below(&state, 40), k = 1 + random_below(&state, 40);
    int64_t n = is_tall ? 1 + random_below(&state, 20) : random_below(&state, 71);
    return host_product_new(seed, m, k, n, &heap);
}

static void expect_same(const host_product *p, torc_status status, const char *devices, const char *how)
{
    const char *difference = host_product_difference(p);
    cr_assert(status == TORC_SUCCESS, "%s on %s, %s: %s", how, devices, torc_status_text(status),
        host_product_describe(p));
    cr_assert(!difference, "%s on %s, %s: %s", how, devices, difference, host_product_describe(p));
}

/* ---- In host memory ----------------------------------------------------------------------------------- */

static torc_status multiply_in_host_memory(host_product *p, torc_group *group)
{
    torc_group_sparse *A;
    cr_assert(torc_group_sparse_create(&A, group, &p->A) == TORC_SUCCESS);
    const torc_dense *old = p->old.data == p->C.data ? NULL : &p->old;
    torc_status status = torc_group_spmm_host(&p->C, p->semiring, A, p->transpose, &p->B, &p->update, old);
    torc_group_sparse_destroy(A);
    return status;
}

static void check_in_host_memory(host_product *p)
{
    for (int g = 0; g < GROUPS; g++) {
        torc_group *group = open_group(group_devices[g]);
        expect_same(p, multiply_in_host_memory(p, group), group_devices[g], "in host memory");
        host_product_reset(p);
        torc_group_destroy(group);
    }
    host_product_free(p);
}

Test(group_products, in_host_memory_are_those_of_one_device)
{
    for (uint64_t seed = 1; seed <= CASES; seed++) {
        check_in_host_memory(random_product(seed));
    }
    cr_expect(torc_reference_bytes_held() == 0);
}

/* Large enough for several panels. */
Test(group_products, in_host_memory_share_panels)
{
    for (uint64_t seed = 1; seed <= 3; seed++) {
        check_in_host_memory(host_product_new(seed, 1100, 1000, 1030, &heap));
    }
}

/* ---- On the devices ----------------------------------------------------------------------------------- */

static int64_t place_of(const torc_dense *X, int64_t i, int64_t j)
{
    return X->order == TORC_ROW_MAJOR ? i * X->ld + j : i + j * X->ld;
}

/* X by row without gaps, from or to. */
static torc_dense by_row(const torc_dense *X)
{
    torc_dense rows = *X;
    size_t cells = (size_t)(X->nrows * X->ncols);
    rows.order = TORC_ROW_MAJOR;
    rows.ld = X->ncols;
    rows.iso = false;
    rows.data = calloc(cells + 1, torc_type_size(X->type));
    rows.bitmap = X->bitmap ? calloc(cells + 1, 1) : NULL;
    return rows;
}

static void copy_elements(const torc_dense *to, const torc_dense *from)
{
    size_t size = torc_type_size(to->type);
    for (int64_t i = 0; i < to->nrows; i++) {
        for (int64_t j = 0; j < to->ncols; j++) {
            int64_t there = place_of(to, i, j), here = place_of(from, i, j);
            memcpy((char *)to->data + (size_t)there * size,
                (const char *)from->data + (from->iso ? 0 : (size_t)here * size), size);
            if (to->bitmap) {
                to->bitmap[there] = !from->bitmap || from->bitmap[here];
            }
        }
    }
}

static torc_group_dense *put(torc_group *group, const torc_dense *X)
{
    torc_group_dense *put;
    torc_dense rows = by_row(X);
    copy_elements(&rows, X);
    cr_assert(torc_group_dense_create(&put, group, X->nrows, X->ncols, X->type, rows.bitmap) == TORC_SUCCESS);
    cr_assert(torc_group_upload(put, &rows) == TORC_SUCCESS);
    free(rows.data);
    free(rows.bitmap);
    return put;
}

static void fetch(const torc_dense *X, torc_group_dense *from)
{
    torc_dense rows = by_row(X);
    cr_assert(torc_group_download(&rows, from) == TORC_SUCCESS);
    copy_elements(X, &rows);
    free(rows.data);
    free(rows.bitmap);
}

/* Old content as the host's product has it: one value, or with a bitmap of ones. */
static torc_dense old_content(const host_product *p, uint8_t *ones)
{
    torc_dense old = p->old;
    memset(ones, 1, p->c_cells + 1);
    old.bitmap = p->C.bitmap && !old.bitmap ? ones : old.bitmap;
    if (p->update.iso) {
        old.data = (void *)p->update.iso;
        old.iso = true;
    }
    return old;
}

static torc_group_dense *put_mask(torc_group *group, const host_product *p, bool is_structural)
{
    torc_dense mask = p->C;
    mask.type = TORC_BOOL;
    mask.data = (void *)p->update.mask;
    mask.bitmap = is_structural ? (uint8_t *)p->update.mask : NULL;
    return put(group, &mask);
}

static torc_status multiply_on_devices(host_product *p, torc_group *group)
{
    uint8_t *ones = malloc(p->c_cells + 1);
    torc_dense old = old_content(p, ones);
    torc_group_sparse *A;
    torc_group_dense *B = put(group, &p->B), *C = put(group, &old), *mask = NULL;
    bool is_structural = p->seed % 2;
    cr_assert(torc_group_sparse_create(&A, group, &p->A) == TORC_SUCCESS);
    if (p->update.mask) {
        mask = put_mask(group, p, is_structural);
    }
    torc_group_update update = {.mask = mask,
        .is_structural = is_structural,
        .complement = p->update.complement,
        .replace = p->update.replace,
        .has_accum = p->update.has_accum,
        .accum = p->update.accum};
    torc_status status = torc_group_spmm(C, p->semiring, A, p->transpose, B, &update);
    shared_by_rows += C->owned != NULL;
    if (status == TORC_SUCCESS) {
        cr_assert(torc_group_wait(group) == TORC_SUCCESS);
        fetch(&p->C, C);
    }
    torc_group_dense_destroy(B);
    torc_group_dense_destroy(C);
    torc_group_dense_destroy(mask);
    torc_group_sparse_destroy(A);
    free(ones);
    return status;
}

Test(group_products, on_the_devices_are_those_of_one)
{
    for (uint64_t seed = 1; seed <= CASES; seed++) {
        host_product *p = random_product(seed);
        for (int g = 0; g < GROUPS; g++) {
            torc_group *group = open_group(group_devices[g]);
            expect_same(p, multiply_on_devices(p, group), group_devices[g], "on the devices");
            host_product_reset(p);
            torc_group_destroy(group);
        }
        host_product_free(p);
    }
    cr_expect(shared_by_rows > 10, "%ld", shared_by_rows);
    cr_expect(torc_reference_bytes_held() == 0);
    cr_expect(shared_by_rows > CASES / 10, "%ld", shared_by_rows);
}

/* ---- Rows --------------------------------------------------------------------------------------------- */

/* What was computed by rows is all there for the next product: powers of a cycle's matrix. */
Test(group_products, by_rows_are_exchanged_for_the_next)
{
    enum { N = 8192, COLUMNS = 3, STEPS = 4 };
    static int32_t row_ptr[N + 1], col_idx[N];
    static int64_t x[N * COLUMNS], found[N * COLUMNS];
    static const int64_t one = 1;
    for (int i = 0; i < N; i++) {
        row_ptr[i + 1] = i + 1;
        col_idx[i] = (i + 1) % N;
        for (int j = 0; j < COLUMNS; j++) {
            x[i * COLUMNS + j] = COLUMNS * i + j;
        }
    }
    torc_csr csr = {N, N, row_ptr, col_idx, &one, 32, 32, TORC_INT64, true, NULL};
    torc_dense host = {N, COLUMNS, COLUMNS, TORC_ROW_MAJOR, TORC_INT64, false, x, NULL}, out = host;
    torc_semiring semiring = {TORC_PLUS_MONOID, TORC_TIMES, TORC_INT64};
    out.data = found;
    for (int g = 0; g < GROUPS; g++) {
        torc_group *group = open_group(group_devices[g]);
        torc_group_sparse *A;
        torc_group_dense *X[2];
        cr_assert(torc_group_sparse_create(&A, group, &csr) == TORC_SUCCESS);
        for (int i = 0; i < 2; i++) {
            cr_assert(torc_group_dense_create(&X[i], group, N, COLUMNS, TORC_INT64, false) == TORC_SUCCESS);
        }
        cr_assert(torc_group_upload(X[0], &host) == TORC_SUCCESS);
        for (int step = 0; step < STEPS; step++) {
            torc_group_dense *to = X[(step + 1) % 2];
            cr_assert(torc_group_spmm(to, semiring, A, false, X[step % 2], NULL) == TORC_SUCCESS);
            cr_assert(!to->owned == (g == 0), "%s: by rows where there are several", group_devices[g]);
        }
        cr_assert(torc_group_download(&out, X[STEPS % 2]) == TORC_SUCCESS);
        for (int p = 0; p < N * COLUMNS; p++) {
            cr_assert(found[p] == x[(p + STEPS * COLUMNS) % (N * COLUMNS)], "%s: %d", group_devices[g], p);
        }
        torc_group_dense_destroy(X[0]);
        torc_group_dense_destroy(X[1]);
        torc_group_sparse_destroy(A);
        torc_group_destroy(group);
    }
}

Test(group_products, rows_are_cut_where_slices_are_and_near_balance)
{
    enum { ROWS = 400, SHARES = 5, UNIT = 16 };
    for (uint64_t seed = 1; seed <= 200; seed++) {
        uint64_t state = seed;
        int32_t row_ptr[ROWS + 1] = {0};
        int64_t cuts[SHARES + 1], longest = 1 + random_below(&state, 40);
        for (int i = 0; i < ROWS; i++) {
            row_ptr[i + 1] = row_ptr[i] + (int32_t)random_below(&state, longest);
        }
        int filled = torc_cut_rows(cuts, SHARES, row_ptr, 32, ROWS, UNIT), seen = 0;
        cr_assert(cuts[0] == 0 && cuts[SHARES] == ROWS);
        for (int s = 0; s < SHARES; s++) {
            cr_assert(cuts[s] <= cuts[s + 1], "seed %lu", (unsigned long)seed);
            cr_assert(
                s == 0 || cuts[s] == ROWS || row_ptr[cuts[s]] % UNIT == 0, "seed %lu", (unsigned long)seed);
            seen += row_ptr[cuts[s + 1]] > row_ptr[cuts[s]];
        }
        for (int i = 0; i < ROWS; i++) { /* no other row would have been nearer to the first cut's aim */
            int32_t aim = row_ptr[ROWS] / SHARES;
            cr_assert(
                i == 0 || row_ptr[i] % UNIT != 0 || abs(row_ptr[i] - aim) >= abs(row_ptr[cuts[1]] - aim),
                "seed %lu: %d", (unsigned long)seed, i);
        }
        cr_assert(filled == seen && (filled > 0 || row_ptr[ROWS] == 0), "seed %lu", (unsigned long)seed);
    }
}

/* ---- Nothing ------------------------------------------------------------------------------------------ */

Test(group_products, of_nothing_are_nothing)
{
    static const int32_t row_ptr[] = {0, 0, 0};
    torc_semiring semiring = {TORC_PLUS_MONOID, TORC_TIMES, TORC_FP32};
    for (int g = 0; g < GROUPS; g++) {
        torc_group *group = open_group(group_devices[g]);
        for (int64_t m = 0; m <= 2; m += 2) {
            for (int64_t n = 0; n <= 90; n += 45) {
                float *zeros = calloc((size_t)(m * n) + 1, sizeof *zeros);
                torc_csr csr = {m, 0, row_ptr, NULL, zeros, 32, 32, TORC_FP32, false, NULL};
                torc_dense b = {0, n, n, TORC_ROW_MAJOR, TORC_FP32, false, NULL, NULL}, c = b;
                c.nrows = m;
                c.data = zeros;
                torc_group_sparse *A;
                torc_group_dense *B, *C;
                cr_assert(torc_group_sparse_create(&A, group, &csr) == TORC_SUCCESS);
                cr_assert(torc_group_dense_create(&B, group, 0, n, TORC_FP32, false) == TORC_SUCCESS);
                cr_assert(torc_group_dense_create(&C, group, m, n, TORC_FP32, false) == TORC_SUCCESS);
                cr_expect(torc_group_spmm(C, semiring, A, false, B, NULL) == TORC_SUCCESS);
                cr_expect(torc_group_spmm_host(&c, semiring, A, false, &b, NULL, NULL) == TORC_SUCCESS);
                memset(zeros, 1, (size_t)(m * n) * sizeof *zeros);
                cr_expect(torc_group_download(&c, C) == TORC_SUCCESS);
                for (int64_t p = 0; p < m * n; p++) {
                    cr_assert(zeros[p] == 0);
                }
                torc_group_dense_destroy(B);
                torc_group_dense_destroy(C);
                torc_group_sparse_destroy(A);
                free(zeros);
            }
        }
        torc_group_destroy(group);
    }
}
