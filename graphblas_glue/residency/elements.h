/* elements.h: what the host knows of single elements of an array that is on the device alone.
 *
 * Programs read and write elements one by one, mostly the same places in every round of a loop. An element
 * that was read is kept here and read from here again. An element that is written waits here until the array
 * is used; then all that were written go to the device in one piece. The first read fetches all places that
 * were read in the round before, in an array of this size.
 *
 * A program that reads or writes all elements like this had better have the array at home: after some trips
 * to the device it is told so (torc_elements_are_few).
 *
 * Nothing here knows whether the array has changed: who lets it be written to flushes the elements before,
 * and releases them. Under the residency's mutex. */
#ifndef TORC_ELEMENTS_H
#define TORC_ELEMENTS_H

#include <stddef.h>
#include <torc/torc.h>

typedef struct torc_elements torc_elements;

/* For an array of `size` bytes. NULL: memory is short. */
torc_elements *torc_elements_new(size_t size);

/* Elements that were not flushed are lost; their places are remembered. NULL is allowed. */
void torc_elements_release(torc_elements *elements);

/* false: it is not known. */
bool torc_elements_read(void *to, const torc_elements *elements, uint64_t offset, size_t size);

/* false: there is no room until all elements are forgotten (torc_elements_empty). */
bool torc_elements_write(torc_elements *elements, uint64_t offset, const void *from, size_t size);

/* false: there were more trips to the device than there is room for elements, and the array's way home would
 * not take longer. It had better come home. */
bool torc_elements_are_few(const torc_elements *elements);

/* Send what was written to the device, which the caller has. NULL is allowed. */
torc_status torc_elements_flush(torc_elements *elements, torc_context *context, void *array);

/* The same, and forget all elements. */
torc_status torc_elements_empty(torc_elements *elements, torc_context *context, void *array);

/* Fetch an element from the device, which the caller has. */
torc_status torc_elements_fetch(
    torc_elements *elements, torc_context *context, void *array, uint64_t offset, size_t size);

#endif
