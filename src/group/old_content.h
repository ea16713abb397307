/* old_content.h: C's old content kept apart, so that a part of a product may be computed twice. */
#ifndef TORC_OLD_CONTENT_H
#define TORC_OLD_CONTENT_H

#include "members.h"

/* A product, and where the update finds C's old values. */
typedef torc_status torc_group_product(void *argument, const torc_dense *old);

/* Compute the product. If the update reads old values where the result goes, it reads a copy of them, which
 * is put back on an error. */
torc_status torc_group_keep_old(const torc_dense *C, const torc_dense *old, const torc_update *update,
    torc_group_product *product, void *argument);

#endif
