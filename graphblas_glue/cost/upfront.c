#include "upfront.h"
#include "brief_lock.h"
#include "fnv1a.h"
#include "profit.h"
#include <stddef.h>

enum { ACCOUNTS = 1024, MOST_DOUBLINGS = 8 };

typedef struct account {
    uint64_t number;
    double lost; /* seconds, by calls on the CPU since operands were sent last */
    double owed; /* of what sending took: not yet gained by calls on the device */
    int failures;
} account;

/* By their numbers, which are hashes: of two with one place, the one that was added last is there. */
static account accounts[ACCOUNTS];

static account *find(uint64_t number)
{
    account *place = &accounts[number % ACCOUNTS];
    return place->number == number ? place : NULL;
}

static account *find_or_add(uint64_t number)
{
    account *place = &accounts[number % ACCOUNTS];
    if (place->number != number) {
        *place = (account){.number = number};
    }
    return place;
}

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
    torc_brief_lock();
    const account *known = find(number_of(call));
    cost->is_advanced =
        known ? known->lost + gain > cost->upfront * (1 << known->failures) : torc_profit_is_expected();
    torc_brief_unlock();
    cost->gpu -= cost->is_advanced ? cost->upfront : 0;
}

static void pay_back(uint64_t number, double gain)
{
    account *known = find(number);
    if (known && known->owed > 0) {
        known->owed -= gain;
        known->failures = known->owed > 0 ? known->failures : 0;
    }
}

static void advance(account *sent, double seconds)
{
    sent->lost = 0;
    sent->owed = seconds;
    sent->failures += sent->failures < MOST_DOUBLINGS;
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
        find_or_add(number)->lost += gain;
    }
    if (is_on_device && !call->lacks_kept) {
        pay_back(call->kept, gain);
    }
    if (is_on_device && !call->lacks_dense) {
        pay_back(call->like, gain);
    }
    if (is_on_device && cost->is_advanced) {
        advance(find_or_add(number), cost->upfront);
    }
    torc_brief_unlock();
}
