/* test_group_faults.c: devices that cannot be opened, that fail in the midst of a call, and that are lost. */
#include "group_fixture.h"
#include "group_operands.h"
#include "host_memory.h"
#include "host_product.h"
#include "lost_device.h"
#include "reference.h"
#include "splitmix.h"
#include <stdlib.h>
#include <string.h>

enum { CASES = 25 };

static const host_memory_kind heap = {malloc, free};

static torc_status create(torc_group **group, const char *devices)
{
    torc_group_options options = TORC_GROUP_OPTIONS_INIT;
    options.each.backend = TORC_BACKEND_REFERENCE;
    options.devices = devices;
    return torc_group_create(group, &options);
}

Test(group_faults, devices_that_cannot_be_opened_are_left_out_and_named)
{
    torc_group *group;
    cr_assert(create(&group, "0,99,2") == TORC_SUCCESS);
    cr_expect(torc_group_size(group) == 2);
    cr_expect(strstr(torc_group_error(group), "device 99"), "%s", torc_group_error(group));
    torc_group_destroy(group);
    cr_expect(create(&group, "99") == TORC_NO_DEVICE && !group);
    cr_assert(create(&group, NULL) == TORC_SUCCESS);
    cr_expect(torc_group_size(group) == 1 && strcmp(torc_group_error(group), "") == 0);
    torc_device_info info;
    cr_expect(torc_group_info(&info, group, 0) == TORC_SUCCESS && strcmp(info.backend, "reference") == 0);
    cr_expect(torc_group_info(&info, group, 1) == TORC_INVALID_VALUE);
    torc_group_destroy(group);
}

Test(group_faults, lists_of_devices_are_read)
{
    static const char *const none[] = {"", ",", "0,", "0,,1", "-1", "0 1", "0,x", "every", "99999999999"};
    torc_group *group;
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        cr_expect(create(&group, none[i]) == TORC_INVALID_VALUE && !group, "\"%s\"", none[i]);
    }
    cr_assert(create(&group, "7,3,3") == TORC_SUCCESS);
    cr_expect(torc_group_size(group) == 3);
    torc_group_destroy(group);
    setenv("TORC_DEVICES", "1,2", 1);
    setenv("TORC_BACKEND", "reference", 1);
    torc_group_options options;
    torc_group_options_from_environment(&options);
    cr_assert(torc_group_create(&group, &options) == TORC_SUCCESS);
    cr_expect(torc_group_size(group) == 2);
    torc_group_destroy(group);
}

/* ---- Failures that pass ------------------------------------------------------------------------------- */

static torc_status multiply(host_product *p, torc_group_sparse *A)
{
    const torc_dense *old = p->old.data == p->C.data ? NULL : &p->old;
    return torc_group_spmm_host(&p->C, p->semiring, A, p->transpose, &p->B, &p->update, old);
}

static host_product *random_product(uint64_t seed)
{
    uint64_t state = seed;
    bool is_tall = seed % 3 == 0;
    int64_t n = is_tall ? 1 + random_below(&state, 6) : 1 + random_below(&state, 60);
    return host_product_new(seed, is_tall ? 3000 : 30, 20, n, &heap);
}

/* Whatever fails once, the product is right, or C is as it was. */
Test(group_faults, that_pass_are_made_up_for)
{
    int64_t made_up = 0;
    for (uint64_t seed = 1; seed <= CASES; seed++) {
        host_product *p = random_product(seed);
        bool is_done = false;
        for (int64_t call = 0; !is_done; call++) {
            torc_group *group = open_group("0,1,2");
            torc_group_sparse *A;
            cr_assert(torc_group_sparse_create(&A, group, &p->A) == TORC_SUCCESS);
            torc_reference_fail_at(call);
            torc_status status = multiply(p, A);
            is_done = torc_reference_calls_left() >= 0;
            torc_reference_fail_at(-1);
            const char *wrong = status == TORC_SUCCESS ? host_product_difference(p) : host_product_change(p);
            cr_assert(!wrong, "call %ld, %s, %s: %s", (long)call, torc_status_text(status), wrong,
                host_product_describe(p));
            made_up += status == TORC_SUCCESS && !is_done;
            host_product_reset(p);
            torc_group_sparse_destroy(A);
            torc_group_destroy(group);
            cr_assert(torc_reference_bytes_held() == 0 && call < 1000);
        }
        host_product_free(p);
    }
    cr_expect(made_up > CASES, "%ld", made_up);
}

/* Devices of ever more memory, until there is enough. */
Test(group_faults, of_memory_that_is_short_give_no_wrong_result)
{
    int64_t refusals = 0;
    for (uint64_t seed = 1; seed <= CASES; seed++) {
        host_product *p = random_product(seed);
        bool reads_old = p->update.has_accum || (p->update.mask && !p->update.replace);
        bool is_kept = reads_old && !p->update.iso && p->old.data == p->C.data;
        torc_status status = TORC_OUT_OF_MEMORY;
        for (size_t limit = 64; status != TORC_SUCCESS; limit += limit / 2) {
            torc_group_options options = TORC_GROUP_OPTIONS_INIT;
            torc_group *group;
            torc_group_sparse *A;
            options.each.backend = TORC_BACKEND_REFERENCE;
            options.each.memory_limit = limit;
            options.devices = "0,1,2";
            cr_assert(torc_group_create(&group, &options) == TORC_SUCCESS);
            status = torc_group_sparse_create(&A, group, &p->A);
            if (status == TORC_SUCCESS) {
                status = multiply(p, A);
                const char *wrong = status == TORC_SUCCESS ? host_product_difference(p)
                                    : is_kept              ? host_product_change(p)
                                                           : NULL;
                cr_assert(!wrong, "%zu bytes, %s, %s: %s", limit, torc_status_text(status), wrong,
                    host_product_describe(p));
                refusals += status != TORC_SUCCESS;
                host_product_reset(p);
            }
            cr_assert(status == TORC_SUCCESS || status == TORC_OUT_OF_MEMORY || status == TORC_DEVICE_ERROR);
            cr_assert(torc_group_size(group) == 3, "memory that is short is no lost device");
            torc_group_sparse_destroy(A);
            torc_group_destroy(group);
            cr_assert(torc_reference_bytes_held() == 0);
        }
        host_product_free(p);
    }
    cr_expect(refusals > CASES, "%ld", refusals);
}

/* ---- Lost devices ------------------------------------------------------------------------------------- */

Test(group_faults, that_stay_shrink_the_group_and_products_go_on)
{
    for (uint64_t seed = 1; seed <= CASES; seed++) {
        host_product *p = random_product(seed);
        torc_group *group = open_group("0,1,2");
        torc_group_sparse *A;
        cr_assert(torc_group_sparse_create(&A, group, &p->A) == TORC_SUCCESS);
        for (int left = 2; left > 0; left--) {
            lose(group, seed % 2 ? 2 - left : left);
            torc_status status = multiply(p, A);
            const char *difference = host_product_difference(p);
            cr_assert(status == TORC_SUCCESS && !difference, "%s: %s", torc_status_text(status),
                host_product_describe(p));
            host_product_reset(p);
        }
        cr_expect(torc_group_size(group) >= 1);
        torc_group_sparse_destroy(A);
        torc_group_destroy(group);
        host_product_free(p);
    }
    cr_expect(torc_reference_bytes_held() == 0);
}

Test(group_faults, that_stay_lose_dense_operands_and_say_so)
{
    static const int32_t row_ptr[] = {0, 1, 2}, col_idx[] = {0, 1};
    static const float ones[] = {1, 1};
    float content[2 * 40], found[2 * 40];
    for (int p = 0; p < 80; p++) {
        content[p] = (float)p;
    }
    torc_csr csr = {2, 2, row_ptr, col_idx, ones, 32, 32, TORC_FP32, false, NULL};
    torc_dense host = {2, 40, 40, TORC_ROW_MAJOR, TORC_FP32, false, content, NULL}, out = host;
    torc_semiring semiring = {TORC_PLUS_MONOID, TORC_TIMES, TORC_FP32};
    torc_group *group = open_group("0,1,2");
    torc_group_sparse *A;
    torc_group_dense *B, *C;
    out.data = found;
    cr_assert(torc_group_sparse_create(&A, group, &csr) == TORC_SUCCESS);
    for (int round = 0; round < 2; round++) { /* again on the devices that are left */
        cr_assert(torc_group_dense_create(&B, group, 2, 40, TORC_FP32, false) == TORC_SUCCESS);
        cr_assert(torc_group_dense_create(&C, group, 2, 40, TORC_FP32, false) == TORC_SUCCESS);
        cr_assert(torc_group_upload(B, &host) == TORC_SUCCESS);
        cr_assert(torc_group_spmm(C, semiring, A, false, B, NULL) == TORC_SUCCESS);
        cr_assert(torc_group_download(&out, C) == TORC_SUCCESS);
        cr_expect(memcmp(found, content, sizeof content) == 0);
        if (round == 0) {
            lose(group, 1);
            cr_expect(torc_group_spmm(C, semiring, A, false, B, NULL) == TORC_DEVICE_ERROR);
            cr_expect(torc_group_size(group) == 2);
            cr_expect(strstr(torc_group_error(group), "device 1"), "%s", torc_group_error(group));
            cr_expect(torc_group_spmm(C, semiring, A, false, B, NULL) == TORC_DEVICE_ERROR);
            cr_expect(torc_group_upload(B, &host) == TORC_DEVICE_ERROR);
        }
        torc_group_dense_destroy(B);
        torc_group_dense_destroy(C);
    }
    lose(group, 0);
    lose(group, 2);
    cr_expect(torc_group_wait(group) == TORC_DEVICE_ERROR && torc_group_size(group) == 0);
    cr_expect(torc_group_dense_create(&B, group, 2, 40, TORC_FP32, false) == TORC_DEVICE_ERROR);
    cr_expect(torc_group_spmm_host(&out, semiring, A, false, &host, NULL, NULL) == TORC_DEVICE_ERROR);
    torc_group_sparse_destroy(A);
    torc_group_destroy(group);
    cr_expect(torc_reference_bytes_held() == 0);
}

/* A narrow C has rows where they are computed; the next product has them everywhere but on what is lost. */
Test(group_faults, that_stay_are_left_out_when_rows_are_exchanged)
{
    enum { ROWS = 4096, WIDTH = 2 };
    static int32_t row_ptr[ROWS + 1], col_idx[ROWS];
    static float twos[ROWS], content[ROWS * WIDTH], found[ROWS * WIDTH];
    for (int i = 0; i < ROWS; i++) {
        row_ptr[i + 1] = i + 1;
        col_idx[i] = i;
        twos[i] = 2;
        content[WIDTH * i] = content[WIDTH * i + 1] = (float)i;
    }
    torc_csr csr = {ROWS, ROWS, row_ptr, col_idx, twos, 32, 32, TORC_FP32, false, NULL};
    torc_dense host = {ROWS, WIDTH, WIDTH, TORC_ROW_MAJOR, TORC_FP32, false, content, NULL}, out = host;
    torc_semiring semiring = {TORC_PLUS_MONOID, TORC_TIMES, TORC_FP32};
    torc_group *group = open_group("0,1,2");
    torc_group_sparse *A;
    torc_group_dense *X[3];
    out.data = found;
    cr_assert(torc_group_sparse_create(&A, group, &csr) == TORC_SUCCESS);
    lose(group, 1);
    cr_assert(torc_group_wait(group) == TORC_DEVICE_ERROR && torc_group_size(group) == 2);
    for (int i = 0; i < 3; i++) {
        cr_assert(torc_group_dense_create(&X[i], group, ROWS, WIDTH, TORC_FP32, false) == TORC_SUCCESS);
    }
    cr_assert(torc_group_upload(X[0], &host) == TORC_SUCCESS);
    cr_assert(torc_group_spmm(X[1], semiring, A, false, X[0], NULL) == TORC_SUCCESS);
    cr_assert(X[1]->owned, "by rows");
    cr_assert(torc_group_spmm(X[2], semiring, A, false, X[1], NULL) == TORC_SUCCESS);
    cr_assert(torc_group_download(&out, X[2]) == TORC_SUCCESS);
    for (int p = 0; p < ROWS * WIDTH; p++) {
        cr_assert(found[p] == 4 * content[p], "element %d", p);
    }
    for (int i = 0; i < 3; i++) {
        torc_group_dense_destroy(X[i]);
    }
    torc_group_sparse_destroy(A);
    torc_group_destroy(group);
    cr_expect(torc_reference_bytes_held() == 0);
}

/* ---- Host memory -------------------------------------------------------------------------------------- */

/* All that a group is for; the first status that is not TORC_SUCCESS. */
static torc_status use_group(host_product *p)
{
    torc_group_options options = TORC_GROUP_OPTIONS_INIT;
    torc_group *group = NULL;
    torc_group_sparse *A = NULL;
    torc_group_dense *X = NULL, *Y = NULL;
    torc_reduction plus = {TORC_PLUS_MONOID, TORC_FP64, NULL};
    double sum;
    options.each.backend = TORC_BACKEND_REFERENCE;
    options.devices = "0,1,2";
    torc_status status = torc_group_create(&group, &options);
    if (status == TORC_SUCCESS) {
        status = torc_group_sparse_create(&A, group, &p->A);
    }
    if (status == TORC_SUCCESS) {
        status = multiply(p, A);
    }
    if (status == TORC_SUCCESS) {
        status = torc_group_dense_create(&X, group, p->B.nrows, p->B.ncols, p->B.type, false);
    }
    if (status == TORC_SUCCESS) {
        status = torc_group_dense_create(&Y, group, p->C.nrows, p->C.ncols, p->C.type, p->C.bitmap);
    }
    torc_dense content = {
        p->B.nrows, p->B.ncols, p->B.ncols, TORC_ROW_MAJOR, p->B.type, false, p->B.data, NULL};
    if (status == TORC_SUCCESS) {
        status = torc_group_upload(X, &content);
    }
    if (status == TORC_SUCCESS) {
        status = torc_group_spmm(Y, p->semiring, A, p->transpose, X, NULL);
    }
    if (status == TORC_SUCCESS) {
        status = torc_group_reduce_to_scalar(&sum, NULL, plus, X);
    }
    if (status == TORC_SUCCESS && !p->transpose) {
        host_product_reset(p);
        status = torc_group_spmm_by_rows(
            &p->C, p->semiring, group, &p->A, &p->B, &p->update, p->old.data == p->C.data ? NULL : &p->old);
    }
    torc_group_dense_destroy(X);
    torc_group_dense_destroy(Y);
    torc_group_sparse_destroy(A);
    torc_group_destroy(group);
    return status;
}

Test(group_faults, of_host_memory_leak_nothing)
{
    for (uint64_t seed = 1; seed <= 6; seed++) {
        host_product *p = random_product(seed);
        bool is_done = false;
        cr_assert(
            use_group(p) == TORC_SUCCESS, "%s", host_product_describe(p)); /* threads of torc's own begin */
        host_product_reset(p);
        for (int64_t call = 0; !is_done; call++) {
            int64_t blocks = torc_host_memory_blocks();
            torc_host_memory_fail_at(call);
            torc_status status = use_group(p);
            is_done = torc_host_memory_calls_left() >= 0;
            torc_host_memory_fail_at(-1);
            cr_assert(status == TORC_SUCCESS || status == TORC_OUT_OF_MEMORY || status == TORC_DEVICE_ERROR,
                "call %ld: %s", (long)call, torc_status_text(status));
            cr_assert(torc_host_memory_blocks() == blocks, "call %ld leaks %ld blocks: %s", (long)call,
                (long)(torc_host_memory_blocks() - blocks), host_product_describe(p));
            cr_assert(torc_reference_bytes_held() == 0, "call %ld leaks on a device", (long)call);
            host_product_reset(p);
            cr_assert(call < 5000);
        }
        host_product_free(p);
    }
}
