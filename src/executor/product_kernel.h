/* product_kernel.h: the description of a product's kernel: everything that decides which one is compiled. */
#ifndef TORC_PRODUCT_KERNEL_H
#define TORC_PRODUCT_KERNEL_H

#include "access.h"
#include "family.h"
#include <torc/torc.h>

/* A group of `lanes` threads owns one row or segment and a span of lanes × vector adjacent columns of C; a
 * thread loads `vector` adjacent elements of a row of B at once. lanes: 1 2 4 8 16 32; vector: 1 2 4, and
 * where columns are uniform 8 and 16 too; a vector of B or C is at most 16 bytes. A vector above 1 needs
 * ncols, ldb and ldc to be multiples of it, and B and C to be aligned to vector elements, bitmaps and mask to
 * vector bytes. */
typedef struct torc_shape {
    int lanes, vector;
} torc_shape;

enum { TORC_WORD_COLUMNS = 64, TORC_CACHING_LANES = 8 };

/* What each family needs of a product, beside what its vectors need:
 *
 *     cached rows      a built-in semiring, TORC_CACHING_LANES lanes or more
 *     parallel rows    all entries matter; the group has lanes × ways threads, at most 32: 2 4 8 16 32 ways
 *     slices           all entries matter
 *     parallel slices  both
 *     streamed         as slices, neither a mask nor a bitmap; 1 lane; a vector of C has 1, 2, 4, 8 or 16
 *                      bytes, values of A and B have 16 at most
 *     bundles          neither a mask nor a bitmap, a built-in semiring, TORC_CACHING_LANES lanes or more;
 *                      fewer than 2^31 entries in TORC_BUNDLE_ROWS rows
 *     panels           neither a mask nor a bitmap; all entries matter and read B, an array; 1 lane; a row is
 *                      visited by 2 ways or more; a vector of B or C has 8 bytes at most, values of A 16;
 *                      offsets of 32 bits
 *     tiles            a plain update, otherwise as panels; a built-in monoid; TORC_TILE_LANES lanes, vectors
 *                      of 16 bytes, values of A, an array, of 4 or 8. Computes the part of A that the plan
 *                      has
 *     bricks           neither a mask nor a bitmap; plus_times or plus_second in fp32 or fp64; A, if it is
 *                      read, and B, an array, of that type; TORC_BRICK_LANES lanes, C no narrower than
 *                      lanes × vector; offsets of 32 bits. A product of two values takes `products` products
 *                      of tensor cores: 1 or, in fp32, 3. `height` is that of A's bricks
 *     block rows       all entries matter; a built-in semiring; the group has lanes × ways threads, at most
 *                      32: 1 2 4 8 16 32 ways
 *     uniform          neither a mask nor a bitmap; B is not an array, and multiply does not look at j: 1
 *                      lane, and 1 to 32 ways, which compute a row once and store it, `vector` columns at a
 *                      time
 */
typedef struct torc_spmm_kernel {
    torc_semiring semiring;
    torc_type a_type, b_type; /* stored types; those of the traits where the operand is not read */
    torc_access a_access, b_access;
    bool wide_offsets; /* row_ptr holds uint64_t */
    bool wide_pitch;   /* rows of B, an array, or of its bitmap, lie 4 GiB apart or more */
    /* The store: torc_update of torc.h. */
    bool b_is_bitmap, c_is_bitmap, has_mask, has_accum;
    torc_multiply accum;
    torc_access old_access; /* of C's values before, and of its bitmap: none where they do not matter */
    /* A built-in semiring on bool; B is an array. B, C and the partials are words of 64 columns, bit j % 64
     * of word j / 64 is column j; ncols, ldb and ldc count words, the shape speaks of them, b_type is
     * TORC_UINT64. */
    bool is_packed;
    torc_family family;
    torc_shape shape;
    union {           /* by family; 0 where it has none of them */
        int number;   /* whichever it is */
        int ways;     /* entries of A that the group combines at once */
        int products; /* bricks */
    };
    int height; /* bricks: blocks of TORC_BRICK_ROWS rows in a window of A: 1 or, in fp32, 2; else 0 */
} torc_spmm_kernel;

/* Is it a nonzero split? */
static inline bool torc_is_by_slices(const torc_spmm_kernel *kernel)
{
    return torc_families[kernel->family].cut == TORC_CUT_SLICES;
}

/* Entries of A that a group combines at once, whoever says so. */
static inline int torc_ways(const torc_spmm_kernel *kernel)
{
    int ways = torc_families[kernel->family].ways;
    return ways > 0 ? ways : kernel->ways;
}

/* Columns of C that a thread computes at once. */
static inline int torc_computed_columns(const torc_spmm_kernel *kernel)
{
    return torc_families[kernel->family].is_uniform ? 1 : kernel->shape.vector;
}

#endif
