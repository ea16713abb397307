/* spmm.h: the parts of torc_spmm that multiplication in panels shares. */
#ifndef TORC_SPMM_H
#define TORC_SPMM_H

#include "sparse.h"

/* Everything torc_spmm checks, arrays by their presence alone. Of A its shape, type, access and context are
 * read; the context is told what is wrong. */
torc_status torc_spmm_check_arguments(const torc_dense *C, torc_semiring semiring, const torc_sparse *A,
    bool transpose, const torc_dense *B, const torc_update *update);

/* torc_spmm of what is checked. C and B are columns first_column, ... of wider matrices. For want of memory
 * it fails before it writes to C, never after. */
torc_status torc_spmm_panel(const torc_dense *C, torc_semiring semiring, torc_sparse *A, bool transpose,
    const torc_dense *B, const torc_update *update, int64_t first_column);

#endif
