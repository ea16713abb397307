/* view.h: a GrB_Matrix read in place: its arrays, in whatever format it is in. Nothing is copied or changed.
 *
 * A matrix is `nvec` vectors of length `veclen`: rows if by row, columns if by column.
 *
 *     hypersparse   ptr[nvec+1], hyper[nvec] (names of the vectors), idx[nvals], values[nvals]
 *     sparse        ptr[nvec+1], idx[nvals], values[nvals]
 *     bitmap        bitmap[nvec·veclen] of 0/1, values[nvec·veclen]: vector v, position i at v·veclen + i
 *     full          values[nvec·veclen]
 *
 * iso: values holds one value. Integers have 32 or 64 bits, as the matrix has them.
 */
#ifndef TORC_VIEW_H
#define TORC_VIEW_H

#include "binding.h"

typedef enum torc_format { /* GraphBLAS's own numbers, the same in every version */
    TORC_HYPERSPARSE = 1,
    TORC_SPARSE = 2,
    TORC_BITMAP = 4,
    TORC_FULL = 8,
    TORC_AUTOMATIC = 15, /* a sparsity control that allows all */
} torc_format;

typedef struct torc_view {
    int64_t nrows, ncols, nvals;
    torc_format format;
    bool by_col, iso;
    GrB_Type type;
    size_t type_size;
    int64_t nvec, veclen;
    const void *ptr, *hyper, *idx;
    int ptr_bits, hyper_bits, idx_bits;
    const int8_t *bitmap;
    const void *values;
} torc_view;

/* Finish pending work of A and fill the view: valid until A is next modified. Fails as GraphBLAS does. */
GrB_Info torc_view_open(torc_view *view, const torc_binding *graphblas, GrB_Matrix A);

/* Have a function called with each matrix before torc_view_open looks at it. */
void torc_view_before(void (*function)(GrB_Matrix A));

/* Is this thread attaching an iterator for torc_view_open? */
bool torc_view_attaches(void);

/* Before torc reads a matrix GraphBLAS finishes it. Where it finds no memory for that the matrix becomes
 * invalid, and so it tells whoever asks next. Note what GraphBLAS answered when torc asked first; and make
 * SuiteSparse's answer to this thread's call what it would have been without that. */
void torc_view_note(GrB_Info info);
GrB_Info torc_view_answer(GrB_Info info);

/* The format of A. Asking for it does no more than any use of A would; torc_view_open also sorts what
 * SuiteSparse may have left unsorted. */
GrB_Info torc_view_format(torc_format *format, const torc_binding *graphblas, GrB_Matrix A);

/* Sparse or hypersparse: its entries are listed. */
bool torc_view_is_listed(const torc_view *view);

/* Full, or a bitmap with every entry present. */
bool torc_view_has_all_elements(const torc_view *view);

#endif
