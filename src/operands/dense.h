/* dense.h: what is asked of dense operands, and of what goes into C, whatever the operation. */
#ifndef TORC_DENSE_H
#define TORC_DENSE_H

#include <torc/torc.h>

/* Lines do not overlap, and memory could hold the array. */
bool torc_is_leading_dimension(const torc_dense *X);

/* A dense operand as lines: rows of a row-major one, columns of a column-major one. A vector without gaps is
 * one line, whatever its order. */
typedef struct torc_layout {
    int64_t nlines, length, ld;
    bool by_column;
} torc_layout;

torc_layout torc_layout_of(const torc_dense *X);

/* No gap between lines. */
bool torc_is_gapless(const torc_layout *layout);

/* Is this an update that C can have? */
torc_status torc_check_update(const torc_dense *C, const torc_update *update);

/* Does the update look at what C holds? */
bool torc_reads_old(const torc_update *update);

#endif
