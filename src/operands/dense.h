/* dense.h: checks of dense operands and of updates that all operations share. */
#ifndef TORC_DENSE_H
#define TORC_DENSE_H

#include "context.h"

/* Check that the order is one of the two. On error the context has a text with the operand's name. */
torc_status torc_check_order(torc_context *context, const char *name, const torc_dense *X);

/* The same, and that lines do not overlap and that memory could hold the array. On error the context has a
 * text with the operand's name. */
torc_status torc_check_layout(torc_context *context, const char *name, const torc_dense *X);

/* A dense operand as lines: rows of a row-major one, columns of a column-major one. A vector without gaps is
 * one line, whatever its order. */
typedef struct torc_layout {
    int64_t nlines, length, ld;
    bool by_column;
} torc_layout;

torc_layout torc_layout_of(const torc_dense *X);

/* Is there no gap between lines? */
bool torc_is_gapless(const torc_layout *layout);

/* Check that C can have this update. On error the context has the text. */
torc_status torc_check_update(torc_context *context, const torc_dense *C, const torc_update *update);

/* Does the update read C's old content? */
bool torc_reads_old(const torc_update *update);

#endif
