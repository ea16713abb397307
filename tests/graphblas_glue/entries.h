/* entries.h: all that can be told of a matrix: entries row by row, and settings. */
#ifndef TORC_ENTRIES_H
#define TORC_ENTRIES_H

#include "value_types.h"

typedef struct entries {
    GrB_Index nrows, ncols, nvals;
    GrB_Type type;
    size_t value_size;
    int status, control, by_col;
    double hyper_switch, bitmap_switch;
    GrB_Index nlisted; /* rows that ptr knows: all, or the nonempty ones of very many */
    GrB_Index *ptr, *rows,
        *idx; /* rows: the number of each, NULL where all are listed; columns ascend in each */
    void *values;
} entries;

/* A stays as it is. */
entries torc_entries_of(GrB_Matrix A);

/* The entries of op(A), cast to a type. */
entries torc_entries_cast(GrB_Matrix A, bool transpose, value_type type);

void torc_entries_free(entries *e);

#endif
