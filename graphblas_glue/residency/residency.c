#include "residency.h"
#include "arena.h"
#include "away.h"
#include "burble.h"
#include "elements.h"
#include "process.h"
#include "seal.h"
#include "session.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

typedef struct resident {
    torc_copy copy; /* first: this is what is lent */
    torc_context *context;
    torc_origin origin; /* without arrays: of a result that has no name yet */
    torc_seal seals[TORC_ORIGIN_ARRAYS];
    size_t size;
    uint64_t journey; /* that its array is on; 0: none */
    uint64_t maker;   /* of that result */
    bool was_used;    /* since it left */
    bool was_read;    /* all of it, by the host, since it left */
    bool is_landing;
    torc_elements *elements; /* of an array that is away; NULL: none were looked at */
    int lends;
    bool is_made; /* it has been given back with its content */
    struct resident *next;
} resident;

enum { MAX_RESIDENTS = 512 }; /* keeps searches short */

/* How many results of a maker came home unused in a row, by the maker's last bits. */
enum { MAKERS = 256, PATIENCE = 2, TRIAL = 16 };
static unsigned char unused_results[MAKERS];

/* Under the mutex, the one given back last first. Others than the thread that has the device only look. */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static resident *residents;
static int nresidents;
static atomic_bool has_lost;
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
    atomic_store(&has_lost, false); /* what is lost ends with the session */
}

static void return_wanted(void *block);

/* A child has no device: nothing is away when it begins. */
static void settle_and_lock(void)
{
    torc_residency_return_all();
    lock();
}

/* A child has the list whole; seals that relied on its parent's tracking are broken. */
static void begin(void)
{
    static const torc_fork_handlers handlers = {settle_and_lock, unlock, unlock};
    torc_process_at_fork(&handlers);
    torc_session_at_close(evict_all);
    torc_away_keep(return_wanted);
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

static const void *memory_of(const resident *r)
{
    return r->origin.arrays[TORC_ORIGIN_VALUES].memory;
}

static bool is_away(const resident *r)
{
    return r->journey != 0 && torc_away_journey(memory_of(r)) == r->journey;
}

/* Nobody vouches for it, and it will never be proven fresh again. */
static bool is_lost(const resident *r)
{
    if (r->journey != 0) {
        return !is_away(r);
    }
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
    if (r->journey != 0) {
        return is_away(r);
    }
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

static void drop_elements(resident *r)
{
    torc_elements_release(r->elements);
    r->elements = NULL;
}

/* Single elements that the host has written are in the array from now on. */
static bool settle(resident *r)
{
    return torc_elements_flush(r->elements, r->context, r->copy.data) == TORC_SUCCESS;
}

static void note_return(resident *r)
{
    unsigned char *unused = &unused_results[r->maker % MAKERS];
    if (r->maker != TORC_NO_MAKER) {
        *unused = (unsigned char)(r->was_used ? 0 : *unused < UINT8_MAX ? *unused + 1 : PATIENCE);
    }
    r->was_read = false;
}

/* What the host read, and nothing on the device, might as well have come home. */
static void note_end_of_journey(resident *r)
{
    if (r->was_read && !r->was_used) {
        note_return(r);
    }
    r->was_read = false;
}

static void drop_name(resident *r)
{
    note_end_of_journey(r);
    drop_elements(r);
    for (int i = 0; i < TORC_ORIGIN_ARRAYS; i++) {
        torc_seal_release(&r->seals[i]);
    }
    r->origin = (torc_origin){0};
    r->journey = 0;
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

/* ---- Coming home -------------------------------------------------------------------------------------- */

static bool is_cuda(torc_context *context)
{
    torc_device_info info;
    return torc_context_info(&info, context) == TORC_SUCCESS && strcmp(info.backend, "cuda") == 0;
}

/* A device writes to pinned pages, whoever may touch them. */
static bool fetch_into_block(const resident *r, void *block)
{
    return torc_arena_is_pinned(block) && is_cuda(r->context) &&
           torc_memory_download(r->context, block, r->copy.data, r->size) == TORC_SUCCESS;
}

/* Others lie aside until all of them are there. */
static bool fetch_aside(const resident *r, void *block)
{
    size_t size;
    torc_arena_block(block, NULL, &size);
    char *room = mmap(NULL, size + TORC_ARENA_PAGE, PROT_READ | PROT_WRITE,
        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED) {
        return false;
    }
    char *content = room + (TORC_ARENA_PAGE - (uintptr_t)room % TORC_ARENA_PAGE) % TORC_ARENA_PAGE;
    size_t before = (size_t)(content - room);
    madvise(content, size, MADV_HUGEPAGE);
    bool is_there = torc_memory_download(r->context, content, r->copy.data, r->size) == TORC_SUCCESS &&
                    torc_away_put_pages(block, content);
    if (!is_there) {
        munmap(content, size);
    }
    if (before > 0) {
        munmap(room, before);
    }
    munmap(content + size, TORC_ARENA_PAGE - before);
    return is_there;
}

static void note_loss(void)
{
    if (!atomic_exchange(&has_lost, true)) {
        torc_burble_note("the device is lost, with content that was only there: GrB_PANIC from now on");
    }
}

bool torc_residency_has_lost(void)
{
    return atomic_load_explicit(&has_lost, memory_order_relaxed);
}

/* Sealed before anybody can write to it, the copy serves on. What comes home again and again is pinned, like
 * all that travels; the caller has the device, and nobody else changes the list. */
static bool bring_home(resident *r)
{
    void *block = (void *)memory_of(r);
    if (!torc_away_begin_landing(block, r->journey)) {
        return true; /* it was freed */
    }
    r->lends++;
    r->is_landing = true;
    bool is_there = settle(r);
    unlock();
    is_there = is_there && (fetch_into_block(r, block) || fetch_aside(r, block));
    lock();
    r->is_landing = false;
    r->lends--;
    r->journey = 0;
    if (is_there && r->size >= TORC_ARENA_SMALLEST) { /* a small array would be read */
        put_seals(r);
    }
    note_return(r);
    if (!is_there) {
        note_loss();
    }
    counts.returns += is_there;
    counts.bytes_returned += is_there ? r->size : 0;
    torc_away_land(block);
    unlock();
    torc_arena_pin(r->context, block, r->size);
    lock();
    return is_there;
}

static resident *find_journey(uint64_t journey)
{
    resident *r = residents;
    while (r && r->journey != journey) {
        r = r->next;
    }
    return r;
}

static bool bring_memory_home(const void *p)
{
    uint64_t journey = torc_away_journey(p);
    resident *r = journey != 0 ? find_journey(journey) : NULL;
    return !r || bring_home(r);
}

static void return_wanted(void *block)
{
    torc_session_lock();
    torc_residency_bring_home(block);
    torc_session_release();
}

static void bring_all_home(void)
{
    for (resident *r = residents; r; r = r->next) {
        if (is_away(r)) {
            bring_home(r);
        }
    }
}

/* The CUDA driver may fork while this thread has the device. */
void torc_residency_return_all(void)
{
    bool is_mine = torc_session_is_mine();
    if (!torc_away_is_any()) { /* and nothing leaves any more */
        return;
    }
    if (!is_mine) {
        torc_session_lock();
    }
    lock();
    bring_all_home();
    unlock();
    if (!is_mine) {
        torc_session_release();
    }
}

/* ---- Room --------------------------------------------------------------------------------------------- */

static bool evict_one(void)
{
    resident *oldest = NULL;
    for (resident *r = residents; r; r = r->next) {
        oldest = r->lends > 0 ? oldest : r;
    }
    if (oldest && is_away(oldest)) {
        bring_home(oldest);
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
        bool is_superfluous = !is_away(r) && torc_origin_is_alike(&r->origin, origin);
        if (r->lends == 0 && (is_lost(r) || is_superfluous)) {
            destroy(r);
        }
    }
}

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
        if (r->lends == 0 && r->copy.data && r->size == size && is_lost(r)) {
            drop_name(r);
            r->copy.is_filled = r->is_made = false;
            r->lends = 1;
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
        r->lends = 1;
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

/* Where results are used again and again before one comes home, that one tells little. */
static void count_hit(resident *r, const torc_origin *origin)
{
    counts.hits++;
    if (r->journey != 0) {
        r->was_used = true;
        unused_results[r->maker % MAKERS] = 0;
    }
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
        r->lends++;
    } else {
        counts.misses++;
    }
    return r;
}

torc_copy *torc_residency_lend(torc_context *context, const torc_origin *origin)
{
    enter();
    resident *r = lend_fresh(origin);
    if (r && !settle(r)) {
        r->lends--;
        unlock();
        return NULL;
    }
    for (int i = 0; i < TORC_ORIGIN_ARRAYS && !r; i++) { /* what is read of them otherwise */
        bring_memory_home(origin->arrays[i].memory);
    }
    unlock();
    if (!r) {
        pin_arrays(context, origin);
        enter();
        r = origin->is_sparse ? add_sparse(context, origin) : add_provable(context, origin);
        unlock();
    }
    return r ? &r->copy : NULL;
}

torc_copy *torc_residency_lend_result(
    torc_context *context, const torc_origin *old, size_t size, bool may_overlap)
{
    enter();
    resident *r = old ? find(old) : NULL;
    if (r && (r->lends == 0 || may_overlap) && r->size == size) {
        if (!settle(r)) {
            unlock();
            return NULL;
        }
        drop_elements(r);
        count_hit(r, old);
        if (!is_away(r)) {
            drop_name(r);
        }
        r->lends++;
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
    drop_name(r);
    r->origin = *origin;
    put_seals(r);
    unlock();
}

/* Other copies of that memory hold what it was before: no seal breaks when its block leaves. */
static void forget_others(const resident *kept, const void *memory)
{
    for (resident *r = residents, *next; r; r = next) {
        next = r->next;
        bool names_it = false;
        for (int i = 0; i < TORC_ORIGIN_ARRAYS; i++) {
            names_it = names_it || r->origin.arrays[i].memory == memory;
        }
        if (names_it && r != kept) {
            drop_name(r); /* one that is lent is destroyed when it is given back */
            if (r->lends == 0) {
                destroy(r);
            }
        }
    }
}

bool torc_residency_leave(torc_copy *copy, const torc_origin *origin, uint64_t maker)
{
    resident *r = (resident *)copy;
    enter();
    const void *memory = origin->arrays[TORC_ORIGIN_VALUES].memory;
    bool is_gone = r->journey != 0 && memory_of(r) == memory && is_away(r);
    if (!is_gone) {
        uint64_t journey = torc_away_leave((void *)memory);
        is_gone = journey != 0;
        if (is_gone) {
            forget_others(r, memory);
            drop_name(r);
            r->origin = *origin;
            r->journey = journey;
            counts.journeys++;
            counts.bytes_left += r->size;
        }
    }
    note_end_of_journey(r);
    r->maker = maker;
    r->was_used = false;
    r->copy.is_filled = r->copy.is_filled || is_gone;
    unlock();
    return is_gone;
}

/* Nobody writes to what is on its way. */
static resident *find_away(size_t *offset, const void *p, size_t size)
{
    uint64_t journey = torc_away_journey(p);
    resident *r = journey != 0 ? find_journey(journey) : NULL;
    *offset = r ? (size_t)((const char *)p - (const char *)memory_of(r)) : 0;
    return r && !r->is_landing && *offset + size <= r->size ? r : NULL;
}

bool torc_residency_read(void *to, const void *p, size_t size)
{
    size_t offset;
    enter();
    resident *r = find_away(&offset, p, size);
    bool is_read = r && settle(r) &&
                   torc_memory_download(r->context, to, (char *)r->copy.data + offset, size) == TORC_SUCCESS;
    if (is_read) {
        r->was_read = true;
    }
    unlock();
    return is_read;
}

static resident *find_place(size_t *offset, const void *p, size_t size)
{
    resident *r = find_away(offset, p, size);
    if (!r) {
        return NULL;
    }
    r->elements = r->elements ? r->elements : torc_elements_new(r->size);
    return r->elements ? r : NULL;
}

bool torc_residency_recall(void *to, const void *p, size_t size)
{
    size_t offset;
    enter();
    resident *r = find_place(&offset, p, size);
    bool is_known = r && torc_elements_read(to, r->elements, offset, size);
    unlock();
    return is_known;
}

bool torc_residency_peek(void *to, const void *p, size_t size)
{
    size_t offset;
    enter();
    resident *r = find_place(&offset, p, size);
    bool is_read =
        r && (torc_elements_read(to, r->elements, offset, size) ||
                 (torc_elements_fetch(r->elements, r->context, r->copy.data, offset, size) == TORC_SUCCESS &&
                     torc_elements_read(to, r->elements, offset, size)));
    unlock();
    return is_read;
}

bool torc_residency_note(void *p, const void *from, size_t size)
{
    size_t offset;
    enter();
    resident *r = find_place(&offset, p, size);
    bool is_noted = r && torc_elements_write(r->elements, offset, from, size);
    unlock();
    return is_noted;
}

bool torc_residency_poke(void *p, const void *from, size_t size)
{
    size_t offset;
    enter();
    resident *r = find_place(&offset, p, size);
    bool is_written = r && (torc_elements_write(r->elements, offset, from, size) ||
                               (torc_elements_empty(r->elements, r->context, r->copy.data) == TORC_SUCCESS &&
                                   torc_elements_write(r->elements, offset, from, size)));
    unlock();
    return is_written;
}

bool torc_residency_should_leave(uint64_t maker)
{
    enter();
    unsigned char *unused = &unused_results[maker % MAKERS];
    bool should = *unused < PATIENCE || *unused % TRIAL < 2; /* the second finds the first */
    *unused = (unsigned char)(*unused < PATIENCE ? *unused : *unused + 1);
    unlock();
    return should;
}

bool torc_residency_bring_home(const void *p)
{
    enter();
    bool is_there = bring_memory_home(p);
    unlock();
    return is_there;
}

void torc_residency_give_back(torc_copy *copy)
{
    if (!copy) {
        return;
    }
    resident *r = (resident *)copy;
    enter();
    if (--r->lends > 0) {
        unlock();
        return;
    }
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
    bring_all_home();
    for (resident *r = residents, *next; r; r = next) {
        next = r->next;
        if (r->lends == 0) {
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
        if (r->lends == 0 && r->origin.voucher == voucher) {
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
