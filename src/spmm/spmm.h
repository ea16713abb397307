/* spmm.h: the parts of torc_spmm that multiplication in panels (src/host) uses too. */
#ifndef TORC_SPMM_H
#define TORC_SPMM_H

#include "sparse.h"

/* Everything torc_spmm checks, arrays by their presence alone. Of A its shape, type, access and context are
 * read; the context is told what is wrong. */
torc_status torc_spmm_check_arguments(const torc_dense *C, torc_semiring semiring, const torc_sparse *A,
    bool transpose, const torc_dense *B, const torc_update *update);

/* C and B are columns of a wider product's, from first_column on. may_plan: tiles and bricks, for all of A.
 */
typedef struct torc_part {
    int64_t first_column;
    bool may_plan;
} torc_part;

/* torc_spmm of what is checked. For want of memory it fails before it writes to C, never after. */
torc_status torc_spmm_part(const torc_dense *C, torc_semiring semiring, torc_sparse *A, bool transpose,
    const torc_dense *B, const torc_update *update, const torc_part *part);

#endif
