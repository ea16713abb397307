/* seal.h: is an array in host memory still what it was when it was copied to the device?
 *
 * A seal is put on the array before it is copied, so that a write during the copy breaks it. How that is
 * found out:
 *
 *     below 1 MiB                          an exact copy beside it, compared
 *     larger, in a block of torc's arena   the kernel tracks writes to the block, which no other array shares
 *     larger, anywhere else                not at all: it never holds
 *
 * A seal is about memory, not about its owner: an array that was freed and another with the same content at
 * the same address are the same to it. Freeing a block of the arena breaks its seals.
 *
 * Tracking slows down the first write to each page. Where that does not pay, a block is left alone for a
 * while (watched_block in seal.c). Any thread. */
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

/* May a seal that is put on it now hold? A "no" uses up one refusal of a block that is left alone for a
 * while. */
bool torc_seal_is_possible(const void *array, size_t size);

/* The same, and uses up nothing. */
bool torc_seal_may_hold(const void *array, size_t size);

/* An array that cannot be sealed gets a broken seal. To be released. */
torc_seal torc_seal_put(const void *array, size_t size);

/* Is the array what it was? It must be readable. */
bool torc_seal_holds(const torc_seal *seal);

/* Count that the array did not have to be sent again. */
void torc_seal_count_use(const torc_seal *seal);

/* Is it known that the seal will never hold again? Does not look at the array. */
bool torc_seal_is_broken(const torc_seal *seal);

void torc_seal_release(torc_seal *seal);

#endif
