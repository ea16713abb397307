/* arena.c: see arena.h. Every class has two lists: of free blocks that have memory, and of those that have
 * none. In the first the block freed last is at the head, since its pages are the warmest. There is one lock:
 * blocks this large are not taken and given often. */
#include "arena.h"
#include "clock.h"
#include "machine_memory.h"
#include "process.h"

#include <errno.h>
#include <pthread.h>
#include <sys/mman.h>

enum { MOVES_TO_PIN = 2, NEVER_PIN = UINT8_MAX, MOST_EXPECTED = 8 };
enum { POPULATE_WRITE = 23 }; /* MADV_POPULATE_WRITE of Linux 5.14 */

static const size_t KEPT_ANYWAY = (size_t)256 << 20;
static const size_t ASKED_EVERY = (size_t)64 << 20;  /* bytes freed: asking takes microseconds */
static const size_t PINNED_BESIDE = (size_t)4 << 30; /* bytes: some .1 s (reasoned) */

typedef struct block_list {
    torc_block *newest, *oldest;
} block_list;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t one_is_pinned = PTHREAD_COND_INITIALIZER;

/* Under the lock. */
static block_list kept[TORC_ARENA_CLASSES], empty[TORC_ARENA_CLASSES];
static torc_arena_counts counts;
static uint64_t frees;
static size_t freed_since_asked;
static bool is_rationed;                    /* as it was when last asked */
static torc_block *expected[MOST_EXPECTED]; /* those that have memory, in turn */
static unsigned next_expected;
static torc_context *pinner;
static size_t awaited = SIZE_MAX; /* bytes in use */
static void (*reached)(void);

static _Atomic(void (*)(void *, size_t)) watchers[TORC_ARENA_WATCHERS];
static atomic_int nwatchers;

static pthread_once_t start_once = PTHREAD_ONCE_INIT;
static size_t physical; /* bytes of memory of the machine */

/* ---- Lists -------------------------------------------------------------------------------------------- */

static void push(block_list *list, torc_block *block)
{
    block->newer = NULL;
    block->older = list->newest;
    if (list->newest) {
        list->newest->newer = block;
    } else {
        list->oldest = block;
    }
    list->newest = block;
}

static torc_block *take_out(block_list *list, torc_block *block)
{
    if (block) {
        *(block->newer ? &block->newer->older : &list->newest) = block->older;
        *(block->older ? &block->older->newer : &list->oldest) = block->newer;
    }
    return block;
}

/* ---- The lock, and fork ------------------------------------------------------------------------------- */

static void take_lock(void)
{
    pthread_mutex_lock(&lock);
}

static void leave(void)
{
    pthread_mutex_unlock(&lock);
}

static void forget_pins(void)
{
    torc_block *block;
    for (size_t i = 0; (block = torc_range_block(i)); i++) {
        block->is_pinned = block->is_being_pinned = false;
        block->moves = 0;
    }
    counts.pinned = 0;
    pinner = NULL;
}

/* The device, and what is pinned for it, is the parent's. */
static void leave_in_child(void)
{
    one_is_pinned = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    forget_pins();
    leave();
}

/* malloc is no point where threads are cancelled, so neither is the first block of the arena. */
static void start(void)
{
    int cancels;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancels);
    physical = torc_machine_memory();
    pthread_setcancelstate(cancels, NULL);
    static const torc_fork_handlers handlers = {take_lock, leave, leave_in_child};
    torc_process_at_fork(&handlers);
}

static void enter(void)
{
    pthread_once(&start_once, start);
    take_lock();
}

void torc_arena_begin(void)
{
    pthread_once(&start_once, start);
}

/* ---- Taking and giving -------------------------------------------------------------------------------- */

size_t torc_arena_keeps(size_t in_use, size_t machine)
{
    size_t keeps = in_use > KEPT_ANYWAY ? in_use : KEPT_ANYWAY;
    return keeps < machine / 8 ? keeps : machine / 8;
}

static void unpin(torc_block *block)
{
    if (block->is_pinned) {
        torc_memory_unpin(pinner, block->base, block->size);
        block->is_pinned = false;
        counts.pinned -= block->size;
    }
}

static bool is_expected(const torc_block *block)
{
    bool is_there = false;
    for (int i = 0; i < MOST_EXPECTED; i++) {
        is_there |= expected[i] == block;
    }
    return is_there;
}

static void forget_expected(const torc_block *block)
{
    for (int i = 0; i < MOST_EXPECTED; i++) {
        expected[i] = expected[i] == block ? NULL : expected[i];
    }
}

static bool return_oldest(void)
{
    int oldest = -1;
    for (int class = 0; class < TORC_ARENA_CLASSES; class ++) {
        if (kept[class].oldest &&
            (oldest < 0 || kept[class].oldest->freed_at < kept[oldest].oldest->freed_at)) {
            oldest = class;
        }
    }
    if (oldest < 0) {
        return false;
    }
    torc_block *block = take_out(&kept[oldest], kept[oldest].oldest);
    unpin(block);
    block->moves = 0;
    forget_expected(block);
    torc_range_empty(block);
    counts.kept -= block->size;
    push(&empty[oldest], block);
    return true;
}

/* Where memory is rationed, what was kept goes back at once. */
static void ask_for_rations(void)
{
    freed_since_asked = 0;
    is_rationed = torc_memory_is_rationed(torc_arena_range.size / 2);
    while (is_rationed && return_oldest()) {
    }
}

static torc_block *find_room(int class, size_t size)
{
    ask_for_rations();
    while (torc_range_is_crowded() && return_oldest()) {
    }
    if (is_rationed || torc_range_is_crowded()) {
        return NULL;
    }
    torc_block *block = take_out(&empty[class], empty[class].newest);
    return block && torc_range_fill(block, size) ? block : torc_range_cut(size);
}

torc_block *torc_arena_take(bool *is_zero, size_t size)
{
    if (!torc_process_is_ours()) {
        return NULL;
    }
    torc_arena_begin();
    /* The range would have it, no page of it being accounted for: whether there is that much is libc's to
     * say. */
    if (size > physical || !torc_range_choose(physical) || size > torc_arena_range.size) {
        return NULL;
    }
    int class = torc_range_class(size);
    enter();
    torc_block *block = take_out(&kept[class], kept[class].newest);
    *is_zero = !block;
    if (block) {
        counts.kept -= block->size;
    } else {
        block = find_room(class, size);
    }
    if (block) {
        block->is_used = true;
        block->is_fresh = *is_zero;
        counts.in_use += block->size;
        counts.peak_in_use = counts.in_use > counts.peak_in_use ? counts.in_use : counts.peak_in_use;
    }
    bool is_reached = counts.in_use >= awaited;
    void (*tell)(void) = reached;
    awaited = is_reached ? SIZE_MAX : awaited;
    leave();
    if (is_reached) {
        tell();
    }
    return block;
}

static void keep(torc_block *block)
{
    push(&kept[torc_range_class(block->size)], block);
    if (freed_since_asked >= ASKED_EVERY) {
        ask_for_rations();
    }
    size_t keeps = is_rationed ? 0 : torc_arena_keeps(counts.in_use, physical);
    while (counts.kept > keeps && return_oldest()) {
    }
}

void torc_arena_give(void *memory)
{
    int saved_errno = errno;
    torc_block *block = torc_range_find(memory);
    if (!block || memory != block->base || !torc_process_is_ours()) {
        return;
    }
    for (int i = 0; i < TORC_ARENA_WATCHERS; i++) {
        void (*freed)(void *, size_t) = atomic_load(&watchers[i]);
        if (freed) {
            freed(block->base, block->size);
        }
    }
    enter();
    if (block->is_used) {
        block->is_used = false;
        block->freed_at = frees++;
        counts.in_use -= block->size;
        counts.kept += block->size;
        freed_since_asked += block->size;
        if (!block->is_being_pinned) {
            keep(block);
        }
    }
    leave();
    errno = saved_errno;
}

/* ---- What the transfers and the residency ask --------------------------------------------------------- */

bool torc_arena_block(const void *p, void **base, size_t *size)
{
    const torc_block *block = torc_range_find(p);
    if (!block || !torc_range_is_there(block)) {
        return false;
    }
    if (base) {
        *base = block->base;
    }
    if (size) {
        *size = block->size;
    }
    return true;
}

void torc_arena_watch(void (*freed)(void *block, size_t size))
{
    atomic_store(&watchers[atomic_fetch_add(&nwatchers, 1)], freed);
}

void torc_arena_when_used(size_t size, void (*function)(void))
{
    enter();
    awaited = size;
    reached = function;
    leave();
}

size_t torc_arena_pin_budget(void)
{
    torc_arena_begin();
    return physical / 2;
}

/* False where it is none of this context's business; the bytes are set aside. */
static bool claim_pin(torc_block *block, torc_context *context)
{
    if (block->is_pinned || block->is_being_pinned || block->moves == NEVER_PIN ||
        (pinner && pinner != context) || block->size + counts.pinned > torc_arena_pin_budget()) {
        return false;
    }
    pinner = context;
    counts.pinned += block->size;
    return true;
}

/* Leaves the lock meanwhile, since it takes its time. The program may free the block then, but gets it back
 * only afterwards. Nobody unpins: the context is in use. */
static void pin(torc_block *block, torc_context *context)
{
    if (!block->is_used) {
        take_out(&kept[torc_range_class(block->size)], block);
    }
    block->is_being_pinned = true;
    leave();
    bool is_pinned = torc_memory_pin(context, block->base, block->size) == TORC_SUCCESS;
    enter();
    block->is_pinned = is_pinned;
    block->is_being_pinned = false;
    pthread_cond_broadcast(&one_is_pinned);
    if (!is_pinned) {
        block->moves = NEVER_PIN;
        counts.pinned -= block->size;
    }
    if (!block->is_used) {
        keep(block);
    }
}

static torc_block *find_all_of(const void *p, size_t size)
{
    torc_block *block = torc_range_find(p);
    return block && size <= block->size - (size_t)((const char *)p - block->base) ? block : NULL;
}

void torc_arena_note_travel(const void *p, size_t size)
{
    torc_block *block = find_all_of(p, size);
    if (block) {
        enter();
        block->moves += block->moves < MOVES_TO_PIN;
        leave();
    }
}

bool torc_arena_pin_traveller(torc_context *context, const void *p, size_t size)
{
    torc_block *block = find_all_of(p, size);
    if (!block) {
        return false;
    }
    double begin = torc_clock();
    enter();
    while (block->is_being_pinned) {
        pthread_cond_wait(&one_is_pinned, &lock);
    }
    if (block->moves >= MOVES_TO_PIN && claim_pin(block, context)) {
        pin(block, context);
    }
    bool is_pinned = block->is_pinned && pinner == context;
    counts.seconds_pinning += torc_clock() - begin;
    leave();
    return is_pinned;
}

bool torc_arena_pin(torc_context *context, const void *p, size_t size)
{
    torc_arena_note_travel(p, size);
    return torc_arena_pin_traveller(context, p, size);
}

static void expect(torc_block *block)
{
    if (block && !is_expected(block)) {
        expected[next_expected++ % MOST_EXPECTED] = block;
    }
}

void torc_arena_expect(const void *p, size_t size)
{
    torc_block *block = find_all_of(p, size);
    enter();
    expect(block);
    leave();
}

void torc_arena_expect_new(size_t size)
{
    if (size >= TORC_ARENA_SMALLEST && size <= torc_arena_range.size) {
        enter();
        expect(kept[torc_range_class(size)].newest);
        leave();
    }
}

void torc_arena_pin_expected(torc_context *context)
{
    size_t rest = PINNED_BESIDE;
    enter();
    for (int i = 0; i < MOST_EXPECTED; i++) {
        torc_block *block = expected[i];
        expected[i] = NULL;
        if (block && block->size <= rest && claim_pin(block, context)) {
            rest -= block->size;
            pin(block, context);
        }
    }
    leave();
}

typedef struct fresh_memory {
    char *base;
    size_t size;
} fresh_memory;

/* A kernel that does not know how leaves it to whoever writes. */
static void populate_pages(void *data, int64_t begin, int64_t end)
{
    const fresh_memory *fresh = data;
    size_t offset = (size_t)begin * TORC_ARENA_PAGE, size = (size_t)(end - begin) * TORC_ARENA_PAGE;
    size_t rest = fresh->size - offset;
    madvise(fresh->base + offset, size < rest ? size : rest, POPULATE_WRITE);
}

void torc_arena_populate(void *p, size_t size)
{
    torc_block *block = torc_range_find(p);
    if (!block || p != block->base) {
        return;
    }
    enter();
    bool is_fresh = block->is_fresh;
    block->is_fresh = false;
    leave();
    int64_t pages = is_fresh ? (int64_t)((size - 1) / TORC_ARENA_PAGE + 1) : 0;
    torc_threads_loop(pages, TORC_ARENA_PAGE, populate_pages, &(fresh_memory){block->base, size});
}

bool torc_arena_is_pinned(const void *p)
{
    torc_block *block = torc_range_find(p);
    enter();
    bool is_pinned = block && block->is_pinned;
    leave();
    return is_pinned;
}

void torc_arena_unpin(void)
{
    enter();
    torc_block *block;
    for (size_t i = 0; (block = torc_range_block(i)); i++) {
        unpin(block);
    }
    forget_pins();
    leave();
}

torc_arena_counts torc_arena_count(void)
{
    enter();
    torc_arena_counts now = counts;
    now.is_used_up = torc_range_is_used_up();
    leave();
    return now;
}
