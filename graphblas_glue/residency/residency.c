#include "residency.h"
#include "arena.h"
#include "seal.h"
#include "session.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct resident {
    torc_copy copy; /* first: this is what is lent */
    torc_context *context;
    torc_origin origin; /* without arrays: of a result that has no name yet */
    torc_seal seals[TORC_ORIGIN_ARRAYS];
    size_t size;
    bool is_lent;
    bool is_made; /* it has been given back with its content */
    struct resident *next;
} resident;

enum { MAX_RESIDENTS = 128 }; /* keeps searches short */

/* Under the mutex, the one given back last first. Others than the thread that has the device only look. */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static resident *residents;
static int nresidents;
static torc_residency_counts counts;

static void lock(void)
{
    pthread_mutex_lock(&mutex);
}

static void unlock(void)
{
    pthread_mutex_unlock(&mutex);
}

static void evict_all(void)
{
    torc_residency_evict();
}

/* A child has the list whole; seals that relied on its parent's tracking are broken. */
static void begin(void)
{
    pthread_atfork(lock, unlock, unlock);
    torc_session_at_close(evict_all);
}

static void enter(void)
{
    pthread_once(&once, begin);
    lock();
}

/* ---- Fresh or not ------------------------------------------------------------------------------------- */

static void put_seals(resident *r)
{
    for (int i = 0; i < TORC_ORIGIN_ARRAYS && !r->origin.voucher; i++) {
        if (r->origin.arrays[i].memory) {
            r->seals[i] = torc_seal_put(r->origin.arrays[i].memory, r->origin.arrays[i].size);
        }
    }
}

/* Nobody vouches for it, and it will never be proven fresh again. */
static bool is_lost(const resident *r)
{
    for (int i = 0; i < TORC_ORIGIN_ARRAYS && !r->origin.voucher; i++) {
        if (r->origin.arrays[i].memory && torc_seal_is_broken(&r->seals[i])) {
            return true;
        }
    }
    return false;
}

/* As far as origin goes, which it serves. */
static bool is_fresh(const resident *r, const torc_origin *origin)
{
    bool is_vouched_for = origin->voucher && origin->voucher == r->origin.voucher;
    for (int i = 0; i < TORC_ORIGIN_ARRAYS && !is_vouched_for; i++) {
        if (origin->arrays[i].memory && !torc_seal_holds(&r->seals[i])) {
            return false;
        }
    }
    return true;
}

static resident *find(const torc_origin *origin)
{
    for (resident *r = residents; r; r = r->next) {
        if (r->is_made && torc_origin_serves(&r->origin, origin) && is_fresh(r, origin)) {
            return r;
        }
    }
    return NULL;
}

/* ---- The list ----------------------------------------------------------------------------------------- */

static void put_first(resident *r)
{
    r->next = residents;
    residents = r;
    nresidents++;
}

static void take_out(resident *r)
{
    resident **link = &residents;
    while (*link != r) {
        link = &(*link)->next;
    }
    *link = r->next;
    nresidents--;
}

static void drop_name(resident *r)
{
    for (int i = 0; i < TORC_ORIGIN_ARRAYS; i++) {
        torc_seal_release(&r->seals[i]);
    }
    r->origin = (torc_origin){0};
}

static void destroy(resident *r)
{
    take_out(r);
    drop_name(r);
    torc_sparse_destroy(r->copy.sparse);
    torc_memory_release(r->context, r->copy.data);
    counts.bytes_held -= r->size;
    free(r);
}

static bool evict_one(void)
{
    resident *oldest = NULL;
    for (resident *r = residents; r; r = r->next) {
        oldest = r->is_lent ? oldest : r;
    }
    if (oldest) {
        destroy(oldest);
        counts.evictions++;
    }
    return oldest;
}

/* Copies that are lost, and those that one of origin makes superfluous. */
static void clean(const torc_origin *origin)
{
    for (resident *r = residents, *next; r; r = next) {
        next = r->next;
        if (!r->is_lent && (is_lost(r) || torc_origin_is_alike(&r->origin, origin))) {
            destroy(r);
        }
    }
}

/* ---- Room --------------------------------------------------------------------------------------------- */

static bool make_room(torc_context *context, size_t size)
{
    torc_device_info info;
    if (torc_context_info(&info, context) != TORC_SUCCESS) {
        return false;
    }
    size_t budget = info.memory_available / 4 * 3 + counts.bytes_held / 4 * 3;
    while (size <= budget && (nresidents >= MAX_RESIDENTS || counts.bytes_held > budget - size)) {
        if (!evict_one()) {
            return false;
        }
    }
    return size <= budget;
}

static torc_status allocate(void **memory, torc_context *context, size_t size)
{
    torc_status status = torc_memory_allocate(memory, context, size);
    while (status == TORC_OUT_OF_MEMORY && evict_one()) {
        status = torc_memory_allocate(memory, context, size);
    }
    return status;
}

/* Freeing device memory waits for the device: a copy that is lost leaves its own to one of the same size. */
static resident *reuse(size_t size)
{
    for (resident *r = residents; r; r = r->next) {
        if (!r->is_lent && r->copy.data && r->size == size && is_lost(r)) {
            drop_name(r);
            r->copy.is_filled = r->is_made = false;
            r->is_lent = true;
            return r;
        }
    }
    return NULL;
}

/* Without content, lent. */
static resident *add(torc_context *context, size_t size)
{
    resident *r = calloc(1, sizeof *r);
    if (r) {
        r->context = context;
        r->is_lent = true;
        r->size = size;
        counts.bytes_held += size;
        put_first(r);
    }
    return r;
}

static resident *add_dense(torc_context *context, const torc_origin *origin, size_t size)
{
    resident *r = reuse(size);
    clean(origin);
    if (r) {
        return r;
    }
    r = make_room(context, size) ? add(context, size) : NULL;
    if (r && allocate(&r->copy.data, context, size) != TORC_SUCCESS) {
        destroy(r);
        return NULL;
    }
    return r;
}

/* Device memory for what could never be found again is not worth having. */
static resident *add_provable(torc_context *context, const torc_origin *origin)
{
    resident proof = {.origin = *origin};
    put_seals(&proof);
    resident *r = is_lost(&proof) ? NULL : add_dense(context, origin, torc_origin_size(origin));
    if (r) {
        r->origin = proof.origin;
        memcpy(r->seals, proof.seals, sizeof r->seals);
    } else {
        drop_name(&proof);
    }
    return r;
}

/* A sparse operand has to be on the device, room or not. */
static resident *add_sparse(torc_context *context, const torc_origin *origin)
{
    clean(origin);
    make_room(context, torc_origin_size(origin));
    resident *r = add(context, torc_origin_size(origin));
    if (r) {
        r->origin = *origin;
        put_seals(r);
    }
    return r;
}

/* ---- Interface ---------------------------------------------------------------------------------------- */

static void count_hit(const resident *r, const torc_origin *origin)
{
    counts.hits++;
    counts.bytes_saved += torc_origin_size(origin);
    for (int i = 0; i < TORC_ORIGIN_ARRAYS; i++) {
        torc_seal_count_use(&r->seals[i]);
    }
}

/* Who vouches does so for all of it, and what he asked for has just been found fresh. Of an array that he did
 * not ask for nothing is known, not even that it can still be read. */
static void vouch(resident *r, const torc_origin *origin)
{
    if (origin->voucher && torc_origin_serves(origin, &r->origin)) {
        r->origin.voucher = origin->voucher;
    }
}

/* What is about to travel is pinned before it is sealed: to be pinned counts as being written to. Integers of
 * 64 bits are narrowed on the way and do not travel as they lie. Takes its time: outside of the mutex. */
static void pin_arrays(torc_context *context, const torc_origin *origin)
{
    for (int i = 0; i < TORC_ORIGIN_ARRAYS; i++) {
        if (i == TORC_ORIGIN_VALUES || (i == TORC_ORIGIN_IDX && origin->idx_bits == 32)) {
            torc_arena_pin(context, origin->arrays[i].memory, origin->arrays[i].size);
        }
    }
}

static resident *lend_fresh(const torc_origin *origin)
{
    resident *r = find(origin);
    if (r) {
        count_hit(r, origin);
        vouch(r, origin);
        r->is_lent = true;
    } else {
        counts.misses++;
    }
    return r;
}

torc_copy *torc_residency_lend(torc_context *context, const torc_origin *origin)
{
    enter();
    resident *r = lend_fresh(origin);
    unlock();
    if (!r) {
        pin_arrays(context, origin);
        enter();
        r = origin->is_sparse ? add_sparse(context, origin) : add_provable(context, origin);
        unlock();
    }
    return r ? &r->copy : NULL;
}

torc_copy *torc_residency_lend_result(torc_context *context, const torc_origin *old, size_t size)
{
    enter();
    resident *r = old ? find(old) : NULL;
    if (r && !r->is_lent && r->size == size) {
        count_hit(r, old);
        drop_name(r);
        r->is_lent = true;
    } else {
        counts.misses += old != NULL;
        static const torc_origin unnamed;
        r = add_dense(context, &unnamed, size);
    }
    unlock();
    return r ? &r->copy : NULL;
}

void torc_residency_name(torc_copy *copy, const torc_origin *origin)
{
    resident *r = (resident *)copy;
    enter();
    r->origin = *origin;
    put_seals(r);
    unlock();
}

void torc_residency_give_back(torc_copy *copy)
{
    if (!copy) {
        return;
    }
    resident *r = (resident *)copy;
    enter();
    r->is_lent = false;
    r->is_made = r->copy.sparse || r->copy.is_filled;
    if (r->is_made && torc_origin_size(&r->origin) > 0 && !is_lost(r)) {
        take_out(r);
        put_first(r);
    } else {
        destroy(r);
    }
    unlock();
}

bool torc_residency_has(const torc_origin *origin)
{
    enter();
    bool is_there = find(origin);
    unlock();
    return is_there;
}

bool torc_residency_evict(void)
{
    enter();
    bool had_some = false;
    for (resident *r = residents, *next; r; r = next) {
        next = r->next;
        if (!r->is_lent) {
            destroy(r);
            had_some = true;
        }
    }
    unlock();
    return had_some;
}

void torc_residency_evict_vouched(const void *voucher)
{
    enter();
    for (resident *r = residents, *next; r; r = next) {
        next = r->next;
        if (!r->is_lent && r->origin.voucher == voucher) {
            destroy(r);
        }
    }
    unlock();
}

torc_residency_counts torc_residency_count(void)
{
    enter();
    torc_residency_counts now = counts;
    unlock();
    return now;
}
