#include "arena.h"
#include "away.h"
#include "process.h"
#include "resident.h"
#include "session.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
torc_resident *torc_residents;
torc_residency_counts torc_residents_counts;

void torc_residents_lock(void)
{
    pthread_mutex_lock(&mutex);
}

void torc_residents_unlock(void)
{
    pthread_mutex_unlock(&mutex);
}

static void evict_all(void)
{
    torc_residency_evict();
    torc_residents_forget_loss();
}

/* A child has no device: nothing is away when it begins. */
static void settle_and_lock(void)
{
    torc_residency_return_all();
    torc_residents_lock();
}

/* A child has the list whole; seals that relied on its parent's tracking are broken. */
static void begin(void)
{
    static const torc_fork_handlers handlers = {
        settle_and_lock, torc_residents_unlock, torc_residents_unlock};
    torc_process_at_fork(&handlers);
    torc_session_at_close(evict_all);
    torc_away_keep(torc_resident_return);
}

void torc_residents_enter(void)
{
    pthread_once(&once, begin);
    torc_residents_lock();
}

void torc_resident_seal(torc_resident *r)
{
    for (int i = 0; i < TORC_ORIGIN_ARRAYS && !r->origin.voucher; i++) {
        if (r->origin.arrays[i].memory) {
            r->seals[i] = torc_seal_put(r->origin.arrays[i].memory, r->origin.arrays[i].size);
        }
    }
}

const void *torc_resident_memory(const torc_resident *r)
{
    return r->origin.arrays[TORC_ORIGIN_VALUES].memory;
}

bool torc_resident_is_away(const torc_resident *r)
{
    return r->journey != 0 && torc_away_journey(torc_resident_memory(r)) == r->journey;
}

/* Nobody vouches for it, and it will never be proven fresh again. */
static bool is_lost(const torc_resident *r)
{
    if (r->journey != 0) {
        return !torc_resident_is_away(r);
    }
    for (int i = 0; i < TORC_ORIGIN_ARRAYS && !r->origin.voucher; i++) {
        if (r->origin.arrays[i].memory && torc_seal_is_broken(&r->seals[i])) {
            return true;
        }
    }
    return false;
}

/* Are the arrays that `origin` names fresh? r serves origin. */
static bool is_fresh(const torc_resident *r, const torc_origin *origin)
{
    if (r->journey != 0) {
        return torc_resident_is_away(r);
    }
    bool is_vouched_for = origin->voucher && origin->voucher == r->origin.voucher;
    for (int i = 0; i < TORC_ORIGIN_ARRAYS && !is_vouched_for; i++) {
        if (origin->arrays[i].memory && !torc_seal_holds(&r->seals[i])) {
            return false;
        }
    }
    return true;
}

static torc_resident *find(const torc_origin *origin)
{
    for (torc_resident *r = torc_residents; r; r = r->next) {
        bool has_content = r->is_made || r->copy.is_filled;
        if (has_content && torc_origin_serves(&r->origin, origin) && is_fresh(r, origin)) {
            return r;
        }
    }
    return NULL;
}

static void put_first(torc_resident *r)
{
    r->next = torc_residents;
    torc_residents = r;
}

static void take_out(torc_resident *r)
{
    torc_resident **link = &torc_residents;
    while (*link != r) {
        link = &(*link)->next;
    }
    *link = r->next;
}

static void drop_elements(torc_resident *r)
{
    torc_elements_release(r->elements);
    r->elements = NULL;
}

void torc_resident_drop_name(torc_resident *r)
{
    torc_resident_end_journey(r);
    drop_elements(r);
    for (int i = 0; i < TORC_ORIGIN_ARRAYS; i++) {
        torc_seal_release(&r->seals[i]);
    }
    r->origin = (torc_origin){0};
    r->journey = 0;
}

void torc_resident_destroy(torc_resident *r)
{
    take_out(r);
    torc_resident_drop_name(r);
    torc_sparse_destroy(r->copy.sparse);
    torc_memory_release(r->context, r->copy.data);
    torc_residents_counts.bytes_held -= r->size;
    free(r);
}

/* Copies that are lost, and those that one of origin makes superfluous. */
static void clean(const torc_origin *origin)
{
    for (torc_resident *r = torc_residents, *next; r; r = next) {
        next = r->next;
        bool is_superfluous = !torc_resident_is_away(r) && torc_origin_is_alike(&r->origin, origin);
        if (r->lends == 0 && (is_lost(r) || is_superfluous)) {
            torc_resident_destroy(r);
        }
    }
}

/* Freeing device memory waits for the device: a copy that is lost leaves its own to one of the same size. */
static torc_resident *reuse(size_t size)
{
    for (torc_resident *r = torc_residents; r; r = r->next) {
        if (r->lends == 0 && r->copy.data && r->size == size && is_lost(r)) {
            torc_resident_drop_name(r);
            r->copy.is_filled = r->is_made = false;
            r->lends = 1;
            return r;
        }
    }
    return NULL;
}

/* Without content, lent. */
static torc_resident *add(torc_context *context, size_t size)
{
    torc_resident *r = calloc(1, sizeof *r);
    if (r) {
        r->context = context;
        r->lends = 1;
        r->size = size;
        torc_residents_counts.bytes_held += size;
        put_first(r);
    }
    return r;
}

static torc_resident *add_dense(
    torc_context *context, const torc_origin *origin, size_t size, torc_result_need need)
{
    torc_resident *r = reuse(size);
    clean(origin);
    if (r) {
        return r;
    }
    bool has_room = torc_residents_make_room(context, size) || need == TORC_RESULT_IS_THERE_ALONE;
    r = has_room ? add(context, size) : NULL;
    if (r && torc_residents_allocate(&r->copy.data, context, size) != TORC_SUCCESS) {
        torc_resident_destroy(r);
        return NULL;
    }
    return r;
}

/* Device memory for what could never be found again is not worth having. */
static torc_resident *add_provable(torc_context *context, const torc_origin *origin)
{
    torc_resident proof = {.origin = *origin};
    torc_resident_seal(&proof);
    torc_resident *r =
        is_lost(&proof) ? NULL : add_dense(context, origin, torc_origin_size(origin), TORC_RESULT_IS_COPIED);
    if (r) {
        r->origin = proof.origin;
        memcpy(r->seals, proof.seals, sizeof r->seals);
    } else {
        torc_resident_drop_name(&proof);
    }
    return r;
}

/* A sparse operand has to be on the device, room or not. */
static torc_resident *add_sparse(torc_context *context, const torc_origin *origin)
{
    clean(origin);
    torc_residents_make_room(context, torc_origin_size(origin));
    torc_resident *r = add(context, torc_origin_size(origin));
    if (r) {
        r->origin = *origin;
        torc_resident_seal(r);
    }
    return r;
}

static void count_hit(torc_resident *r, const torc_origin *origin)
{
    torc_residents_counts.hits++;
    if (r->journey != 0) {
        torc_resident_note_use(r);
    }
    torc_residents_counts.bytes_saved += torc_origin_size(origin);
    for (int i = 0; i < TORC_ORIGIN_ARRAYS; i++) {
        torc_seal_count_use(&r->seals[i]);
    }
}

/* A voucher is for the whole copy, so it is taken only if the caller asked for all of its arrays, which were
 * just found fresh. Of other arrays nothing is known, not even that they can still be read. */
static void vouch(torc_resident *r, const torc_origin *origin)
{
    if (origin->voucher && torc_origin_serves(origin, &r->origin)) {
        r->origin.voucher = origin->voucher;
    }
}

/* Pin arrays that are about to travel. This comes before they are sealed, since pinning counts as a write.
 * Integers of 64 bits are narrowed on the way, from memory that need not be pinned. Pinning takes long:
 * outside of the mutex. */
static void pin_arrays(torc_context *context, const torc_origin *origin)
{
    for (int i = 0; i < TORC_ORIGIN_ARRAYS; i++) {
        if (i == TORC_ORIGIN_VALUES || (i == TORC_ORIGIN_IDX && origin->idx_bits == 32)) {
            torc_arena_pin(context, origin->arrays[i].memory, origin->arrays[i].size);
        }
    }
}

static torc_resident *lend_fresh(const torc_origin *origin)
{
    torc_resident *r = find(origin);
    if (r) {
        count_hit(r, origin);
        vouch(r, origin);
        r->lends++;
    } else {
        torc_residents_counts.misses++;
    }
    return r;
}

torc_copy *torc_residency_lend(torc_context *context, const torc_origin *origin)
{
    torc_residents_enter();
    torc_resident *r = lend_fresh(origin);
    if (r && !torc_resident_settle(r)) {
        r->lends--;
        torc_residents_unlock();
        return NULL;
    }
    for (int i = 0; i < TORC_ORIGIN_ARRAYS && !r; i++) { /* what is read of them otherwise */
        torc_residents_bring_memory_home(origin->arrays[i].memory);
    }
    torc_residents_unlock();
    if (!r) {
        pin_arrays(context, origin);
        torc_residents_enter();
        r = origin->is_sparse ? add_sparse(context, origin) : add_provable(context, origin);
        torc_residents_unlock();
    }
    return r ? &r->copy : NULL;
}

torc_copy *torc_residency_lend_result(
    torc_context *context, const torc_origin *old, size_t size, bool may_overlap, torc_result_need need)
{
    torc_residents_enter();
    torc_resident *r = old ? find(old) : NULL;
    if (r && (r->lends == 0 || may_overlap) && r->size == size) {
        if (!torc_resident_settle(r)) {
            torc_residents_unlock();
            return NULL;
        }
        drop_elements(r);
        count_hit(r, old);
        if (!torc_resident_is_away(r)) {
            torc_resident_drop_name(r);
        }
        r->lends++;
    } else {
        torc_residents_counts.misses += old != NULL;
        static const torc_origin unnamed;
        r = add_dense(context, &unnamed, size, need);
    }
    torc_residents_unlock();
    return r ? &r->copy : NULL;
}

void torc_residency_resize(torc_copy *copy, size_t size)
{
    torc_resident *r = torc_resident_of(copy);
    torc_residents_enter();
    torc_residents_counts.bytes_held += size - r->size;
    r->size = size;
    torc_residents_unlock();
}

void torc_residency_name(torc_copy *copy, const torc_origin *origin)
{
    torc_resident *r = torc_resident_of(copy);
    torc_residents_enter();
    torc_resident_drop_name(r);
    r->origin = *origin;
    torc_resident_seal(r);
    torc_residents_unlock();
}

void torc_residency_give_back(torc_copy *copy)
{
    if (!copy) {
        return;
    }
    torc_resident *r = torc_resident_of(copy);
    torc_residents_enter();
    if (--r->lends > 0) {
        torc_residents_unlock();
        return;
    }
    r->is_made = r->copy.sparse || r->copy.is_filled;
    if (r->is_made && torc_origin_size(&r->origin) > 0 && !is_lost(r)) {
        take_out(r);
        put_first(r);
    } else {
        torc_resident_destroy(r);
    }
    torc_residents_unlock();
}

static bool is_made_of(const torc_resident *r, const void *memory)
{
    bool is = false;
    for (int i = 0; i < TORC_ORIGIN_ARRAYS; i++) {
        is = is || r->origin.arrays[i].memory == memory;
    }
    return is && memory;
}

/* The one used last: memory that was freed and given out again may have others, whose operands are gone. */
void torc_residency_expect(const void *memory)
{
    torc_residents_enter();
    torc_resident *r = torc_residents;
    while (r && !is_made_of(r, memory)) {
        r = r->next;
    }
    if (r) {
        r->is_expected = true;
    }
    torc_residents_unlock();
}

void torc_residency_expect_none(void)
{
    torc_residents_enter();
    for (torc_resident *r = torc_residents; r; r = r->next) {
        r->is_expected = false;
    }
    torc_residents_unlock();
}

bool torc_residency_has(const torc_origin *origin)
{
    torc_residents_enter();
    bool is_there = find(origin);
    torc_residents_unlock();
    return is_there;
}

torc_residency_counts torc_residency_count(void)
{
    torc_residents_enter();
    torc_residency_counts now = torc_residents_counts;
    torc_residents_unlock();
    return now;
}
