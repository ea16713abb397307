/* dense.h: what is asked of dense operands, and of what goes into C, whatever the operation. */
#ifndef TORC_DENSE_H
#define TORC_DENSE_H

#include "context.h"

/* Lines do not overlap, and memory could hold the array. The context is told what is wrong, with the
 * operand's name. */
torc_status torc_check_layout(torc_context *context, const char *name, const torc_dense *X);

/* A dense operand as lines: rows of a row-major one, columns of a column-major one. A vector without gaps is
 * one line, whatever its order. */
typedef struct torc_layout {
    int64_t nlines, length, ld;
    bool by_column;
} torc_layout;

torc_layout torc_layout_of(const torc_dense *X);

/* No gap between lines. */
bool torc_is_gapless(const torc_layout *layout);

/* Is this an update that C can have? The context is told why not. */
torc_status torc_check_update(torc_context *context, const torc_dense *C, const torc_update *update);

/* Does the update look at what C holds? */
bool torc_reads_old(const torc_update *update);

#endif
