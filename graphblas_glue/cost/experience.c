#include "experience.h"
#include "brief_lock.h"
#include "fnv1a.h"
#include "recent.h"
#include <limits.h>
#include <math.h>
#include <string.h>

/* So many like calls show that the CPU takes longer than predicted; so many that it takes less. */
enum { SHOWS_SLOWER = 2, SHOWS_FASTER = 4 };

typedef struct experience {
    torc_call_kind kind;
    int cpu_calls, device_calls;
    double cpu_last, cpu_before, device_last, device_before;
} experience;

_Static_assert(sizeof(torc_call_kind) == 16 * sizeof(int) + 4 * sizeof(int64_t), "a kind has no padding");

TORC_RECENT(recent, experience, kind, TORC_LIKES);

static bool is_user_defined(const torc_call_kind *kind)
{
    return kind->add == TORC_USER_MONOID || kind->multiply == TORC_USER;
}

static int doublings(double x)
{
    return x > 0 ? ilogb(x) : INT32_MIN;
}

torc_call_kind torc_experience_kind(
    const torc_product *product, const torc_epilogue *epilogue, const torc_circumstances *circumstances)
{
    const torc_view *S = product->sparse, *D = product->dense;
    torc_call_kind kind;
    memset(&kind, 0, sizeof kind);
    kind.add = (int)product->semiring.add;
    kind.multiply = (int)product->semiring.multiply;
    kind.type = (int)product->semiring.type;
    kind.sparse_type = (int)product->sparse_type;
    kind.dense_type = (int)product->dense_type;
    kind.sparse_format = S->format;
    kind.dense_format = D->format;
    kind.result_format = epilogue->C->format;
    kind.is_flipped = product->is_flipped;
    kind.transposes_sparse = product->transpose_sparse;
    kind.has_mask = epilogue->mask != NULL;
    kind.has_accum = epilogue->update.has_accum;
    kind.dense_entries = doublings((double)D->nvals);
    kind.allowed = doublings(circumstances->cpu.allowed);
    kind.operands_there = circumstances->sparse.is_on_device + 2 * circumstances->dense.is_on_device;
    kind.result_stays = circumstances->result_stays;
    kind.nrows = S->nrows;
    kind.ncols = S->ncols;
    kind.nvals = S->nvals;
    kind.width = product->result_view.ncols;
    return kind;
}

uint64_t torc_experience_number(const torc_call_kind *kind)
{
    torc_call_kind alike = *kind;
    alike.operands_there = alike.result_stays = 0;
    return torc_fnv1a(TORC_FNV1A_START, &alike, sizeof alike);
}

int torc_experience_apply(torc_cost *cost, const torc_call_kind *kind)
{
    if (is_user_defined(kind)) {
        return 0;
    }
    torc_brief_lock();
    const experience *known = torc_recent_find(&recent, kind);
    int like_calls = known ? known->cpu_calls : 0;
    double on_cpu = known ? fmin(known->cpu_last, known->cpu_before) : 0;
    if ((like_calls >= SHOWS_SLOWER && on_cpu > cost->cpu) || like_calls >= SHOWS_FASTER) {
        cost->cpu = on_cpu;
    }
    if (known && known->device_calls > 2) {
        cost->gpu = fmin(known->device_last, known->device_before);
        cost->upfront = fmin(cost->upfront, cost->gpu); /* such calls sent it, too */
    }
    torc_brief_unlock();
    return like_calls;
}

/* Days of a loop are more calls than an int counts. */
static void count(int *calls)
{
    *calls += *calls < INT_MAX;
}

void torc_experience_note(const torc_call_kind *kind, bool is_on_device, double seconds)
{
    if (is_user_defined(kind)) {
        return;
    }
    torc_brief_lock();
    experience *known = torc_recent_find_or_add(&recent, kind);
    if (is_on_device) {
        count(&known->device_calls);
        known->device_before = known->device_calls > 2 ? known->device_last : seconds;
        known->device_last = seconds;
    } else {
        count(&known->cpu_calls);
        known->cpu_before = known->cpu_calls > 1 ? known->cpu_last : seconds;
        known->cpu_last = seconds;
    }
    torc_brief_unlock();
}
