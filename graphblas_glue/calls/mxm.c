/* mxm.c: how one product (GrB_mxm, GrB_mxv, GrB_vxm) is answered: planned, decided and run (mxm_call.h).
 * Whatever does not fit on the way, or fails, leaves the caller's objects as they were, and SuiteSparse
 * computes instead: its answer, its error code, its text.
 */
#include "mxm_call.h"
#include "dense_cost.h"
#include "placement_line.h"
#include "match.h"
#include "put_off.h"
#include "residency.h"
#include "session.h"
#include "statistics.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {"GrB_mxm", "GrB_mxv", "GrB_vxm"};

/* Read the operands for the line of TORC_BURBLE, of a call that was declined before that. */
static void read_for_report(torc_mxm_call *call)
{
    if (call->graphblas->is_known && !call->is_known && call->A && call->B && call->semiring) {
        torc_view_open(&call->view_a, call->graphblas, call->A);
        torc_view_open(&call->view_b, call->graphblas, call->B);
        call->is_known = torc_match_semiring(&call->known, call->graphblas, call->semiring);
    }
}

static void report(const torc_mxm_call *call, bool is_done, double seconds)
{
    torc_traffic traffic = torc_traffic_of(&call->work);
    bool is_reference = torc_session_settings()->options.backend == TORC_BACKEND_REFERENCE;
    torc_burble(&(torc_report){
        .name = names[call->name],
        .where = !is_done       ? "cpu"
                 : is_reference ? "reference"
                                : "cuda",
        .why = call->why,
        .A = &call->view_a,
        .B = &call->view_b,
        .transpose_a = call->transpose_a,
        .transpose_b = call->transpose_b,
        .has_mask = call->output.mask,
        .has_accum = call->output.accum,
        .semiring = call->is_known ? &call->known : NULL,
        .seconds = seconds,
        .times = is_done ? &call->times : NULL,
        .traffic = is_done && call->has_cost ? &traffic : NULL,
        .stays = call->stays,
    });
}

static void tell_placement(const torc_mxm_call *call)
{
    torc_placement_line operands = {.length = 0};
    torc_placement_line_add(&operands, "A", &call->view_a);
    torc_placement_line_add(&operands, "B", &call->view_b);
    if (call->epilogue.reads_old) {
        torc_placement_line_add(&operands, "C", &call->view_c);
    }
    torc_traffic traffic = torc_traffic_of(&call->work);
    torc_placement_line_write(&operands, names[call->name], &traffic, call->cost.gpu, call->cost.cpu);
}

/* SuiteSparse's answer, as it gives it: a cancelled thread may end in it, and a user's function may leave it
 * by longjmp. Before GraphBLAS is initialised there is no binding, and versions differ in their
 * answer. */
static GrB_Info ask_suitesparse(const torc_mxm_call *call)
{
    const torc_binding *graphblas = call->graphblas;
    const torc_output *output = &call->output;
    torc_product_function product = NULL;
    if (graphblas) {
        product = call->name == TORC_MXM   ? graphblas->mxm
                  : call->name == TORC_MXV ? graphblas->mxv
                                           : graphblas->vxm;
    } else {
        void *address = torc_library_symbol(NULL, names[call->name]);
        memcpy(&product, &address, sizeof address); /* ISO C knows no cast to a function pointer */
    }
    if (graphblas) {
        torc_put_off_settle_all(output->C, output->mask, call->A, call->B);
    }
    bool is_vxm = call->name == TORC_VXM;
    int disabled;
    pthread_setcancelstate(call->cancels, &disabled);
    GrB_Info info = product ? product(output->C, output->mask, output->accum, call->semiring,
                                  is_vxm ? call->B : call->A, is_vxm ? call->A : call->B, call->descriptor)
                            : GrB_PANIC;
    pthread_setcancelstate(disabled, NULL);
    return info;
}

/* How a call went. */
typedef struct outcome {
    bool is_tried, is_done; /* on the device */
    double seconds, answer; /* that all of it took, and SuiteSparse's answer where it was asked */
} outcome;

/* What later calls are decided by, of one that succeeded. What a queued result takes is not known. */
static void learn(const torc_mxm_call *call, const outcome *o)
{
    bool is_queued = o->is_done && call->stays;
    if (call->has_cost && !is_queued) {
        torc_experience_note(&call->kind, o->is_done, o->is_done ? o->seconds - call->times.once : o->answer);
    }
    if (call->has_cost) {
        torc_upfront_note(&call->cost, &call->upfront, o->is_done);
    }
    if (o->is_tried && !o->is_done && !call->is_put_off) { /* so long does it take to try */
        torc_experience_note(&call->kind, true, o->seconds);
    }
}

/* What is counted of each call. */
static void count(const torc_mxm_call *call, const outcome *o)
{
    if (o->is_done) {
        torc_mxm_note_gain(call, o->seconds);
    } else {
        torc_mxm_note_loss(call, o->seconds);
    }
    if (o->is_done || call->has_cost) {
        torc_dense_expect_products(!o->is_done && torc_upfront_gain(&call->cost) > 0);
    }
    torc_statistics_count(&(torc_call_record){
        .name = names[call->name],
        .is_on_device = o->is_done,
        .why = call->why,
        .seconds = o->seconds,
        .work = call->has_cost ? &call->work : NULL,
        .cost = call->cost,
    });
}

static GrB_Info respond(torc_mxm_call *call)
{
    double start = torc_clock();
    call->graphblas = torc_binding_get();
    call->view_a.nvec = call->view_b.nvec = call->view_c.nvec = -1;
    if (!call->graphblas) {
        return ask_suitesparse(call);
    }
    bool is_burbling = torc_session_settings()->burble >= TORC_LOG_CALLS;
    outcome o = {.is_tried = torc_mxm_plan(call) && torc_mxm_decide(call) && torc_mxm_mask_is_clear(call)};
    if (call->has_cost && torc_placement_line_asked()) {
        tell_placement(call);
    }
    o.is_done = o.is_tried && torc_mxm_run(call);
    if (!o.is_done && is_burbling) {
        read_for_report(call);
    }
    double tried = torc_clock();
    GrB_Info info = torc_view_answer(o.is_done ? GrB_SUCCESS : ask_suitesparse(call));
    info = torc_residency_has_lost() ? GrB_PANIC : info;
    double end = torc_clock();
    o.answer = end - tried;
    o.seconds = end - start;
    if (info == GrB_SUCCESS) {
        learn(call, &o);
    }
    count(call, &o);
    if (is_burbling) {
        report(call, o.is_done, o.seconds);
    }
    torc_user_semiring_release(&call->user);
    free(call->lists);
    return info;
}

/* Where torc computes, a thread that is cancelled ends after the call, at a point of the program's: a call
 * leaves nothing half done. */
static GrB_Info answer(torc_product_name name, torc_output output, GrB_Semiring semiring, GrB_Matrix A,
    GrB_Matrix B, GrB_Descriptor desc)
{
    torc_mxm_call call = {
        .name = name, .output = output, .semiring = semiring, .descriptor = desc, .A = A, .B = B};
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &call.cancels);
    GrB_Info info = respond(&call);
    pthread_setcancelstate(call.cancels, NULL);
    return info;
}

GrB_Info torc_mxm(GrB_Matrix C, const GrB_Matrix Mask, const GrB_BinaryOp accum, const GrB_Semiring semiring,
    const GrB_Matrix A, const GrB_Matrix B, const GrB_Descriptor desc)
{
    const torc_output output = {.C = C, .mask = Mask, .accum = accum};
    return answer(TORC_MXM, output, semiring, A, B, desc);
}

GrB_Info torc_mxv(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum, const GrB_Semiring semiring,
    const GrB_Matrix A, const GrB_Vector u, const GrB_Descriptor desc)
{
    const torc_output output = {.C = (GrB_Matrix)w, .mask = (GrB_Matrix)mask, .accum = accum};
    return answer(TORC_MXV, output, semiring, A, (GrB_Matrix)u, desc);
}

GrB_Info torc_vxm(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum, const GrB_Semiring semiring,
    const GrB_Vector u, const GrB_Matrix A, const GrB_Descriptor desc)
{
    const torc_output output = {.C = (GrB_Matrix)w, .mask = (GrB_Matrix)mask, .accum = accum};
    return answer(TORC_VXM, output, semiring, A, (GrB_Matrix)u, desc);
}
