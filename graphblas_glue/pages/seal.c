#include "seal.h"
#include "arena.h"
#include "process.h"
#include "write_tracking.h"
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HUGE_PAGE = 2 << 20 };

/* What is tracked for an array: whole pages that no other array has a part of. */
typedef struct span {
    const void *key; /* the block, or the foreign array */
    char *pages;
    size_t size;       /* to the end of the array, or of its last whole page */
    size_t room;       /* that could be tracked */
    size_t head, tail; /* bytes of the array that are in no such page */
} span;

/* A block of the arena, or a foreign array, that is or was tracked, in periods. A period ends when it is
 * written to, is freed, or no seal is left.
 *
 * What a period may cost comes at its end, when pages are written. With 16 cores, writing all of
 * a GiB that was armed took 0.39 s by one thread instead of 0.09, and 0.06 s by all; sending it takes 0.02
 * (bench/results/2026-11-21-h200-bus.txt).
 * So a period was useless where nothing was made of it before a write, or less than 4 times before the block
 * was rewritten. After two of them in a row the next 16 seals are refused, after three 32, and so on up to
 * 256. This outlives the block's content: the arena hands the same ones out again. */
typedef struct watched_block {
    _Atomic(const void *) key; /* written with the mutex */
    bool is_foreign;
    char *pages;
    size_t size;  /* to the end of the array */
    size_t armed; /* and on to the end of its last huge page: arming part of one splits it */
    uint64_t period;
    uint64_t turn;     /* when it was last armed or refused */
    int nseals, nuses; /* of this period; uses up to WORTHWHILE */
    int useless;       /* periods in a row */
    int refusals;      /* still to come */
} watched_block;

enum { WORTHWHILE = 4, PATIENCE = 2, MAX_DOUBLINGS = 8 };

/* As many as a program works with, and found fast. Where a set is full, the block of the oldest turn goes. */
enum { SETS = 128, WAYS = 4 };

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static watched_block blocks[SETS][WAYS];
static uint64_t last_period, last_turn;
static atomic_bool allows_foreign;
static atomic_int nperiods;
atomic_int torc_seal_foreign;

static size_t round_up(size_t size, size_t unit)
{
    return (size + unit - 1) / unit * unit;
}

/* false: writes to the array cannot be tracked. */
static bool find_span(span *found, const char *array, size_t size)
{
    void *base;
    size_t room, page = (size_t)sysconf(_SC_PAGESIZE);
    if (!torc_tracking_is_available()) {
        return false;
    }
    if (torc_arena_block(array, &base, &room)) {
        *found =
            (span){.key = base, .pages = base, .size = (size_t)(array - (char *)base) + size, .room = room};
        return true;
    }
    size_t head = -(uintptr_t)array % page, tail = ((uintptr_t)array + size) % page;
    *found = (span){.key = array,
        .pages = (char *)array + head,
        .size = size - head - tail,
        .room = size - head - tail,
        .head = head,
        .tail = tail};
    return allows_foreign;
}

static watched_block *set_of(const void *key)
{
    uint64_t number = (uintptr_t)key / HUGE_PAGE;
    return blocks[(number * 0x9e3779b97f4a7c15u) >> 57];
}

/* NULL is the key of those that were never used. */
static watched_block *find(const void *key)
{
    watched_block *set = set_of(key);
    for (int way = 0; way < WAYS; way++) {
        if (atomic_load_explicit(&set[way].key, memory_order_relaxed) == key) {
            return &set[way];
        }
    }
    return NULL;
}

/* Up to the array's last page. Pages beyond it are left out: nobody knows whether they were ever touched. */
static size_t used(const watched_block *block)
{
    return round_up(block->size, (size_t)sysconf(_SC_PAGESIZE));
}

/* Bytes written to. */
static size_t written(const watched_block *block)
{
    return torc_tracking_written(block->pages, used(block));
}

/* nwritten: bytes known to be written. */
static void end_period(watched_block *block, size_t nwritten)
{
    bool was_rewritten = nwritten > block->size / 8;
    if (block->nuses > 0 && !(was_rewritten && block->nuses < WORTHWHILE)) {
        block->useless = 0;
    } else if (nwritten > 0 && ++block->useless >= PATIENCE) {
        int doublings = block->useless + 2 < MAX_DOUBLINGS ? block->useless + 2 : MAX_DOUBLINGS;
        block->refusals = 1 << doublings;
    }
    torc_tracking_disarm(block->pages, block->armed);
    block->period = 0;
    nperiods--;
    torc_seal_foreign -= block->is_foreign;
}

static bool is_refused(watched_block *block)
{
    block->turn = ++last_turn;
    return block->refusals > 0 && block->refusals-- > 0;
}

static void start_period(watched_block *block, const span *tracked)
{
    size_t huge = round_up(tracked->size, HUGE_PAGE);
    if (is_refused(block)) {
        return;
    }
    block->pages = tracked->pages;
    block->size = tracked->size;
    block->armed = huge < tracked->room ? huge : tracked->room;
    block->is_foreign = !torc_arena_owns(block->pages);
    block->nseals = block->nuses = 0;
    if (torc_tracking_arm(block->pages, block->armed, used(block))) {
        block->period = ++last_period;
        nperiods++;
        torc_seal_foreign += block->is_foreign;
    }
}

static watched_block *find_or_add(const void *key)
{
    watched_block *block = find(key), *set = set_of(key);
    if (block) {
        return block;
    }
    block = &set[0];
    for (int way = 1; way < WAYS; way++) {
        block = set[way].turn < block->turn ? &set[way] : block;
    }
    if (block->period) {
        end_period(block, 0);
    }
    block->useless = block->refusals = 0;
    block->key = key;
    return block;
}

/* Seals of one period share it: arming again would hide a write from those that are there. */
static uint64_t track(const span *tracked)
{
    watched_block *block = find_or_add(tracked->key);
    if (block->period) {
        size_t nwritten = written(block);
        if (nwritten > 0 || tracked->size > block->size) {
            end_period(block, nwritten);
        }
    }
    if (!block->period) {
        start_period(block, tracked);
    }
    block->nseals += block->period != 0;
    return block->period;
}

static void forget(const void *key)
{
    pthread_mutex_lock(&mutex);
    watched_block *block = find(key);
    if (block && block->period) {
        end_period(block, written(block));
    }
    pthread_mutex_unlock(&mutex);
}

/* The arena is about to give the block to somebody else, or back. */
static void forget_block(void *base, size_t size)
{
    (void)size;
    forget(base);
}

/* Called for whatever is freed: most of it was never watched. */
void torc_seal_forget(const void *array)
{
    int saved_errno = errno;
    void *base;
    const void *key = torc_arena_block(array, &base, NULL) ? base : array;
    if (key && find(key) && torc_process_is_ours()) {
        forget(key);
    }
    errno = saved_errno;
}

void torc_seal_forget_all(void)
{
    pthread_mutex_lock(&mutex);
    for (int i = 0; i < SETS * WAYS; i++) {
        watched_block *block = &blocks[i / WAYS][i % WAYS];
        if (block->period) {
            end_period(block, 0);
        }
    }
    pthread_mutex_unlock(&mutex);
}

bool torc_seal_is_any(void)
{
    return nperiods > 0;
}

void torc_seal_allow_foreign(bool allowed)
{
    if (atomic_exchange(&allows_foreign, allowed) && !allowed) {
        torc_seal_forget_all();
    }
}

/* The tracking is the parent's. Another thread of the parent may have held the mutex. */
static void forget_all_in_child(void)
{
    mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    memset(blocks, 0, sizeof blocks);
    nperiods = torc_seal_foreign = 0;
}

static void begin(void)
{
    torc_arena_watch(forget_block);
    static const torc_fork_handlers handlers = {.child = forget_all_in_child};
    torc_process_at_fork(&handlers);
}

static void enter(void)
{
    pthread_once(&once, begin);
    pthread_mutex_lock(&mutex);
}

bool torc_seal_is_possible(const void *array, size_t size)
{
    span tracked;
    if (size < TORC_ARENA_SMALLEST) {
        return true;
    }
    if (!find_span(&tracked, array, size)) {
        return false;
    }
    enter();
    watched_block *block = find(tracked.key);
    bool is_possible = !block || !is_refused(block);
    pthread_mutex_unlock(&mutex);
    return is_possible;
}

/* Without memory for it there is no copy, and the seal does not hold. */
static void copy_ends(torc_seal *seal)
{
    seal->copy = malloc(seal->head + seal->tail + 1);
    if (seal->copy) {
        memcpy(seal->copy, seal->array, seal->head);
        memcpy(seal->copy + seal->head, seal->array + seal->size - seal->tail, seal->tail);
    }
}

static bool ends_hold(const torc_seal *seal)
{
    return seal->copy && memcmp(seal->copy, seal->array, seal->head) == 0 &&
           memcmp(seal->copy + seal->head, seal->array + seal->size - seal->tail, seal->tail) == 0;
}

torc_seal torc_seal_put(const void *array, size_t size)
{
    torc_seal seal = {.array = array, .size = size};
    span tracked;
    if (size < TORC_ARENA_SMALLEST) {
        seal.head = size;
        copy_ends(&seal);
    } else if (find_span(&tracked, array, size)) {
        seal.key = tracked.key;
        enter();
        seal.period = track(&tracked);
        pthread_mutex_unlock(&mutex);
        seal.head = tracked.head;
        seal.tail = tracked.tail;
        if (seal.head + seal.tail > 0) {
            copy_ends(&seal);
        }
    }
    return seal;
}

static watched_block *block_of(const torc_seal *seal)
{
    watched_block *block = seal->period ? find(seal->key) : NULL;
    return block && block->period == seal->period ? block : NULL;
}

bool torc_seal_holds(const torc_seal *seal)
{
    if (!seal->key) {
        return ends_hold(seal);
    }
    enter();
    watched_block *block = block_of(seal);
    size_t nwritten = block ? written(block) : 0;
    bool holds = block && nwritten == 0;
    if (block && !holds) {
        end_period(block, nwritten);
    }
    pthread_mutex_unlock(&mutex);
    return holds && (seal->head + seal->tail == 0 || ends_hold(seal));
}

void torc_seal_count_use(const torc_seal *seal)
{
    enter();
    watched_block *block = block_of(seal);
    if (block) {
        block->nuses += block->nuses < WORTHWHILE;
    }
    pthread_mutex_unlock(&mutex);
}

bool torc_seal_is_broken(const torc_seal *seal)
{
    if (!seal->key) {
        return !seal->copy;
    }
    enter();
    bool is_broken = !block_of(seal);
    pthread_mutex_unlock(&mutex);
    return is_broken;
}

void torc_seal_release(torc_seal *seal)
{
    free(seal->copy);
    enter();
    watched_block *block = block_of(seal);
    if (block && --block->nseals == 0) {
        end_period(block, 0);
    }
    pthread_mutex_unlock(&mutex);
    *seal = (torc_seal){0};
}
