#include "upfront.h"
#include "brief_lock.h"
#include "fnv1a.h"
#include "profit.h"
#include "recent.h"
#include <stddef.h>

enum { MOST = 1024, MOST_DOUBLINGS = 8 };

typedef struct account {
    uint64_t number;
    double lost;   /* seconds, by calls on the CPU since operands were sent last */
    double owed;   /* of what sending took: not yet gained by calls on the device */
    int doublings; /* of what has to be lost before operands are sent again: sends since one was paid back */
} account;

TORC_RECENT(accounts, account, number, MOST);
static double unpaid; /* seconds of all that was sent: not gained yet, or lost */

torc_upfront_call torc_upfront_call_of(
    const torc_view *S, uint64_t like, const torc_circumstances *circumstances)
{
    uint64_t number = torc_fnv1a(TORC_FNV1A_START, &S->idx, sizeof S->idx);
    number = torc_fnv1a(number, &S->nvals, sizeof S->nvals);
    return (torc_upfront_call){
        .kept = number,
        .like = like,
        .lacks_kept = !circumstances->sparse.is_on_device,
        .lacks_dense = !circumstances->dense.is_on_device,
    };
}

static uint64_t number_of(const torc_upfront_call *call)
{
    return call->lacks_kept ? call->kept : call->like;
}

double torc_upfront_gain(const torc_cost *cost)
{
    return cost->cpu - (cost->is_advanced ? cost->gpu : cost->gpu - cost->upfront);
}

void torc_upfront_apply(torc_cost *cost, const torc_upfront_call *call)
{
    double gain = torc_upfront_gain(cost);
    if (cost->upfront <= 0 || gain <= 0 || cost->cpu > cost->gpu) {
        return;
    }
    bool is_expected = torc_profit_is_expected();
    double trusted = torc_rates_get()->of[TORC_RATE_START];
    uint64_t number = number_of(call);
    torc_brief_lock();
    const account *known = torc_recent_find(&accounts, &number);
    cost->is_advanced = known ? known->lost + gain > cost->upfront * (1 << known->doublings)
                              : is_expected && unpaid <= trusted;
    torc_brief_unlock();
    cost->gpu -= cost->is_advanced ? cost->upfront : 0;
}

static void pay_back(uint64_t number, double gain)
{
    account *known = torc_recent_find(&accounts, &number);
    if (known && known->owed > 0) {
        unpaid -= gain < known->owed ? gain : known->owed;
        known->owed -= gain;
        known->doublings = known->owed > 0 ? known->doublings : 0;
    }
}

static account *account_of(uint64_t number)
{
    return torc_recent_find_or_add(&accounts, &number);
}

static void advance(account *sent, double seconds)
{
    unpaid += seconds;
    sent->lost = 0;
    sent->owed = seconds;
    sent->doublings += sent->doublings < MOST_DOUBLINGS;
}

void torc_upfront_note(const torc_cost *cost, const torc_upfront_call *call, bool is_on_device)
{
    double gain = torc_upfront_gain(cost);
    if (gain <= 0) {
        return;
    }
    uint64_t number = number_of(call);
    torc_brief_lock();
    if (!is_on_device && cost->upfront > 0) {
        account_of(number)->lost += gain;
    }
    if (is_on_device && !call->lacks_kept) {
        pay_back(call->kept, gain);
    }
    if (is_on_device && !call->lacks_dense) {
        pay_back(call->like, gain);
    }
    if (is_on_device && cost->is_advanced) {
        advance(account_of(number), cost->upfront);
    }
    torc_brief_unlock();
}
