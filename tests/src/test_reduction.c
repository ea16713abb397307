/* Reductions on the reference executor against models: random ones by values of which any order has the same
 * sum, and the order itself by ones of which it has not. */
#include "dense_model.h"
#include "engine_fixture.h"
#include "reference.h"
#include "splitmix.h"
#include "typed_value.h"
#include <stdlib.h>

enum { CASES = 8000, MOST = 40 };

/* ---- What is reduced ---------------------------------------------------------------------------------- */

static torc_reduction random_reduction(uint64_t *seed)
{
    torc_reduction r = {.add = TORC_PLUS_MONOID};
    do {
        r.add = (torc_monoid)random_below(seed, TORC_MONOID_COUNT);
        r.type = (torc_type)random_below(seed, TORC_TYPE_COUNT);
    } while (!torc_reference_add(r.add, r.type) || r.add == TORC_ANY_MONOID);
    return r;
}

/* One that any order sums alike; products of complex ones also as to the sign of zeros. */
static torc_scalar exact_value(uint64_t *seed, torc_reduction r, torc_type type)
{
    double of_times[] = {1, -1, 1, 1}, any[] = {0, 1, 2, 3, -4, 5};
    bool is_complex = r.type == TORC_FC32 || r.type == TORC_FC64;
    double x = r.add == TORC_TIMES_MONOID ? is_complex ? 1 : of_times[random_below(seed, 4)]
                                          : any[random_below(seed, 6)];
    torc_scalar value = {type, {0, 0}};
    torc_cast(value.value, type, &x, TORC_FP64);
    return value;
}

static placed exact_operand(torc_context *context, uint64_t *seed, int64_t m, int64_t n, torc_reduction r)
{
    torc_type type = (torc_type)random_below(seed, TORC_TYPE_COUNT);
    placed A = placed_random(context, seed, m, n, type, true);
    size_t size = torc_type_size(type);
    for (size_t k = 0; k < A.count; k++) {
        torc_scalar value = exact_value(seed, r, type);
        memcpy(A.data + k * size, value.value, size);
    }
    size_t count = A.dense.iso && A.count > 0 ? 1 : A.count;
    cr_assert(torc_memory_upload(context, A.dense.data, A.data, count * size) == TORC_SUCCESS);
    return A;
}

static torc_scalar cast(torc_scalar x, torc_type type)
{
    torc_scalar z = {type, {0, 0}};
    torc_cast(z.value, type, x.value, x.type);
    return z;
}

/* sum = sum + x. */
static void add(cell *sum, const cell *x, torc_reduction r)
{
    if (x->is_present) {
        cell z = {true, cast(x->x, r.type)};
        if (sum->is_present) {
            torc_reference_add(r.add, r.type)(z.x.value, sum->x.value, cast(x->x, r.type).value);
        }
        *sum = z;
    }
}

static torc_scalar identity_of(torc_reduction r)
{
    torc_scalar identity = {r.type, {0, 0}};
    torc_reference_identity(identity.value, r);
    return identity;
}

/* ---- Random ------------------------------------------------------------------------------------------- */

static void check_scalar(torc_context *context, uint64_t seed, const placed *A, torc_reduction r)
{
    grid g = grid_of(A);
    cell sum = {false, identity_of(r)};
    for (int64_t p = 0; p < g.m * g.n; p++) {
        add(&sum, &g.cells[p], r);
    }
    torc_scalar result = {r.type, {0, 0}};
    bool is_empty;
    torc_status status = torc_reduce_to_scalar(result.value, &is_empty, r, context, &A->dense);
    cr_assert(status == TORC_SUCCESS, "seed %lu: %s", seed, torc_status_text(status));
    cr_assert(is_same_value(result.value, sum.x.value, r.type), "seed %lu: %s on %s, %ld x %ld", seed,
        torc_monoid_name(r.add), torc_type_name(r.type), g.m, g.n);
    cr_assert(is_empty == !sum.is_present, "seed %lu", seed);
    result = (torc_scalar){r.type, {0, 0}};
    cr_assert(torc_reduce_to_scalar(result.value, NULL, r, context, &A->dense) == TORC_SUCCESS);
    cr_assert(is_same_value(result.value, sum.x.value, r.type), "seed %lu", seed);
    grid_free(&g);
}

static torc_update random_update(torc_context *context, uint64_t *seed, const placed *w, uint8_t **mask)
{
    torc_update update = {.mask = NULL};
    *mask = NULL;
    if (random_below(seed, 2)) {
        *mask = random_mask(seed, w);
        update.mask = device_copy(context, *mask, w->count + 1);
        update.complement = random_below(seed, 2);
        update.replace = w->bitmap && random_below(seed, 2);
    }
    update.has_accum = w->dense.type != TORC_BOOL && random_below(seed, 2);
    update.accum = TORC_PLUS;
    return update;
}

static void check_vector(
    torc_context *context, uint64_t first_seed, uint64_t *seed, const placed *A, torc_reduction r)
{
    bool transpose = random_below(seed, 2);
    grid g = grid_of(A);
    int64_t n = transpose ? g.n : g.m, terms = transpose ? g.m : g.n;
    grid t = grid_new(n, 1);
    for (int64_t i = 0; i < n; i++) {
        t.cells[i].x = identity_of(r);
        for (int64_t k = 0; k < terms; k++) {
            add(&t.cells[i], transpose ? grid_at(&g, k, i) : grid_at(&g, i, k), r);
        }
    }
    torc_type type = random_below(seed, 2) ? r.type : (torc_type)random_below(seed, TORC_TYPE_COUNT);
    placed w = placed_random(context, seed, n, 1, type, false);
    uint8_t *mask, *by_element = NULL;
    torc_update update = random_update(context, seed, &w, &mask);
    if (mask) {
        by_element = malloc((size_t)n + 1);
        for (int64_t i = 0; i < n; i++) {
            by_element[i] = mask[placed_at(&w.dense, i, 0)];
        }
    }
    grid expected = grid_of(&w);
    bool has_bitmap = w.bitmap;
    torc_scalar absent = cast(identity_of(r), type);
    torc_status status = torc_reduce_to_vector(&w.dense, r, context, &A->dense, transpose, &update);
    cr_assert(status == TORC_SUCCESS, "seed %lu: %s", first_seed, torc_status_text(status));
    cr_assert(placed_download(context, &w), "seed %lu: a gap is touched", first_seed);
    model_update(&expected, type, &t, by_element, &update, has_bitmap, &absent);
    grid found = grid_of(&w);
    const char *difference = grid_difference(&expected, &found);
    cr_assert(!difference, "seed %lu, %s on %s, transpose %d: %s", first_seed, torc_monoid_name(r.add),
        torc_type_name(r.type), transpose, difference);
    torc_memory_release(context, (void *)(uintptr_t)update.mask);
    placed_free(context, &w);
    free(mask);
    free(by_element);
    grid_free(&g);
    grid_free(&t);
    grid_free(&expected);
    grid_free(&found);
}

Test(reduction, is_what_a_model_says)
{
    torc_context *context = open_reference(0);
    for (uint64_t first_seed = 0; first_seed < CASES; first_seed++) {
        uint64_t seed = first_seed;
        int64_t m = random_below(&seed, MOST), n = random_below(&seed, MOST);
        if (random_below(&seed, 50) == 0) { /* strips, or chunks */
            m = random_below(&seed, 2) ? 1 : 300;
        }
        torc_reduction r = random_reduction(&seed);
        placed A = exact_operand(context, &seed, m, n, r);
        check_scalar(context, first_seed, &A, r);
        check_vector(context, first_seed, &seed, &A, r);
        placed_free(context, &A);
    }
    torc_context_destroy(context);
    cr_expect(torc_reference_bytes_held() == 0);
}

/* ---- The order ---------------------------------------------------------------------------------------- */

/* Lane t, from the end: x0 + (...) would be another order, so sums are carried down the recursion. */
static double lane_sum(const double *x, int64_t count, int64_t lane)
{
    double sum = 0;
    bool has_one = false;
    for (int64_t begin = lane * TORC_REDUCE_ADJACENT; begin < count;
         begin += TORC_REDUCE_LANES * TORC_REDUCE_ADJACENT) {
        for (int64_t e = begin; e < count && e < begin + TORC_REDUCE_ADJACENT; e++) {
            sum = has_one ? sum + x[e] : x[e];
            has_one = true;
        }
    }
    return has_one ? sum : -0.0; /* neutral */
}

/* What folding by halves comes to at `first`: the upper half is added last. */
static double folded(const double *lanes, int64_t first, int64_t stride, int64_t count)
{
    return stride == count
               ? lanes[first]
               : folded(lanes, first, 2 * stride, count) + folded(lanes, first + stride, 2 * stride, count);
}

static double chunk_sum(const double *x, int64_t count)
{
    double lanes[TORC_REDUCE_LANES], groups[TORC_REDUCE_LANES / 32];
    for (int64_t t = 0; t < TORC_REDUCE_LANES; t++) {
        lanes[t] = lane_sum(x, count, t);
    }
    for (int64_t g = 0; g < TORC_REDUCE_LANES / 32; g++) {
        groups[g] = folded(lanes + 32 * g, 0, 1, 32);
    }
    return folded(groups, 0, 1, TORC_REDUCE_LANES / 32);
}

static double line_sum(const double *x, int64_t count)
{
    double sums[8];
    int64_t nchunks = 0;
    for (int64_t begin = 0; begin < count; begin += TORC_REDUCE_CHUNK) {
        int64_t left = count - begin;
        sums[nchunks++] = chunk_sum(x + begin, left < TORC_REDUCE_CHUNK ? left : TORC_REDUCE_CHUNK);
    }
    return nchunks == 1 ? sums[0] : chunk_sum(sums, nchunks);
}

static double *random_doubles(uint64_t *seed, int64_t count)
{
    double *x = malloc((size_t)count * sizeof *x);
    for (int64_t k = 0; k < count; k++) {
        x[k] = (double)random_word(seed) / (double)(1 + random_below(seed, 1000));
    }
    return x;
}

static const torc_reduction plus = {TORC_PLUS_MONOID, TORC_FP64, NULL};

Test(reduction, of_a_vector_has_the_order_that_is_written_down)
{
    static const int64_t counts[] = {1, 3, 4, 5, 31, 128, 129, 1023, 1024, 1025, 8191, 8192, 8193, 20000};
    torc_context *context = open_reference(0);
    uint64_t seed = 1;
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        int64_t n = counts[i];
        double *x = random_doubles(&seed, n), sum, expected = line_sum(x, n), in_order = 0;
        void *device = device_copy(context, x, (size_t)n * sizeof *x);
        torc_dense by_row = {n, 1, 1, TORC_ROW_MAJOR, TORC_FP64, false, device, NULL};
        torc_dense by_column = {n, 1, n, TORC_COL_MAJOR, TORC_FP64, false, device, NULL};
        cr_assert(torc_reduce_to_scalar(&sum, NULL, plus, context, &by_row) == TORC_SUCCESS);
        cr_expect(sum == expected, "%ld: %a, not %a", n, sum, expected);
        cr_assert(torc_reduce_to_scalar(&sum, NULL, plus, context, &by_column) == TORC_SUCCESS);
        cr_expect(sum == expected, "%ld: %a, not %a", n, sum, expected);
        for (int64_t k = 0; k < n; k++) {
            in_order += x[k];
        }
        cr_expect(n < 20000 || in_order != expected, "these values tell no order from another");
        torc_memory_release(context, device);
        free(x);
    }
    torc_context_destroy(context);
}

Test(reduction, across_lines_goes_by_strips)
{
    enum { M = 2 * TORC_REDUCE_STRIP + 5, N = 3 };
    torc_context *context = open_reference(0);
    uint64_t seed = 1;
    double *x = random_doubles(&seed, (int64_t)M * N), sums[N];
    void *device = device_copy(context, x, sizeof *x * M * N), *result = device_copy(context, x, sizeof sums);
    torc_dense A = {M, N, N, TORC_ROW_MAJOR, TORC_FP64, false, device, NULL};
    torc_dense w = {N, 1, 1, TORC_ROW_MAJOR, TORC_FP64, false, result, NULL};
    cr_assert(torc_reduce_to_vector(&w, plus, context, &A, true, NULL) == TORC_SUCCESS);
    cr_assert(torc_memory_download(context, sums, result, sizeof sums) == TORC_SUCCESS);
    for (int j = 0; j < N; j++) {
        double strips[3] = {x[j], x[TORC_REDUCE_STRIP * N + j], x[2 * TORC_REDUCE_STRIP * N + j]};
        for (int i = 0; i < M; i++) {
            if (i % TORC_REDUCE_STRIP != 0) {
                strips[i / TORC_REDUCE_STRIP] += x[i * N + j];
            }
        }
        cr_expect(sums[j] == strips[0] + strips[1] + strips[2]);
    }
    torc_memory_release(context, device);
    torc_memory_release(context, result);
    free(x);
    torc_context_destroy(context);
}

Test(reduction, of_a_matrix_without_gaps_does_not_care_for_shape)
{
    enum { M = 100, N = 250 };
    torc_context *context = open_reference(0);
    uint64_t seed = 1;
    double *x = random_doubles(&seed, M * N), sum;
    void *device = device_copy(context, x, sizeof *x * M * N);
    torc_dense A = {M, N, N, TORC_ROW_MAJOR, TORC_FP64, false, device, NULL};
    cr_assert(torc_reduce_to_scalar(&sum, NULL, plus, context, &A) == TORC_SUCCESS);
    cr_expect(sum == line_sum(x, M * N));
    torc_memory_release(context, device);
    free(x);
    torc_context_destroy(context);
}

Test(reduction, counts_entries)
{
    static const uint8_t bitmap[] = {1, 0, 1, 1, 0, 0, 1};
    torc_context *context = open_reference(0);
    void *device = device_copy(context, bitmap, sizeof bitmap);
    int64_t count = -1;
    cr_expect(torc_count_present(&count, context, device, sizeof bitmap) == TORC_SUCCESS && count == 4);
    cr_expect(torc_count_present(&count, context, NULL, 0) == TORC_SUCCESS && count == 0);
    cr_expect(torc_count_present(&count, context, NULL, 1) == TORC_NULL_POINTER);
    cr_expect(torc_count_present(NULL, context, device, 1) == TORC_NULL_POINTER);
    torc_memory_release(context, device);
    torc_context_destroy(context);
}
