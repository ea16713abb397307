/* halo.h: which rows of B a rank needs from others, found from the columns of its rows of A. */
#ifndef TORC_HALO_H
#define TORC_HALO_H

#include <torc/torc.h>

typedef struct torc_halo_plan {
    int64_t own_begin, own_end; /* rows of B that this rank has */
    int64_t count;
    int64_t *columns; /* the others that its rows of A name, ascending */
    uint32_t
        *local; /* nnz: the columns of A as this rank numbers them: its own first, then those of the halo */
} torc_halo_plan;

/* rows: with columns below b_rows in all; the plan's first two fields are set. TORC_INVALID_VALUE: a column
 * beyond; TORC_UNSUPPORTED: more columns than an operand can have. The context has the text of both. To be
 * freed also on error. */
torc_status torc_halo_find(torc_halo_plan *plan, const torc_csr *rows, int64_t b_rows, torc_context *context);
void torc_halo_free(torc_halo_plan *plan);

#endif
