/* rank_memory.c: memory that the other ranks' devices write to, where they can. All ranks have as much of it,
 * in the same order; each maps that of the others. */
#include "rank_operands.h"
#include <stdlib.h>

/* This device will see how far those of the other ranks are. Where that fails nothing is written. */
static torc_status import_all(const torc_ranks *ranks, const torc_exchange_events *events)
{
    torc_status status = TORC_SUCCESS;
    for (int r = 0; r < ranks->count && status == TORC_SUCCESS; r++) {
        status =
            r == ranks->number ? TORC_SUCCESS : torc_exchange_import_events(ranks->exchange, r, &events[r]);
    }
    return status;
}

void torc_ranks_open_writing(torc_ranks *ranks)
{
    torc_exchange_events own, *all = malloc((size_t)(unsigned)ranks->count * sizeof *all);
    torc_status status = all ? torc_exchange_export_events(&own, ranks->exchange) : TORC_OUT_OF_MEMORY;
    if (torc_ranks_agree(ranks, status) == TORC_SUCCESS) {
        MPI_Allgather(&own, sizeof own, MPI_BYTE, all, sizeof own, MPI_BYTE, ranks->communicator);
        ranks->writes = torc_ranks_agree(ranks, import_all(ranks, all)) == TORC_SUCCESS;
    }
    torc_ranks_begin(ranks); /* it is no error */
    free(all);
}

static void unmap_all(const torc_ranks *ranks, torc_rank_memory *memory)
{
    for (int r = 0; memory->mapped && r < ranks->count; r++) {
        torc_exchange_unmap(ranks->context, memory->mapped[r]);
    }
    free(memory->mapped);
    memory->mapped = NULL;
}

/* Memory of this rank, and what it tells the others of it. */
static torc_status take(
    torc_rank_memory *memory, torc_exchange_memory_handle *handle, const torc_ranks *ranks, size_t size)
{
    memory->size = size > 0 ? size : 1; /* so that memory of nothing is known again */
    memory->mapped = calloc((size_t)(unsigned)ranks->count, sizeof *memory->mapped);
    return !memory->mapped ? TORC_OUT_OF_MEMORY
           : ranks->writes ? torc_exchange_allocate(&memory->own, handle, ranks->context, memory->size)
                           : torc_memory_allocate(&memory->own, ranks->context, memory->size);
}

static torc_status map_all(
    torc_rank_memory *memory, const torc_ranks *ranks, const torc_exchange_memory_handle *handles)
{
    torc_status status = TORC_SUCCESS;
    for (int r = 0; r < ranks->count && status == TORC_SUCCESS; r++) {
        if (r != ranks->number) {
            status = torc_exchange_map(&memory->mapped[r], ranks->context, &handles[r]);
        }
    }
    return status;
}

/* false, on all: not every rank reaches that of all others. */
static bool share(torc_rank_memory *memory, const torc_ranks *ranks, torc_exchange_memory_handle *handles)
{
    MPI_Allgather(
        MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, handles, sizeof *handles, MPI_BYTE, ranks->communicator);
    bool is_shared = torc_ranks_agree(ranks, map_all(memory, ranks, handles)) == TORC_SUCCESS;
    torc_ranks_begin(ranks); /* it is no error */
    return is_shared;
}

/* The ranks own it from now on. */
static void keep(torc_rank_memory *memory, torc_ranks *ranks, torc_exchange_memory_handle *handles)
{
    bool is_shared = ranks->writes && share(memory, ranks, handles);
    torc_rank_memory **list = is_shared ? &ranks->memories : &ranks->unshared;
    if (!is_shared) {
        unmap_all(ranks, memory);
    }
    memory->next = *list;
    *list = memory;
}

torc_status torc_ranks_allocate(void **memory, torc_ranks *ranks, size_t size)
{
    if (!ranks) {
        return TORC_NULL_POINTER;
    }
    torc_ranks_begin(ranks);
    torc_exchange_memory_handle *handles = malloc((size_t)(unsigned)ranks->count * sizeof *handles);
    torc_rank_memory *made = calloc(1, sizeof *made);
    torc_status own = !memory ? torc_context_explain(ranks->context, TORC_NULL_POINTER, "memory is NULL")
                      : !handles || !made ? TORC_OUT_OF_MEMORY
                                          : take(made, &handles[ranks->number], ranks, size);
    torc_status status = torc_ranks_agree(ranks, own);
    if (memory) {
        *memory = status == TORC_SUCCESS ? made->own : NULL;
    }
    if (status == TORC_SUCCESS) {
        keep(made, ranks, handles);
    } else if (made) {
        unmap_all(ranks, made);
        torc_memory_release(ranks->context, made->own);
        free(made);
    }
    free(handles);
    return status;
}

/* NULL: the list lacks it. */
static torc_rank_memory *take_out(torc_rank_memory **list, const void *memory)
{
    while (*list && (*list)->own != memory) {
        list = &(*list)->next;
    }
    torc_rank_memory *found = *list;
    if (found) {
        *list = found->next;
    }
    return found;
}

void torc_ranks_release(torc_ranks *ranks, void *memory)
{
    if (!ranks || !memory) {
        return;
    }
    torc_rank_memory *shared = take_out(&ranks->memories, memory);
    if (shared) {
        torc_ranks_wait(ranks); /* nobody writes there any more */
        unmap_all(ranks, shared);
        MPI_Barrier(ranks->communicator); /* nobody maps it any more */
    }
    free(shared ? shared : take_out(&ranks->unshared, memory));
    torc_memory_release(ranks->context, memory);
}
