/* outcome.c: see outcome.h. */
#include "outcome.h"
#include "compare.h"
#include <criterion/criterion.h>
#include <stdio.h>

outcome torc_outcome(GrB_Info info, GrB_Matrix C)
{
    outcome o = {.info = info};
    const char *error = "";
    GrB_Matrix_error(&error, C);
    snprintf(o.error, sizeof o.error, "%s", error);
    o.C = torc_entries_of(C);
    return o;
}

static bool is_sparse(const entries *e)
{
    return e->status == GxB_SPARSE || e->status == GxB_HYPERSPARSE;
}

static bool is_dense(const entries *e)
{
    return e->status == GxB_FULL || (e->status == GxB_BITMAP && e->nvals == e->nrows * e->ncols);
}

static bool has_torc_type(const random_call *call, int operand)
{
    return torc_random_call_recipe(call, operand)->type < (value_type)TORC_TYPE_COUNT;
}

/* A mask that does not fit is SuiteSparse's: 7.4.0 overlooks it where it is of no consequence. */
static bool is_promised(const random_call *call, const GrB_Matrix *X)
{
    const matrix_recipe *M = torc_random_call_recipe(call, OPERAND_M);
    const matrix_recipe *C = torc_random_call_recipe(call, OPERAND_C);
    bool fits = !call->has_mask || (M->nrows == C->nrows && M->ncols == C->ncols);
    if (!fits || !call->semiring.is_known || (call->has_complement && !call->has_mask)) {
        return false;
    }
    entries A = torc_entries_of(X[OPERAND_A]), B = torc_entries_of(X[OPERAND_B]);
    torc_traits traits = torc_semiring_traits(call->semiring.known);
    bool is_product = (is_sparse(&A) && is_dense(&B)) || (is_dense(&A) && is_sparse(&B));
    bool has_types = (!traits.reads_a || has_torc_type(call, OPERAND_A)) &&
                     (!traits.reads_b || has_torc_type(call, OPERAND_B));
    bool has_entries = A.nvals > 0 && B.nvals > 0 && C->nrows > 0 && C->ncols > 0;
    torc_entries_free(&A);
    torc_entries_free(&B);
    return is_product && has_types && has_entries;
}

/* Operands are finished first: an unsorted one lets SuiteSparse sum, or choose, in another order. */
outcome torc_outcome_of_suitesparse(const random_call *call, bool *is_for_device)
{
    call_operands operands = torc_call_operands_new(call);
    GrB_Matrix *X = operands.matrices;
    for (int i = 0; i < OPERAND_COUNT; i++) {
        cr_assert(!X[i] || GrB_Matrix_wait(X[i], GrB_MATERIALIZE) == GrB_SUCCESS);
    }
    bool is_for_torc = is_promised(call, X);
    entries before = torc_entries_of(X[OPERAND_C]);
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

void torc_outcome_check(const random_call *call, outcome *expected, outcome *actual, const mxm_trace *trace)
{
    const char *about = torc_random_call_describe(call);
    cr_assert_eq(actual->info, expected->info, "status %d instead of %d\n%s%s", actual->info, expected->info,
        about, trace->text);
    cr_assert_str_eq(actual->error, expected->error, "%s%s", about, trace->text);
    const char *difference = torc_compare(call, &expected->C, &actual->C);
    cr_assert_null(difference, "%s\n%s%s", difference, about, trace->text);
    torc_entries_free(&expected->C);
    torc_entries_free(&actual->C);
}
