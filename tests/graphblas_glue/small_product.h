/* small_product.h: one small random product, sparse times full or full times sparse, and the judgement of two
 * answers to it. */
#ifndef TORC_SMALL_PRODUCT_H
#define TORC_SMALL_PRODUCT_H

#include "reference.h"
#include <torc/graphblas.h>

enum { SMALL_M = 7, SMALL_K = 9, SMALL_N = 5, SMALL_CELLS = SMALL_K * SMALL_M };

/* Values and presence, by row. */
typedef struct small_matrix {
    int nrows, ncols;
    torc_type type; /* as stored */
    bool is_full;
    uint8_t is_present[SMALL_CELLS];
    _Alignas(torc_fc64) unsigned char values[SMALL_CELLS * sizeof(torc_fc64)];
} small_matrix;

typedef struct small_product {
    torc_semiring semiring;
    small_matrix A, B;
} small_product;

/* Sums and products that round meet values near 1 in the operands' own type, sums of reals also a few that
 * are infinite or NaN; all else meets every value there is, cast from every type. */
void torc_small_product_draw(small_product *product, torc_semiring semiring, bool sparse_left, uint64_t seed);

/* A new GrB_Matrix, sparse or full by row. */
GrB_Matrix torc_small_matrix_new(const small_matrix *X);

/* The content of C, which it loses. */
void torc_small_matrix_take(small_matrix *X, GrB_Matrix C, torc_type type);

/* C = A times B by the reference's operators: what SuiteSparse 7.4 gets wrong. */
void torc_small_product_solve(small_matrix *C, const small_product *product);

/* NULL, or what is wrong with torc's answer, or with SuiteSparse's in the light of torc's operators.
 *
 * Structure: an entry where there are terms. Values are equal, NaN equal to NaN and 0 to -0, but:
 *
 *     any                 each answer is one of the terms, by the reference's operators
 *     sums and products   of floating point: each answer is within gamma(n + 2) of the true one, relative to
 *                         the sum of |terms|, or to |product|; complex ones within gamma(3 n + 24) in modulus
 *                         (spmm_bound.h says why). Two answers may be twice that apart
 *     min, max            of NaN alone: NaN; SuiteSparse 7.4 gives the identity at times, and is not judged
 */
const char *torc_small_product_judge(
    const small_product *product, const small_matrix *suitesparse, const small_matrix *torc);

#endif
