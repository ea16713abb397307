/* arena.h: memory for GraphBLAS's large arrays, recycled.
 *
 * Iterative programs free and allocate the same sizes over and over, and memory that a device reads or writes
 * should be page-locked. So blocks of at least TORC_ARENA_SMALLEST bytes come from the arena (arena_range.h),
 * and a freed block keeps what was dear to get, its pages and its pinning, for the next one of its class.
 *
 * Free blocks keep as much memory as torc_arena_keeps says. Beyond that the blocks freed longest ago are
 * unmapped. A program may keep as much free as it holds, since its next iteration wants as much again; one
 * that has freed everything keeps little; and no program keeps more than an eighth of the machine's memory.
 * The machine's memory is what this process may have of it (machine_memory.h).
 *
 * Where memory is rationed (machine_memory.h), idle blocks and the slack of used ones would be missed. Then
 * nothing is kept, and no new block is cut: everything new is libc's. Rationing is asked about before a block
 * is cut, and again after every 64 MiB that are freed, since a limit may be set at any time.
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

/* Free the used block that begins at `memory`; other pointers are ignored. errno stays. */
void torc_arena_give(void *memory);

/* Find the block that p points into, used or free; false: p is not the arena's. Neither locks nor allocates,
 * so that a signal handler may ask. base and size may be NULL. */
bool torc_arena_block(const void *p, void **base, size_t *size);

/* Is p the arena's? Most other pointers are told by a comparison alone. */
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

/* Set what torc_malloc and its family call for blocks that are not the arena's; before, that is libc's
 * family. The new family and libc's take each other's blocks. *family stays. */
void torc_malloc_behind(const torc_malloc_family *family);

/* Shall what this thread frees stay as it is, for others that may be reading it? Then it is freed by
 * torc_malloc_let_go, or at once where too much is kept. */
void torc_malloc_keep(bool keeps);
void torc_malloc_let_go(void);

/* Have a function called with each block that the program frees, before the block is recycled or its memory
 * returned. It runs in the thread that frees, outside of every lock of the arena. It may ask anything of the
 * arena, must leave the block readable and writable, and must not use it afterwards. At most
 * TORC_ARENA_WATCHERS functions, for good. */
enum { TORC_ARENA_WATCHERS = 4 };
void torc_arena_watch(void (*freed)(void *block, size_t size));

/* Have a function called once, when the program holds `size` bytes of blocks or more. It runs in the thread
 * that took the last of them, outside of every lock of the arena; the program may be in malloc. */
void torc_arena_when_used(size_t size, void (*reached)(void));

/* Say that [p, p + size) is about to travel to or from the context's device; p may be NULL. true: it is
 * page-locked. A block is pinned, as a whole, the second time it travels, until torc_arena_pin_budget() is
 * spent. It stays pinned through recycling, until its memory goes back to the kernel or torc_arena_unpin. A
 * block that could not be pinned is not tried again. Only one context at a time pins, and it is not destroyed
 * meanwhile. */
bool torc_arena_pin(torc_context *context, const void *p, size_t size);

/* The two halves of it, where [p, p + size) may not be touched while it travels: page-locking writes to
 * pages, as it looks to whoever tracks that. */
void torc_arena_note_travel(const void *p, size_t size);
bool torc_arena_pin_traveller(torc_context *context, const void *p, size_t size);

/* Say that memory would travel if there were a context: [p, p + size), where p may be NULL; or a block that
 * is yet to be taken for `size` bytes. The last few are remembered. */
void torc_arena_expect(const void *p, size_t size);
void torc_arena_expect_new(size_t size);

/* Pin the blocks that are expected to travel, 4 GiB at most, while the program goes on and others use the
 * context. */
void torc_arena_pin_expected(torc_context *context);

/* Register what the arena does at a fork. Call it before the first torc_beside_start: fork's prepare handlers
 * run in reverse, and that room's waits for torc_arena_pin_expected. */
void torc_arena_begin(void);

/* Have several threads make the pages of [p, p + size), if its block has never been used before. One thread
 * alone takes long; and two that write to the same page first at once both zero it. p may be NULL. */
void torc_arena_populate(void *p, size_t size);

/* Is the block that p points into page-locked? */
bool torc_arena_is_pinned(const void *p);

/* Unpin all blocks. Called before the context is destroyed. */
void torc_arena_unpin(void);

/* Bytes that may be pinned: half of the machine's memory. */
size_t torc_arena_pin_budget(void);

/* Bytes that may be kept free while in_use bytes are used: as many, or 256 MiB if that is more, but no more
 * than an eighth of the machine's memory. */
size_t torc_arena_keeps(size_t in_use, size_t machine);

/* Bytes of whole blocks. kept: of free blocks that have memory; pinned: of used and free ones.
 * seconds_pinning: spent in torc_arena_pin so far. */
typedef struct torc_arena_counts {
    size_t in_use, kept, pinned, peak_in_use;
    double seconds_pinning;
    bool is_used_up; /* its addresses are: blocks of new sizes are libc's */
} torc_arena_counts;
torc_arena_counts torc_arena_count(void);

#endif
