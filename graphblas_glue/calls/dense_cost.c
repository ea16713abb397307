#include "dense_cost.h"
#include "away.h"
#include "placement.h"
#include "rates.h"
#include <stdatomic.h>

enum { USES = 4 }; /* of an operand that is sent once, in a chain */

typedef struct dense_bytes {
    double on_device, on_host; /* that are passed over */
    double away, sent;
} dense_bytes;

static void count_view(dense_bytes *bytes, const torc_view *view)
{
    double cells = (double)view->nrows * (double)view->ncols;
    double values = view->iso ? 0 : (double)view->type_size, presence = torc_view_is_dense(view) ? 0 : 1;
    bytes->on_device += cells * (values + presence);
    bytes->sent += torc_bytes_to_place(view, true);
    if (torc_view_is_listed(view)) {
        bytes->on_host += (double)view->nvals * (values + sizeof(uint64_t));
        return;
    }
    bytes->on_host += cells * (values + presence);
    bytes->away += torc_away_journey(view->values) != 0 ? cells * values : 0;
    bytes->away += torc_away_journey(view->bitmap) != 0 ? cells : 0;
}

static atomic_bool products_wait;

void torc_dense_call_expect_products(bool they_wait)
{
    atomic_store_explicit(&products_wait, they_wait, memory_order_relaxed);
}

bool torc_dense_is_worth_it(const torc_dense_call *call, const torc_dense_plan *plan)
{
    const double *of = torc_rates_get()->of, queued = 15e-6;
    dense_bytes bytes = {0};
    for (int i = 0; i < call->ninputs; i++) {
        if (!call->inputs[i].is_value) {
            count_view(&bytes, &call->inputs[i].view);
        }
    }
    if (plan->reads_old) {
        count_view(&bytes, &plan->C);
    }
    if (plan->has_mask) {
        count_view(&bytes, &plan->mask);
    }
    double written = (double)plan->C.nrows * (double)plan->C.ncols * (double)plan->C.type_size;
    double sent = bytes.sent / (bytes.away > 0 ? USES : 1);
    double device =
        queued + sent / of[TORC_RATE_IN_PINNED] + (bytes.on_device + written) / of[TORC_RATE_DEVICE_COPY];
    double cpu = bytes.away / of[TORC_RATE_OUT_PINNED] + (bytes.on_host + written) / of[TORC_RATE_OUT_STAGED];
    bool may_leave = bytes.away > 0 || torc_residency_should_leave(plan->maker);
    return device < cpu && may_leave && !(products_wait && bytes.away == 0);
}
