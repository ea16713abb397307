#include "dense_cost.h"
#include "cpu_time.h"
#include "fnv1a.h"
#include "placement.h"
#include "rates.h"
#include "trial.h"
#include <math.h>
#include <stdatomic.h>

enum { USES = 4 }; /* of an operand that is sent once, in a chain */

typedef struct dense_bytes {
    double on_device; /* that are passed over */
    torc_cpu_pass on_host;
    double away, sent, lists;
} dense_bytes;

static double cells_of(const torc_view *view)
{
    return (double)view->nrows * (double)view->ncols;
}

/* The device passes `on_device` times all elements; the host `on_host` times, or the listed entries once. */
static void count_view(dense_bytes *bytes, const torc_view *view, double on_device, double on_host)
{
    double values = view->iso ? 0 : (double)view->type_size,
           presence = torc_view_has_all_elements(view) ? 0 : 1;
    bytes->on_device += on_device * (values + presence);
    bytes->sent += torc_bytes_to_place(view, true);
    if (torc_view_is_listed(view)) {
        bytes->on_host.bytes += (double)view->nvals * (values + sizeof(uint64_t));
        return;
    }
    bytes->on_host.bytes += on_host * (values + presence);
    bytes->away += torc_bytes_to_fetch(view);
}

/* Lists are sent each time, from memory that is not pinned. Those of a part of C are as long as C, and there
 * are two each way: where T comes from, and whether it does. With bytes of where it goes all of C is passed
 * three times, while the CPU passes the part. */
static void count_lists(dense_bytes *bytes, const torc_dense_call *call, const torc_dense_plan *plan)
{
    double rows = torc_index_list_is_window(&call->rows) ? 0 : (double)call->rows.count;
    double columns = torc_index_list_is_window(&call->columns) ? 0 : (double)call->columns.count;
    double given = (rows + columns) * (double)sizeof(GrB_Index);
    double inverted = 2 * (double)(plan->C.nrows + plan->C.ncols) * (double)sizeof(GrB_Index);
    bytes->lists = plan->is_part ? inverted : given;
    bytes->on_device += bytes->lists + (plan->is_part ? 2 * cells_of(&plan->C) : 0);
    bytes->on_host.bytes += given;
    bytes->on_host.gathered += given > 0 ? (double)plan->nrows * (double)plan->ncols : 0;
}

/* Of n elements, of which some are there and some are not: how often a processor guesses wrong. */
static double doubts(double n, double present)
{
    return n * present * (1 - present);
}

/* What two bitmaps say of an element is one decision. */
static void count_gaps(torc_cpu_pass *pass, const torc_view *view, double part)
{
    if (!torc_view_has_all_elements(view)) {
        pass->decided = part;
        pass->doubtful = fmax(pass->doubtful, doubts(part, (double)view->nvals / cells_of(view)));
    }
}

static bool lists_elements(const torc_dense_plan *plan)
{
    return plan->has_mask && torc_view_is_listed(&plan->mask) && !plan->update.complement;
}

/* Elements of T that the host visits: where entries of the mask are listed, those alone. */
static double visited(const torc_dense_plan *plan)
{
    double most = (double)plan->entries;
    return lists_elements(plan) ? fmin(most, (double)plan->mask.nvals) : most;
}

/* What a mask's values are is not known: as much doubt as where all shares are as likely. SuiteSparse looks
 * when it puts T into C, and when it computes T of two inputs. */
static void count_mask(torc_cpu_pass *pass, const torc_dense_call *call, const torc_dense_plan *plan)
{
    static const double SHARE_IN_DOUBT = .21; /* p (1 - p) = 1/6 */
    double elements = (call->operation.kind >= TORC_EWISE_MULT ? 2 : 1) * visited(plan);
    double present = torc_view_is_listed(&plan->mask) ? 1
                     : torc_view_has_all_elements(&plan->mask)
                         ? SHARE_IN_DOUBT
                         : (double)plan->mask.nvals / cells_of(&plan->mask);
    pass->decided += elements;
    pass->doubtful += doubts(elements, present);
}

static bool is_extremum(torc_multiply op, torc_type type)
{
    return (op == TORC_MIN || op == TORC_MAX) && (type == TORC_FP32 || type == TORC_FP64);
}

static bool compares(const torc_dense_call *call, const torc_dense_plan *plan)
{
    const torc_operation *operation = &call->operation;
    return (operation->kind >= TORC_EWISE_MULT && is_extremum(operation->binary, operation->type)) ||
           (plan->update.has_accum && is_extremum(plan->update.accum, plan->c_type));
}

static void count_inputs(dense_bytes *bytes, const torc_dense_call *call, const torc_dense_plan *plan)
{
    for (int i = 0; i < call->ninputs; i++) {
        const torc_view *view = &call->inputs[i].view;
        double part = (double)plan->nrows * (double)plan->ncols, all = cells_of(view);
        double on_device = call->is_reduction ? all : part,
               on_host = call->is_reduction ? all : visited(plan);
        bool is_again = i > 0 && !call->inputs[0].is_value && view->values == call->inputs[0].view.values;
        if (!call->inputs[i].is_value && !is_again) {
            count_view(bytes, view, on_device, on_host);
            count_gaps(&bytes->on_host, view, on_host);
            bytes->on_host.gathered += on_host < part && !torc_view_is_listed(view) ? on_host : 0;
        }
    }
}

static dense_bytes count_bytes(const torc_dense_call *call, const torc_dense_plan *plan)
{
    dense_bytes bytes = {0};
    double all = cells_of(&plan->C), on_host = visited(plan);
    count_inputs(&bytes, call, plan);
    if (plan->reads_old || plan->deletes) {
        count_view(&bytes, &plan->C, all, on_host);
    }
    if (plan->has_mask) {
        count_view(&bytes, &plan->mask, cells_of(&plan->mask), on_host);
        count_mask(&bytes.on_host, call, plan);
    }
    bytes.on_device += all * (double)plan->C.type_size;
    bytes.on_host.bytes += plan->reads_old ? 0 : on_host * (double)plan->C.type_size; /* written in place */
    bytes.on_host.compared = compares(call, plan) ? on_host : 0;
    count_lists(&bytes, call, plan);
    return bytes;
}

static torc_upfront_call account_of(const torc_dense_call *call, bool is_lacking)
{
    uint64_t number = TORC_FNV1A_START;
    for (int i = 0; i < call->ninputs; i++) {
        const torc_view *view = &call->inputs[i].view;
        if (!call->inputs[i].is_value) {
            number = torc_fnv1a(number, &view->values, sizeof view->values);
            number = torc_fnv1a(number, &view->nvals, sizeof view->nvals);
        }
    }
    return (torc_upfront_call){.kept = number, .lacks_kept = is_lacking, .lacks_dense = true};
}

torc_dense_cost torc_dense_predict(const torc_dense_call *call, const torc_dense_plan *plan)
{
    const torc_machine_rates rates = torc_rates_for_call(call->threads);
    const double *of = rates.of, queued = 15e-6;
    dense_bytes bytes = count_bytes(call, plan);
    double sent = bytes.sent / (bytes.away > 0 ? USES : 1) / of[TORC_RATE_IN_PINNED];
    double fetch = bytes.away / of[TORC_RATE_OUT_PINNED];
    torc_dense_cost cost = {
        .seconds = {.gpu = queued + torc_rates_staged_in(&rates, bytes.lists) + sent +
                           bytes.on_device / of[TORC_RATE_DEVICE_COPY],
            .upfront = sent,
            .cpu = fetch + torc_cpu_pass_seconds(&bytes.on_host, &rates)},
        .fetch = fetch,
        .account = account_of(call, sent > 0),
    };
    torc_upfront_apply(&cost.seconds, &cost.account);
    return cost;
}

enum { CALLS_AFTER_PRODUCT = 64 }; /* at most: beyond that the program is past its loop */
static atomic_int calls_that_wait;

void torc_dense_expect_products(bool they_wait)
{
    atomic_store_explicit(&calls_that_wait, they_wait ? CALLS_AFTER_PRODUCT : 0, memory_order_relaxed);
}

static bool waits_for_products(void)
{
    bool waits = atomic_load_explicit(&calls_that_wait, memory_order_relaxed) > 0;
    if (waits) {
        atomic_fetch_sub_explicit(&calls_that_wait, 1, memory_order_relaxed);
    }
    return waits;
}

bool torc_dense_is_worth_it(const torc_dense_cost *cost, const torc_dense_plan *plan)
{
    bool is_away = cost->fetch > 0, may_leave = is_away || torc_residency_should_leave(plan->maker);
    return may_leave && (is_away || !waits_for_products()) &&
           torc_trial_allows(cost->seconds.cpu, cost->seconds.gpu);
}
