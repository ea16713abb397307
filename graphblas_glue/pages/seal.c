#include "seal.h"
#include "arena.h"
#include "process.h"
#include "write_tracking.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HUGE_PAGE = 2 << 20 };

/* A block of the arena that is or was tracked, in periods. A period ends when the block is written to, is
 * freed, or no seal is left.
 *
 * What a period may cost comes at its end, when pages are written. With 16 cores, writing all of
 * a GiB that was armed took 0.39 s by one thread instead of 0.09, and 0.06 s by all; sending it takes 0.02
 * (bench/results/2026-11-21-h200-bus.txt).
 * So a period was useless where nothing was made of it before a write, or less than 4 times before the block
 * was rewritten. After two of them in a row the next 16 seals are refused, after three 32, and so on up to
 * 256. This outlives the block's content: the arena hands the same ones out again. */
typedef struct watched_block {
    char *base;
    size_t size;  /* to the end of the array */
    size_t armed; /* and on to the end of its last huge page: arming part of one splits it */
    uint64_t period;
    uint64_t turn;     /* when it was last armed or refused */
    int nseals, nuses; /* of this period */
    int useless;       /* periods in a row */
    int refusals;      /* still to come */
} watched_block;

enum { WORTHWHILE = 4, PATIENCE = 2, MAX_DOUBLINGS = 8 };

/* Few and found fast: what a program works with. Where a set is full, the block of the oldest turn goes. */
enum { SETS = 64, WAYS = 4 };

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static watched_block blocks[SETS][WAYS];
static uint64_t last_period, last_turn;

static size_t round_up(size_t size, size_t unit)
{
    return (size + unit - 1) / unit * unit;
}

static watched_block *set_of(const void *base)
{
    uint64_t number = (uintptr_t)base / HUGE_PAGE;
    return blocks[(number * 0x9e3779b97f4a7c15u) >> 58];
}

static watched_block *find(const void *base)
{
    watched_block *set = set_of(base);
    for (int way = 0; way < WAYS; way++) {
        if (set[way].base == base) {
            return &set[way];
        }
    }
    return NULL;
}

/* Bytes written to, up to the array's last page. Pages beyond it are left out: nobody knows whether they were
 * ever touched. */
static size_t written(const watched_block *block)
{
    return torc_tracking_written(block->base, round_up(block->size, (size_t)sysconf(_SC_PAGESIZE)));
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
    torc_tracking_disarm(block->base, block->armed);
    block->period = 0;
}

static bool is_refused(watched_block *block)
{
    block->turn = ++last_turn;
    return block->refusals > 0 && block->refusals-- > 0;
}

static void start_period(watched_block *block, size_t size, size_t block_size)
{
    if (is_refused(block)) {
        return;
    }
    block->size = size;
    block->armed = round_up(size, HUGE_PAGE) < block_size ? round_up(size, HUGE_PAGE) : block_size;
    block->nseals = block->nuses = 0;
    if (torc_tracking_arm(block->base, block->armed)) {
        block->period = ++last_period;
    }
}

static watched_block *find_or_add(char *base)
{
    watched_block *block = find(base), *set = set_of(base);
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
    *block = (watched_block){.base = base};
    return block;
}

/* Seals of one period share it: arming again would hide a write from those that are there. */
static uint64_t track(char *base, size_t block_size, size_t size)
{
    watched_block *block = find_or_add(base);
    if (block->period) {
        size_t nwritten = written(block);
        if (nwritten > 0 || size > block->size) {
            end_period(block, nwritten);
        }
    }
    if (!block->period) {
        start_period(block, size, block_size);
    }
    block->nseals += block->period != 0;
    return block->period;
}

/* The arena is about to give the block to somebody else, or back. */
static void forget(void *base, size_t size)
{
    (void)size;
    pthread_mutex_lock(&mutex);
    watched_block *block = find(base);
    if (block && block->period) {
        end_period(block, written(block));
    }
    pthread_mutex_unlock(&mutex);
}

/* The tracking is the parent's. Another thread of the parent may have held the mutex. */
static void forget_all_in_child(void)
{
    mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    memset(blocks, 0, sizeof blocks);
}

static void begin(void)
{
    torc_arena_watch(forget);
    static const torc_fork_handlers handlers = {.child = forget_all_in_child};
    torc_process_at_fork(&handlers);
}

static void enter(void)
{
    pthread_once(&once, begin);
    pthread_mutex_lock(&mutex);
}

static bool may_hold(const void *array, size_t size, bool counts)
{
    void *base;
    if (size < TORC_ARENA_SMALLEST) {
        return true;
    }
    if (!torc_tracking_is_available() || !torc_arena_block(array, &base, NULL)) {
        return false;
    }
    enter();
    watched_block *block = find(base);
    bool is_possible = !block || !(counts ? is_refused(block) : block->refusals > 0);
    pthread_mutex_unlock(&mutex);
    return is_possible;
}

bool torc_seal_is_possible(const void *array, size_t size)
{
    return may_hold(array, size, true);
}

bool torc_seal_may_hold(const void *array, size_t size)
{
    return may_hold(array, size, false);
}

torc_seal torc_seal_put(const void *array, size_t size)
{
    torc_seal seal = {.array = array, .size = size};
    size_t block_size;
    if (size < TORC_ARENA_SMALLEST) {
        seal.copy = malloc(size ? size : 1);
        if (seal.copy) {
            memcpy(seal.copy, array, size);
        }
    } else if (torc_arena_block(array, &seal.block, &block_size)) {
        enter();
        size_t offset = (size_t)((const char *)array - (char *)seal.block);
        seal.period = track(seal.block, block_size, offset + size);
        pthread_mutex_unlock(&mutex);
    }
    return seal;
}

static watched_block *block_of(const torc_seal *seal)
{
    watched_block *block = seal->period ? find(seal->block) : NULL;
    return block && block->period == seal->period ? block : NULL;
}

bool torc_seal_holds(const torc_seal *seal)
{
    if (seal->copy) {
        return memcmp(seal->copy, seal->array, seal->size) == 0;
    }
    enter();
    watched_block *block = block_of(seal);
    size_t nwritten = block ? written(block) : 0;
    bool holds = block && nwritten == 0;
    if (block && !holds) {
        end_period(block, nwritten);
    }
    pthread_mutex_unlock(&mutex);
    return holds;
}

void torc_seal_count_use(const torc_seal *seal)
{
    enter();
    watched_block *block = block_of(seal);
    if (block) {
        block->nuses++;
    }
    pthread_mutex_unlock(&mutex);
}

bool torc_seal_is_broken(const torc_seal *seal)
{
    if (seal->copy) {
        return false;
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
