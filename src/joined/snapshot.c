/* snapshot.c: what was said of the arrays that a launch writes to, kept until it is known how it went. */
#include "joined.h"

void torc_joined_snapshot(torc_joined *joined, const torc_joined_lines *c, const torc_joined_lines *c_bitmap)
{
    const torc_joined_lines *const arrays[] = {c, c_bitmap};
    for (int i = 0; i < 2; i++) {
        torc_joined_state *before = &joined->before[i];
        const torc_joined_block *block = arrays[i]->first ? torc_joined_find(joined, arrays[i]->first) : NULL;
        before->array = block ? arrays[i]->first : NULL;
        before->size = torc_joined_span_of(arrays[i]);
        before->is_read = false;
        before->nspreads = block ? block->nspreads : 0;
        before->torn_begin = block ? block->torn_begin : 0;
        before->torn_end = block ? block->torn_end : 0;
        for (int n = 0; n < before->nspreads; n++) {
            before->spread[n] = block->spread[n];
        }
    }
}

torc_status torc_joined_restore_on_error(torc_joined *joined, torc_status status)
{
    for (int i = 0; i < 2 && status != TORC_SUCCESS; i++) {
        const torc_joined_state *before = &joined->before[i];
        torc_joined_block *block = before->array ? torc_joined_find(joined, before->array) : NULL;
        for (int n = 0; block && n < before->nspreads; n++) {
            block->spread[n] = before->spread[n];
        }
        if (block) {
            block->nspreads = before->nspreads;
            block->torn_begin = before->torn_begin;
            block->torn_end = before->torn_end;
        }
    }
    return status;
}

void torc_joined_note_read(torc_joined *joined, const torc_joined_block *block)
{
    for (int i = 0; i < 2; i++) {
        torc_joined_state *before = &joined->before[i];
        before->is_read =
            before->is_read || (before->array && torc_joined_find(joined, before->array) == block);
    }
}

void torc_joined_tear(torc_joined *joined)
{
    for (int i = 0; i < 2; i++) {
        const torc_joined_state *before = &joined->before[i];
        torc_joined_block *block = before->is_read ? torc_joined_find(joined, before->array) : NULL;
        if (block) { /* with what was torn before, and what lies between them */
            size_t begin = (size_t)((const char *)before->array - block->address);
            bool is_first = block->torn_begin == block->torn_end;
            size_t end = begin + before->size;
            block->torn_begin = is_first || begin < block->torn_begin ? begin : block->torn_begin;
            block->torn_end = is_first || end > block->torn_end ? end : block->torn_end;
        }
    }
}
