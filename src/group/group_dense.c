/* group_dense.c: dense operands: how they are split, and how their content travels. */
#include "dense.h"
#include "group_operands.h"
#include <stdlib.h>
#include <string.h>

/* ---- Layout ------------------------------------------------------------------------------------------- */

static bool is_wide(const torc_group *group, int64_t ncols)
{
    return ncols >= (int64_t)TORC_MEMBER_COLUMNS * group->active;
}

/* The first column of a slot's part. */
static int64_t first_column(const torc_group *group, int64_t ncols, int slot)
{
    return slot == group->active ? ncols : ncols * slot / group->active / TORC_COLUMN_UNIT * TORC_COLUMN_UNIT;
}

static torc_status allocate_part(torc_dense *part, torc_context *context, bool has_bitmap)
{
    size_t cells = (size_t)part->nrows * (size_t)part->ncols;
    void *bitmap = NULL;
    torc_status status = torc_memory_allocate(&part->data, context, cells * torc_type_size(part->type));
    if (status == TORC_SUCCESS && has_bitmap) {
        status = torc_memory_allocate(&bitmap, context, cells);
        part->bitmap = bitmap;
    }
    return status;
}

static torc_status allocate_parts(torc_group_dense *X, bool has_bitmap)
{
    torc_group *group = X->group;
    torc_status status = TORC_SUCCESS;
    X->first = calloc((size_t)group->count, sizeof *X->first);
    X->parts = calloc((size_t)group->count, sizeof *X->parts);
    if (!X->first || !X->parts) {
        return TORC_OUT_OF_MEMORY;
    }
    for (int m = 0; m < group->count && status == TORC_SUCCESS; m++) {
        const torc_member *member = &group->members[m];
        X->parts[m] = (torc_dense){.nrows = X->nrows, .type = X->type, .order = TORC_ROW_MAJOR};
        if (!member->is_lost) {
            X->first[m] = X->is_split ? first_column(group, X->ncols, member->slot) : 0;
            int64_t end = X->is_split ? first_column(group, X->ncols, member->slot + 1) : X->ncols;
            X->parts[m].ncols = X->parts[m].ld = end - X->first[m];
            status = torc_group_note(group, m, allocate_part(&X->parts[m], member->context, has_bitmap));
        }
    }
    return status;
}

torc_status torc_group_dense_create(
    torc_group_dense **X, torc_group *group, int64_t nrows, int64_t ncols, torc_type type, bool has_bitmap)
{
    if (!X || !group) {
        return TORC_NULL_POINTER;
    }
    *X = NULL;
    torc_dense shape = {nrows, ncols, ncols, TORC_ROW_MAJOR, type, false, NULL, NULL};
    int first = torc_group_first(group);
    if (first < 0) {
        return TORC_DEVICE_ERROR;
    }
    if (torc_type_size(type) == 0) {
        return torc_group_refuse(group, TORC_INVALID_VALUE, "the type of a dense operand is none");
    }
    torc_status status = torc_check_layout(group->members[first].context, "a dense operand", &shape);
    if (status != TORC_SUCCESS) {
        return torc_group_note(group, first, status);
    }
    torc_group_dense *made = calloc(1, sizeof *made);
    if (!made) {
        return TORC_OUT_OF_MEMORY;
    }
    *made = (torc_group_dense){.group = group,
        .generation = group->generation,
        .nrows = nrows,
        .ncols = ncols,
        .type = type,
        .is_split = is_wide(group, ncols)};
    status = allocate_parts(made, has_bitmap);
    if (status != TORC_SUCCESS) {
        torc_group_dense_destroy(made);
        return status;
    }
    *X = made;
    return TORC_SUCCESS;
}

void torc_group_dense_destroy(torc_group_dense *X)
{
    if (!X) {
        return;
    }
    for (int m = 0; X->parts && m < X->group->count; m++) {
        torc_memory_release(X->group->members[m].context, X->parts[m].data);
        torc_memory_release(X->group->members[m].context, X->parts[m].bitmap);
    }
    free(X->first);
    free(X->parts);
    free(X->owned);
    free(X);
}

torc_status torc_group_check(torc_group *group, const torc_group_dense *X)
{
    if (X->group != group) {
        return torc_group_refuse(group, TORC_INVALID_VALUE, "an operand is of another group");
    }
    return X->generation == group->generation && group->active > 0
               ? TORC_SUCCESS
               : torc_group_refuse(
                     group, TORC_DEVICE_ERROR, "a dense operand was on a device that is lost since");
}

torc_dense torc_group_whole(const torc_group_dense *X)
{
    torc_dense whole = X->parts[torc_group_first(X->group)];
    whole.ncols = whole.ld = X->ncols;
    return whole;
}

torc_dense torc_part_rows(const torc_dense *part, int64_t begin, int64_t end)
{
    torc_dense rows = *part;
    size_t skipped = (size_t)(begin * part->ld);
    rows.nrows = end - begin;
    rows.data = part->data ? (char *)part->data + skipped * torc_type_size(part->type) : NULL;
    rows.bitmap = part->bitmap ? part->bitmap + skipped : NULL;
    return rows;
}

/* ---- Rows that are where they were computed ----------------------------------------------------------- */

torc_status torc_group_own_rows(torc_group_dense *X, const int64_t *cuts)
{
    size_t size = ((size_t)X->group->count + 1) * sizeof *cuts;
    int64_t *owned = X->owned ? X->owned : malloc(size);
    if (!owned) {
        return TORC_OUT_OF_MEMORY;
    }
    memcpy(owned, cuts, size);
    X->owned = owned;
    return TORC_SUCCESS;
}

void torc_group_own_all(torc_group_dense *X)
{
    free(X->owned);
    X->owned = NULL;
}

/* Another member's rows of X. */
static torc_status receive_rows(torc_group_dense *X, int to, int from)
{
    torc_context *context = X->group->members[to].context, *other = X->group->members[from].context;
    torc_dense theirs = torc_part_rows(&X->parts[from], X->owned[from], X->owned[from + 1]);
    torc_dense ours = torc_part_rows(&X->parts[to], X->owned[from], X->owned[from + 1]);
    size_t cells = (size_t)(theirs.nrows * theirs.ncols);
    torc_status status = context->executor->receive(
        context->device, ours.data, other->device, theirs.data, cells * torc_type_size(X->type));
    if (status == TORC_SUCCESS && ours.bitmap) {
        status =
            context->executor->receive(context->device, ours.bitmap, other->device, theirs.bitmap, cells);
    }
    return status;
}

torc_status torc_group_exchange(torc_group_dense *X)
{
    torc_group *group = X->group;
    torc_status status = X->owned ? torc_group_wait(group) : TORC_SUCCESS;
    for (int to = 0; to < group->count && X->owned; to++) {
        for (int from = 0; from < group->count && status == TORC_SUCCESS; from++) {
            bool has_rows = X->owned[from + 1] > X->owned[from] && X->ncols > 0; /* not if it is lost */
            if (from != to && has_rows && !group->members[to].is_lost) {
                status = torc_group_note(group, to, receive_rows(X, to, from));
            }
        }
    }
    if (status == TORC_SUCCESS && X->owned) {
        status = torc_group_wait(group);
    }
    if (status == TORC_SUCCESS) {
        torc_group_own_all(X);
    }
    return status;
}

/* ---- From and to host memory -------------------------------------------------------------------------- */

typedef struct travel {
    torc_group_dense *X;
    const torc_dense *host;
    bool is_sent;
} travel;

/* Rows begin .. end-1 of a member's part, of one of the arrays. */
static torc_status move(const travel *t, int member, int64_t begin, int64_t end, bool is_bitmap)
{
    torc_context *context = t->X->group->members[member].context;
    torc_dense part = torc_part_rows(&t->X->parts[member], begin, end);
    torc_dense host = torc_part_rows(t->host, begin, end);
    size_t size = is_bitmap ? 1 : torc_type_size(part.type);
    char *on_host = is_bitmap ? (char *)host.bitmap : host.data;
    on_host += (size_t)t->X->first[member] * size;
    void *on_device = is_bitmap ? (void *)part.bitmap : part.data;
    torc_lines lines = {.width = (size_t)part.ncols * size, .height = (size_t)part.nrows};
    lines.to = t->is_sent ? on_device : on_host;
    lines.from = t->is_sent ? on_host : on_device;
    lines.to_pitch = (size_t)(t->is_sent ? part.ld : host.ld) * size;
    lines.from_pitch = (size_t)(t->is_sent ? host.ld : part.ld) * size;
    return t->is_sent ? context->executor->send(context->device, &lines)
                      : context->executor->fetch(context->device, &lines);
}

static torc_status move_part(torc_group *group, int member, void *argument)
{
    const travel *t = argument;
    const torc_group_dense *X = t->X;
    torc_context *context = group->members[member].context;
    int64_t begin = 0, end = X->nrows;
    if (!t->is_sent && X->owned) {
        begin = X->owned[member];
        end = X->owned[member + 1];
    } else if (!t->is_sent && !X->is_split) { /* all have all: each fetches some */
        begin = X->nrows * group->members[member].slot / group->active;
        end = X->nrows * (group->members[member].slot + 1) / group->active;
    }
    if (begin == end || X->parts[member].ncols == 0) {
        return TORC_SUCCESS;
    }
    torc_status status = context->executor->fence(context->device, true);
    if (status == TORC_SUCCESS) {
        status = move(t, member, begin, end, false);
    }
    if (status == TORC_SUCCESS && X->parts[member].bitmap) {
        status = move(t, member, begin, end, true);
    }
    torc_status finished = torc_context_wait(context); /* whatever happened: host memory is in use */
    return status == TORC_SUCCESS ? finished : status;
}

static bool is_copy_of(const torc_dense *host, const torc_group_dense *X)
{
    bool has_bitmap = torc_group_whole(X).bitmap || X->nrows == 0 || X->ncols == 0;
    return host->nrows == X->nrows && host->ncols == X->ncols && host->type == X->type && !host->iso &&
           host->order == TORC_ROW_MAJOR && host->ld >= host->ncols && (!host->bitmap || has_bitmap);
}

static torc_status travel_all(travel t)
{
    torc_group *group = t.X->group;
    torc_status status = torc_group_check(group, t.X);
    if (status != TORC_SUCCESS) {
        return status;
    }
    bool is_empty = t.X->nrows == 0 || t.X->ncols == 0;
    bool lacks_bitmap = !is_empty && torc_group_whole(t.X).bitmap && !t.host->bitmap;
    if (!is_copy_of(t.host, t.X) || lacks_bitmap) {
        return torc_group_refuse(group, TORC_INVALID_VALUE, "what is in host memory has another form");
    }
    return is_empty        ? TORC_SUCCESS
           : !t.host->data ? TORC_NULL_POINTER
                           : torc_group_each(NULL, group, move_part, &t);
}

torc_status torc_group_upload(torc_group_dense *X, const torc_dense *host)
{
    if (!X || !host) {
        return TORC_NULL_POINTER;
    }
    torc_status status = travel_all((travel){X, host, true});
    if (status == TORC_SUCCESS) {
        torc_group_own_all(X);
    }
    return status;
}

torc_status torc_group_download(const torc_dense *host, torc_group_dense *X)
{
    return X && host ? travel_all((travel){X, host, false}) : TORC_NULL_POINTER;
}
