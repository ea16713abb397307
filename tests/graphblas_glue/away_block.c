#include "away_block.h"
#include "arena.h"
#include "away.h"
#include "dropin_signals.h"
#include <criterion/criterion.h>
#include <string.h>
#include <sys/mman.h>
#include <torc/graphblas.h>

enum { MOST_BLOCKS = 64 };

static struct {
    uint64_t *block;
    uint64_t content;
} device[MOST_BLOCKS];

atomic_int away_fetches;
atomic_bool away_is_lost;

static void write_content(uint64_t *words, uint64_t content)
{
    for (size_t i = 0; i < AWAY_WORDS; i++) {
        words[i] = content + i;
    }
}

static uint64_t content_of(const uint64_t *block)
{
    size_t i = 0;
    while (device[i].block != block) {
        i++;
    }
    return device[i].content;
}

void away_land(uint64_t *block)
{
    size_t size;
    torc_arena_block(block, NULL, &size);
    uint64_t *content = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    write_content(content, content_of(block));
    torc_away_put_pages(block, content);
    torc_away_land(block);
}

static void fetch(void *block)
{
    atomic_fetch_add(&away_fetches, 1);
    if (!atomic_load(&away_is_lost) && torc_away_begin_landing(block, torc_away_journey(block))) {
        away_land(block);
    }
}

void away_start(void)
{
    torc_dropin_watch_signals();
    torc_away_keep(fetch);
}

uint64_t away_leave(uint64_t *block, uint64_t content)
{
    size_t i = 0;
    while (device[i].block && device[i].block != block) {
        i++;
    }
    cr_assert(i < MOST_BLOCKS);
    device[i].block = block;
    device[i].content = content;
    return torc_away_leave(block);
}

uint64_t *away_new(uint64_t content)
{
    uint64_t *block = torc_malloc(AWAY_WORDS * sizeof *block);
    cr_assert(block);
    memset(block, 0xee, AWAY_WORDS * sizeof *block);
    cr_assert_neq(away_leave(block, content), 0);
    return block;
}

bool away_holds(const uint64_t *block, uint64_t content)
{
    for (size_t i = 0; i < AWAY_WORDS; i++) {
        if (block[i] != content + i) {
            return false;
        }
    }
    return true;
}
