/* eviction.c: makes room where device memory is short, or where what copies are compared with takes much of
 * the host's. The copy used longest ago is freed first; if its content is away, that comes home before. */
#include "resident.h"

enum { MAX_RESIDENTS = 512 }; /* keeps searches short */

/* Bytes of the host, of what small arrays are compared with: nobody tells when those are freed. */
static const size_t MOST_COMPARED = (size_t)256 << 20;

static size_t compared(const torc_resident *r)
{
    size_t bytes = 0;
    for (int i = 0; i < TORC_ORIGIN_ARRAYS; i++) {
        bytes += r->seals[i].key ? 0 : r->seals[i].head;
    }
    return bytes;
}

static bool is_compared(const torc_resident *r)
{
    return compared(r) > 0;
}

static bool is_any(const torc_resident *r)
{
    return r;
}

static bool evict_oldest(bool (*is_wanted)(const torc_resident *))
{
    torc_resident *oldest = NULL;
    for (torc_resident *r = torc_residents; r; r = r->next) {
        oldest = r->lends > 0 || r->is_expected || !is_wanted(r) ? oldest : r;
    }
    if (oldest && torc_resident_is_away(oldest)) {
        torc_resident_bring_home(oldest);
    }
    if (oldest) {
        torc_resident_destroy(oldest);
        torc_residents_counts.evictions++;
    }
    return oldest;
}

static bool evict_one(void)
{
    return evict_oldest(is_any);
}

static bool take_much_of_the_host(void)
{
    size_t bytes = 0;
    for (torc_resident *r = torc_residents; r; r = r->next) {
        bytes += compared(r);
    }
    return bytes > MOST_COMPARED;
}

static bool are_many(void)
{
    int count = 0;
    for (torc_resident *r = torc_residents; r; r = r->next) {
        count++;
    }
    return count >= MAX_RESIDENTS;
}

bool torc_residents_make_room(torc_context *context, size_t size)
{
    torc_device_info info;
    if (torc_context_info(&info, context) != TORC_SUCCESS) {
        return false;
    }
    while (take_much_of_the_host() && evict_oldest(is_compared)) {
    }
    size_t budget = info.memory_available / 4 * 3 + torc_residents_counts.bytes_held / 4 * 3;
    while (size <= budget && (are_many() || torc_residents_counts.bytes_held > budget - size)) {
        if (!evict_one()) {
            return false;
        }
    }
    return size <= budget;
}

torc_status torc_residents_allocate(void **memory, torc_context *context, size_t size)
{
    torc_status status = torc_memory_allocate(memory, context, size);
    while (status == TORC_OUT_OF_MEMORY && evict_one()) {
        status = torc_memory_allocate(memory, context, size);
    }
    return status;
}

/* Asking the device takes longer than queueing a small operation. So it is not asked if the operation takes a
 * quarter at most of the memory that there was. */
bool torc_residency_could_hold(torc_context *context, double size)
{
    static double all; /* by who has the device */
    torc_device_info info;
    double held = (double)torc_residency_count().bytes_held;
    if (size <= held || size <= all / 4) {
        return true;
    }
    if (torc_context_info(&info, context) != TORC_SUCCESS) {
        return false;
    }
    all = held + (double)info.memory_available;
    return size <= all;
}

bool torc_residency_evict_oldest(void)
{
    torc_residents_enter();
    bool had_one = evict_one();
    torc_residents_unlock();
    return had_one;
}

bool torc_residency_evict(void)
{
    torc_residents_enter();
    bool had_some = false;
    torc_residents_bring_all_home();
    for (torc_resident *r = torc_residents, *next; r; r = next) {
        next = r->next;
        if (r->lends == 0) {
            torc_resident_destroy(r);
            had_some = true;
        }
    }
    torc_residents_unlock();
    return had_some;
}

void torc_residency_evict_vouched(const void *voucher)
{
    torc_residents_enter();
    for (torc_resident *r = torc_residents, *next; r; r = next) {
        next = r->next;
        if (r->lends == 0 && r->origin.voucher == voucher) {
            torc_resident_destroy(r);
        }
    }
    torc_residents_unlock();
}
