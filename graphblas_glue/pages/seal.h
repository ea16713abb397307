/* seal.h: is an array in host memory still what it was when it was copied to the device?
 *
 * A seal is put on the array before it is copied, so that whoever writes meanwhile breaks it. How it knows:
 *
 *     below 1 MiB                          an exact copy beside it, compared
 *     larger, in a block of torc's arena   the kernel tracks writes to the block, which no other array shares
 *     larger, anywhere else                not at all: it never holds
 *
 * Nothing depends on whose the memory is: an array that was freed, and one of the same content at the same
 * address, are as good as the same. Freeing a block of the arena breaks its seals.
 *
 * Tracking slows the first write to each page down; where that does not pay, a block is left alone for a
 * while (see watched_block in seal.c). Any thread. */
#ifndef TORC_SEAL_H
#define TORC_SEAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct torc_seal {
    const void *array;
    size_t size;
    void *copy;      /* exact, of a small array */
    void *block;     /* of the arena, of a large one */
    uint64_t period; /* of tracking that block; 0: none */
} torc_seal;

/* May a seal put on it hold? false where the next put would be refused; that counts as having been. */
bool torc_seal_is_possible(const void *array, size_t size);

/* The same, where asking counts for nothing. */
bool torc_seal_may_hold(const void *array, size_t size);

/* What cannot be sealed gets a broken one. To be released. */
torc_seal torc_seal_put(const void *array, size_t size);

/* The array must be readable. */
bool torc_seal_holds(const torc_seal *seal);

/* Sending the array again was saved. */
void torc_seal_count_use(const torc_seal *seal);

/* It will never hold again; tells without looking at the array. */
bool torc_seal_is_broken(const torc_seal *seal);

void torc_seal_release(torc_seal *seal);

#endif
