/* test_elementwise_suitesparse.c: random operations and reductions of full and bitmap matrices by GraphBLAS
 * and by the engine: the same entries with the same bits, but for signs of zeros and NaN's own. Results are
 * bitmaps for the engine, so that no entry is forced on it.
 *
 * Left out: what GraphBLAS documents as open, and its faults: full masks with values (it crashes, 10.5 too),
 * select by values of another type (9.4 and 10.5 keep wrong ones), booleans accumulated by the operator
 * itself (7.4 leaves C as it is), eWiseAdd with one operand turned round (it casts that to the operator's
 * type while it turns it: EQ_UINT16 makes 0 of a lone -4.0, and 1 where nothing is turned), select by a NaN
 * that is yet to be cast (VALUEEQ_BOOL keeps nothing, though NaN casts to true). */
#include "../src/dense_model.h"
#include "../src/engine_fixture.h"
#include "../src/splitmix.h"
#include "operator_handles.h"
#include "value_types.h"
#include <stdlib.h>

enum { CASES = 12000, MOST = 14 };

/* ---- Both libraries' matrices ------------------------------------------------------------------------- */

/* As the placed operand, in its order, without its gaps. */
static GrB_Matrix matrix_of(const placed *p)
{
    const torc_dense *d = &p->dense;
    size_t size = torc_type_size(d->type), count = (size_t)(d->nrows * d->ncols);
    int64_t length = d->order == TORC_ROW_MAJOR ? d->ncols : d->nrows;
    unsigned char *data = malloc(count * size + size);
    int8_t *bitmap = calloc(count + 1, 1);
    GrB_Index nvals = 0;
    for (size_t k = 0; k < count; k++) {
        size_t at = (size_t)((int64_t)k / length * d->ld + (int64_t)k % length);
        memcpy(data + k * size, p->data + at * size, size);
        bitmap[k] = !p->bitmap || p->bitmap[at];
        nvals += (GrB_Index)bitmap[k];
    }
    GrB_Matrix made;
    void *values = data;
    bool by_row = d->order == TORC_ROW_MAJOR;
    cr_assert_eq(
        GrB_Matrix_new(&made, type_handle(d->type), (GrB_Index)d->nrows, (GrB_Index)d->ncols), GrB_SUCCESS);
    if (p->bitmap) {
        cr_assert_eq((by_row ? GxB_Matrix_pack_BitmapR : GxB_Matrix_pack_BitmapC)(
                         made, &bitmap, &values, count, count * size, false, nvals, NULL),
            GrB_SUCCESS);
    } else {
        cr_assert_eq((by_row ? GxB_Matrix_pack_FullR : GxB_Matrix_pack_FullC)(
                         made, &values, count * size, false, NULL),
            GrB_SUCCESS);
        free(bitmap);
    }
    return made;
}

static cell element_of(GrB_Matrix A, torc_type type, GrB_Index i, GrB_Index j)
{
    cell c = {false, {type, {0, 0}}};
    switch ((int)type) {
#define X(name, handle, ctype)                                                                               \
    case TORC_##name: {                                                                                      \
        ctype x = 0;                                                                                         \
        c.is_present = GrB_Matrix_extractElement(&x, A, i, j) == GrB_SUCCESS;                                \
        memcpy(c.x.value, &x, sizeof x);                                                                     \
        break;                                                                                               \
    }
        VALUE_TYPE_MAP(X)
#undef X
    }
    return c;
}

static grid grid_of_matrix(GrB_Matrix A, torc_type type, int64_t m, int64_t n)
{
    grid g = grid_new(m, n);
    for (int64_t i = 0; i < m; i++) {
        for (int64_t j = 0; j < n; j++) {
            *grid_at(&g, i, j) = element_of(A, type, (GrB_Index)i, (GrB_Index)j);
        }
    }
    return g;
}

static GrB_Scalar scalar_of(const torc_scalar *x)
{
    GrB_Scalar made;
    cr_assert_eq(GrB_Scalar_new(&made, type_handle(x->type)), GrB_SUCCESS);
    switch ((int)x->type) {
#define X(name, handle, ctype)                                                                               \
    case TORC_##name: {                                                                                      \
        ctype value;                                                                                         \
        memcpy(&value, x->value, sizeof value);                                                              \
        GxB_Scalar_setElement_##name(made, value);                                                           \
        break;                                                                                               \
    }
        VALUE_TYPE_MAP(X)
#undef X
    }
    return made;
}

/* The same but for signs of zeros. */
static void expect_same(
    const grid *expected, const grid *found, torc_type type, uint64_t seed, const char *what)
{
    for (int64_t p = 0; p < expected->m * expected->n; p++) {
        const cell *e = &expected->cells[p], *f = &found->cells[p];
        bool is_same = e->is_present == f->is_present &&
                       (!e->is_present || torc_value_equal((value_type)type, e->x.value, f->x.value));
        cr_assert(is_same, "seed %lu, %s, %s: (%ld,%ld) is %d %lx, GraphBLAS has %d %lx", seed, what,
            torc_type_name(type), p / expected->n, p % expected->n, f->is_present, f->x.value[0],
            e->is_present, e->x.value[0]);
    }
}

/* ---- What both are given ------------------------------------------------------------------------------ */

/* Complex values are small integers: what infinities and NaN become is for no one to rely on. */
static torc_scalar value_for_both(uint64_t *seed, torc_type type)
{
    torc_scalar x = random_value(seed, type);
    torc_fc64 small = {(double)(random_below(seed, 9) - 4), (double)(random_below(seed, 5) - 2)};
    if (type == TORC_FC32 || type == TORC_FC64) {
        torc_cast(x.value, type, &small, TORC_FC64);
    }
    return x;
}

static void fill(torc_context *context, uint64_t *seed, placed *p, torc_scalar (*draw)(uint64_t *, torc_type))
{
    size_t size = torc_type_size(p->dense.type);
    for (size_t k = 0; k < p->count; k++) {
        torc_scalar x = draw(seed, p->dense.type);
        memcpy(p->data + k * size, x.value, size);
    }
    cr_assert(torc_memory_upload(context, p->dense.data, p->data, p->count * size) == TORC_SUCCESS);
}

static torc_type random_type(uint64_t *seed)
{
    return (torc_type)random_below(seed, TORC_TYPE_COUNT);
}

static placed operand_for_both(torc_context *context, uint64_t *seed, int64_t m, int64_t n, torc_type type)
{
    placed p = placed_random(context, seed, m, n, type, false);
    fill(context, seed, &p, value_for_both);
    return p;
}

/* A bitmap for the engine, full or not for GraphBLAS. */
static void give_bitmap(torc_context *context, placed *C)
{
    if (!C->bitmap) {
        C->bitmap = malloc(C->count + 1);
        memset(C->bitmap, 1, C->count + 1);
        C->dense.bitmap = device_copy(context, C->bitmap, C->count + 1);
    }
}

typedef struct update_for_both {
    torc_update update;
    GrB_Matrix mask;
    GrB_BinaryOp accum;
    GrB_Descriptor desc;
} update_for_both;

static torc_multiply random_accum(uint64_t *seed, torc_type type)
{
    torc_multiply accum;
    torc_traits traits;
    do {
        accum = (torc_multiply)random_below(seed, TORC_FIRSTI);
        traits = torc_semiring_traits((torc_semiring){TORC_ANY_MONOID, accum, type, NULL, false});
    } while (!traits.is_supported || traits.z_type != type || !binary_handle(accum, type));
    return accum;
}

/* A bitmap of booleans in the layout of C. */
static GrB_Matrix random_mask_for_both(
    torc_context *context, uint64_t *seed, const placed *C, bool is_structural, const uint8_t **bytes)
{
    placed mask = {.dense = C->dense, .count = C->count};
    mask.dense.type = TORC_BOOL;
    mask.data = malloc(C->count + 1);
    mask.bitmap = malloc(C->count + 1);
    uint8_t *both = malloc(C->count + 1);
    for (size_t k = 0; k < C->count; k++) {
        mask.data[k] = (uint8_t)random_below(seed, 2);
        mask.bitmap[k] = random_below(seed, 3) > 0;
        both[k] = mask.bitmap[k] && (is_structural || mask.data[k]);
    }
    *bytes = device_copy(context, both, C->count + 1);
    GrB_Matrix made = matrix_of(&mask);
    free(mask.data);
    free(mask.bitmap);
    free(both);
    return made;
}

static update_for_both random_update(torc_context *context, uint64_t *seed, const placed *C)
{
    update_for_both u = {.mask = NULL};
    cr_assert_eq(GrB_Descriptor_new(&u.desc), GrB_SUCCESS);
    if (random_below(seed, 2)) {
        bool is_structural = random_below(seed, 2);
        u.update.complement = random_below(seed, 2);
        u.update.replace = random_below(seed, 2);
        u.mask = random_mask_for_both(context, seed, C, is_structural, &u.update.mask);
        int mask_field = (is_structural ? GrB_STRUCTURE : 0) + (u.update.complement ? GrB_COMP : 0);
        if (mask_field) {
            GrB_Descriptor_set(u.desc, GrB_MASK, (GrB_Desc_Value)mask_field);
        }
        if (u.update.replace) {
            GrB_Descriptor_set(u.desc, GrB_OUTP, GrB_REPLACE);
        }
    }
    if (C->dense.type != TORC_BOOL && random_below(seed, 2)) {
        u.update.has_accum = true;
        u.update.accum = random_accum(seed, C->dense.type);
        u.accum = binary_handle(u.update.accum, C->dense.type);
    }
    return u;
}

static void free_update(torc_context *context, update_for_both *u)
{
    torc_memory_release(context, (void *)(uintptr_t)u->update.mask);
    GrB_Matrix_free(&u->mask);
    GrB_Descriptor_free(&u->desc);
}

/* ---- Operations --------------------------------------------------------------------------------------- */

static bool exists_for_both(const torc_operation *o)
{
    torc_operation_traits traits = torc_operation_get_traits(o);
    if (!traits.is_supported) {
        return false;
    }
    switch (o->kind) {
    case TORC_APPLY:
        return unary_handle(o->unary, o->type);
    case TORC_APPLY_INDEX:
    case TORC_SELECT:
        return index_unary_handle(o->index, o->type);
    case TORC_EWISE_UNION: /* GraphBLAS 7.4 has one byte for a scalar that the operator ignores, and fills it
                            */
        return ((traits.reads_a && traits.reads_b) || torc_type_size(o->type) == 1) &&
               binary_handle(o->binary, o->type);
    default:
        return binary_handle(o->binary, o->type);
    }
}

static torc_operation random_operation(uint64_t *seed)
{
    torc_operation o = {.kind = TORC_APPLY};
    do {
        o.kind = (torc_operation_kind)random_below(seed, TORC_EWISE_UNION + 1);
        o.unary = (torc_unary)random_below(seed, TORC_UNARY_COUNT);
        o.index = (torc_index_unary)random_below(seed, TORC_INDEX_UNARY_COUNT);
        o.binary = (torc_multiply)random_below(seed, TORC_MULTIPLY_COUNT);
        o.type = random_type(seed);
    } while (!exists_for_both(&o));
    double near = (double)(random_below(seed, 60) - 30) / 4;
    o.alpha = value_for_both(seed, random_type(seed));
    o.beta = value_for_both(seed, random_type(seed));
    o.thunk = value_for_both(seed, o.kind == TORC_SELECT ? o.type : random_type(seed));
    if (torc_operation_get_traits(&o).is_positional) { /* beyond all positions sums overflow */
        o.thunk.type = TORC_FP64;
        memcpy(o.thunk.value, &near, sizeof near);
    }
    return o;
}

static GrB_Info run_graphblas(
    GrB_Matrix C, const update_for_both *u, const torc_operation *o, GrB_Matrix A, GrB_Matrix B)
{
    GrB_Scalar thunk = scalar_of(&o->thunk), alpha = scalar_of(&o->alpha), beta = scalar_of(&o->beta);
    GrB_BinaryOp binary = o->kind >= TORC_EWISE_MULT ? binary_handle(o->binary, o->type) : NULL;
    GrB_Info info = GrB_PANIC;
    switch (o->kind) {
    case TORC_APPLY:
        info = GrB_Matrix_apply(C, u->mask, u->accum, unary_handle(o->unary, o->type), A, u->desc);
        break;
    case TORC_APPLY_INDEX:
        info = GrB_Matrix_apply_IndexOp_Scalar(
            C, u->mask, u->accum, index_unary_handle(o->index, o->type), A, thunk, u->desc);
        break;
    case TORC_SELECT:
        info = GrB_Matrix_select_Scalar(
            C, u->mask, u->accum, index_unary_handle(o->index, o->type), A, thunk, u->desc);
        break;
    case TORC_EWISE_MULT:
        info = GrB_Matrix_eWiseMult_BinaryOp(C, u->mask, u->accum, binary, A, B, u->desc);
        break;
    case TORC_EWISE_ADD:
        info = GrB_Matrix_eWiseAdd_BinaryOp(C, u->mask, u->accum, binary, A, B, u->desc);
        break;
    case TORC_EWISE_UNION:
        info = GxB_Matrix_eWiseUnion(C, u->mask, u->accum, binary, A, alpha, B, beta, u->desc);
        break;
    }
    GrB_Scalar_free(&thunk);
    GrB_Scalar_free(&alpha);
    GrB_Scalar_free(&beta);
    return info;
}

static void check_operation(torc_context *context, uint64_t first_seed)
{
    uint64_t seed = first_seed;
    int64_t m = 1 + random_below(&seed, MOST), n = 1 + random_below(&seed, MOST);
    torc_operation o = random_operation(&seed);
    bool selects_values = o.kind == TORC_SELECT && !torc_operation_get_traits(&o).is_positional;
    bool transposes[2] = {random_below(&seed, 3) == 0, random_below(&seed, 3) == 0};
    if (o.kind == TORC_EWISE_ADD) {
        transposes[1] = transposes[0];
    }
    torc_type a_type = selects_values ? o.type : random_type(&seed);
    placed A = operand_for_both(context, &seed, transposes[0] ? n : m, transposes[0] ? m : n, a_type);
    placed B =
        operand_for_both(context, &seed, transposes[1] ? n : m, transposes[1] ? m : n, random_type(&seed));
    placed C = operand_for_both(context, &seed, m, n, random_type(&seed));
    GrB_Matrix matrix_a = matrix_of(&A), matrix_b = matrix_of(&B), matrix_c = matrix_of(&C);
    give_bitmap(context, &C);
    update_for_both u = random_update(context, &seed, &C);
    if (transposes[0]) {
        GrB_Descriptor_set(u.desc, GrB_INP0, GrB_TRAN);
    }
    if (transposes[1]) {
        GrB_Descriptor_set(u.desc, GrB_INP1, GrB_TRAN);
    }
    if (o.kind == TORC_EWISE_ADD) {
        GxB_Matrix_Option_set(matrix_a, GxB_FORMAT, GxB_BY_ROW);
        GxB_Matrix_Option_set(matrix_b, GxB_FORMAT, GxB_BY_ROW);
        GxB_Matrix_Option_set(matrix_c, GxB_FORMAT, GxB_BY_ROW);
    }
    torc_operand a = {.dense = &A.dense, .transpose = transposes[0]};
    torc_operand b = {.dense = &B.dense, .transpose = transposes[1]};
    cr_assert_eq(run_graphblas(matrix_c, &u, &o, matrix_a, matrix_b), GrB_SUCCESS);
    torc_status status = torc_elementwise(&C.dense, &o, context, &a, &b, &u.update);
    cr_assert(status == TORC_SUCCESS, "seed %lu: %s", first_seed, torc_context_error(context));
    cr_assert(placed_download(context, &C));

    char what[120];
    snprintf(what, sizeof what, "kind %d of %s, %s, %s on %s", o.kind, torc_unary_name(o.unary),
        torc_index_unary_name(o.index), torc_multiply_name(o.binary), torc_type_name(o.type));
    grid expected = grid_of_matrix(matrix_c, C.dense.type, m, n), found = grid_of(&C);
    expect_same(&expected, &found, C.dense.type, first_seed, what);
    grid_free(&expected);
    grid_free(&found);
    free_update(context, &u);
    GrB_Matrix_free(&matrix_a);
    GrB_Matrix_free(&matrix_b);
    GrB_Matrix_free(&matrix_c);
    placed_free(context, &A);
    placed_free(context, &B);
    placed_free(context, &C);
}

/* ---- Reductions --------------------------------------------------------------------------------------- */

/* Sums, and products of what is cast to booleans or one, that no order changes. */
static torc_scalar sign(uint64_t *seed, torc_type type)
{
    torc_scalar x = {type, {0, 0}};
    double one = type == TORC_FC32 || type == TORC_FC64 || random_below(seed, 3) ? 1 : -1;
    torc_cast(x.value, type, &one, TORC_FP64);
    return x;
}

static torc_scalar small_integer(uint64_t *seed, torc_type type)
{
    torc_scalar x = {type, {0, 0}};
    int64_t value = random_below(seed, 9) - 4;
    torc_cast(x.value, type, &value, TORC_INT64);
    return x;
}

static void check_reduction(torc_context *context, uint64_t first_seed)
{
    uint64_t seed = first_seed;
    int64_t m = 1 + random_below(&seed, MOST), n = 1 + random_below(&seed, MOST);
    torc_reduction r = {TORC_ANY_MONOID, TORC_BOOL, NULL};
    while (r.add == TORC_ANY_MONOID || !monoid_handle(r.add, r.type)) {
        r.add = (torc_monoid)random_below(&seed, TORC_MONOID_COUNT);
        r.type = random_type(&seed);
    }
    placed A = operand_for_both(context, &seed, m, n, random_type(&seed));
    if (r.add == TORC_PLUS_MONOID || r.add == TORC_TIMES_MONOID) {
        fill(context, &seed, &A, r.add == TORC_PLUS_MONOID ? small_integer : sign);
    }
    bool transpose = random_below(&seed, 2);
    placed w = operand_for_both(context, &seed, transpose ? n : m, 1, random_type(&seed));
    GrB_Matrix matrix_a = matrix_of(&A), matrix_w = matrix_of(&w);
    give_bitmap(context, &w);
    update_for_both u = random_update(context, &seed, &w);
    if (transpose) {
        GrB_Descriptor_set(u.desc, GrB_INP0, GrB_TRAN);
    }
    /* Columns of one, n x 1, pass for vectors when they lie by column. */
    GxB_Matrix_Option_set(matrix_w, GxB_FORMAT, GxB_BY_COL);
    if (u.mask) {
        GxB_Matrix_Option_set(u.mask, GxB_FORMAT, GxB_BY_COL);
    }
    GrB_Monoid monoid = monoid_handle(r.add, r.type);
    cr_assert_eq(
        GrB_Matrix_reduce_Monoid((GrB_Vector)matrix_w, (GrB_Vector)u.mask, u.accum, monoid, matrix_a, u.desc),
        GrB_SUCCESS);
    torc_status status = torc_reduce_to_vector(&w.dense, r, context, &A.dense, transpose, &u.update);
    cr_assert(status == TORC_SUCCESS, "seed %lu: %s", first_seed, torc_context_error(context));
    cr_assert(placed_download(context, &w));
    grid expected = grid_of_matrix(matrix_w, w.dense.type, w.dense.nrows, 1), found = grid_of(&w);
    char what[80];
    snprintf(what, sizeof what, "%s on %s", torc_monoid_name(r.add), torc_type_name(r.type));
    expect_same(&expected, &found, w.dense.type, first_seed, what);

    GrB_Matrix one;
    GrB_Scalar sum;
    cr_assert_eq(GrB_Scalar_new(&sum, type_handle(r.type)), GrB_SUCCESS);
    cr_assert_eq(GrB_Matrix_reduce_Monoid_Scalar(sum, NULL, monoid, matrix_a, NULL), GrB_SUCCESS);
    cr_assert_eq(GrB_Matrix_new(&one, type_handle(r.type), 1, 1), GrB_SUCCESS);
    cr_assert_eq(GrB_Matrix_setElement_Scalar(one, sum, 0, 0), GrB_SUCCESS);
    cell of_graphblas = element_of(one, r.type, 0, 0), own = {true, {r.type, {0, 0}}};
    bool is_empty;
    cr_assert(torc_reduce_to_scalar(own.x.value, &is_empty, r, context, &A.dense) == TORC_SUCCESS);
    own.is_present = !is_empty;
    expect_same(&(grid){1, 1, &of_graphblas}, &(grid){1, 1, &own}, r.type, first_seed, what);

    grid_free(&expected);
    grid_free(&found);
    free_update(context, &u);
    GrB_Scalar_free(&sum);
    GrB_Matrix_free(&one);
    GrB_Matrix_free(&matrix_a);
    GrB_Matrix_free(&matrix_w);
    placed_free(context, &A);
    placed_free(context, &w);
}

Test(elementwise_suitesparse, has_the_same_results)
{
    cr_assert_eq(GrB_init(GrB_NONBLOCKING), GrB_SUCCESS);
    torc_context *context = open_reference(0);
    for (uint64_t seed = 0; seed < CASES; seed++) {
        check_operation(context, seed);
    }
    torc_context_destroy(context);
    GrB_finalize();
}

Test(elementwise_suitesparse, has_the_same_reductions)
{
    cr_assert_eq(GrB_init(GrB_NONBLOCKING), GrB_SUCCESS);
    torc_context *context = open_reference(0);
    for (uint64_t seed = 0; seed < CASES; seed++) {
        check_reduction(context, seed);
    }
    torc_context_destroy(context);
    GrB_finalize();
}
