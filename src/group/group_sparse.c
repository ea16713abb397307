/* group_sparse.c: the sparse operand. Every device has all of it; for narrow products each has a share of the
 * rows.
 */
#include "group_operands.h"
#include "row_cuts.h"
#include <stdlib.h>

/* ---- Whole -------------------------------------------------------------------------------------------- */

typedef struct creation {
    torc_group_sparse *A;
    const torc_csr *csr;
} creation;

static torc_status create_on(torc_group *group, int member, void *argument)
{
    const creation *c = argument;
    return torc_sparse_create(&c->A->members[member], group->members[member].context, c->csr);
}

torc_status torc_group_sparse_create(torc_group_sparse **A, torc_group *group, const torc_csr *csr)
{
    if (!A || !group) {
        return TORC_NULL_POINTER;
    }
    *A = NULL;
    torc_group_sparse *made = calloc(1, sizeof *made);
    torc_sparse **members = calloc((size_t)group->count, sizeof(void *));
    if (!made || !members) {
        free(made);
        free(members);
        return TORC_OUT_OF_MEMORY;
    }
    *made = (torc_group_sparse){.group = group, .members = members};
    torc_status status = torc_group_each(NULL, group, create_on, &(creation){made, csr});
    if (status != TORC_SUCCESS) {
        torc_group_sparse_destroy(made);
        return status;
    }
    *A = made;
    return TORC_SUCCESS;
}

static void release_shares(torc_row_shares *shares, const torc_group *group)
{
    for (int m = 0; shares->rows && m < group->count; m++) {
        torc_sparse_destroy(shares->rows[m]);
    }
    free(shares->rows);
    free(shares->cuts);
    *shares = (torc_row_shares){.is_made = false};
}

void torc_group_sparse_destroy(torc_group_sparse *A)
{
    if (!A) {
        return;
    }
    release_shares(&A->shares[0], A->group);
    release_shares(&A->shares[1], A->group);
    for (int m = 0; m < A->group->count; m++) {
        torc_sparse_destroy(A->members[m]);
    }
    free(A->members);
    free(A);
}

/* ---- Rows --------------------------------------------------------------------------------------------- */

typedef struct sharing {
    torc_group_sparse *A;
    torc_row_shares *shares;
    const void *row_ptr; /* of op(A), in host memory */
    bool transpose;
} sharing;

static torc_status share_on(torc_group *group, int member, void *argument)
{
    const sharing *s = argument;
    const int64_t *cuts = s->shares->cuts;
    torc_sparse *oriented;
    (void)group;
    torc_status status = torc_sparse_orient(&oriented, s->A->members[member], s->transpose);
    return status == TORC_SUCCESS ? torc_sparse_rows(&s->shares->rows[member], oriented, s->row_ptr,
                                        cuts[member], cuts[member + 1])
                                  : status;
}

/* Cuts by member: those that are lost have no rows. False: one member alone would have entries. */
static bool cut_for_members(
    int64_t *by_member, const torc_group *group, const torc_sparse *A, const void *row_ptr)
{
    int64_t *cuts = calloc((size_t)group->active + 1, sizeof *cuts);
    int filled = cuts ? torc_cut_rows(cuts, group->active, row_ptr, A->csr.wide_offsets ? 64 : 32,
                            A->csr.nrows, (int64_t)TORC_SLICE_NNZ * TORC_STREAM_SLICES)
                      : 0;
    for (int m = 0; m < group->count && filled > 1; m++) {
        const torc_member *member = &group->members[m];
        by_member[m] = cuts[member->slot];
        by_member[m + 1] = cuts[member->slot + !member->is_lost];
    }
    free(cuts);
    return filled > 1;
}

/* The offsets of op(A) in host memory, for the cuts and for what each member's rows have. */
static torc_status make_shares(torc_row_shares *shares, torc_group_sparse *A, bool transpose)
{
    torc_group *group = A->group;
    int first = torc_group_first(group);
    torc_sparse *oriented;
    torc_status status = torc_sparse_orient(&oriented, A->members[first], transpose);
    if (status != TORC_SUCCESS) {
        return torc_group_note(group, first, status);
    }
    size_t size =
        ((size_t)oriented->csr.nrows + 1) * (oriented->csr.wide_offsets ? sizeof(int64_t) : sizeof(int32_t));
    void *row_ptr = malloc(size);
    shares->cuts = calloc((size_t)group->count + 1, sizeof *shares->cuts);
    shares->rows = calloc((size_t)group->count, sizeof(void *));
    if (!row_ptr || !shares->cuts || !shares->rows) {
        free(row_ptr);
        return TORC_OUT_OF_MEMORY;
    }
    status = torc_group_note(
        group, first, torc_memory_download(oriented->context, row_ptr, oriented->csr.row_ptr, size));
    if (status == TORC_SUCCESS && cut_for_members(shares->cuts, group, oriented, row_ptr)) {
        status = torc_group_each(NULL, group, share_on, &(sharing){A, shares, row_ptr, transpose});
    } else {
        free(shares->cuts);
        shares->cuts = NULL;
    }
    free(row_ptr);
    return status;
}

torc_status torc_group_share_rows(torc_row_shares **shares, torc_group_sparse *A, bool transpose)
{
    torc_row_shares *own = &A->shares[transpose];
    *shares = own;
    if (own->is_made && own->generation == A->group->generation) {
        return TORC_SUCCESS;
    }
    release_shares(own, A->group);
    torc_status status = make_shares(own, A, transpose);
    if (status != TORC_SUCCESS) {
        release_shares(own, A->group);
        return status;
    }
    own->is_made = true;
    own->generation = A->group->generation;
    return TORC_SUCCESS;
}
