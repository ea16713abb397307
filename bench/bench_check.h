/* bench_check.h: how wrong one row of C = A ⊕.⊗ B is, A's and B's values being bench_values.h's.
 *
 * plus: the largest |found - sum| / Σ|terms|, terms and sums in double for fp32 and long double for fp64.
 * min, max, lor: 0, or infinity where the result is not the exact one. any: the same for none of the terms.
 * An element that is NaN, as poisoned memory is, is infinitely wrong. Positional multiplies give positions.
 *
 * A step of a traversal, C⟨¬M,r⟩ with bitmaps: the boolean at an element's place says whether B has it, or
 * whether the mask excludes it from C. Entries that are there and should not be, or the other way round, are
 * infinitely wrong.
 *
 * Of a wide row 64 columns are checked, others in the next row: neighbouring rows cover all. */
#ifndef BENCH_CHECK_H
#define BENCH_CHECK_H

#include "bench_matrix.h"
#include <torc/torc.h>

/* found: ncols values of the semiring's type, fp32, fp64, int64 or bool. order: of B and C, whose values are
 * told by their place in them. present: of a step of a traversal, which of them are there; otherwise NULL. */
double bench_row_error(const bench_matrix *A, torc_semiring semiring, torc_order order, int64_t ncols,
    int64_t row, const void *found, const uint8_t *present);

#endif
