/* structure.h: which entries a result has, and so the format it takes.
 *
 * Structure is part of the answer. A row of op(S) without entries gives a row of T without entries, and
 * absent elements of a bitmap D may leave elements of T absent. The result is full only if nothing is absent.
 * Otherwise it is a bitmap, or hypersparse where S was. */
#ifndef TORC_STRUCTURE_H
#define TORC_STRUCTURE_H

#include "epilogue.h"

typedef struct torc_structure {
    torc_arrays *T; /* its values, and its bitmap if the kernel tells presence, are R's */
    const torc_product *product;
    const torc_epilogue *epilogue;
    const torc_binding *graphblas;
    uint8_t *present; /* whether each row of R has entries, as op(S) has; NULL: not read */
    int64_t absent;   /* rows that have none */
    bool is_prepared;
    torc_status status;
} torc_structure;

/* Are rows of R without entries known without the kernel? Then they are nobody's business but
 * torc_structure_prepare's. */
bool torc_structure_leaves_empty_rows(const torc_product *product, const torc_epilogue *epilogue);

/* Read what only the device knows: which rows of a transposed S have entries. Called before the device is
 * busy. */
torc_status torc_structure_read(torc_structure *structure, torc_sparse *S);

/* Do all that does not depend on R's values: it takes longer than a millisecond. void *: a torc_structure.
 * Called once. */
void torc_structure_prepare(void *structure);

/* Do the rest, once R is there. On error T is the caller's to release. */
torc_status torc_structure_finish(torc_structure *structure);

void torc_structure_release(torc_structure *structure);

#endif
