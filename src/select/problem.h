/* problem.h: what is known of a product before it runs: the question that candidates.h, prediction.h and
 * selection.h answer. */
#ifndef TORC_PROBLEM_H
#define TORC_PROBLEM_H

#include "cuts.h"

typedef struct torc_problem {
    torc_spmm_kernel kernel; /* all but how it is computed: family, shape and number are 0 */
    int64_t ncols;           /* of C */
    size_t b_size, c_size;   /* bytes of an element; b_size is 0 where B is not an array */
    /* The address of B or C, or-ed with its leading dimension in bytes. A power of two divides that if it
     * divides both. */
    uint64_t b_alignment, c_alignment;
    bool is_everywhere;    /* neither a mask nor a bitmap: all of C is written, or added to */
    bool is_part;          /* of a larger product: A is not planned for it, and it was not tuned */
    bool lacks[TORC_CUTS]; /* plans that A does not have, and that are not to be made */
    torc_precision precision;
    int brick_height; /* of A's bricks, as they are or would be planned: its values may be unread here */
    const torc_statistics *rows; /* of op(A) */
    torc_device_facts device;
} torc_problem;

/* B and C are row-major. Only A's type, access, width of offsets, statistics and context are read. */
torc_problem torc_problem_of(const torc_dense *C, torc_semiring semiring, const torc_sparse *A,
    const torc_dense *B, const torc_update *update, bool is_packed);

/* Is there neither a mask nor a bitmap that matters? */
bool torc_is_everywhere(const torc_dense *C, const torc_dense *B, const torc_update *update);

#endif
