#include "upfront.h"
#include "brief_lock.h"

enum { ACCOUNTS = 64, MOST_DOUBLINGS = 8 };

typedef struct account {
    uint64_t number;
    double lost; /* seconds, by calls on the CPU since operands were sent last */
    double owed; /* of what sending took: not yet gained by calls on the device */
    int failures;
} account;

static account accounts[ACCOUNTS];
static int next; /* to be forgotten */

/* FNV-1a of the operand's place and size. */
torc_upfront_call torc_upfront_call_of(
    const torc_view *S, uint64_t like, const torc_circumstances *circumstances)
{
    uint64_t number = 0xcbf29ce484222325u;
    number = (number ^ (uint64_t)(uintptr_t)S->idx) * 0x100000001b3u;
    number = (number ^ (uint64_t)S->nvals) * 0x100000001b3u;
    return (torc_upfront_call){
        .sparse = number,
        .like = like,
        .lacks_sparse = !circumstances->sparse.is_on_device,
        .lacks_dense = !circumstances->dense.is_on_device,
    };
}

static uint64_t number_of(const torc_upfront_call *call)
{
    return call->lacks_sparse ? call->sparse : call->like;
}

static account *find(uint64_t number)
{
    for (int i = 0; i < ACCOUNTS; i++) {
        if (accounts[i].number == number) {
            return &accounts[i];
        }
    }
    return NULL;
}

static account *find_or_add(uint64_t number)
{
    account *found = find(number);
    if (!found) {
        found = &accounts[next];
        next = (next + 1) % ACCOUNTS;
        *found = (account){.number = number};
    }
    return found;
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
    double price = known ? cost->upfront * (1 << known->failures) : cost->upfront;
    cost->is_advanced = known && known->lost + gain > price;
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
    torc_brief_lock();
    if (!is_on_device && cost->upfront > 0) {
        find_or_add(number_of(call))->lost += gain;
    }
    if (is_on_device && !call->lacks_sparse) {
        pay_back(call->sparse, gain);
    }
    if (is_on_device && !call->lacks_dense) {
        pay_back(call->like, gain);
    }
    if (is_on_device && cost->is_advanced) {
        advance(find_or_add(number_of(call)), cost->upfront);
    }
    torc_brief_unlock();
}
