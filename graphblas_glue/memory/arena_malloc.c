/* arena_malloc.c: torc_malloc and its family (graphblas.h). Large blocks come from the arena; small ones, and
 * large ones that the arena does not have, from the family behind. */
#include "arena.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <torc/graphblas.h>

static const torc_malloc_family libc = {malloc, calloc, realloc, free};
static _Atomic(const torc_malloc_family *) behind = &libc;

void torc_malloc_behind(const torc_malloc_family *family)
{
    behind = family;
}

void *torc_malloc(size_t size)
{
    bool is_zero;
    torc_block *block = size >= TORC_ARENA_SMALLEST ? torc_arena_take(&is_zero, size) : NULL;
    return block ? block->base : behind->allocate(size);
}

void *torc_calloc(size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    bool is_zero;
    torc_block *block = bytes >= TORC_ARENA_SMALLEST ? torc_arena_take(&is_zero, bytes) : NULL;
    if (!block) {
        return behind->allocate_zeroed(count, size);
    }
    return is_zero ? block->base : memset(block->base, 0, bytes);
}

/* What is freed and kept. */
enum { MOST_KEPT = 1024 };
static void *_Atomic kept[MOST_KEPT];
static atomic_int nkept; /* or more, where some found no room */
static _Thread_local bool keeps;

void torc_malloc_keep(bool shall_keep)
{
    keeps = shall_keep;
}

static bool is_kept(void *memory)
{
    int number = keeps && memory ? nkept++ : MOST_KEPT;
    if (number < MOST_KEPT) {
        kept[number] = memory;
    }
    return number < MOST_KEPT;
}

void torc_free(void *memory)
{
    if (is_kept(memory)) {
        return;
    }
    if (torc_arena_owns(memory)) {
        torc_arena_give(memory);
    } else {
        behind->release(memory);
    }
}

void torc_malloc_let_go(void)
{
    for (int i = 0; i < MOST_KEPT && i < nkept; i++) {
        torc_free(kept[i]);
    }
    nkept = 0;
}

static void *move(void *memory, size_t old_size, size_t size, size_t room)
{
    char *moved = torc_malloc(room);
    if (!moved && room > size) {
        moved = torc_malloc(size);
    }
    if (moved) {
        memcpy(moved, memory, old_size < size ? old_size : size);
        torc_free(memory);
    }
    return moved;
}

/* A block that grows gets a quarter more than it had, since it will grow again; its untouched end costs
 * nothing. One that shrinks to less than half moves, so as not to keep what is no longer needed. */
static void *resize_block(void *memory, size_t old_size, size_t size)
{
    if (size > old_size) {
        size_t generous = old_size + old_size / 4;
        return move(memory, old_size, size, generous > size ? generous : size);
    }
    void *moved = size < old_size / 2 ? move(memory, old_size, size, size) : NULL;
    return moved ? moved : memory;
}

void *torc_realloc(void *memory, size_t size)
{
    size_t old_size;
    if (!memory) {
        return torc_malloc(size);
    }
    if (torc_arena_block(memory, NULL, &old_size)) {
        if (size > 0) {
            return resize_block(memory, old_size, size);
        }
        torc_free(memory); /* as libc's */
        return NULL;
    }
    return behind->reallocate(
        memory, size); /* not the arena's: libc grows large blocks without copying them */
}
