/* arena.h: memory for GraphBLAS's large arrays, which comes back to it again and again.
 *
 * Iterative programs free and allocate the same sizes over and over, and what a device reads or writes should
 * be page-locked. So blocks of at least TORC_ARENA_SMALLEST bytes come from the arena (arena_range.h), and
 * keep what was dear to get: a freed block keeps its pages, and its pinning, for the next one of its class.
 *
 * What is kept free is bounded by torc_arena_keeps, beyond which the memory of the blocks freed longest ago
 * goes back to the kernel: freed, they are not even mapped. Half of what the program holds may be idle, since
 * it will want as much again in its next iteration; a program that has freed everything keeps little; and no
 * program comes nearer to the end of the machine's memory than by an eighth of it. Of the machine's memory
 * counts what this process may have (machine_memory.h).
 *
 * Where memory is rationed (machine_memory.h), idle blocks and the slack of used ones would be missed:
 * nothing is kept, and no new block is cut, so that everything new is libc's. That is asked before a block is
 * cut, and again for every 64 MiB that are freed, since a limit may be set at any time.
 *
 * torc_malloc and its family (graphblas.h) are the interface for programs. Any thread may call anything here.
 * After fork() the child has its blocks, none of them pinned.
 */
#ifndef TORC_ARENA_H
#define TORC_ARENA_H

#include "arena_range.h"

enum { TORC_ARENA_SMALLEST = 1 << 20 };

/* A block of at least `size` bytes, > 0; its memory is zeros where *is_zero, else what it was left with.
 * NULL where the arena has none: malloc may have. */
torc_block *torc_arena_take(bool *is_zero, size_t size);

/* memory is the beginning of a used block; others are ignored. errno stays. */
void torc_arena_give(void *memory);

/* The block that p points into, used or kept; false where it is not the arena's. Neither locks nor allocates,
 * so that a signal handler may ask. base and size may be NULL. */
bool torc_arena_block(const void *p, void **base, size_t *size);

/* The same, for other pointers by a comparison alone. */
TORC_UNSANITIZED static inline bool torc_arena_owns(const void *p)
{
    return torc_range_has(p) && torc_arena_block(p, NULL, NULL);
}

/* malloc and its family. */
typedef struct torc_malloc_family {
    void *(*allocate)(size_t);
    void *(*allocate_zeroed)(size_t, size_t);
    void *(*reallocate)(void *, size_t);
    void (*release)(void *);
} torc_malloc_family;

/* What torc_malloc and its family call for blocks that are not the arena's: libc's, unless told. The other
 * family and libc's take each other's blocks. *family stays. */
void torc_malloc_behind(const torc_malloc_family *family);

/* Have a function called with each block that is about to be given up by the program, before it is recycled
 * or its memory returned: in the thread that frees it, outside of every lock of the arena; it may ask
 * anything of the arena but must not use the block afterwards, and leaves it readable and writable. At most
 * TORC_ARENA_WATCHERS, for good. */
enum { TORC_ARENA_WATCHERS = 4 };
void torc_arena_watch(void (*freed)(void *block, size_t size));

/* Have a function called once, when the program holds `size` bytes of blocks or more: by the thread that took
 * the last of them, outside of every lock of the arena, and as part of what may be the program's malloc. */
void torc_arena_when_used(size_t size, void (*reached)(void));

/* Say that [p, p + size) is about to travel to or from the context's device; p may be NULL. True where it is
 * page-locked then: a block is pinned, as a whole, the second time it travels, until torc_arena_pin_budget()
 * is spent. It stays so through recycling, until its memory goes back or torc_arena_unpin. A block that
 * cannot be pinned is not tried again. One context at a time pins, and is not destroyed meanwhile. */
bool torc_arena_pin(torc_context *context, const void *p, size_t size);

/* Say that [p, p + size), p may be NULL, or a block yet to be taken for `size` bytes, would travel if there
 * were a context. The last few are remembered. */
void torc_arena_expect(const void *p, size_t size);
void torc_arena_expect_new(size_t size);

/* Pin the blocks that are expected to travel, 4 GiB at most, while the program goes on and others use the
 * context. */
void torc_arena_pin_expected(torc_context *context);

/* Register what the arena does at a fork: before anybody does who waits there for torc_arena_pin_expected. */
void torc_arena_begin(void);

/* Have several threads make the pages of [p, p + size), if its block has never been used before: a page is
 * zeroed by whoever writes to it first, two who do so at once both zero it, and one alone takes long. p may
 * be NULL. */
void torc_arena_populate(void *p, size_t size);

/* Is the block that p points into page-locked? */
bool torc_arena_is_pinned(const void *p);

/* Unpin all. Before the context is destroyed. */
void torc_arena_unpin(void);

/* Bytes that may be pinned: half of the machine's memory. */
size_t torc_arena_pin_budget(void);

/* Bytes that may be kept free while in_use are used: as many, or 256 MiB, but no more than an eighth of the
 * machine's memory. */
size_t torc_arena_keeps(size_t in_use, size_t machine);

/* Bytes of whole blocks. kept: free, with their memory; pinned: of both. seconds_pinning: spent in
 * torc_arena_pin so far. */
typedef struct torc_arena_counts {
    size_t in_use, kept, pinned, peak_in_use;
    double seconds_pinning;
    bool is_used_up; /* its addresses are: blocks of new sizes are libc's */
} torc_arena_counts;
torc_arena_counts torc_arena_count(void);

#endif
