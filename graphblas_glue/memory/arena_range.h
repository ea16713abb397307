/* arena_range.h: the arena's address range, and the blocks it is cut into.
 *
 *     |block|block    |block            |                      not yet cut                       |
 *     base  2 MiB pages, no two blocks share one                                     base + size
 *
 * One range of addresses is reserved for good, without memory behind it, so that whether a pointer is the
 * arena's is one comparison. It is cut from the front into blocks of whole 2 MiB pages, in classes of sizes:
 * every multiple of a page up to 16, then eight sizes between one power of two and the next, so that at most
 * an eighth of a large block is slack. A block's place and size never change; what changes is whether it is
 * used and whether memory is behind it (arena.c). Memory comes as it is touched, in huge pages where the
 * kernel has them (MADV_HUGEPAGE).
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
    atomic_size_t size; /* written last; 0: nothing is reserved */
} torc_range;

/* Data rather than a function: the drop-in's free looks at it before the program has begun. */
extern torc_range torc_arena_range;

TORC_UNSANITIZED static inline bool torc_arena_owns(const void *pointer)
{
    size_t size = atomic_load_explicit(&torc_arena_range.size, memory_order_acquire);
    return (uintptr_t)pointer - atomic_load_explicit(&torc_arena_range.base, memory_order_relaxed) < size;
}

typedef struct torc_block torc_block;

/* All but base and size belongs to arena.c, under its lock, unless said. */
struct torc_block {
    char *base;
    size_t size;
    torc_block *newer, *older; /* in a list of its class */
    uint64_t freed_at;         /* orders free blocks by age */
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

/* Reserve the range, once. False where that is refused, or where an address-space limit (RLIMIT_AS) would
 * count it as used. Any thread. */
bool torc_range_reserve(void);

/* The class that serves `size` bytes, > 0, and the bytes of its blocks. */
int torc_range_class(size_t size);
size_t torc_range_class_size(size_t size);

/* Cut a block that serves `size` bytes, its memory all zeros; NULL where the range is used up or the kernel
 * refuses. One thread at a time. */
torc_block *torc_range_cut(size_t size);

/* Give a block's memory back; what is touched next is zeros again. */
void torc_range_empty(torc_block *block);

/* The block that a pointer of the range points into; NULL where none has been cut. Neither locks nor
 * allocates: any thread, signal handlers too. */
torc_block *torc_range_find(const void *pointer);

/* Every block ever cut, by number; NULL past the last. One thread at a time. */
torc_block *torc_range_block(size_t number);

#endif
