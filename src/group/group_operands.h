/* group_operands.h: where the operands of a group lie. */
#ifndef TORC_GROUP_OPERANDS_H
#define TORC_GROUP_OPERANDS_H

#include "members.h"
#include "sparse.h"

enum {
    TORC_MEMBER_COLUMNS = 8, /* with fewer for each device a dense operand is not split */
    TORC_COLUMN_UNIT = 4     /* parts begin at multiples: no vector of a kernel is cut */
};

/* Rows of op(A) shared out among the members, and the operands that they are. */
typedef struct torc_row_shares {
    bool is_made;
    int generation; /* of the group, for which they were */
    int64_t *cuts;  /* member m has rows cuts[m] .. cuts[m+1]-1; NULL: A is not worth it */
    torc_sparse **rows;
} torc_row_shares;

struct torc_group_sparse {
    torc_group *group;
    torc_sparse **members;     /* whole, on each */
    torc_row_shares shares[2]; /* of A, of its transpose */
};

/* Make A's row shares, if they were not. */
torc_status torc_group_share_rows(torc_row_shares **shares, torc_group_sparse *A, bool transpose);

struct torc_group_dense {
    torc_group *group;
    int generation; /* of the group, for which it was made */
    int64_t nrows, ncols;
    torc_type type;
    bool is_split;  /* by columns */
    int64_t *first; /* column of each member's part */
    torc_dense
        *parts;     /* one a member, row-major without gaps; without data and columns for one that is lost */
    int64_t *owned; /* member m has rows owned[m] .. owned[m+1]-1 and no others; NULL: all rows */
};

/* X can be used: it is of the group, on devices that are there. */
torc_status torc_group_check(torc_group *group, const torc_group_dense *X);

/* X as one matrix: its shape, type, and which arrays it has. */
torc_dense torc_group_whole(const torc_group_dense *X);

/* Have all rows of X where only some are. */
torc_status torc_group_exchange(torc_group_dense *X);

/* From now on each member has these rows of X alone: cuts is copied. */
torc_status torc_group_own_rows(torc_group_dense *X, const int64_t *cuts);

/* All rows of X are everywhere. */
void torc_group_own_all(torc_group_dense *X);

/* Rows begin .. end-1 of a part. */
torc_dense torc_part_rows(const torc_dense *part, int64_t begin, int64_t end);

/* The update of a group: as C needs it, and for one member. mask: of the member, or, of -1, any that is not
 * NULL. The mask is whole. */
torc_status torc_group_prepare_update(
    torc_group *group, const torc_group_dense *C, const torc_group_update *update);
torc_update torc_group_update_of(const torc_group_update *update, int member);

#endif
