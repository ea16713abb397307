/* test_group_rows.c: a product whose sparse operand does not fit the devices of a group is what torc_spmm
 * makes of it, whatever their number, and when some of them fail. */
#include "group_fixture.h"
#include "host_product.h"
#include "members.h"
#include "reference.h"
#include "row_blocks.h"
#include "splitmix.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { CASES = 60, FAULTY = 16 };

static const host_memory_kind heap = {malloc, free};

static host_product *random_product(uint64_t seed)
{
    uint64_t state = seed ^ 0xB10C5;
    int64_t m = 1000 + random_below(&state, 1000), k = 1 + random_below(&state, 60);
    return host_product_new(seed, m, k, 1 + random_below(&state, 20), &heap);
}

/* Memory for a few of the rows, with a column or two. */
static size_t scarce(const host_product *p)
{
    size_t rows = (size_t)p->A.nrows, columns = (size_t)p->A.ncols;
    return host_product_column_bytes(p) / 8 + (rows / 12 + columns) * 64;
}

static int64_t count_blocks(const host_product *p, size_t limit)
{
    torc_options options = TORC_OPTIONS_INIT;
    options.backend = TORC_BACKEND_REFERENCE;
    options.memory_limit = limit;
    torc_context *context;
    size_t bytes;
    cr_assert(torc_context_create(&context, &options) == TORC_SUCCESS);
    cr_assert(torc_block_budget(&bytes, context) == TORC_SUCCESS);
    torc_context_destroy(context);
    const torc_rows_product product = {p->semiring, &p->A, &p->C, &p->B, &p->C, &p->update};
    int64_t blocks = 0;
    for (int64_t row = 0; row < p->A.nrows; row = torc_block_end(&product, row, bytes)) {
        blocks++;
    }
    return blocks;
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
    int64_t cases = 0, blocks = 0;
    for (uint64_t seed = 1; seed <= CASES; seed++) {
        host_product *p = random_product(seed);
        const size_t limits[] = {0, scarce(p)};
        for (int g = 0; g < GROUPS && !p->transpose; g++) {
            for (int i = 0; i < 2; i++) {
                torc_group *group = open_limited_group(group_devices[g], limits[i]);
                expect_same(p, multiply(p, group), group_devices[g]);
                host_product_reset(p);
                torc_group_destroy(group);
            }
            blocks += count_blocks(p, limits[1]);
            cases++;
        }
        host_product_free(p);
    }
    cr_expect(cases > CASES && blocks > 4 * cases, "%ld blocks of %ld products", blocks, cases);
    cr_expect(torc_reference_bytes_held() == 0);
}

/* ---- Faults ------------------------------------------------------------------------------------------- */

/* Whatever fails once is done again, or by another device. */
Test(group_rows, that_fail_once_are_made_up_for)
{
    int64_t made_up = 0;
    for (uint64_t seed = 1; seed <= FAULTY; seed++) {
        host_product *p = random_product(seed);
        bool is_done = p->transpose;
        for (int64_t call = 0; !is_done; call += 1 + call / 8) {
            torc_group *group = open_limited_group("0,1,2", scarce(p));
            torc_reference_fail_at(call);
            torc_status status = multiply(p, group);
            is_done = torc_reference_calls_left() >= 0;
            torc_reference_fail_at(-1);
            expect_same(p, status, "a fault");
            made_up += !is_done;
            host_product_reset(p);
            torc_group_destroy(group);
            cr_assert(torc_reference_bytes_held() == 0);
        }
        host_product_free(p);
    }
    cr_expect(made_up > FAULTY, "%ld", made_up);
}

/* A device that fails for good once it has brought home so much. */
static atomic_int fetches_left;

static torc_status fetch_some(torc_device *device, const torc_lines *lines)
{
    return --fetches_left < 0 ? TORC_DEVICE_ERROR : torc_executor_reference()->fetch(device, lines);
}

static torc_status send_before(torc_device *device, const torc_lines *lines)
{
    return fetches_left < 0 ? TORC_DEVICE_ERROR : torc_executor_reference()->send(device, lines);
}

static torc_status wait_before(torc_device *device)
{
    return fetches_left < 0 ? TORC_DEVICE_ERROR : torc_executor_reference()->wait(device);
}

static void lose_after(int fetches, torc_group *group, int member)
{
    static torc_executor dying;
    dying = *torc_executor_reference();
    dying.fetch = fetch_some;
    dying.send = send_before;
    dying.wait = wait_before;
    fetches_left = fetches;
    group->members[member].context->executor = &dying;
}

Test(group_rows, of_a_device_that_is_lost_are_computed_by_the_others)
{
    int64_t losses = 0;
    for (uint64_t seed = 1; seed <= FAULTY; seed++) {
        host_product *p = random_product(seed);
        for (int fetches = 0; fetches < 4 && !p->transpose; fetches++) {
            torc_group *group = open_limited_group("0,1,2", scarce(p));
            lose_after(fetches, group, (int)(seed % 3));
            expect_same(p, multiply(p, group), "a lost device");
            losses += torc_group_size(group) < 3;
            host_product_reset(p);
            torc_group_destroy(group);
        }
        host_product_free(p);
    }
    cr_expect(losses > FAULTY / 3, "%ld", losses);
    cr_expect(torc_reference_bytes_held() == 0);
}

/* Rows that were written are as before where the update reads them. */
Test(group_rows, of_the_last_device_leave_old_content_when_it_is_lost)
{
    int64_t kept = 0;
    for (uint64_t seed = 1; seed <= 4 * FAULTY; seed++) {
        host_product *p = random_product(seed);
        bool reads_old = p->update.has_accum || (p->update.mask && !p->update.replace);
        if (!p->transpose && reads_old && !p->update.iso && p->old.data == p->C.data) {
            torc_group *group = open_limited_group("0", scarce(p));
            lose_after(3, group, 0);
            torc_status status = multiply(p, group);
            const char *wrong = status == TORC_SUCCESS ? host_product_difference(p) : host_product_change(p);
            cr_assert(!wrong, "%s, %s: %s", torc_status_text(status), wrong, host_product_describe(p));
            cr_assert(status == TORC_SUCCESS || status == TORC_DEVICE_ERROR);
            kept += status != TORC_SUCCESS;
            torc_group_destroy(group);
        }
        host_product_free(p);
    }
    cr_expect(kept > 5, "%ld", kept);
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
