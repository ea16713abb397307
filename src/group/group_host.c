/* group_host.c: a product whose dense operands lie in host memory. Each device streams a share of the panels
 * that one device would; if there is only one panel, each takes some of its rows. */
#include "group_product.h"
#include "old_content.h"
#include "stream.h"
#include <stdlib.h>

typedef struct host_product {
    torc_group *group;
    torc_dense C, B, old; /* old: what the update reads, while `multiply` runs */
    torc_semiring semiring;
    torc_group_sparse *A;
    bool transpose;
    torc_update update;
    const torc_row_shares *rows; /* NULL: by panels */
    int shares;
} host_product;

/* ---- Shares ------------------------------------------------------------------------------------------- */

static torc_status multiply_panels(const host_product *p, int member, int share, int shares)
{
    torc_host_options options = {.old = &p->old};
    torc_host_share own = {share, shares, NULL};
    return torc_spmm_host_share(
        &p->C, p->semiring, p->A->members[member], p->transpose, &p->B, &p->update, &options, &own);
}

static size_t offset_of_row(const torc_dense *C, int64_t row)
{
    return (size_t)(C->order == TORC_ROW_MAJOR ? row * C->ld : row);
}

static torc_dense rows_of(const torc_dense *C, int64_t begin, int64_t end)
{
    torc_dense rows = *C;
    size_t skipped = offset_of_row(C, begin);
    rows.nrows = end - begin;
    rows.data = C->data ? (char *)C->data + skipped * torc_type_size(C->type) : NULL;
    rows.bitmap = C->bitmap ? C->bitmap + skipped : NULL;
    return rows;
}

static torc_status multiply_rows(const host_product *p, int member)
{
    int64_t begin = p->rows->cuts[member], end = p->rows->cuts[member + 1];
    torc_dense C = rows_of(&p->C, begin, end), old = rows_of(&p->old, begin, end);
    torc_update update = p->update;
    torc_host_options options = {.old = &old};
    torc_host_share own = {0, 1, NULL};
    if (begin == end) {
        return TORC_SUCCESS;
    }
    update.mask = update.mask ? update.mask + offset_of_row(&p->C, begin) : NULL;
    torc_status status = torc_sparse_orient(&own.all_rows, p->A->members[member], p->transpose);
    return status == TORC_SUCCESS ? torc_spmm_host_share(&C, p->semiring, p->rows->rows[member], false, &p->B,
                                        &update, &options, &own)
                                  : status;
}

static torc_status multiply_share(torc_group *group, int member, void *argument)
{
    const host_product *p = argument;
    return p->rows ? multiply_rows(p, member)
                   : multiply_panels(p, member, group->members[member].slot, group->active);
}

/* ---- Faults ------------------------------------------------------------------------------------------- */

/* A share, or, where shares are rows, all, by the first member that can. */
static torc_status make_up_for(const host_product *p, int share, int shares)
{
    torc_status status = TORC_DEVICE_ERROR;
    for (int m = 0; m < p->group->count && torc_is_fault(status); m++) {
        if (!p->group->members[m].is_lost) {
            status = p->rows ? multiply_panels(p, m, 0, 1) : multiply_panels(p, m, share, shares);
            torc_group_note(p->group, m, status);
        }
    }
    return status;
}

static torc_status multiply(void *argument, const torc_dense *old)
{
    host_product *p = argument;
    torc_group *group = p->group;
    int shares = group->active;
    torc_status *statuses = calloc((size_t)group->count, sizeof *statuses);
    int *slots = calloc((size_t)group->count, sizeof *slots);
    bool has_memory = statuses && slots;
    for (int m = 0; m < group->count && has_memory; m++) {
        slots[m] = group->members[m].slot;
    }
    p->old = *old;
    torc_status status =
        has_memory ? torc_group_each(statuses, group, multiply_share, p) : TORC_OUT_OF_MEMORY;
    if (has_memory && torc_is_fault(status)) {
        status = TORC_SUCCESS;
        for (int m = 0; m < group->count && status == TORC_SUCCESS; m++) {
            status = torc_is_fault(statuses[m]) ? make_up_for(p, slots[m], shares) : statuses[m];
        }
    }
    free(statuses);
    free(slots);
    return status;
}

/* ---- The call ----------------------------------------------------------------------------------------- */

/* Rows, where there are too few panels for all, and columns. */
static torc_status choose_shares(host_product *p, int64_t panels)
{
    torc_group *group = p->group;
    torc_row_shares *rows;
    bool is_narrow = panels == 1 && p->C.ncols < (int64_t)TORC_MEMBER_COLUMNS * group->active;
    if (!is_narrow || group->active == 1 || torc_names_rows(p->semiring)) {
        return TORC_SUCCESS;
    }
    torc_status status = torc_group_share_rows(&rows, p->A, p->transpose);
    p->rows = status == TORC_SUCCESS && rows->cuts ? rows : NULL;
    return status;
}

torc_status torc_group_spmm_host(const torc_dense *C, torc_semiring semiring, torc_group_sparse *A,
    bool transpose, const torc_dense *B, const torc_update *update, const torc_dense *old)
{
    static const torc_update overwrite;
    if (!C || !A || !B) {
        return TORC_NULL_POINTER;
    }
    int64_t panels;
    torc_group *group = A->group;
    int first = torc_group_first(group);
    update = update ? update : &overwrite;
    if (first < 0) {
        return TORC_DEVICE_ERROR;
    }
    torc_host_options options = {.old = old};
    torc_status status = torc_group_note(group, first,
        torc_host_panels(&panels, C, semiring, A->members[first], transpose, B, update, &options));
    if (status != TORC_SUCCESS || panels == 0) {
        return status;
    }
    host_product p = {.group = group,
        .C = *C,
        .B = *B,
        .semiring = semiring,
        .A = A,
        .transpose = transpose,
        .update = *update};
    status = choose_shares(&p, panels);
    if (status != TORC_SUCCESS) {
        return status;
    }
    old = old ? old : C;
    status = torc_group_keep_old(C, old, update, multiply, &p);
    if (status == TORC_UNSUPPORTED && p.rows) { /* nothing was done */
        p.rows = NULL;
        status = torc_group_keep_old(C, old, update, multiply, &p);
    }
    return status;
}
