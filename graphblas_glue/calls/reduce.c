#include "arena.h"
#include "away.h"
#include "clock.h"
#include "cpu_time.h"
#include "dense_call.h"
#include "match.h"
#include "missing_kernels.h"
#include "operations.h"
#include "placement.h"
#include "session.h"
#include "statistics.h"
#include "trial.h"
#include "user_operation.h"

GrB_BinaryOp torc_operator_of_reduction(GrB_BinaryOp op)
{
    const torc_binding *graphblas = torc_binding_get();
    torc_reduction reduction;
    bool is_known = op && graphblas && graphblas->is_known;
    return is_known && torc_match_add(&reduction.add, &reduction.type, op) ? op : NULL;
}

bool torc_try_reduce_rows(const torc_target *target, GrB_BinaryOp op, GrB_Matrix A)
{
    if (!torc_dense_call_is_thinkable(A)) {
        return false;
    }
    torc_dense_call call = torc_dense_call_begin(target);
    call.is_reduction = true;
    call.ninputs = 1;
    call.inputs[0].matrix = A;
    return torc_dense_call_read_descriptor(&call, target->desc) &&
           torc_match_reduction(&call.reduction, &call.user, op) && torc_dense_call_try(&call);
}

/* Where A is, it is reduced: one value travels. */
static bool is_there(const torc_view *view)
{
    torc_origin origin = {.arrays[TORC_ORIGIN_VALUES] = {
                              view->values, (size_t)view->nvec * (size_t)view->veclen * view->type_size}};
    return torc_away_journey(view->values) != 0 || torc_away_journey(view->bitmap) != 0 ||
           (origin.arrays[TORC_ORIGIN_VALUES].size >= TORC_ARENA_SMALLEST && torc_residency_has(&origin));
}

/* ⊕ of all of A, of the monoid's type. */
static bool reduce_by(torc_scalar *result, bool *is_empty, torc_reduction reduction, const torc_view *A)
{
    bool is_forced = torc_dense_is_forced();
    torc_type a_type;
    const char *why;
    if (!torc_match_type(&a_type, A->type) || reduction.type > TORC_OPAQUE) {
        return false;
    }
    uint64_t kernel = ((uint64_t)reduction.add * TORC_TYPE_COUNT + reduction.type) * TORC_TYPE_COUNT + a_type;
    double bytes = (double)A->nrows * (double)A->ncols * (double)A->type_size;
    if (!is_forced && torc_missing_kernels_hold_back(kernel, bytes)) {
        return false;
    }
    double start = torc_clock();
    torc_context *context = torc_session_acquire(&why, is_forced ? TORC_FOREVER : 0);
    if (!context) {
        return false;
    }
    torc_placed_dense placed;
    *result = (torc_scalar){.type = reduction.type};
    torc_context_defer_kernels(context, !is_forced);
    uint64_t sent = torc_placed_bytes_sent();
    torc_status status = torc_place_dense(&placed, context, A, a_type, true, NULL);
    sent = torc_placed_bytes_sent() - sent;
    if (status == TORC_SUCCESS) {
        status = torc_reduce_to_scalar(result->value, is_empty, reduction, context, &placed.dense);
        torc_placed_release(&placed, context);
    }
    torc_session_release();
    if (status == TORC_NOT_COMPILED) {
        torc_missing_kernels_compile(kernel);
    } else if (reduction.definition && (status == TORC_COMPILE_ERROR || status == TORC_NO_COMPILER)) {
        torc_user_source_refuse(reduction.definition->source);
    } else if (status == TORC_COMPILE_ERROR || status == TORC_NO_COMPILER) {
        torc_missing_kernels_give_up(kernel);
    }
    if (status == TORC_SUCCESS) {
        double seconds = torc_clock() - start;
        torc_statistics_count_dense("GrB_reduce", seconds, sent);
        double cpu = torc_cpu_pass_seconds(&(torc_cpu_pass){.bytes = bytes}, torc_rates_get());
        torc_trial_note(cpu, seconds - torc_session_waited(), torc_residency_count().return_seconds);
    }
    return status == TORC_SUCCESS;
}

/* The identity of a user-defined monoid is for GraphBLAS to tell. */
static bool reduce(torc_scalar *result, bool *is_empty, GrB_BinaryOp op, GrB_Matrix A)
{
    torc_view view;
    torc_reduction reduction;
    torc_user_semiring user = {.source = NULL};
    if (!torc_dense_call_is_thinkable(A) || torc_view_open(&view, torc_binding_get(), A) != GrB_SUCCESS ||
        (view.format != TORC_FULL && view.format != TORC_BITMAP) || view.iso ||
        (!torc_dense_is_forced() && !is_there(&view))) {
        return false;
    }
    bool is_done = torc_match_reduction(&reduction, &user, op) &&
                   reduce_by(result, is_empty, reduction, &view) && !(*is_empty && user.source);
    torc_user_semiring_release(&user);
    return is_done;
}

bool torc_try_reduce(void *value, torc_type type, GrB_BinaryOp op, GrB_Matrix A)
{
    torc_scalar result;
    bool is_empty;
    if (!value || !reduce(&result, &is_empty, op, A)) {
        return false;
    }
    torc_cast(value, type, result.value, result.type);
    return true;
}

bool torc_try_reduce_to_one(GrB_Matrix *one, GrB_BinaryOp op, GrB_Matrix A)
{
    torc_scalar result;
    bool is_empty;
    return reduce(&result, &is_empty, op, A) && torc_make_one(one, &result, is_empty);
}
