#include "dense_call.h"
#include "accumulate.h"
#include "arena.h"
#include "away.h"
#include "clock.h"
#include "dense_cost.h"
#include "dense_run.h"
#include "descriptor.h"
#include "missing_kernels.h"
#include "placement_line.h"
#include "process.h"
#include "profit.h"
#include "rates.h"
#include "residency.h"
#include "session.h"
#include "statistics.h"
#include "trial.h"
#include <pthread.h>

bool torc_dense_is_forced(void)
{
    return torc_session_settings()->force == TORC_FORCE_GPU;
}

/* Once products have lost time because the device is not open, so do the calls between them. */
static bool may_lose(void)
{
    return torc_session_device_state() == TORC_DEVICE_UNTRIED && torc_profit_missed() > 0 &&
           torc_session_settings()->options.backend != TORC_BACKEND_OFF;
}

/* Below a megabyte the CPU is done before a kernel begins. */
bool torc_dense_call_is_thinkable(GrB_Matrix C)
{
    if (!torc_process_is_ours() ||
        (torc_session_device_state() != TORC_DEVICE_OPEN && !torc_dense_is_forced() && !may_lose())) {
        return false;
    }
    const torc_binding *graphblas = torc_binding_get();
    GrB_Index nrows, ncols;
    return C && graphblas && graphblas->is_known && torc_session_settings()->force != TORC_FORCE_CPU &&
           graphblas->matrix_nrows(&nrows, C) == GrB_SUCCESS &&
           graphblas->matrix_ncols(&ncols, C) == GrB_SUCCESS && nrows > 0 && ncols > 0 &&
           (torc_away_is_any() || torc_dense_is_forced() || nrows >= TORC_ARENA_SMALLEST / ncols);
}

torc_dense_call torc_dense_call_begin(const torc_target *target)
{
    return (torc_dense_call){
        .name = target->name,
        .threads = torc_binding_threads(torc_binding_get(), target->desc),
        .output = {.C = target->C, .mask = target->mask, .accum = target->accum},
    };
}

bool torc_dense_call_read_descriptor(torc_dense_call *call, GrB_Descriptor desc)
{
    torc_descriptor read;
    if (!torc_descriptor_read(&read, torc_binding_get(), desc)) {
        return false;
    }
    call->output.has_replace = read.has_replace;
    call->output.has_complement = read.has_complement;
    call->output.has_structure = read.has_structure;
    call->inputs[0].transpose = read.transposes_first && !call->inputs[0].is_value;
    call->inputs[1].transpose = read.transposes_second && !call->inputs[1].is_value;
    return true;
}

static double bytes_of(const torc_dense_plan *plan)
{
    return (double)plan->C.nrows * (double)plan->C.ncols * (double)plan->C.type_size;
}

static void tell_placement(
    const torc_dense_call *call, const torc_dense_plan *plan, const torc_dense_cost *cost)
{
    static const char *const names[] = {"A", "B"};
    torc_placement_line operands = {.length = 0};
    for (int i = 0; i < call->ninputs; i++) {
        if (!call->inputs[i].is_value) {
            torc_placement_line_add(&operands, names[i], &call->inputs[i].view);
        }
    }
    if (plan->reads_old || plan->deletes) {
        torc_placement_line_add(&operands, "C", &plan->C);
    }
    if (plan->has_mask) {
        torc_placement_line_add(&operands, "mask", &plan->mask);
    }
    torc_placement_line_write(&operands, call->name, NULL, cost->seconds.gpu, cost->seconds.cpu);
}

/* Had the device been open, the call's operands would be there. */
static void count_loss(const torc_dense_cost *cost)
{
    torc_profit_miss(torc_upfront_gain(&cost->seconds));
    if (torc_profit_missed() > torc_rates_get()->of[TORC_RATE_START]) {
        torc_session_open_beside();
    }
}

static bool is_for_device(
    const torc_dense_call *call, const torc_dense_plan *plan, const torc_dense_cost *cost)
{
    if (torc_session_device_state() != TORC_DEVICE_OPEN && !torc_dense_is_forced()) {
        count_loss(cost);
        return false;
    }
    if (torc_placement_line_asked()) {
        tell_placement(call, plan, cost);
    }
    return torc_dense_is_forced() || (!torc_missing_kernels_hold_back(plan->kernel, bytes_of(plan)) &&
                                         torc_dense_is_worth_it(cost, plan));
}

static bool try_on_device(uint64_t *sent, torc_dense_call *call, torc_dense_plan *plan)
{
    double start = torc_clock();
    if (!torc_dense_plan_make(plan, call)) {
        return false;
    }
    torc_dense_cost cost = torc_dense_predict(call, plan);
    bool is_done = is_for_device(call, plan, &cost) && torc_dense_run(sent, call, plan);
    torc_upfront_note(&cost.seconds, &cost.account, is_done);
    if (is_done) {
        double seconds = torc_clock() - start, once = cost.seconds.is_advanced ? cost.seconds.upfront : 0;
        once += torc_session_waited();
        torc_statistics_count_dense(call->name, seconds, *sent);
        torc_trial_note(cost.seconds.cpu - cost.fetch, seconds - once, torc_residency_count().return_seconds);
    }
    return is_done;
}

bool torc_dense_call_try(torc_dense_call *call)
{
    torc_dense_plan plan = {0};
    uint64_t sent = 0;
    int cancels, limit = torc_threads_limit(call->threads);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancels);
    bool is_done = try_on_device(&sent, call, &plan);
    bool is_apart = plan.lacks_accumulator && torc_accumulate_dense(call);
    pthread_setcancelstate(cancels, NULL);
    torc_threads_limit(limit);
    torc_user_semiring_release(&call->user);
    return is_done || is_apart;
}
