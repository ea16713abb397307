/* group_spmm.c: a product of operands that are on the devices. */
#include "group_product.h"
#include "spmm.h"

typedef struct product {
    torc_group *group;
    torc_group_dense *C, *B;
    torc_semiring semiring;
    torc_group_sparse *A;
    bool transpose;
    const torc_group_update *update;
} product;

bool torc_names_rows(torc_semiring semiring)
{
    return semiring.multiply == TORC_FIRSTI || semiring.multiply == TORC_FIRSTI1;
}

/* Columns of C, or all of them, of one member. */
static torc_status multiply_columns(const product *p, int member)
{
    const torc_dense *C = &p->C->parts[member], *B = &p->B->parts[member];
    torc_update update = torc_group_update_of(p->update, member);
    torc_part part = {.first_column = p->C->first[member], .may_plan = true, .whole_columns = p->C->ncols};
    return C->nrows > 0 && C->ncols > 0
               ? torc_spmm_part(C, p->semiring, p->A->members[member], p->transpose, B, &update, &part)
               : TORC_SUCCESS;
}

static torc_status by_columns(const product *p)
{
    torc_status status = TORC_SUCCESS;
    for (int m = 0; m < p->group->count && status == TORC_SUCCESS; m++) {
        if (!p->group->members[m].is_lost) {
            status = torc_group_note(p->group, m, multiply_columns(p, m));
        }
    }
    if (status == TORC_SUCCESS) {
        torc_group_own_all(p->C);
    }
    return status;
}

/* Rows of C of one member. */
static torc_status multiply_rows(const product *p, const torc_row_shares *shares, int member)
{
    int64_t begin = shares->cuts[member], end = shares->cuts[member + 1];
    torc_dense C = torc_part_rows(&p->C->parts[member], begin, end);
    torc_update update = torc_group_update_of(p->update, member);
    torc_sparse *all_rows;
    if (begin == end) {
        return TORC_SUCCESS;
    }
    if (update.mask) {
        update.mask += begin * C.ld;
    }
    torc_status status = torc_sparse_orient(&all_rows, p->A->members[member], p->transpose);
    torc_part part = {.may_plan = true, .whole_columns = C.ncols, .all_rows = all_rows};
    return status == TORC_SUCCESS ? torc_spmm_part(&C, p->semiring, shares->rows[member], false,
                                        &p->B->parts[member], &update, &part)
                                  : status;
}

/* TORC_UNSUPPORTED: not by rows; nothing was done. */
static torc_status by_rows(const product *p)
{
    torc_row_shares *shares;
    torc_status status = torc_group_share_rows(&shares, p->A, p->transpose);
    if (status == TORC_SUCCESS && !shares->cuts) {
        return TORC_UNSUPPORTED;
    }
    for (int m = 0; m < p->group->count && status == TORC_SUCCESS; m++) {
        if (!p->group->members[m].is_lost) {
            status = multiply_rows(p, shares, m);
            status = status == TORC_UNSUPPORTED ? status : torc_group_note(p->group, m, status);
        }
    }
    return status == TORC_SUCCESS ? torc_group_own_rows(p->C, shares->cuts) : status;
}

static bool reads_old(const torc_group_update *update)
{
    return update && (update->has_accum || (update->mask && !update->replace));
}

/* A part tells no more than that it does not fit another one. */
static torc_status check(const product *p)
{
    torc_group *group = p->group;
    torc_status status = torc_group_check(group, p->C);
    if (status == TORC_SUCCESS) {
        status = torc_group_check(group, p->B);
    }
    if (status == TORC_SUCCESS) {
        status = torc_group_prepare_update(group, p->C, p->update);
    }
    if (status != TORC_SUCCESS) {
        return status;
    }
    int first = torc_group_first(group);
    torc_dense C = torc_group_whole(p->C), B = torc_group_whole(p->B);
    torc_update update = torc_group_update_of(p->update, first);
    status = torc_spmm_check_arguments(&C, p->semiring, p->A->members[first], p->transpose, &B, &update);
    return torc_group_note(group, first, status);
}

torc_status torc_group_spmm(torc_group_dense *C, torc_semiring semiring, torc_group_sparse *A, bool transpose,
    torc_group_dense *B, const torc_group_update *update)
{
    if (!C || !A || !B) {
        return TORC_NULL_POINTER;
    }
    product p = {A->group, C, B, semiring, A, transpose, update};
    torc_status status = check(&p);
    if (status == TORC_SUCCESS) {
        status = torc_group_exchange(B);
    }
    if (status == TORC_SUCCESS && reads_old(update)) {
        status = torc_group_exchange(C);
    }
    if (status != TORC_SUCCESS) {
        return status;
    }
    bool may_share = !C->is_split && p.group->active > 1 && C->ncols > 0 && !torc_names_rows(semiring);
    status = may_share ? by_rows(&p) : TORC_UNSUPPORTED;
    return status == TORC_UNSUPPORTED ? by_columns(&p) : status;
}
