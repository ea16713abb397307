/* seal.h: is an array in host memory still what it was when it was copied to the device?
 *
 * A seal is put on the array before it is copied, so that a write during the copy breaks it. How that is
 * found out:
 *
 *     below 1 MiB                 an exact copy beside it, compared
 *     larger, in torc's arena     the kernel tracks writes to the block, which no other array shares
 *     larger, foreign: elsewhere  the kernel tracks writes to the pages that are the array's alone; the rest
 *                                 of it, in its first and its last page, is compared with a copy
 *
 * A seal is about memory, not about its owner: an array that was freed and another with the same content at
 * the same address are the same to it. So freeing an array breaks its seals; and so does handing it out to
 * the program, which may do with it what the kernel does not see as writes, such as receive into it by a
 * device. Who does either calls torc_seal_forget; the arena does so by itself.
 *
 * Foreign arrays are those that a program has made, and packed into a matrix. Their seals hold only where
 * somebody sees what becomes of them, and has called torc_seal_allow_foreign.
 *
 * Tracking slows down the first write to each page. Where that does not pay, a block is left alone for a
 * while (watched_block in seal.c). Any thread. */
#ifndef TORC_SEAL_H
#define TORC_SEAL_H

#include "arena_range.h"
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct torc_seal {
    const char *array;
    size_t size;
    size_t head, tail; /* bytes that are compared: its first and its last */
    char *copy;        /* of these */
    const void *key;   /* of what is tracked: the block, or the foreign array; NULL: nothing */
    uint64_t period;   /* of tracking that; 0: none */
} torc_seal;

/* May a seal that is put on it now hold? A "no" uses up one refusal of a block that is left alone for a
 * while. */
bool torc_seal_is_possible(const void *array, size_t size);

/* An array that cannot be sealed gets a broken seal. To be released. */
torc_seal torc_seal_put(const void *array, size_t size);

/* Is the array what it was? It must be readable. */
bool torc_seal_holds(const torc_seal *seal);

/* Count that the array did not have to be sent again. */
void torc_seal_count_use(const torc_seal *seal);

/* Is it known that the seal will never hold again? Does not look at the array. */
bool torc_seal_is_broken(const torc_seal *seal);

void torc_seal_release(torc_seal *seal);

/* May seals of foreign arrays hold? Not at first. */
void torc_seal_allow_foreign(bool allowed);

/* Break the seals of an array, if it has some; a foreign one is known by where it begins. */
void torc_seal_forget(const void *array);

/* The same for all that is tracked. */
void torc_seal_forget_all(void);

/* Is anything tracked? Any thread, lock-free. */
bool torc_seal_is_any(void);

/* How many foreign arrays are tracked now. */
extern atomic_int torc_seal_foreign;

/* Called for whatever the process frees, before a sanitizer's constructors too. */
TORC_UNSANITIZED static inline void torc_seal_freed(const void *memory)
{
    if (atomic_load_explicit(&torc_seal_foreign, memory_order_relaxed) > 0) {
        torc_seal_forget(memory);
    }
}

#endif
