/* blocks.c: the memory of a joined device: a block of each member's, or of one, for each of its own. */
#include "joined.h"
#include <stdlib.h>
#include <string.h>

/* How many blocks begin at or before an address. */
static size_t count_before(const torc_joined *joined, const char *address)
{
    size_t begin = 0, end = joined->nblocks;
    while (begin < end) {
        size_t middle = begin + (end - begin) / 2;
        if (joined->blocks[middle].address <= address) {
            begin = middle + 1;
        } else {
            end = middle;
        }
    }
    return begin;
}

/* An empty array may begin where its block ends. */
torc_joined_block *torc_joined_find(torc_joined *joined, const void *address)
{
    size_t before = count_before(joined, address);
    torc_joined_block *block = before > 0 ? &joined->blocks[before - 1] : NULL;
    return block && (size_t)((const char *)address - block->address) <= block->size ? block : NULL;
}

void *torc_joined_at(torc_joined *joined, int member, const void *address)
{
    const torc_joined_block *block = address ? torc_joined_find(joined, address) : NULL;
    return block && block->member[member] ? block->member[member] + ((const char *)address - block->address)
                                          : NULL;
}

int torc_joined_first(torc_joined *joined, const void *address)
{
    int first = 0;
    while (address && first + 1 < joined->count && !torc_joined_at(joined, first, address)) {
        first++;
    }
    return first;
}

void *torc_joined_behind(torc_joined *joined, int member, const void *address, int64_t elements, size_t size)
{
    char *own = torc_joined_at(joined, member, address);
    return own ? own + (size_t)elements * size : NULL;
}

torc_status torc_joined_reserve(torc_joined *joined, size_t more)
{
    if (joined->most_blocks - joined->nblocks >= more) {
        return TORC_SUCCESS;
    }
    size_t most = 2 * (joined->most_blocks + more);
    torc_joined_block *blocks = realloc(joined->blocks, most * sizeof *blocks);
    if (!blocks) {
        return TORC_OUT_OF_MEMORY;
    }
    joined->blocks = blocks;
    joined->most_blocks = most;
    return TORC_SUCCESS;
}

void torc_joined_know(torc_joined *joined, void *const *addresses, size_t size)
{
    int first = 0;
    while (!addresses[first]) {
        first++;
    }
    size_t place = count_before(joined, addresses[first]);
    torc_joined_block *block = &joined->blocks[place];
    memmove(block + 1, block, (joined->nblocks - place) * sizeof *block);
    joined->nblocks++;
    *block = (torc_joined_block){.address = addresses[first], .size = size};
    for (int m = 0; m < joined->count; m++) {
        block->member[m] = addresses[m];
    }
}

void torc_joined_keep_on(torc_device *device, int number)
{
    torc_joined_of(device)->only = number;
}

torc_status torc_joined_allocate(void **memory, torc_device *device, size_t size)
{
    torc_joined *joined = torc_joined_of(device);
    void *addresses[TORC_JOINED_MEMBERS] = {0};
    torc_status status = torc_joined_reserve(joined, 1);
    *memory = NULL;
    for (int m = 0; m < joined->count && status == TORC_SUCCESS; m++) {
        if (joined->only < 0 || joined->only == m) {
            status =
                torc_joined_note(joined, m, joined->each->allocate(&addresses[m], joined->members[m], size));
        }
    }
    if (status == TORC_SUCCESS && size > 0) {
        torc_joined_know(joined, addresses, size);
    }
    for (int m = 0; m < joined->count && status != TORC_SUCCESS; m++) {
        joined->each->release(joined->members[m], addresses[m]);
    }
    if (status == TORC_SUCCESS) {
        *memory = addresses[joined->only < 0 ? 0 : joined->only];
    }
    return status;
}

void torc_joined_release(torc_device *device, void *memory)
{
    torc_joined *joined = torc_joined_of(device);
    torc_joined_block *block = memory ? torc_joined_find(joined, memory) : NULL;
    if (!block || block->address != memory) {
        return;
    }
    for (int m = 0; m < joined->count; m++) {
        joined->each->release(joined->members[m], block->member[m]);
    }
    free(block->spread);
    size_t after = joined->nblocks - (size_t)(block - joined->blocks) - 1;
    memmove(block, block + 1, after * sizeof *block);
    joined->nblocks--;
}

void torc_joined_renew(torc_device *device, void *memory)
{
    torc_joined_block *block = torc_joined_find(torc_joined_of(device), memory);
    if (block) {
        block->torn_begin = block->torn_end = 0;
    }
}
