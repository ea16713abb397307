/* dense_case.h: one random call on dense matrices or vectors, for torc and for GraphBLAS. Most operands are
 * dense, since torc takes no others. Left out: sparse masks with an accumulator, of which SuiteSparse dies.
 */
#ifndef TORC_DENSE_CASE_H
#define TORC_DENSE_CASE_H

#include "operations.h"
#include "value_types.h"

typedef struct dense_case {
    uint64_t seed;
    bool is_vector; /* matrices of one column, which pass for vectors */
    bool transposes;
    GrB_Matrix C, expected, mask, A, B; /* `expected` is C, for GraphBLAS */
    GrB_BinaryOp accum;
    GrB_Descriptor desc;
} dense_case;

value_type dense_case_type(uint64_t *seed); /* real or integer or bool */
GrB_Matrix dense_case_operand(
    uint64_t *seed, GrB_Index nrows, GrB_Index ncols, value_type type, bool is_vector);
GrB_Matrix dense_case_copy(GrB_Matrix A); /* of NULL NULL */

/* C is there: then mask, accumulator, descriptor and `expected`. */
void dense_case_finish(dense_case *c, uint64_t *seed, GrB_Index mask_rows, GrB_Index mask_columns);

torc_target dense_case_target(const dense_case *c);

/* From one seed to the next. On a GPU most cases are a kernel to compile, so there one in many is tried, or
 * all with TORC_TEST_ALL=1 in the environment. */
int dense_case_step(void);

void dense_case_expect_same(const dense_case *c);
void dense_case_free(dense_case *c);

#endif
