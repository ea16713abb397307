/* elements.h: single elements of an array that is on the device alone, as the host knows them.
 *
 * Programs read and write elements one by one, mostly the same places in every round of a loop. What was read
 * is read again from here. What is written stays here until the array is used, and goes to the device in one
 * piece then. Where the places of an array of this size were read in the round before, all of them are
 * fetched with the first.
 *
 * Nothing here knows whether the array has changed: whoever lets it be written to flushes before, and
 * releases. Under the residency's mutex. */
#ifndef TORC_ELEMENTS_H
#define TORC_ELEMENTS_H

#include <stddef.h>
#include <torc/torc.h>

typedef struct torc_elements torc_elements;

/* Of an array of `size` bytes. NULL: memory is short. */
torc_elements *torc_elements_new(size_t size);

/* NULL is allowed. What was not flushed is lost; which places these were is remembered. */
void torc_elements_release(torc_elements *elements);

/* false: it is not known. */
bool torc_elements_read(void *to, const torc_elements *elements, uint64_t offset, size_t size);

/* false: there is no room for it until all are forgotten. */
bool torc_elements_write(torc_elements *elements, uint64_t offset, const void *from, size_t size);

/* What was written goes to the device, by whoever has it. NULL is allowed. */
torc_status torc_elements_flush(torc_elements *elements, torc_context *context, void *array);

/* The same, and all are forgotten. */
torc_status torc_elements_empty(torc_elements *elements, torc_context *context, void *array);

/* Have an element known, by whoever has the device. */
torc_status torc_elements_fetch(
    torc_elements *elements, torc_context *context, void *array, uint64_t offset, size_t size);

#endif
