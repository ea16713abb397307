/* frequent_products.h: the products that programs use most: tools/precompile compiles their kernels ahead of
 * time. C = A (+).(x) B, or accum (C, A (+).(x) B) where C's old content is one value or an array; or C⟨¬M,r⟩
 * with bitmaps and A of one value, where it is a frontier that moves on. */
#ifndef TORC_FREQUENT_PRODUCTS_H
#define TORC_FREQUENT_PRODUCTS_H

#include "backend.h"

typedef struct torc_frequent_product {
    torc_monoid add;
    torc_multiply multiply;
    torc_type type;
    torc_access old;
    torc_multiply accum;
    bool b_is_iso, is_frontier;
    bool a_is_pattern; /* of bool, one value */
} torc_frequent_product;

static const torc_frequent_product torc_frequent_products[] = {
    /* linear algebra */
    {TORC_PLUS_MONOID, TORC_TIMES, TORC_FP32},
    {TORC_PLUS_MONOID, TORC_TIMES, TORC_FP32, .old = TORC_ACCESS_ARRAY, .accum = TORC_PLUS},
    {TORC_PLUS_MONOID, TORC_TIMES, TORC_FP64},
    {TORC_PLUS_MONOID, TORC_TIMES, TORC_FP64, .old = TORC_ACCESS_ARRAY, .accum = TORC_PLUS},
    /* one column, or one row, repeated: norms in distances */
    {TORC_PLUS_MONOID, TORC_TIMES, TORC_FP32, .b_is_iso = true},
    {TORC_PLUS_MONOID, TORC_TIMES, TORC_FP64, .b_is_iso = true},
    /* the same over the neighbours in a graph without weights: a graph neural network */
    {TORC_PLUS_MONOID, TORC_TIMES, TORC_FP32, .a_is_pattern = true},
    {TORC_PLUS_MONOID, TORC_TIMES, TORC_FP32, .a_is_pattern = true, .old = TORC_ACCESS_ISO,
        .accum = TORC_PLUS},
    /* sums over neighbours */
    {TORC_PLUS_MONOID, TORC_SECOND, TORC_FP32},
    {TORC_PLUS_MONOID, TORC_SECOND, TORC_FP64},
    {TORC_PLUS_MONOID, TORC_SECOND, TORC_FP32, .old = TORC_ACCESS_ARRAY, .accum = TORC_PLUS},
    {TORC_PLUS_MONOID, TORC_SECOND, TORC_FP64, .old = TORC_ACCESS_ARRAY, .accum = TORC_PLUS},
    /* PageRank, of many vectors and of one; degrees, at least 1 */
    {TORC_PLUS_MONOID, TORC_SECOND, TORC_FP64, .old = TORC_ACCESS_ISO, .accum = TORC_PLUS},
    {TORC_PLUS_MONOID, TORC_SECOND, TORC_FP32, .old = TORC_ACCESS_ISO, .accum = TORC_PLUS},
    {TORC_PLUS_MONOID, TORC_SECOND, TORC_FP64, .b_is_iso = true, .old = TORC_ACCESS_ISO, .accum = TORC_MAX},
    {TORC_PLUS_MONOID, TORC_SECOND, TORC_FP32, .b_is_iso = true, .old = TORC_ACCESS_ISO, .accum = TORC_MAX},
    /* components */
    {TORC_MIN_MONOID, TORC_SECOND, TORC_UINT32, .old = TORC_ACCESS_ARRAY, .accum = TORC_MIN},
    {TORC_MIN_MONOID, TORC_SECOND, TORC_UINT64, .old = TORC_ACCESS_ARRAY, .accum = TORC_MIN},
    /* shortest paths, and their rounds */
    {TORC_MIN_MONOID, TORC_PLUS, TORC_FP32},
    {TORC_MIN_MONOID, TORC_PLUS, TORC_FP64},
    {TORC_MIN_MONOID, TORC_PLUS, TORC_INT64},
    {TORC_MIN_MONOID, TORC_PLUS, TORC_FP32, .old = TORC_ACCESS_ARRAY, .accum = TORC_MIN},
    {TORC_MIN_MONOID, TORC_PLUS, TORC_FP64, .old = TORC_ACCESS_ARRAY, .accum = TORC_MIN},
    /* longest, widest, most reliable paths */
    {TORC_MAX_MONOID, TORC_PLUS, TORC_FP64, .old = TORC_ACCESS_ARRAY, .accum = TORC_MAX},
    {TORC_MAX_MONOID, TORC_MIN, TORC_FP64, .old = TORC_ACCESS_ARRAY, .accum = TORC_MAX},
    {TORC_MAX_MONOID, TORC_TIMES, TORC_FP64, .old = TORC_ACCESS_ARRAY, .accum = TORC_MAX},
    /* reachability, and levels of sets: packed */
    {TORC_LOR_MONOID, TORC_LAND, TORC_BOOL},
    {TORC_LOR_MONOID, TORC_SECOND, TORC_BOOL},
    /* betweenness centrality; parents, of many sources and of one; levels */
    {TORC_PLUS_MONOID, TORC_SECOND, TORC_FP64, .is_frontier = true},
    {TORC_ANY_MONOID, TORC_FIRSTJ, TORC_INT64, .is_frontier = true},
    {TORC_ANY_MONOID, TORC_SECONDI, TORC_INT64, .is_frontier = true},
    {TORC_ANY_MONOID, TORC_PAIR, TORC_BOOL, .is_frontier = true},
};
enum { TORC_FREQUENT_PRODUCTS = sizeof torc_frequent_products / sizeof torc_frequent_products[0] };

#endif
