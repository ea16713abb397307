/* group_rows.c: a product whose sparse operand lies in host memory too. Devices take blocks of its rows in
 * turn, cut as the one with the least memory would cut them. */
#include "group_product.h"
#include "old_content.h"
#include "row_blocks.h"
#include <pthread.h>

typedef struct row_range {
    int64_t begin, end;
} row_range;

typedef struct shared_rows {
    torc_group *group;
    torc_rows_product product;
    size_t bytes; /* of a block */
    pthread_mutex_t lock;
    int64_t next;                           /* the first row that no device had */
    row_range returned[TORC_GROUP_DEVICES]; /* blocks that a device could not do */
    int nreturned;
    torc_status refusal; /* what no device can mend */
} shared_rows;

static bool take(row_range *taken, shared_rows *rows)
{
    pthread_mutex_lock(&rows->lock);
    bool goes_on = rows->refusal == TORC_SUCCESS;
    bool is_returned = goes_on && rows->nreturned > 0;
    bool is_new = goes_on && !is_returned && rows->next < rows->product.A->nrows;
    if (is_returned) {
        *taken = rows->returned[--rows->nreturned];
    } else if (is_new) {
        *taken = (row_range){rows->next, torc_block_end(&rows->product, rows->next, rows->bytes)};
        rows->next = taken->end;
    }
    pthread_mutex_unlock(&rows->lock);
    return is_returned || is_new;
}

static void give_back(shared_rows *rows, row_range taken, torc_status status)
{
    pthread_mutex_lock(&rows->lock);
    if (torc_is_fault(status)) {
        rows->returned[rows->nreturned++] = taken;
    } else {
        rows->refusal = status;
    }
    pthread_mutex_unlock(&rows->lock);
}

static torc_status multiply_taken(shared_rows *rows, int member, row_range taken)
{
    size_t bytes = rows->bytes;
    return torc_multiply_blocks(
        rows->group->members[member].context, &rows->product, taken.begin, taken.end, &bytes);
}

/* As many blocks as there are, until one fails. */
static torc_status multiply_some(torc_group *group, int member, void *argument)
{
    (void)group;
    shared_rows *rows = argument;
    row_range taken;
    torc_status status = TORC_SUCCESS;
    while (status == TORC_SUCCESS && take(&taken, rows)) {
        status = multiply_taken(rows, member, taken);
        if (status != TORC_SUCCESS) {
            give_back(rows, taken, status);
        }
    }
    return status;
}

/* By the first member that can. */
static torc_status make_up_for(shared_rows *rows, row_range taken)
{
    torc_group *group = rows->group;
    torc_status status = TORC_DEVICE_ERROR;
    for (int m = 0; m < group->count && torc_is_fault(status); m++) {
        if (!group->members[m].is_lost) {
            status = torc_group_note(group, m, multiply_taken(rows, m, taken));
        }
    }
    return status;
}

/* What is left when all have ended, because a device failed, is made up for. */
static torc_status multiply_all(void *argument, const torc_dense *old)
{
    shared_rows *rows = argument;
    row_range taken;
    rows->product.old = old;
    torc_group_each(NULL, rows->group, multiply_some, rows);
    torc_status status = rows->refusal;
    while (status == TORC_SUCCESS && take(&taken, rows)) {
        status = make_up_for(rows, taken);
    }
    return status;
}

/* Members that are the same device. */
static int sharers(const torc_group *group, int ordinal)
{
    int count = 0;
    for (int m = 0; m < group->count; m++) {
        count += !group->members[m].is_lost && group->members[m].ordinal == ordinal;
    }
    return count;
}

/* What a block may take on any of the devices. */
static torc_status find_budget(size_t *least, torc_group *group)
{
    torc_status status = TORC_DEVICE_ERROR;
    bool is_known = false;
    for (int m = 0; m < group->count; m++) {
        size_t bytes;
        if (!group->members[m].is_lost) {
            status = torc_group_note(group, m, torc_block_budget(&bytes, group->members[m].context));
            if (status == TORC_SUCCESS) {
                bytes /= (size_t)sharers(group, group->members[m].ordinal);
                *least = is_known && *least < bytes ? *least : bytes;
                is_known = true;
            }
        }
    }
    return is_known ? TORC_SUCCESS : status;
}

torc_status torc_group_spmm_by_rows(const torc_dense *C, torc_semiring semiring, torc_group *group,
    const torc_csr *A, const torc_dense *B, const torc_update *update, const torc_dense *old)
{
    static const torc_update overwrite;
    if (!group) {
        return TORC_NULL_POINTER;
    }
    int first = torc_group_first(group);
    if (first < 0) {
        return TORC_DEVICE_ERROR;
    }
    shared_rows rows = {.group = group,
        .product = {semiring, A, C, B, old ? old : C, update ? update : &overwrite},
        .lock = PTHREAD_MUTEX_INITIALIZER};
    torc_status status =
        torc_group_note(group, first, torc_rows_product_check(group->members[first].context, &rows.product));
    if (status == TORC_SUCCESS) {
        status = find_budget(&rows.bytes, group);
    }
    return status == TORC_SUCCESS
               ? torc_group_keep_old(C, rows.product.old, rows.product.update, multiply_all, &rows)
               : status;
}
