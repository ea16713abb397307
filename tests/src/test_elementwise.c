/* Random element-wise operations on the reference executor against a model: every kind, operator and type,
 * orders, transposes, gaps, bitmaps, iso and single values, masks, accumulators, lists, aliases, no elements.
 */
#include "dense_model.h"
#include "engine_fixture.h"
#include "reference.h"
#include "splitmix.h"
#include <stdlib.h>
#include <string.h>

enum { CASES = 40000, MOST = 23 };

/* One that exists. */
static torc_operation random_operation(uint64_t *seed)
{
    torc_operation o = {.kind = TORC_APPLY};
    do {
        o.kind = (torc_operation_kind)random_below(seed, TORC_EWISE_UNION + 1);
        o.unary =
            random_below(seed, 4) ? (torc_unary)random_below(seed, TORC_UNARY_COUNT) : TORC_UNARY_IDENTITY;
        o.index = (torc_index_unary)random_below(seed, TORC_INDEX_UNARY_COUNT);
        o.binary = (torc_multiply)random_below(seed, TORC_MULTIPLY_COUNT);
        o.type = (torc_type)random_below(seed, TORC_TYPE_COUNT);
    } while (!torc_operation_get_traits(&o).is_supported);
    o.thunk = random_value(seed, (torc_type)random_below(seed, TORC_TYPE_COUNT));
    o.alpha = random_value(seed, (torc_type)random_below(seed, TORC_TYPE_COUNT));
    o.beta = random_value(seed, (torc_type)random_below(seed, TORC_TYPE_COUNT));
    return o;
}

/* The operator's, as often as any. */
static torc_type random_type(uint64_t *seed, const torc_operation *o)
{
    return random_below(seed, 2) ? o->type : (torc_type)random_below(seed, TORC_TYPE_COUNT);
}

/* An operand, what it holds, and what belongs to it. */
typedef struct argument {
    torc_operand operand;
    placed place;
    uint64_t *rows, *columns; /* host */
    grid content;             /* op(A), m x n */
} argument;

static uint64_t *random_list(
    torc_context *context, uint64_t *seed, int64_t count, int64_t bound, const uint64_t **device)
{
    uint64_t *list = malloc((size_t)(count + 1) * sizeof *list);
    for (int64_t k = 0; k < count; k++) {
        list[k] = (uint64_t)random_below(seed, bound);
    }
    *device = device_copy(context, list, (size_t)(count + 1) * sizeof *list);
    return list;
}

static grid take(const argument *x, int64_t m, int64_t n)
{
    grid g = grid_new(m, n), whole = grid_of(&x->place);
    for (int64_t i = 0; i < m; i++) {
        for (int64_t j = 0; j < n; j++) {
            int64_t row = x->rows ? (int64_t)x->rows[i] : i, column = x->columns ? (int64_t)x->columns[j] : j;
            *grid_at(&g, i, j) =
                *(x->operand.transpose ? grid_at(&whole, column, row) : grid_at(&whole, row, column));
        }
    }
    grid_free(&whole);
    return g;
}

static argument random_argument(torc_context *context, uint64_t *seed, int64_t m, int64_t n, torc_type type)
{
    argument x = {0};
    if (random_below(seed, 8) == 0) {
        x.operand.value = random_value(seed, type);
        x.content = grid_new(m, n);
        for (int64_t p = 0; p < m * n; p++) {
            x.content.cells[p] = (cell){true, x.operand.value};
        }
        return x;
    }
    int64_t nrows = m, ncols = n;
    x.operand.transpose = random_below(seed, 3) == 0;
    if (random_below(seed, 6) == 0) {
        nrows = 1 + random_below(seed, MOST);
        x.rows = random_list(context, seed, m, nrows, &x.operand.rows);
    }
    if (random_below(seed, 6) == 0) {
        ncols = 1 + random_below(seed, MOST);
        x.columns = random_list(context, seed, n, ncols, &x.operand.columns);
    }
    x.place = placed_random(
        context, seed, x.operand.transpose ? ncols : nrows, x.operand.transpose ? nrows : ncols, type, true);
    x.content = take(&x, m, n);
    return x;
}

static void free_argument(torc_context *context, argument *x)
{
    torc_memory_release(context, (void *)(uintptr_t)x->operand.rows);
    torc_memory_release(context, (void *)(uintptr_t)x->operand.columns);
    placed_free(context, &x->place);
    grid_free(&x->content);
    free(x->rows);
    free(x->columns);
}

/* C itself in the place of an operand. */
static torc_operand alias(argument *x, const placed *C, const grid *before)
{
    grid_free(&x->content);
    x->content = grid_new(before->m, before->n);
    for (int64_t p = 0; p < before->m * before->n; p++) {
        x->content.cells[p] = before->cells[p];
    }
    return (torc_operand){.dense = &C->dense};
}

static torc_update random_update(torc_context *context, uint64_t *seed, const placed *C, uint8_t **mask)
{
    torc_update update = {.mask = NULL};
    *mask = NULL;
    if (random_below(seed, 2)) {
        bool is_own = C->bitmap && random_below(seed, 4) == 0;
        *mask = random_mask(seed, C);
        if (is_own) {
            memcpy(*mask, C->bitmap, C->count);
        }
        update.mask = is_own ? C->dense.bitmap : device_copy(context, *mask, C->count + 1);
        update.complement = random_below(seed, 2);
        update.replace = C->bitmap && random_below(seed, 2);
    }
    while (random_below(seed, 2) && !update.has_accum) {
        update.accum = (torc_multiply)random_below(seed, TORC_FIRSTI);
        torc_semiring semiring = {TORC_ANY_MONOID, update.accum, C->dense.type, NULL, false};
        torc_traits traits = torc_semiring_traits(semiring);
        update.has_accum = traits.is_supported && traits.z_type == C->dense.type;
    }
    return update;
}

/* The mask's bytes, element by element, row by row. */
static uint8_t *mask_by_element(const uint8_t *mask, const torc_dense *C)
{
    uint8_t *bytes = mask ? malloc((size_t)(C->nrows * C->ncols) + 1) : NULL;
    for (int64_t p = 0; bytes && p < C->nrows * C->ncols; p++) {
        bytes[p] = mask[placed_at(C, p / C->ncols, p % C->ncols)];
    }
    return bytes;
}

static int64_t random_size(uint64_t *seed)
{
    return random_below(seed, 4) ? random_below(seed, MOST) : random_below(seed, 2);
}

static void run_case(torc_context *context, uint64_t first_seed)
{
    uint64_t seed = first_seed;
    int64_t m = random_size(&seed), n = random_size(&seed);
    torc_operation o = random_operation(&seed);
    placed C = placed_random(context, &seed, m, n, random_type(&seed, &o), false);
    grid expected = grid_of(&C);
    argument A = random_argument(context, &seed, m, n, random_type(&seed, &o));
    argument B = random_argument(context, &seed, m, n, random_type(&seed, &o));
    A.operand.dense = A.place.data ? &A.place.dense : NULL;
    B.operand.dense = B.place.data ? &B.place.dense : NULL;
    torc_operand a = A.operand, b = B.operand;
    if (random_below(&seed, 6) == 0) {
        a = alias(&A, &C, &expected);
    }
    if (random_below(&seed, 6) == 0) {
        b = alias(&B, &C, &expected);
    }
    uint8_t *mask;
    torc_update update = random_update(context, &seed, &C, &mask);
    torc_scalar one_before = random_value(&seed, C.dense.type);
    void *one = NULL;
    if (!C.bitmap && a.dense != &C.dense && b.dense != &C.dense && random_below(&seed, 8) == 0) {
        one = device_copy(context, one_before.value, sizeof one_before.value);
        update.iso = one;
        for (int64_t p = 0; p < m * n; p++) {
            expected.cells[p].x = one_before;
        }
    }

    torc_status status =
        torc_elementwise(&C.dense, &o, context, &a, o.kind >= TORC_EWISE_MULT ? &b : NULL, &update);
    cr_assert(status == TORC_SUCCESS, "seed %lu: %s, %s", first_seed, torc_status_text(status),
        torc_context_error(context));
    bool has_bitmap = C.bitmap;
    cr_assert(placed_download(context, &C), "seed %lu: a gap is touched", first_seed);
    grid T = model_operation(&o, &A.content, &B.content), found = grid_of(&C);
    uint8_t *by_element = mask_by_element(mask, &C.dense);
    torc_scalar zero = {C.dense.type, {0, 0}};
    model_update(&expected, C.dense.type, &T, by_element, &update, has_bitmap, &zero);
    const char *difference = grid_difference(&expected, &found);
    cr_assert(!difference, "seed %lu, kind %d, %s %s %s on %s: %s", first_seed, o.kind,
        torc_unary_name(o.unary), torc_index_unary_name(o.index), torc_multiply_name(o.binary),
        torc_type_name(o.type), difference);

    torc_memory_release(context, one);
    if (update.mask != C.dense.bitmap) {
        torc_memory_release(context, (void *)(uintptr_t)update.mask);
    }
    free(mask);
    free(by_element);
    grid_free(&T);
    grid_free(&found);
    grid_free(&expected);
    free_argument(context, &A);
    free_argument(context, &B);
    placed_free(context, &C);
}

Test(elementwise, no_operation_is_not_supported)
{
    cr_expect_not(torc_operation_get_traits(NULL).is_supported);
}

Test(elementwise, is_what_a_model_says)
{
    torc_context *context = open_reference(0);
    for (uint64_t seed = 0; seed < CASES; seed++) {
        run_case(context, seed);
    }
    torc_context_destroy(context);
    cr_expect(torc_reference_bytes_held() == 0);
}
