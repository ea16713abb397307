#include "elements.h"
#include "recent.h"
#include <stdlib.h>
#include <string.h>

enum { MOST = 128, LARGEST = 16, ROUNDS = 4 };

/* What the bus carries while a trip to the device lasts, about. */
enum { BYTES_OF_TRIP = 1 << 19 };

struct torc_elements {
    size_t array; /* bytes of it */
    size_t size;  /* of each element; all are alike */
    size_t trips; /* to the device, of reads, and of writes for want of room */
    size_t count;
    uint64_t offsets[MOST];
    char values[MOST][LARGEST];
    bool is_written[MOST]; /* and not on the device yet */
};

typedef struct array_kind {
    size_t array, size; /* as above */
} array_kind;

/* Places of an array that was released. */
typedef struct last_round {
    array_kind kind;
    size_t count;
    uint64_t offsets[MOST];
} last_round;

TORC_RECENT(recent, last_round, kind, ROUNDS);

torc_elements *torc_elements_new(size_t size)
{
    torc_elements *elements = calloc(1, sizeof *elements);
    if (elements) {
        elements->array = size;
    }
    return elements;
}

void torc_elements_release(torc_elements *elements)
{
    if (elements && elements->count > 0) {
        array_kind kind = {elements->array, elements->size};
        last_round *last = torc_recent_find_or_add(&recent, &kind);
        last->count = elements->count;
        memcpy(last->offsets, elements->offsets, sizeof elements->offsets);
    }
    free(elements);
}

static size_t find(const torc_elements *elements, uint64_t offset)
{
    size_t i = 0;
    while (i < elements->count && elements->offsets[i] != offset) {
        i++;
    }
    return i;
}

bool torc_elements_read(void *to, const torc_elements *elements, uint64_t offset, size_t size)
{
    size_t i = find(elements, offset);
    bool is_known = i < elements->count && elements->size == size;
    if (is_known) {
        memcpy(to, elements->values[i], size);
    }
    return is_known;
}

static bool has_room(const torc_elements *elements, size_t size)
{
    return size <= LARGEST && (elements->count == 0 || (elements->size == size && elements->count < MOST));
}

bool torc_elements_write(torc_elements *elements, uint64_t offset, const void *from, size_t size)
{
    size_t i = find(elements, offset);
    bool is_known = i < elements->count && elements->size == size;
    if (!is_known && !has_room(elements, size)) {
        return false;
    }
    elements->size = size;
    elements->count += !is_known;
    elements->offsets[i] = offset;
    elements->is_written[i] = true;
    memcpy(elements->values[i], from, size);
    return true;
}

bool torc_elements_are_few(const torc_elements *elements)
{
    return elements->trips <= MOST + elements->array / BYTES_OF_TRIP;
}

torc_status torc_elements_flush(torc_elements *elements, torc_context *context, void *array)
{
    char values[MOST * LARGEST];
    uint64_t offsets[MOST];
    size_t count = 0;
    for (size_t i = 0; elements && i < elements->count; i++) {
        if (elements->is_written[i]) {
            offsets[count] = elements->offsets[i];
            memcpy(values + count++ * elements->size, elements->values[i], elements->size);
        }
    }
    torc_status status = count > 0
                             ? torc_memory_scatter(context, array, values, offsets, count, elements->size)
                             : TORC_SUCCESS;
    for (size_t i = 0; elements && i < elements->count && status == TORC_SUCCESS; i++) {
        elements->is_written[i] = false;
    }
    return status;
}

torc_status torc_elements_empty(torc_elements *elements, torc_context *context, void *array)
{
    torc_status status = torc_elements_flush(elements, context, array);
    elements->trips++;
    elements->count = status == TORC_SUCCESS ? 0 : elements->count;
    return status;
}

/* The place, and those of the round before that are not known, if it was among them. */
static size_t choose(uint64_t *offsets, const torc_elements *elements, uint64_t offset, size_t size)
{
    array_kind kind = {elements->array, size};
    const last_round *before = torc_recent_find(&recent, &kind);
    size_t count = 1;
    bool is_among = false;
    offsets[0] = offset;
    for (size_t i = 0; before && i < before->count; i++) {
        uint64_t place = before->offsets[i];
        is_among = is_among || place == offset;
        if (place != offset && find(elements, place) == elements->count && elements->count + count < MOST) {
            offsets[count++] = place;
        }
    }
    return is_among ? count : 1;
}

torc_status torc_elements_fetch(
    torc_elements *elements, torc_context *context, void *array, uint64_t offset, size_t size)
{
    char values[MOST * LARGEST];
    uint64_t offsets[MOST];
    torc_status status =
        has_room(elements, size) ? TORC_SUCCESS : torc_elements_empty(elements, context, array);
    size_t count = choose(offsets, elements, offset, size);
    elements->trips++;
    if (status == TORC_SUCCESS) {
        status = torc_memory_gather(context, values, array, offsets, count, size);
    }
    for (size_t i = 0; i < count && status == TORC_SUCCESS; i++) {
        size_t at = elements->count++;
        elements->size = size;
        elements->offsets[at] = offsets[i];
        elements->is_written[at] = false;
        memcpy(elements->values[at], values + i * size, size);
    }
    return status;
}
