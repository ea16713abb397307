/* mxm_decide.c: where a product runs. */
#include "mxm_call.h"
#include "arena.h"
#include "beside.h"
#include "dense_copies.h"
#include "missing_kernels.h"
#include "placed_result.h"
#include "placed_sparse.h"
#include "profit.h"
#include "rates.h"
#include "session.h"
#include "trial.h"
#include <math.h>
#include <stdatomic.h>

static const double COMPILE_SECONDS = 0.2; /* of a kernel: .1 to .5 */

static _Atomic torc_kernel_state kernel_states[TORC_MONOID_COUNT][TORC_MULTIPLY_COUNT][TORC_TYPE_COUNT];
static _Atomic torc_kernel_state user_kernel_state; /* of all that are user-defined */

/* A valued mask may leave less than its entries, and its complement more than what has none. */
static double share_of_mask(const torc_mxm_call *call)
{
    const torc_view *mask = &call->view_mask;
    if (!call->output.mask) {
        return 1;
    }
    double share = (double)mask->nvals / ((double)mask->nrows * (double)mask->ncols);
    return call->output.has_complement ? 1 - share : share;
}

/* What has to travel besides S and D's values where the result stays. */
static double bytes_beside(const torc_mxm_call *call)
{
    const torc_epilogue *epilogue = &call->epilogue;
    double bytes = torc_bytes_to_place(call->product.dense, false);
    bytes += epilogue->mask ? torc_bytes_to_place(epilogue->mask, !epilogue->mask_is_pattern) : 0;
    return bytes + (epilogue->reads_old ? torc_bytes_to_place(epilogue->C, true) : 0);
}

static double bytes_away(const torc_mxm_call *call)
{
    return torc_bytes_to_fetch(call->product.dense) +
           (call->epilogue.reads_old ? torc_bytes_to_fetch(&call->view_c) : 0) +
           (call->output.mask ? torc_bytes_to_fetch(&call->view_mask) : 0);
}

/* May the result stay on the device? */
static bool may_stay(const torc_mxm_call *call)
{
    const torc_dense *R = &call->product.result_view;
    double size = (double)R->nrows * (double)R->ncols * (double)torc_type_size(R->type);
    return !torc_missing_kernels_send_home(size) && torc_mxm_epilogue_there(call)->is_fused &&
           !call->product.is_compact &&
           torc_result_may_leave(call->graphblas, R->nrows * R->ncols, R->type) &&
           torc_residency_should_leave(call->maker);
}

/* The arena's memory is pinned once it has travelled twice: to look at whether it is now would keep all of it
 * from travelling. Where D is the arena's, so is what the result goes to. Of a result that stays the call
 * says so itself. */
static torc_circumstances circumstances_of(const torc_mxm_call *call, int threads)
{
    bool is_arena = torc_arena_owns(call->product.dense->values);
    const torc_update *update = &call->epilogue.update;
    bool is_accumulated = update->has_accum && update->accum == TORC_PLUS && call->view_c.format == TORC_FULL;
    torc_sparse_present sparse = torc_placed_sparse_look(&call->product);
    torc_dense_present dense = torc_dense_copies_look(&call->product, &call->epilogue);
    return (torc_circumstances){
        .sparse.is_on_device = sparse.is_there,
        .dense.is_on_device = dense.operand,
        .sparse.would_stay = sparse.would_stay,
        .dense.would_stay = dense.would_stay,
        .side.is_on_device = dense.old && !call->output.mask && !torc_product_has_bitmap(&call->product),
        .sparse.is_pinned = torc_arena_owns(call->product.sparse->idx),
        .dense.is_pinned = is_arena,
        .side.is_pinned = is_arena,
        .result_is_pinned = is_arena,
        .cpu = {.has_accum = call->output.accum,
            .is_accumulated = is_accumulated && !call->output.mask,
            .is_masked = call->output.mask,
            .allowed = share_of_mask(call),
            .result_is_recycled = is_arena,
            .threads = threads < torc_processors() ? threads : torc_processors()},
        .away = bytes_away(call),
    };
}

static void predict(torc_mxm_call *call)
{
    int threads = torc_binding_threads(call->graphblas, call->descriptor);
    torc_circumstances circumstances = circumstances_of(call, threads);
    call->kind = torc_experience_kind(&call->product, &call->epilogue, &circumstances);
    call->maker = torc_experience_number(&call->kind);
    call->stays = may_stay(call);
    circumstances.result_stays = call->stays;
    call->kind.result_stays = call->stays;
    if (call->stays) {
        call->product.side_bytes = bytes_beside(call);
        circumstances.side.is_on_device = false;
    }
    call->work = torc_decision_workload(&call->product, &circumstances);
    const torc_machine_rates rates = torc_rates_for_call(threads);
    call->cost = torc_decision_cost(&call->work, &rates);
    call->like_calls = torc_experience_apply(&call->cost, &call->kind);
    call->upfront = torc_upfront_call_of(call->product.sparse, call->maker, &circumstances);
    torc_upfront_apply(&call->cost, &call->upfront);
    call->has_cost = true;
}

_Atomic torc_kernel_state *torc_mxm_kernel_state(const torc_mxm_call *call)
{
    const torc_semiring *known = &call->known;
    return call->user.source ? &user_kernel_state : &kernel_states[known->add][known->multiply][known->type];
}

bool torc_mxm_needs_to_stay(const torc_mxm_call *call)
{
    return call->product.dense_is_listed || call->epilogue.old_is_listed;
}

/* In a loop, the memory of D, C and the result is that of the next calls', one way or the other. */
static void expect_blocks(const torc_mxm_call *call)
{
    const torc_view *D = call->product.dense, *C = &call->view_c;
    const torc_dense *R = &call->product.result_view;
    bool is_dense = C->format == TORC_BITMAP || C->format == TORC_FULL;
    if (!D->iso && !torc_view_is_listed(D)) {
        torc_arena_expect(D->values, (size_t)D->nvec * (size_t)D->veclen * D->type_size);
    }
    if (is_dense && !C->iso) {
        torc_arena_expect(C->values, (size_t)C->nvec * (size_t)C->veclen * C->type_size);
    }
    torc_arena_expect_new((size_t)R->nrows * (size_t)R->ncols * torc_type_size(R->type));
}

/* To SuiteSparse. Until the device is open, if ever, the arena is told of the blocks that calls have. */
static bool pass_on(torc_mxm_call *call, const char *why)
{
    if (torc_session_device_state() < TORC_DEVICE_OPEN) {
        expect_blocks(call);
    }
    return torc_mxm_decline(call, why);
}

/* The device would be faster, were it open. */
static bool pass_on_while_it_opens(torc_mxm_call *call)
{
    const torc_prospect prospect = {
        .start = torc_rates_get()->of[TORC_RATE_START],
        .processors = torc_processors(),
        .lost = torc_profit_missed(),
        .like_calls = call->like_calls,
        .age = torc_clock_age(),
    };
    if (torc_session_device_state() == TORC_DEVICE_UNTRIED &&
        !torc_decision_is_worth_opening(call->cost, &prospect)) {
        return pass_on(call, "not worth opening the device yet");
    }
    torc_session_open_beside();
    return pass_on(call, torc_being_opened);
}

bool torc_mxm_decide(torc_mxm_call *call)
{
    torc_force force = torc_session_settings()->force;
    predict(call);
    if (force == TORC_FORCE_CPU) {
        return torc_mxm_decline(call, "forced");
    }
    if (torc_session_settings()->options.backend == TORC_BACKEND_OFF) {
        return torc_mxm_decline(call, "TORC_BACKEND=off");
    }
    if (torc_session_device_state() == TORC_DEVICE_MISSING) {
        return torc_mxm_decline(call, torc_session_why_missing());
    }
    if (torc_mxm_needs_to_stay(call) && !call->stays) {
        return torc_mxm_decline(call, "a sparse operand, and a result that would not stay on the device");
    }
    torc_kernel_state kernel = *torc_mxm_kernel_state(call);
    if (kernel == TORC_KERNEL_MISSING) {
        return torc_mxm_decline(call, torc_status_text(TORC_NO_COMPILER));
    }
    if (force == TORC_FORCE_GPU) {
        call->why = "forced";
        call->patience = TORC_FOREVER;
        return true;
    }
    if (!torc_trial_allows(call->cost.cpu, call->cost.gpu)) {
        return pass_on(call, "predicted no faster on the device");
    }
    if (kernel == TORC_KERNEL_COMPILING && torc_beside_is_under_way()) {
        return torc_mxm_decline(call, torc_status_text(TORC_NOT_COMPILED));
    }
    call->why = "predicted faster";
    call->defers_kernel = torc_decision_gain(call->cost, false) <= COMPILE_SECONDS;
    call->patience = torc_decision_gain(call->cost, torc_session_device_state() == TORC_DEVICE_OPENING);
    if (call->patience <= torc_session_delay(torc_rates_get()->of[TORC_RATE_START])) {
        return pass_on_while_it_opens(call);
    }
    torc_session_open_beside();
    return true;
}

void torc_mxm_note_loss(const torc_mxm_call *call, double seconds)
{
    torc_profit_miss(call->has_cost ? torc_decision_loss(call->cost, seconds) : 0);
}

/* One that is only queued takes as long as predicted. */
void torc_mxm_note_gain(const torc_mxm_call *call, double seconds)
{
    double taken = seconds - call->times.once, sending = call->cost.is_advanced ? call->cost.upfront : 0;
    torc_profit_add(call->cost.cpu - (taken > call->cost.gpu ? taken : call->cost.gpu));
    double fetch = call->work.away / torc_rates_get()->of[TORC_RATE_OUT_PINNED];
    torc_trial_note(
        fmax(call->cost.cpu - fetch, 0), fmax(taken - sending, 0), torc_residency_count().return_seconds);
}
