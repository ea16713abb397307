/* outcome.c: see outcome.h. */
#include "outcome.h"
#include "compare.h"
#include "mask_bytes.h"
#include "require.h"
#include "small_full.h"
#include <string.h>

outcome torc_outcome(GrB_Info info, GrB_Matrix C)
{
    outcome o = {.info = info};
    const char *error = "";
    GrB_Matrix_error(&error, C);
    snprintf(o.error, sizeof o.error, "%s", error);
    o.C = torc_entries_of(C);
    return o;
}

static int status_of(GrB_Matrix X)
{
    int status;
    TORC_REQUIRE(GxB_Matrix_Option_get(X, GxB_SPARSITY_STATUS, &status) == GrB_SUCCESS);
    return status;
}

static bool has_entries(GrB_Matrix X)
{
    GrB_Index nvals;
    TORC_REQUIRE(GrB_Matrix_nvals(&nvals, X) == GrB_SUCCESS);
    return nvals > 0;
}

static bool is_sparse(GrB_Matrix X)
{
    return status_of(X) == GxB_SPARSE || status_of(X) == GxB_HYPERSPARSE;
}

static bool has_torc_type(const random_call *call, int operand)
{
    return torc_random_call_recipe(call, operand)->type < (value_type)TORC_TYPE_COUNT;
}

static bool has_negative_zero(GrB_Matrix mask)
{
    torc_view view;
    TORC_REQUIRE(torc_view_open(&view, torc_binding_get(), mask) == GrB_SUCCESS);
    return torc_mask_has_negative_zeros(&view);
}

static bool is_small_times_long(const random_call *call, GrB_Matrix A, GrB_Matrix B)
{
    torc_view a, b;
    TORC_REQUIRE(torc_view_open(&a, torc_binding_get(), A) == GrB_SUCCESS);
    TORC_REQUIRE(torc_view_open(&b, torc_binding_get(), B) == GrB_SUCCESS);
    return !is_sparse(A) && !is_sparse(B) &&
           torc_two_dense_of(&a, call->transpose_a, &b, call->transpose_b).is_long;
}

/* A mask that does not fit is SuiteSparse's: 7.4.0 overlooks it where it is of no consequence. */
static bool is_promised(const random_call *call, const GrB_Matrix *X)
{
    const matrix_recipe *M = torc_random_call_recipe(call, OPERAND_M);
    const matrix_recipe *C = torc_random_call_recipe(call, OPERAND_C);
    bool fits = !call->has_mask || (M->nrows == C->nrows && M->ncols == C->ncols);
    bool has_source = call->semiring.has_source;
    if (!fits || !(call->semiring.is_known || has_source) || (call->has_complement && !call->has_mask)) {
        return false;
    }
    if (call->has_mask && !call->has_structure && has_negative_zero(X[OPERAND_M])) {
        return false;
    }
    GrB_Matrix A = X[OPERAND_A], B = X[OPERAND_B];
    torc_traits traits = torc_semiring_traits(call->semiring.known);
    bool is_product = is_sparse(A) != is_sparse(B) || is_small_times_long(call, A, B);
    bool reads_a = has_source || traits.reads_a, reads_b = has_source || traits.reads_b;
    bool has_types =
        (!reads_a || has_torc_type(call, OPERAND_A)) && (!reads_b || has_torc_type(call, OPERAND_B));
    return is_product && has_types && has_entries(A) && has_entries(B) && C->nrows > 0 && C->ncols > 0;
}

/* 7.4.0 gives positional operators the place in a hypersparse operand's list instead of the index. */
static void make_positions_right(const random_call *call, GrB_Matrix X)
{
    bool is_positional = torc_semiring_traits(call->semiring.known).is_positional;
    if (is_positional && status_of(X) == GxB_HYPERSPARSE) {
        TORC_REQUIRE(GxB_Matrix_Option_set(X, GxB_SPARSITY_CONTROL, GxB_SPARSE) == GrB_SUCCESS);
    }
}

/* Operands are finished first: an unsorted one lets SuiteSparse sum, or choose, in another order. */
outcome torc_outcome_of_suitesparse(const random_call *call, bool *is_for_device)
{
    call_operands operands = torc_call_operands_new(call);
    GrB_Matrix *X = operands.matrices;
    for (int i = 0; i < OPERAND_COUNT; i++) {
        TORC_REQUIRE(!X[i] || GrB_Matrix_wait(X[i], GrB_MATERIALIZE) == GrB_SUCCESS);
    }
    bool is_for_torc = is_promised(call, X);
    entries before = torc_entries_of(X[OPERAND_C]);
    if (is_for_torc) {
        make_positions_right(call, X[OPERAND_A]);
        make_positions_right(call, X[OPERAND_B]);
    }
    GrB_Info info = GrB_mxm(X[OPERAND_C], X[OPERAND_M], call->accum, call->semiring.handle, X[OPERAND_A],
        X[OPERAND_B], call->desc);
    outcome o = torc_outcome(info, X[OPERAND_C]);
    torc_call_operands_free(call, &operands);
    torc_entries_free(&before);
    if (is_for_torc) { /* C keeps its settings; 7.4.0 at times gives it those of the mask */
        o.C.control = before.control;
        o.C.hyper_switch = before.hyper_switch;
        o.C.bitmap_switch = before.bitmap_switch;
    }
    if (is_for_device) {
        *is_for_device = is_for_torc && info == GrB_SUCCESS;
    }
    return o;
}

outcome torc_outcome_of_torc(const random_call *call, mxm_trace *trace)
{
    call_operands operands = torc_call_operands_new(call);
    GrB_Matrix *X = operands.matrices;
    GrB_Info info = torc_traced_mxm(trace, X[OPERAND_C], X[OPERAND_M], call->accum, call->semiring.handle,
        X[OPERAND_A], X[OPERAND_B], call->desc);
    outcome o = torc_outcome(info, X[OPERAND_C]);
    torc_call_operands_free(call, &operands);
    return o;
}

const char *torc_outcome_difference(const random_call *call, const outcome *expected, const outcome *actual)
{
    static char text[1200];
    if (actual->info != expected->info) {
        snprintf(text, sizeof text, "status %d instead of %d", actual->info, expected->info);
        return text;
    }
    if (strcmp(actual->error, expected->error) != 0) {
        snprintf(text, sizeof text, "error text \"%s\" instead of \"%s\"", actual->error, expected->error);
        return text;
    }
    return torc_compare(call, &expected->C, &actual->C);
}
