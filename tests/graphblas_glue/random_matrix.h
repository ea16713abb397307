/* random_matrix.h: matrices in every state that a GrB_Matrix can be in, made from recipes. The same recipe
 * makes the same matrix again. */
#ifndef TORC_RANDOM_MATRIX_H
#define TORC_RANDOM_MATRIX_H

#include "value_types.h"

typedef struct matrix_recipe {
    uint64_t seed; /* of entries and values */
    GrB_Index nrows, ncols;
    value_type type;
    value_style style;
    int format; /* GxB_HYPERSPARSE, GxB_SPARSE, GxB_BITMAP or GxB_FULL: one of them */
    bool by_col;
    bool iso;
    bool is_jumbled; /* sparse formats: indices within a vector descend */
    double density;  /* of vectors that have entries */
    double empty_vectors;
    bool has_complete_vector;
    int npending; /* elements set one by one afterwards */
    int control;  /* GxB_SPARSITY_CONTROL, or 0: the default */
    bool has_switches;
} matrix_recipe;

/* Too large to look at every position: it is to be hypersparse, with a few entries here and there. */
bool torc_random_matrix_is_huge(const matrix_recipe *recipe);

GrB_Matrix torc_random_matrix(const matrix_recipe *recipe);

/* Appends to text, which holds size bytes. */
void torc_random_matrix_describe(char *text, size_t size, const char *name, const matrix_recipe *recipe);

#endif
