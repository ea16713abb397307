/* test_group_elementwise.c: element-wise operations and reductions of a group leave the bits that one device
 * leaves. */
#include "elementwise_check.h"
#include "engine_fixture.h"
#include "group_fixture.h"
#include "splitmix.h"
#include <stdlib.h>
#include <string.h>

enum { CASES = 120 };

/* A random matrix of fp64 values that sums round, in host memory and on one device. */
typedef struct matrix {
    torc_dense host, device;
    size_t cells;
} matrix;

static matrix new_matrix(uint64_t *seed, torc_context *context, int64_t m, int64_t n, bool has_bitmap)
{
    matrix x = {.cells = (size_t)(m * n)};
    double *values = malloc((x.cells + 1) * sizeof *values);
    uint8_t *bitmap = has_bitmap ? malloc(x.cells + 1) : NULL;
    for (size_t p = 0; p < x.cells; p++) {
        values[p] = (double)random_below(seed, 1000000) / 7 - 70000;
        if (bitmap) {
            bitmap[p] = random_below(seed, 3) > 0;
        }
    }
    x.host = (torc_dense){m, n, n, TORC_ROW_MAJOR, TORC_FP64, false, values, bitmap};
    x.device = x.host;
    x.device.data = device_copy(context, values, x.cells * sizeof *values);
    x.device.bitmap = bitmap ? device_copy(context, bitmap, x.cells) : NULL;
    return x;
}

static void free_matrix(torc_context *context, matrix *x)
{
    torc_memory_release(context, x->device.data);
    torc_memory_release(context, x->device.bitmap);
    free(x->host.data);
    free(x->host.bitmap);
}

static torc_group_dense *put(torc_group *group, const matrix *x)
{
    torc_group_dense *X;
    cr_assert(torc_group_dense_create(&X, group, x->host.nrows, x->host.ncols, TORC_FP64, x->host.bitmap) ==
              TORC_SUCCESS);
    cr_assert(torc_group_upload(X, &x->host) == TORC_SUCCESS);
    return X;
}

/* Where it is, and what. */
static bool is_same(const torc_dense *x, const torc_dense *y)
{
    bool same = true;
    for (int64_t p = 0; p < x->nrows * x->ncols && same; p++) {
        bool is_present = !x->bitmap || x->bitmap[p];
        same = (!x->bitmap || x->bitmap[p] == y->bitmap[p]) &&
               (!is_present || memcmp((double *)x->data + p, (double *)y->data + p, sizeof(double)) == 0);
    }
    return same;
}

typedef struct elementwise_case {
    torc_operation operation;
    torc_update update;
    bool has_b;
} elementwise_case;

static elementwise_case random_case(uint64_t *seed)
{
    static const torc_multiply binaries[] = {TORC_PLUS, TORC_MINUS, TORC_DIV, TORC_MAX, TORC_FIRSTI};
    static const torc_index_unary positions[] = {TORC_ROWINDEX, TORC_COLINDEX, TORC_DIAGINDEX};
    elementwise_case c = {.operation = {.kind = (torc_operation_kind)random_below(seed, 6)}};
    torc_operation *o = &c.operation;
    o->type = TORC_FP64;
    o->unary = random_below(seed, 2) ? TORC_UNARY_ABS : TORC_UNARY_MINV;
    o->binary = binaries[random_below(seed, 5)];
    o->index = (torc_index_unary)random_below(seed, TORC_INDEX_UNARY_COUNT);
    int64_t thunk = random_below(seed, 60) - 20;
    if (o->kind == TORC_APPLY_INDEX && random_below(seed, 2)) {
        o->index = positions[random_below(seed, 3)];
    }
    bool is_of_values = o->index >= TORC_VALUEEQ;
    if ((o->kind == TORC_APPLY_INDEX || o->kind == TORC_SELECT) && !is_of_values) {
        o->type = random_below(seed, 2) ? TORC_INT64 : TORC_INT32;
    }
    if (o->kind >= TORC_EWISE_MULT && o->binary == TORC_FIRSTI) {
        o->type = TORC_INT64;
    }
    if (o->kind == TORC_SELECT && o->index < TORC_TRIL) {
        o->index = TORC_TRIL;
    }
    o->thunk = (torc_scalar){TORC_INT64, {(uint64_t)thunk, 0}};
    o->alpha = o->beta = o->thunk;
    c.has_b = torc_operation_has_b(o);
    c.update.has_accum = random_below(seed, 2);
    c.update.accum = TORC_MINUS;
    c.update.complement = random_below(seed, 2);
    c.update.replace = random_below(seed, 2);
    return c;
}

/* The same operation on one device and on groups. */
static void check_elementwise(uint64_t seed, torc_context *context)
{
    uint64_t state = seed;
    int64_t m = random_below(&state, 30), n = random_below(&state, 60);
    elementwise_case c = random_case(&state);
    bool has_mask = random_below(&state, 2), c_is_bitmap = random_below(&state, 2);
    matrix a = new_matrix(&state, context, m, n, random_below(&state, 2));
    matrix b = new_matrix(&state, context, m, n, random_below(&state, 2));
    matrix z = new_matrix(&state, context, m, n, c_is_bitmap);
    matrix mask = new_matrix(&state, context, m, n, true);
    torc_operand operand_a = {.dense = &a.device}, operand_b = {.dense = &b.device};
    torc_update update = c.update;
    update.mask = has_mask ? mask.device.bitmap : NULL;
    update.complement = update.complement && has_mask;
    update.replace = update.replace && c_is_bitmap;
    torc_dense before = z.host, expected = z.host;
    expected.data = malloc((z.cells + 1) * sizeof(double));
    expected.bitmap = c_is_bitmap ? malloc(z.cells + 1) : NULL;
    torc_status status =
        torc_elementwise(&z.device, &c.operation, context, &operand_a, c.has_b ? &operand_b : NULL, &update);
    cr_assert(torc_memory_download(context, expected.data, z.device.data, z.cells * sizeof(double)) ==
              TORC_SUCCESS);
    cr_assert(!c_is_bitmap ||
              torc_memory_download(context, expected.bitmap, z.device.bitmap, z.cells) == TORC_SUCCESS);
    for (int g = 0; g < GROUPS; g++) {
        torc_group *group = open_group(group_devices[g]);
        torc_group_dense *A = put(group, &a), *B = put(group, &b), *M = put(group, &mask);
        torc_group_dense *Z = put(group, &(matrix){.host = before});
        torc_group_operand of_a = {.dense = A}, of_b = {.dense = B};
        torc_group_update with = {.mask = has_mask ? M : NULL,
            .is_structural = true,
            .complement = update.complement,
            .replace = update.replace,
            .has_accum = update.has_accum,
            .accum = update.accum};
        torc_status own = torc_group_elementwise(Z, &c.operation, &of_a, c.has_b ? &of_b : NULL, &with);
        cr_assert(own == status, "seed %lu on %s: %s, and one device: %s", (unsigned long)seed,
            group_devices[g], torc_group_error(group), torc_context_error(context));
        torc_dense found = z.host;
        found.data = malloc((z.cells + 1) * sizeof(double));
        found.bitmap = c_is_bitmap ? malloc(z.cells + 1) : NULL;
        cr_assert(torc_group_download(&found, Z) == TORC_SUCCESS);
        cr_assert(status != TORC_SUCCESS || is_same(&expected, &found),
            "seed %lu on %s: %ld x %ld, kind %d, index %s, binary %s, %s", (unsigned long)seed,
            group_devices[g], (long)m, (long)n, (int)c.operation.kind,
            torc_index_unary_name(c.operation.index), torc_multiply_name(c.operation.binary),
            torc_type_name(c.operation.type));
        free(found.data);
        free(found.bitmap);
        torc_group_dense *all[] = {A, B, M, Z};
        for (int i = 0; i < 4; i++) {
            torc_group_dense_destroy(all[i]);
        }
        torc_group_destroy(group);
    }
    free(expected.data);
    free(expected.bitmap);
    matrix *all[] = {&a, &b, &z, &mask};
    for (int i = 0; i < 4; i++) {
        free_matrix(context, all[i]);
    }
}

Test(group_elementwise, operations_are_those_of_one_device)
{
    torc_context *context = open_reference(0);
    for (uint64_t seed = 1; seed <= CASES; seed++) {
        check_elementwise(seed, context);
    }
    torc_context_destroy(context);
}

Test(group_elementwise, refuses_what_depends_on_columns_it_cannot_number)
{
    torc_group *group = open_group("0,1");
    torc_group_dense *X;
    cr_assert(torc_group_dense_create(&X, group, 2, 40, TORC_INT64, false) == TORC_SUCCESS);
    torc_operation operation = {.kind = TORC_EWISE_MULT, .binary = TORC_SECONDJ, .type = TORC_INT64};
    torc_group_operand x = {.dense = X};
    cr_expect(torc_group_elementwise(X, &operation, &x, &x, NULL) == TORC_UNSUPPORTED);
    torc_group_dense_destroy(X);
    torc_group_destroy(group);
}

/* ---- Reductions --------------------------------------------------------------------------------------- */

/* One device: columns to a vector, that to a scalar. */
static void expect_reductions(uint64_t seed, torc_context *context)
{
    uint64_t state = seed;
    int64_t m = random_below(&state, 400), n = random_below(&state, 60);
    torc_reduction plus = {random_below(&state, 4) ? TORC_PLUS_MONOID : TORC_MIN_MONOID, TORC_FP64, NULL};
    matrix a = new_matrix(&state, context, m, n, random_below(&state, 2));
    double sums[60], total, expected_sums[60], expected_total;
    uint8_t present[60], expected_present[60];
    bool is_empty, expected_empty;
    torc_dense w = {n, 1, n, TORC_COL_MAJOR, TORC_FP64, false, NULL, NULL};
    void *bitmap;
    cr_assert(torc_memory_allocate(&w.data, context, (size_t)n * sizeof *sums) == TORC_SUCCESS);
    cr_assert(torc_memory_allocate(&bitmap, context, (size_t)n) == TORC_SUCCESS);
    w.bitmap = bitmap;
    cr_assert(torc_reduce_to_vector(&w, plus, context, &a.device, true, NULL) == TORC_SUCCESS);
    cr_assert(torc_reduce_to_scalar(&expected_total, &expected_empty, plus, context, &w) == TORC_SUCCESS);
    cr_assert(torc_memory_download(context, expected_sums, w.data, (size_t)n * sizeof *sums) == TORC_SUCCESS);
    cr_assert(torc_memory_download(context, expected_present, bitmap, (size_t)n) == TORC_SUCCESS);
    for (int g = 0; g < GROUPS; g++) {
        torc_group *group = open_group(group_devices[g]);
        torc_group_dense *A = put(group, &a);
        cr_assert(torc_group_reduce_columns(sums, present, plus, A) == TORC_SUCCESS);
        cr_assert(torc_group_reduce_to_scalar(&total, &is_empty, plus, A) == TORC_SUCCESS);
        for (int64_t j = 0; j < n; j++) {
            cr_assert(present[j] == expected_present[j] && memcmp(&sums[j], &expected_sums[j], 8) == 0,
                "seed %lu on %s: column %ld", (unsigned long)seed, group_devices[g], (long)j);
        }
        cr_assert(is_empty == expected_empty && memcmp(&total, &expected_total, sizeof total) == 0,
            "seed %lu on %s", (unsigned long)seed, group_devices[g]);
        torc_group_dense_destroy(A);
        torc_group_destroy(group);
    }
    torc_memory_release(context, w.data);
    torc_memory_release(context, bitmap);
    free_matrix(context, &a);
}

Test(group_elementwise, reductions_are_those_of_one_device)
{
    torc_context *context = open_reference(0);
    for (uint64_t seed = 1; seed <= CASES; seed++) {
        expect_reductions(seed, context);
    }
    torc_context_destroy(context);
}
