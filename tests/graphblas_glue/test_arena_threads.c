/* The arena in the hands of several threads, and of a child. */
#include "arena_blocks.h"
#include "reference.h"
#include "require.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 4, SLOTS = 12, STEPS = 600, STRIDE = 4096 };

typedef struct allocation {
    uint64_t *memory;
    size_t size; /* bytes, a multiple of 8 */
    uint64_t tag;
} allocation;

static pthread_mutex_t exchange_lock = PTHREAD_MUTEX_INITIALIZER;
static allocation exchange; /* what one thread leaves for another to check and free */

static uint64_t draw(uint64_t *state)
{
    uint64_t z = (*state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/* Mostly large, some around the border to libc, some small. */
static size_t draw_size(uint64_t *state)
{
    static const size_t most[] = {4096, 2 * 1048576, 6 * 1048576, 40 * 1048576};
    return (draw(state) % most[draw(state) % 4] + 8) / 8 * 8;
}

static void stamp(allocation *a)
{
    for (size_t i = 0; i < a->size / 8; i += STRIDE / 8) {
        a->memory[i] = a->tag ^ i;
    }
    a->memory[a->size / 8 - 1] = a->tag;
}

static bool is_stamped(const allocation *a, size_t size)
{
    for (size_t i = 0; i < size / 8; i += STRIDE / 8) {
        if (i != a->size / 8 - 1 && a->memory[i] != (a->tag ^ i)) {
            return false;
        }
    }
    return size < a->size || a->memory[a->size / 8 - 1] == a->tag;
}

static const char *begin(allocation *a, uint64_t *state)
{
    a->size = draw_size(state);
    a->tag = draw(state);
    bool is_calloc = draw(state) % 2;
    a->memory = is_calloc ? torc_calloc(a->size / 8, 8) : torc_malloc(a->size);
    if (!a->memory) {
        return "no memory";
    }
    if (is_calloc) {
        for (size_t i = 0; i < a->size / 8; i += 97) {
            if (a->memory[i] != 0) {
                return "calloc is not zero";
            }
        }
    }
    stamp(a);
    return NULL;
}

static const char *resize(allocation *a, uint64_t *state)
{
    size_t size = draw_size(state);
    uint64_t *memory = torc_realloc(a->memory, size);
    if (!memory) {
        return "realloc has no memory";
    }
    a->memory = memory;
    if (!is_stamped(a, size < a->size ? size : a->size)) {
        return "realloc lost content";
    }
    a->size = size;
    stamp(a);
    return NULL;
}

static const char *end(allocation *a)
{
    bool is_whole = is_stamped(a, a->size);
    torc_free(a->memory);
    a->memory = NULL;
    return is_whole ? NULL : "content changed";
}

static const char *step(allocation *a, uint64_t *state)
{
    unsigned action = (unsigned)(draw(state) % 8);
    if (!a->memory) {
        return begin(a, state);
    }
    if (action < 3) {
        return resize(a, state);
    }
    if (action < 5) { /* free what another thread allocated, leave this one for others */
        pthread_mutex_lock(&exchange_lock);
        allocation other = exchange;
        exchange = *a;
        *a = other;
        pthread_mutex_unlock(&exchange_lock);
        return a->memory ? end(a) : NULL;
    }
    return end(a);
}

static void *torture(void *seed)
{
    uint64_t state = *(uint64_t *)seed;
    allocation slots[SLOTS] = {{0}};
    const char *fault = NULL;
    for (int i = 0; i < STEPS && !fault; i++) {
        fault = step(&slots[draw(&state) % SLOTS], &state);
    }
    for (int i = 0; i < SLOTS; i++) {
        if (slots[i].memory) {
            const char *last = end(&slots[i]);
            fault = fault ? fault : last;
        }
    }
    return (void *)fault;
}

static void run_threads(uint64_t seed)
{
    pthread_t threads[THREADS];
    uint64_t seeds[THREADS];
    for (uint64_t i = 0; i < THREADS; i++) {
        seeds[i] = seed + i;
        cr_assert_eq(pthread_create(&threads[i], NULL, torture, &seeds[i]), 0);
    }
    for (size_t i = 0; i < THREADS; i++) {
        void *fault;
        pthread_join(threads[i], &fault);
        cr_assert_null(fault, "seed %lu: %s", seeds[i], (char *)fault);
    }
}

Test(arena_threads, survives_threads_that_exchange_blocks)
{
    for (uint64_t seed = 100; seed < 300; seed += 100) {
        run_threads(seed);
    }
    if (exchange.memory) {
        cr_expect_null(end(&exchange));
    }
    torc_arena_counts counts = torc_arena_count();
    cr_expect(counts.in_use == 0 && counts.kept <= 256 * MIB && counts.peak_in_use > 0);
}

static atomic_bool is_over;

static void *pin_again_and_again(void *context)
{
    while (!is_over) {
        for (size_t size = MIB; size <= 64 * MIB; size *= 2) {
            torc_arena_expect_new(size);
        }
        torc_arena_pin_expected(context);
    }
    return NULL;
}

Test(arena_threads, pins_beside_threads_that_exchange_blocks)
{
    torc_context *context = open_reference();
    pthread_t pinner;
    cr_assert_eq(pthread_create(&pinner, NULL, pin_again_and_again, context), 0);
    run_threads(500);
    is_over = true;
    pthread_join(pinner, NULL);
    cr_expect_eq(torc_reference_bytes_pinned(), torc_arena_count().pinned);
    torc_arena_unpin();
    cr_expect_eq(torc_reference_bytes_pinned(), 0);
    torc_context_destroy(context);
}

/* What the child does; its status tells. The parent's block is in it too. */
static int live_as_child(char *block)
{
    bool is_right = torc_arena_count().pinned == 0 && block[0] == 1 && block[3 * MIB - 1] == 1;
    memset(block, 2, 3 * MIB);
    torc_free(block);
    is_right = is_right && torc_malloc(3 * MIB) == block;
    block = torc_realloc(block, 30 * MIB);
    is_right = is_right && block && block[0] == 2;
    torc_free(block);
    return is_right ? 0 : 1;
}

static void *take_and_give(void *data)
{
    while (!is_over) {
        torc_free(torc_malloc(10 * MIB));
    }
    return data;
}

Test(arena_threads, lives_on_in_a_child)
{
    torc_context *context = open_reference();
    char *block = torc_malloc(3 * MIB);
    memset(block, 1, 3 * MIB);
    torc_arena_pin(context, block, MIB);
    cr_assert(torc_arena_pin(context, block, MIB));
    pthread_t thread;
    cr_assert_eq(pthread_create(&thread, NULL, take_and_give, NULL), 0);
    for (int turn = 0; turn < 20; turn++) {
        pid_t child = fork();
        if (child == 0) {
            alarm(TORC_HANGING); /* where it would wait for the lock of a thread that it has not */
            _exit(live_as_child(block));
        }
        int status;
        cr_assert_eq(waitpid(child, &status, 0), child);
        cr_assert_eq(status, 0, "turn %d", turn);
    }
    is_over = true;
    pthread_join(thread, NULL);
    cr_expect(block[0] == 1 && torc_arena_count().pinned == 4 * MIB);
    torc_arena_unpin();
    torc_context_destroy(context);
}
