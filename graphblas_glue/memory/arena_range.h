/* arena_range.h: the arena's addresses, and the blocks they are cut into.
 *
 *     ... |h|block| ... |h|block       | ... |h|block          |        not yet cut        |
 *     base  2 MiB pages, no two blocks share one                                     base + size
 *
 * The range is addresses alone. Only blocks that have memory are mapped, so only these count against a limit.
 * The range lies far below the addresses that the kernel hands out. If a mapping turns up there all the same,
 * it is left alone: blocks are mapped only where nothing is.
 *
 * Blocks are whole 2 MiB pages, in classes of sizes: every multiple of a page up to 16, then eight sizes
 * between one power of two and the next, so that at most an eighth of a large block is slack. A block's place
 * and size never change; what changes is whether it is used and whether memory is behind it (arena.c). Memory
 * comes as it is touched. What the request fills comes in huge pages and the rest in small ones, so that a
 * request of just over a huge page does not take two.
 *
 * h: the page before a block holds what glibc writes before memory that it has mapped for a large malloc. A
 * plugin loaded with RTLD_DEEPBIND calls libc's own free and realloc, past the drop-in's. These unmap, move
 * or resize the block as their own. It is libc's from then on, and its addresses are never cut again.
 */
#ifndef TORC_ARENA_RANGE_H
#define TORC_ARENA_RANGE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <torc/torc.h>

/* For what runs before a sanitizer has started. */
#define TORC_UNSANITIZED __attribute__((no_sanitize("address", "thread", "undefined")))

enum { TORC_ARENA_PAGE = 2 << 20, TORC_ARENA_CLASSES = 160 };

typedef struct torc_range {
    atomic_uintptr_t base;
    atomic_size_t size; /* written last; 0: no range is chosen */
} torc_range;

/* Data rather than a function: the drop-in's free looks at it before the program has begun. */
extern torc_range torc_arena_range;

TORC_UNSANITIZED static inline bool torc_range_has(const void *pointer)
{
    size_t size = atomic_load_explicit(&torc_arena_range.size, memory_order_acquire);
    return (uintptr_t)pointer - atomic_load_explicit(&torc_arena_range.base, memory_order_relaxed) < size;
}

typedef struct torc_block torc_block;

/* Unless said otherwise, all but base, size and has_memory belongs to arena.c, under its lock. */
struct torc_block {
    char *base;
    size_t size;
    torc_block *newer, *older; /* in a list of its class */
    uint64_t freed_at;         /* orders free blocks by age */
    atomic_bool has_memory;
    bool is_used, is_pinned;
    bool is_being_pinned; /* it is in no list then */
    bool is_fresh;        /* its memory is zeros as far as the arena knows */
    uint8_t moves;        /* to or from a device */
    /* Of away.c, beside the lock */
    atomic_uint place, landings;
    atomic_uint_fast64_t journey;
    atomic_bool is_wanted;
    torc_block *next_wanted;
};

/* Choose the range, once. It is many times as large as the machine's memory, since each class has addresses
 * of its own. false: there is no room, or the process may not use all addresses (RLIMIT_AS). Any thread. */
bool torc_range_choose(size_t machine);

/* Bytes for the range of a machine with that much memory: 4 to 32 TiB. */
size_t torc_range_wanted(size_t machine);

/* Has a block been refused because the range is used up? */
bool torc_range_is_used_up(void);

/* Have so many blocks memory that the process would run out of mappings? One thread at a time. */
bool torc_range_is_crowded(void);

/* The class that serves `size` bytes, > 0, and the bytes of its blocks. */
int torc_range_class(size_t size);
size_t torc_range_class_size(size_t size);

/* Cut a block that serves `size` bytes, its memory all zeros; NULL where the range is used up or the kernel
 * refuses. One thread at a time, as for the next two. */
torc_block *torc_range_cut(size_t size);

/* Unmap a block. */
void torc_range_empty(torc_block *block);

/* Map an empty block again, its memory all zeros; false where the kernel refuses. */
bool torc_range_fill(torc_block *block, size_t size);

/* Of memory for a block that serves `size` bytes: huge pages for what they fill. */
void torc_range_choose_pages(char *base, size_t bytes, size_t size);

/* The block that a pointer points into; NULL where there is none with memory. Neither locks nor allocates:
 * any thread, signal handlers too. */
torc_block *torc_range_find(const void *pointer);

/* Does it have its memory? Not so while it is empty, nor once libc has taken it. Any thread; the block is not
 * being freed. */
bool torc_range_is_there(const torc_block *block);

/* Every block ever cut, by number; NULL past the last. One thread at a time. */
torc_block *torc_range_block(size_t number);

#endif
