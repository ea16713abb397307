/* product.h: T = op(A) ⊕.⊗ op(B) as one engine call, whichever operand is sparse and however both are stored.
 *
 * The engine computes R = op(S) ⊕.⊗ D with S in CSR and D dense. Where A is the sparse one, R = T. Where B
 * is, R = Tᵀ = op(B)ᵀ ⊕.⊗' op(A)ᵀ with multiply's arguments exchanged. A matrix held by column is the CSR of
 * its transpose, so every case comes down to: transpose S or not, D row-major or column-major.
 *
 * If elements of a bitmap D are absent, the bitmap is an operand too. Where both operands are sparse, D is
 * the one with few rows or few columns, the frontier of a search: it becomes a bitmap on the device.
 *
 * A hypersparse S that need not be transposed is multiplied in its compact form: R has one row per vector
 * that S lists. */
#ifndef TORC_PRODUCT_H
#define TORC_PRODUCT_H

#include "view.h"

typedef struct torc_product {
    torc_semiring semiring;  /* of R */
    const torc_view *sparse; /* S, as stored */
    const torc_view *dense;
    GrB_Matrix sparse_matrix, dense_matrix;
    bool is_flipped;       /* R is Tᵀ */
    bool transpose_sparse; /* op(S) is the transpose of the CSR that is stored */
    bool is_compact;       /* rows of R are the vectors that S lists */
    bool dense_is_listed;  /* D is sparse on the host */
    torc_type sparse_type, dense_type;
    torc_dense dense_view;  /* D; data and bitmap: host memory, unless its entries are listed */
    torc_dense result_view; /* R; data and bitmap NULL */
    double side_bytes;      /* of bitmaps, mask and old C, which travel too */
} torc_product;

/* May a sparse matrix of this shape be D, since it has few rows or few columns? */
bool torc_product_may_be_frontier(int64_t nrows, int64_t ncols);

/* May D lack elements? */
bool torc_product_has_bitmap(const torc_product *product);

/* One of the two operands as it was given, and as it was opened; transpose: its transpose is multiplied. */
typedef struct torc_factor {
    GrB_Matrix matrix;
    const torc_view *view;
    bool transpose;
} torc_factor;

/* false: not sparse × dense, or of types that the engine lacks; *reason says which, a static string. */
bool torc_product_plan(torc_product *product, const char **reason, torc_semiring semiring,
    const torc_factor *a, const torc_factor *b, bool result_by_col);

#endif
