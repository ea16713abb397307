/* test_group_rows.c: a product whose sparse operand does not fit the devices of a group is what torc_spmm
 * makes of it, whatever their number, and when some of them fail. */
#include "group_fixture.h"
#include "host_product.h"
#include "lost_device.h"
#include "splitmix.h"
#include <stdlib.h>
#include <string.h>

enum { CASES = 120, FAULTY = 30 };

static const host_memory_kind heap = {malloc, free};

static host_product *random_product(uint64_t seed)
{
    uint64_t state = seed ^ 0xB10C5;
    int64_t m = 1 + random_below(&state, 400), k = 1 + random_below(&state, 60);
    return host_product_new(seed, m, k, 1 + random_below(&state, 40), &heap);
}

/* A seventh of what A takes, and room for columns. */
static size_t scarce(const host_product *p)
{
    size_t nnz = p->A.row_ptr_bits == 64 ? (size_t)((const int64_t *)p->A.row_ptr)[p->A.nrows]
                                         : (size_t)((const int32_t *)p->A.row_ptr)[p->A.nrows];
    return host_product_column_bytes(p) + 20000 + nnz * 2;
}

static torc_status multiply(const host_product *p, torc_group *group)
{
    return torc_group_spmm_by_rows(
        &p->C, p->semiring, group, &p->A, &p->B, &p->update, p->old.data == p->C.data ? NULL : &p->old);
}

static void expect_same(const host_product *p, torc_status status, const char *how)
{
    const char *difference = host_product_difference(p);
    cr_assert(status == TORC_SUCCESS && !difference, "%s, %s, %s: %s", how, torc_status_text(status),
        difference, host_product_describe(p));
}

Test(group_rows, are_those_of_one_device)
{
    int64_t cases = 0;
    for (uint64_t seed = 1; seed <= CASES; seed++) {
        host_product *p = random_product(seed);
        const size_t limits[] = {0, scarce(p)};
        for (int g = 0; g < GROUPS && !p->transpose; g++) {
            for (int i = 0; i < 2; i++) {
                torc_group *group = open_limited_group(group_devices[g], limits[i]);
                expect_same(p, multiply(p, group), group_devices[g]);
                host_product_reset(p);
                torc_group_destroy(group);
                cases++;
            }
        }
        host_product_free(p);
    }
    cr_expect(cases > CASES);
    cr_expect(torc_reference_bytes_held() == 0);
}

/* Five devices, and hundreds of blocks. */
Test(group_rows, by_the_thousand_take_a_fraction_of_the_memory)
{
    int64_t cases = 0;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        host_product *p = host_product_new(seed, 20000, 300, 5, &heap);
        if (!p->transpose) {
            torc_group *group = open_limited_group("0,1,2,3,4", scarce(p) / 8);
            expect_same(p, multiply(p, group), "an eighth");
            torc_group_destroy(group);
            cases++;
        }
        host_product_free(p);
    }
    cr_expect(cases > 2);
}

/* ---- Faults ------------------------------------------------------------------------------------------- */

/* Whatever fails once, the product is right, or C is as it was where it has to be. */
Test(group_rows, that_fail_once_are_made_up_for)
{
    int64_t made_up = 0;
    for (uint64_t seed = 1; seed <= FAULTY; seed++) {
        host_product *p = random_product(seed);
        bool is_done = p->transpose;
        for (int64_t call = 0; !is_done; call++) {
            torc_group *group = open_limited_group("0,1,2", scarce(p));
            torc_reference_fail_at(call);
            torc_status status = multiply(p, group);
            is_done = torc_reference_calls_left() >= 0;
            torc_reference_fail_at(-1);
            if (status == TORC_SUCCESS) {
                expect_same(p, status, "a fault");
                made_up += !is_done;
            }
            host_product_reset(p);
            torc_group_destroy(group);
            cr_assert(torc_reference_bytes_held() == 0 && call < 5000);
        }
        host_product_free(p);
    }
    cr_expect(made_up > FAULTY, "%ld", made_up);
}

Test(group_rows, of_devices_that_are_lost_are_computed_by_the_others)
{
    for (uint64_t seed = 1; seed <= FAULTY; seed++) {
        host_product *p = random_product(seed);
        torc_group *group = open_limited_group("0,1,2", scarce(p));
        bool reads_old = p->update.has_accum || (p->update.mask && !p->update.replace);
        bool is_kept = reads_old && !p->update.iso && p->old.data == p->C.data;
        for (int left = 2; left >= 0 && !p->transpose; left--) {
            lose(group, left);
            torc_status status = multiply(p, group);
            if (left > 0) {
                expect_same(p, status, "a lost device");
            } else {
                cr_assert(status == TORC_DEVICE_ERROR, "%s", host_product_describe(p));
                cr_assert(!is_kept || !host_product_change(p), "%s", host_product_describe(p));
            }
            host_product_reset(p);
        }
        torc_group_destroy(group);
        host_product_free(p);
    }
    cr_expect(torc_reference_bytes_held() == 0);
}

/* ---- Arguments ---------------------------------------------------------------------------------------- */

Test(group_rows, refuse_what_one_device_refuses)
{
    static const int32_t row_ptr[] = {0, 1, 2}, col_idx[] = {0, 1};
    static const float ones[] = {1, 1};
    float b[2 * 3] = {0}, c[2 * 3];
    torc_csr csr = {2, 2, row_ptr, col_idx, ones, 32, 32, TORC_FP32, false, NULL};
    torc_dense B = {2, 3, 3, TORC_ROW_MAJOR, TORC_FP32, false, b, NULL}, C = B, narrow = B;
    torc_semiring semiring = {TORC_PLUS_MONOID, TORC_TIMES, TORC_FP32};
    torc_group *group = open_group("0,1");
    C.data = c;
    narrow.ncols = 2;
    cr_expect(torc_group_spmm_by_rows(&C, semiring, NULL, &csr, &B, NULL, NULL) == TORC_NULL_POINTER);
    cr_expect(torc_group_spmm_by_rows(NULL, semiring, group, &csr, &B, NULL, NULL) == TORC_NULL_POINTER);
    cr_expect(torc_group_spmm_by_rows(&C, semiring, group, NULL, &B, NULL, NULL) == TORC_NULL_POINTER);
    cr_expect(torc_group_spmm_by_rows(&C, semiring, group, &csr, NULL, NULL, NULL) == TORC_NULL_POINTER);
    cr_expect(
        torc_group_spmm_by_rows(&narrow, semiring, group, &csr, &B, NULL, NULL) == TORC_DIMENSION_MISMATCH);
    cr_expect(strstr(torc_group_error(group), "C is 2 x 2"), "%s", torc_group_error(group));
    cr_expect(torc_group_spmm_by_rows(&C, semiring, group, &csr, &B, NULL, NULL) == TORC_SUCCESS);
    torc_group_destroy(group);
}
