#include "old_content.h"
#include "dense.h"
#include <stdlib.h>
#include <string.h>

static size_t cells_of(const torc_dense *X)
{
    int64_t lines = X->order == TORC_ROW_MAJOR ? X->nrows : X->ncols;
    int64_t length = X->order == TORC_ROW_MAJOR ? X->ncols : X->nrows;
    return lines > 0 && length > 0 ? (size_t)((lines - 1) * X->ld + length) : 0;
}

typedef struct copying {
    char *to;
    const char *from;
} copying;

static void copy_some(void *argument, int64_t begin, int64_t end)
{
    const copying *c = argument;
    memcpy(c->to + begin, c->from + begin, (size_t)(end - begin));
}

static void copy(void *to, const void *from, size_t size)
{
    torc_threads_loop((int64_t)size, 1, copy_some, &(copying){to, from});
}

/* The arrays of one, padding too, from those of the other. */
static void copy_arrays(const torc_dense *to, const torc_dense *from)
{
    size_t cells = cells_of(to);
    copy(to->data, from->data, cells * torc_type_size(to->type));
    if (to->bitmap) {
        copy(to->bitmap, from->bitmap, cells);
    }
}

torc_status torc_group_keep_old(const torc_dense *C, const torc_dense *old, const torc_update *update,
    torc_group_product *product, void *argument)
{
    bool reads_values = !update->iso && old->data == C->data;
    bool reads_presence = old->bitmap && old->bitmap == C->bitmap;
    if (!torc_reads_old(update) || (!reads_values && !reads_presence)) {
        return product(argument, old);
    }
    size_t cells = cells_of(C);
    torc_dense kept = *C;
    kept.data = malloc(cells * torc_type_size(kept.type) + 1);
    kept.bitmap = C->bitmap ? malloc(cells + 1) : NULL;
    torc_status status = kept.data && !kept.bitmap == !C->bitmap ? TORC_SUCCESS : TORC_OUT_OF_MEMORY;
    if (status == TORC_SUCCESS) {
        torc_dense read = *C;
        read.data = reads_values ? kept.data : old->data;
        read.bitmap = reads_presence ? kept.bitmap : old->bitmap;
        copy_arrays(&kept, C);
        status = product(argument, &read);
        if (status != TORC_SUCCESS) {
            copy_arrays(C, &kept);
        }
    }
    free(kept.data);
    free(kept.bitmap);
    return status;
}
