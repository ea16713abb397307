/* dense_kernels.h: kernels of element-wise operations and of reductions, as values. A description holds all
 * that decides which kernel is compiled; what changes from call to call is in the arguments. */
#ifndef TORC_DENSE_KERNELS_H
#define TORC_DENSE_KERNELS_H

#include "access.h"
#include "elementwise_args.h"
#include "reduce_args.h"
#include <torc/elementwise.h>

/* How a kernel reads A or B. If it does not read their values, type is the one that they would be cast to. */
typedef struct torc_operand_form {
    torc_type type; /* stored */
    torc_access access;
    bool is_bitmap;
    bool has_lists; /* one element after another, wherever the lists say */
} torc_operand_form;

/* C = T, or C⟨mask⟩ = accum (C, T). T's elements are cast from the operation's z_type (select: from A's) to
 * C's. A C without bitmap takes 0 where T is absent, the mask allows it, and there is no accum.
 *
 * The operation's thunk, alpha and beta are not looked at: they are in the arguments. The engine has reduced
 * the operation, so that fewer kernels are compiled:
 *
 *     eWiseAdd and eWiseUnion       only where an operand has a bitmap; else they are eWiseMult
 *     positional binary operators   only firsti, firsti1 (i) and secondj, secondj1 (j) of the element
 *     B of apply and select         full, access none
 *
 * Values are read where the operator reads them, or as lone elements (eWiseAdd). */
typedef struct torc_elementwise_kernel {
    torc_operation operation;
    torc_operand_form a, b;
    torc_type c_type;
    /* The store: torc_update of torc.h. */
    bool c_is_bitmap, has_mask, has_accum;
    torc_multiply accum;    /* on C's type */
    torc_access old_access; /* of C's values before, and of its bitmap: none where they do not matter */
    bool is_flat;           /* one line; no list, and the operator does not look at i and j */
    /* Elements adjacent in a line that a thread may move at once: 1 2 4 8 16, 16 bytes at most of any array
     * without lists. Above 1 those arrays are aligned to `vector` elements, bitmaps and the mask to as many
     * bytes, and so is every line. The length need not be a multiple. */
    int vector;
} torc_elementwise_kernel;

/* One round: sums of A's chunks, along lines; or of its strips, across lines (reduce_args.h). */
typedef struct torc_reduce_kernel {
    torc_reduction reduction;
    torc_type a_type;     /* cast to the reduction's */
    torc_access a_access; /* iso or array */
    bool a_is_bitmap;
    bool c_is_bitmap; /* presence is asked for */
    bool is_across;
} torc_reduce_kernel;

#endif
