/* C⟨M,r⟩ = accum (C, A ⊕.⊗ B) in one pass with the product: every descriptor, mask, accumulator and format
 * beside GrB_mxm, and what is to be fused is. */
#include "epilogue.h"
#include "glue_fixture.h"
#include "match.h"
#include "outcome.h"
#include "plain_call.h"
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static const torc_semiring plus_times = {TORC_PLUS_MONOID, TORC_TIMES, TORC_INT64};

TestSuite(epilogue, .init = torc_glue_start, .fini = torc_glue_finish);

/* ---- Everything beside GrB_mxm ------------------------------------------------------------------------ */

typedef struct state {
    int format;
    double density;
    bool by_col, iso;
} state;

static void set_state(matrix_recipe *recipe, const state *s)
{
    recipe->format = recipe->control = s->format;
    recipe->density = s->density;
    recipe->by_col = s->by_col;
    recipe->iso = s->iso;
}

static const state states_of_c[] = {
    {GxB_SPARSE, 0, false, false},
    {GxB_HYPERSPARSE, 0.4, true, false},
    {GxB_SPARSE, 0.6, false, false},
    {GxB_BITMAP, 0, true, false},
    {GxB_BITMAP, 0.5, false, false},
    {GxB_BITMAP, 0.5, true, true},
    {GxB_BITMAP, 1, false, true},
    {GxB_FULL, 1, false, false},
    {GxB_FULL, 1, true, false},
    {GxB_FULL, 1, false, true},
};
static const state states_of_mask[] = {
    {GxB_SPARSE, 0.5, false, false},
    {GxB_SPARSE, 0.5, true, true},
    {GxB_HYPERSPARSE, 0.3, true, false},
    {GxB_BITMAP, 0.5, false, false},
    {GxB_BITMAP, 0.5, true, false},
    {GxB_BITMAP, 0.7, false, true},
    {GxB_BITMAP, 0, true, false},
    {GxB_FULL, 1, false, false},
    {GxB_FULL, 1, true, true},
};
static const state states_of_d[] = {
    {GxB_FULL, 1, false, false},
    {GxB_FULL, 1, true, true},
    {GxB_BITMAP, 0.3, false, false},
    {GxB_BITMAP, 0.6, true, false},
    {GxB_BITMAP, 0.6, false, true},
};

enum { DESCRIPTORS = 32 };
#define COUNT(array) (int)(sizeof(array) / sizeof(array)[0])

static void set_descriptor(random_call *call, int number)
{
    call->has_replace = number & 1;
    call->has_structure = number & 2;
    call->has_complement = number & 4;
    call->transpose_a = number & 8;
    call->transpose_b = number & 16;
    snprintf(call->desc_name, sizeof call->desc_name, "GrB_DESC_%s%s%s%s%s", call->has_replace ? "R" : "",
        call->has_structure ? "S" : "", call->has_complement ? "C" : "", call->transpose_a ? "T0" : "",
        call->transpose_b ? "T1" : "");
    call->desc = number ? torc_graphblas_handle(call->desc_name) : NULL;
}

/* plus and minus of the right type, and one that torc does not fuse. */
static void set_accum(random_call *call, int number)
{
    static const char *const names[] = {NULL, "PLUS", "RMINUS", "PLUS"};
    call->accum_type = number == 3 ? VALUE_INT32 : VALUE_INT64;
    if (names[number]) {
        const char *type = torc_value_type_name(call->accum_type);
        call->accum = torc_graphblas_operator(names[number], type);
        snprintf(call->accum_name, sizeof call->accum_name, "%s_%s", names[number], type);
    }
}

static void exchange(GrB_Index *x, GrB_Index *y)
{
    GrB_Index z = *x;
    *x = *y;
    *y = z;
}

/* A, or B if is_flipped, is the sparse one; by_col: as it is stored. */
static random_call new_call(int desc, int accum, bool is_flipped, bool by_col)
{
    random_call call = torc_plain_call(plus_times, 6, 7, 5);
    matrix_recipe *A = &call.recipes[OPERAND_A], *B = &call.recipes[OPERAND_B];
    set_descriptor(&call, desc);
    set_accum(&call, accum);
    const state sparse = {by_col ? GxB_HYPERSPARSE : GxB_SPARSE, 0.3, by_col, false};
    set_state(is_flipped ? B : A, &sparse);
    if (call.transpose_a) {
        exchange(&A->nrows, &A->ncols);
    }
    if (call.transpose_b) {
        exchange(&B->nrows, &B->ncols);
    }
    return call;
}

/* With C, mask and D in these states; mask NULL: none. */
static void check_call(random_call call, bool is_flipped, const state *c, const state *mask, const state *d)
{
    set_state(&call.recipes[OPERAND_C], c);
    set_state(&call.recipes[is_flipped ? OPERAND_A : OPERAND_B], d);
    call.has_mask = mask;
    if (mask) {
        set_state(&call.recipes[OPERAND_M], mask);
    }
    mxm_trace trace;
    bool is_for_device;
    outcome expected = torc_outcome_of_suitesparse(&call, &is_for_device);
    outcome actual = torc_outcome_of_torc(&call, &trace);
    cr_assert_eq(is_for_device, strcmp(trace.where, "cpu") != 0, "%s", torc_random_call_describe(&call));
    torc_outcome_check(&call, &expected, &actual, &trace);
}

enum { TURNS = 3 };

/* A third of the masks each time, in turn. The crash of 7.4.0 with accumulator and mask is kept away by small
 * operands. */
Test(epilogue, every_descriptor_mask_accumulator_and_format_is_as_suitesparse_has_it)
{
    for (int number = 0; number < DESCRIPTORS * 4 * 2 * COUNT(states_of_d); number++) {
        int desc = number % DESCRIPTORS, accum = number / DESCRIPTORS % 4;
        bool is_flipped = number / DESCRIPTORS / 4 % 2;
        const state *d = &states_of_d[number / DESCRIPTORS / 8];
        random_call call = new_call(desc, accum, is_flipped, number % 3 == 0);
        for (int c = 0; c < COUNT(states_of_c); c++) {
            check_call(call, is_flipped, &states_of_c[c], NULL, d);
            for (int m = (number / 3 + c) % TURNS; m < COUNT(states_of_mask); m += TURNS) {
                check_call(call, is_flipped, &states_of_c[c], &states_of_mask[m], d);
            }
        }
    }
}

/* More than half of A's rows have no entries, and more than half of its columns: these rows of C and B stay
 * where they are. */
Test(epilogue, rows_that_no_entry_needs_are_right_too)
{
    static const state states[] = {{GxB_FULL, 1, false, false}, {GxB_FULL, 1, false, true},
        {GxB_BITMAP, 0.5, false, false}, {GxB_BITMAP, 0, false, false}};
    for (int number = 0; number < COUNT(states) * 8; number++) {
        bool is_flipped = number & 1, is_transposed = number & 2;
        random_call call = is_flipped ? torc_plain_call(plus_times, 128, 2500, 3000)
                                      : torc_plain_call(plus_times, 3000, 2500, 128);
        const state sparse = {GxB_SPARSE, 0.0002, is_flipped, false}, d = {GxB_FULL, 1, is_flipped, false};
        matrix_recipe *S = &call.recipes[is_flipped ? OPERAND_B : OPERAND_A];
        set_descriptor(&call, !is_transposed ? 0 : is_flipped ? 16 : 8);
        set_accum(&call, number >> 2 & 1);
        set_state(S, &sparse);
        if (is_transposed) {
            exchange(&S->nrows, &S->ncols);
        }
        state c = states[number >> 3];
        c.by_col = is_flipped;
        call.recipes[OPERAND_C].seed = 7; /* the one value of an iso C is not 0 */
        check_call(call, is_flipped, &c, NULL, &d);
    }
}

/* ---- What is fused ------------------------------------------------------------------------------------ */

static torc_view view_of(GrB_Matrix A)
{
    torc_view view;
    cr_assert_eq(torc_view_open(&view, torc_binding_get(), A), GrB_SUCCESS);
    return view;
}

typedef struct planned {
    torc_view A, B, C, mask;
    torc_product product;
    torc_epilogue epilogue;
} planned;

static void plan(planned *p, const torc_output *output, GrB_Semiring semiring, GrB_Matrix A, GrB_Matrix B,
    bool transpose_b)
{
    torc_semiring known;
    const char *why = "";
    p->A = view_of(A);
    p->B = view_of(B);
    p->C = view_of(output->C);
    if (output->mask) {
        p->mask = view_of(output->mask);
    }
    cr_assert(torc_match_semiring(&known, torc_binding_get(), semiring));
    const torc_factor a = {A, &p->A, false}, b = {B, &p->B, transpose_b};
    cr_assert(torc_product_plan(&p->product, &why, known, &a, &b, p->C.by_col), "%s", why);
    torc_epilogue_plan(&p->epilogue, output, &p->C, output->mask ? &p->mask : NULL, &p->product,
        torc_type_handle(p->product.result_view.type), false);
}

/* A semiring of LAGraph's, and what is in the frontier. */
typedef struct pull {
    GrB_Semiring semiring;
    value_type type;
    bool is_position; /* C(i,j) is a k with F(i,k) and S(k,j), any */
} pull;

static bool has_entry(GrB_Matrix X, GrB_Index i, GrB_Index j)
{
    int64_t x;
    return GrB_Matrix_extractElement_INT64(&x, X, i, j) == GrB_SUCCESS;
}

static void check_positions(const entries *e, GrB_Matrix F, GrB_Matrix S, bool transpose_s)
{
    const int32_t *values = e->values;
    for (GrB_Index i = 0; i < e->nrows; i++) {
        for (GrB_Index p = e->ptr[i]; p < e->ptr[i + 1]; p++) {
            GrB_Index j = e->idx[p], k = (GrB_Index)values[p];
            cr_assert(has_entry(F, i, k) && has_entry(S, transpose_s ? j : k, transpose_s ? k : j),
                "C(%d,%d) is %d", (int)i, (int)j, (int)k);
        }
    }
}

/* frontier⟨mask,r⟩ = frontier ⊕.⊗ S, the frontier s×n, bitmap by row. */
static void check_pull(const pull *p, const char *desc_name, int mask_format)
{
    enum { SOURCES = 4, N = 90 };
    bool has_complement = strstr(desc_name, "SC"), transpose_s = strstr(desc_name, "T1");
    GrB_Descriptor desc = torc_graphblas_handle(desc_name);
    const matrix_recipe frontier = {.seed = 1,
        .nrows = SOURCES,
        .ncols = N,
        .type = p->type,
        .format = GxB_BITMAP,
        .control = GxB_BITMAP,
        .density = 0.3};
    const matrix_recipe graph = {.seed = 2,
        .nrows = N,
        .ncols = N,
        .type = VALUE_BOOL,
        .iso = true,
        .format = GxB_SPARSE,
        .density = 0.05,
        .has_complete_vector = true};
    const matrix_recipe paths = {.seed = 3,
        .nrows = SOURCES,
        .ncols = N,
        .type = VALUE_FP64,
        .iso = true,
        .format = mask_format,
        .control = mask_format,
        .density = 0.4};
    GrB_Matrix F = torc_random_matrix(&frontier), before = torc_random_matrix(&frontier);
    GrB_Matrix expected = torc_random_matrix(&frontier);
    GrB_Matrix S = torc_random_matrix(&graph), M = torc_random_matrix(&paths);
    planned call;
    const torc_output output = {F, M, NULL, true, has_complement, true};
    plan(&call, &output, p->semiring, F, S, transpose_s);
    cr_assert(call.epilogue.is_fused && !call.epilogue.reads_old, "%s", desc_name);

    mxm_trace trace;
    cr_assert_eq(GrB_mxm(expected, M, NULL, p->semiring, expected, S, desc), GrB_SUCCESS);
    cr_assert_eq(torc_traced_mxm(&trace, F, M, NULL, p->semiring, F, S, desc), GrB_SUCCESS);
    cr_assert_str_neq(trace.where, "cpu", "%s", trace.text);
    entries e = torc_entries_of(expected), a = torc_entries_of(F);
    cr_assert_eq(a.nvals, e.nvals, "%s: %d entries, not %d", desc_name, (int)a.nvals, (int)e.nvals);
    cr_assert_arr_eq(a.ptr, e.ptr, (SOURCES + 1) * sizeof *a.ptr);
    cr_assert_arr_eq(a.idx, e.idx, a.nvals * sizeof *a.idx);
    cr_assert_gt(a.nvals, 0);
    if (p->is_position) {
        check_positions(&a, before, S, transpose_s);
    } else {
        cr_assert_arr_eq(a.values, e.values, a.nvals * a.value_size);
    }
    cr_assert_eq(a.status, GxB_BITMAP);
    torc_entries_free(&e);
    torc_entries_free(&a);
    GrB_Matrix *all[] = {&F, &before, &expected, &S, &M};
    for (int i = 0; i < COUNT(all); i++) {
        GrB_Matrix_free(all[i]);
    }
}

Test(epilogue, the_pulls_of_lagraph_are_fused)
{
    GrB_Semiring plus_first, any_one;
    cr_assert_eq(GrB_Semiring_new(&plus_first, GrB_PLUS_MONOID_FP64, GrB_FIRST_FP64), GrB_SUCCESS);
    cr_assert_eq(GrB_Semiring_new(&any_one, GxB_ANY_BOOL_MONOID, GrB_ONEB_BOOL), GrB_SUCCESS);
    const pull pulls[] = {
        {plus_first, VALUE_FP64, false},
        {GxB_ANY_SECONDI_INT32, VALUE_INT32, true},
        {any_one, VALUE_BOOL, false},
    };
    static const char *const descs[] = {"GrB_DESC_RSC", "GrB_DESC_RSCT1", "GrB_DESC_RS", "GrB_DESC_RST1"};
    static const int mask_formats[] = {GxB_SPARSE, GxB_BITMAP};
    for (int i = 0; i < COUNT(pulls) * COUNT(descs) * COUNT(mask_formats); i++) {
        check_pull(&pulls[i % COUNT(pulls)], descs[i / COUNT(pulls) % COUNT(descs)],
            mask_formats[i / COUNT(pulls) / COUNT(descs)]);
    }
    GrB_Semiring_free(&plus_first);
    GrB_Semiring_free(&any_one);
}

/* python-graphblas: C is set to all zeros, then C += A*B. */
Test(epilogue, adding_to_a_full_c_of_one_value_moves_nothing_more_than_the_product)
{
    random_call call = torc_plain_call(plus_times, 40, 30, 8);
    call.recipes[OPERAND_C].format = GxB_FULL;
    call.recipes[OPERAND_C].iso = true;
    set_accum(&call, 1);
    call_operands operands = torc_call_operands_new(&call);
    GrB_Matrix *X = operands.matrices;
    planned p;
    const torc_output output = {.C = X[OPERAND_C], .accum = call.accum};
    plan(&p, &output, call.semiring.handle, X[OPERAND_A], X[OPERAND_B], false);
    cr_expect(p.epilogue.is_fused && p.epilogue.is_full && !p.epilogue.has_presence);
    cr_expect_eq(p.product.side_bytes, 0);
    torc_call_operands_free(&call, &operands);

    mxm_trace trace;
    outcome expected = torc_outcome_of_suitesparse(&call, NULL), actual = torc_outcome_of_torc(&call, &trace);
    cr_expect_eq(actual.C.status, GxB_FULL);
    torc_outcome_check(&call, &expected, &actual, &trace);
}
