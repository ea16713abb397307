/* ranks.c: a communicator and this rank's device. */
#include "rank_operands.h"
#include <stdio.h>
#include <stdlib.h>

void torc_ranks_begin(const torc_ranks *ranks)
{
    torc_context_explain(ranks->context, TORC_SUCCESS, "");
}

torc_status torc_ranks_agree(const torc_ranks *ranks, torc_status own)
{
    struct {
        int is_good, number;
    } mine = {own == TORC_SUCCESS, ranks->number}, first;
    struct {
        torc_status status;
        char text[160];
    } told = {.status = own};
    MPI_Allreduce(&mine, &first, 1, MPI_2INT, MPI_MINLOC, ranks->communicator);
    if (first.is_good) {
        return TORC_SUCCESS;
    }
    const char *text = torc_context_error(ranks->context);
    snprintf(told.text, sizeof told.text, "%s", *text ? text : torc_status_text(own));
    MPI_Bcast(&told, sizeof told, MPI_BYTE, first.number, ranks->communicator);
    return torc_context_explain(ranks->context, told.status, told.text);
}

/* The least of all values, and of their complements: the greatest value has the least. */
torc_status torc_ranks_compare(
    const torc_ranks *ranks, int64_t *values, int count, bool has_some, const char *text)
{
    struct {
        int64_t values[TORC_COMPARED], complements[TORC_COMPARED];
    } own = {{0}, {0}}, least;
    bool are_same = true;
    for (int i = 0; i < count; i++) {
        own.values[i] = has_some ? values[i] : INT64_MAX;
        own.complements[i] = has_some ? ~values[i] : INT64_MAX;
    }
    MPI_Allreduce(&own, &least, 2 * TORC_COMPARED, MPI_INT64_T, MPI_MIN, ranks->communicator);
    for (int i = 0; i < count; i++) {
        bool is_given = least.values[i] != INT64_MAX;
        are_same = are_same && (!is_given || least.values[i] == ~least.complements[i]);
        values[i] = is_given ? least.values[i] : 0;
    }
    return are_same ? TORC_SUCCESS : torc_context_explain(ranks->context, TORC_INVALID_VALUE, text);
}

torc_status torc_ranks_create(torc_ranks **ranks, MPI_Comm communicator, torc_context *context)
{
    torc_ranks *made = ranks ? calloc(1, sizeof *made) : NULL;
    torc_ranks of_all = {.communicator = communicator, .context = context};
    torc_ranks_begin(&of_all);
    MPI_Comm_rank(communicator, &of_all.number);
    torc_status status = torc_ranks_agree(&of_all, !ranks || !context ? TORC_NULL_POINTER
                                                   : made             ? TORC_SUCCESS
                                                                      : TORC_OUT_OF_MEMORY);
    if (status != TORC_SUCCESS) {
        free(made);
        made = NULL;
    } else {
        made->context = context;
        MPI_Comm_dup(communicator, &made->communicator);
        MPI_Comm_rank(made->communicator, &made->number);
        MPI_Comm_size(made->communicator, &made->count);
        torc_ranks_open_way(made);
    }
    if (ranks) {
        *ranks = made;
    }
    return status;
}

void torc_ranks_destroy(torc_ranks *ranks)
{
    if (ranks) {
        while (ranks->memories) {
            torc_ranks_release(ranks, ranks->memories->own);
        }
        while (ranks->unshared) {
            torc_ranks_release(ranks, ranks->unshared->own);
        }
        torc_ranks_close_way(ranks);
        MPI_Comm_free(&ranks->communicator);
    }
    free(ranks);
}

torc_status torc_ranks_wait(torc_ranks *ranks)
{
    if (!ranks) {
        return TORC_NULL_POINTER;
    }
    torc_ranks_begin(ranks);
    torc_status status = torc_ranks_guard(ranks);
    return status == TORC_SUCCESS ? torc_ranks_agree(ranks, torc_context_wait(ranks->context)) : status;
}
