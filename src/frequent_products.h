/* frequent_products.h: the products that programs use most: tools/precompile compiles their kernels ahead of
 * time. C = A (+).(x) B with C full, unless `is_frontier`: C⟨¬M,r⟩ with bitmaps, one step of a traversal. */
#ifndef TORC_FREQUENT_PRODUCTS_H
#define TORC_FREQUENT_PRODUCTS_H

#include <torc/torc.h>

typedef struct torc_frequent_product {
    torc_monoid add;
    torc_multiply multiply;
    torc_type type;
    bool a_is_iso, is_frontier;
} torc_frequent_product;

static const torc_frequent_product torc_frequent_products[] = {
    {TORC_PLUS_MONOID, TORC_TIMES, TORC_FP32, false, false},
    {TORC_PLUS_MONOID, TORC_TIMES, TORC_FP64, false, false},
    {TORC_PLUS_MONOID, TORC_SECOND, TORC_FP32, false, false}, /* PageRank */
    {TORC_PLUS_MONOID, TORC_SECOND, TORC_FP64, false, false},
    {TORC_MIN_MONOID, TORC_PLUS, TORC_FP32, false, false}, /* shortest paths */
    {TORC_MIN_MONOID, TORC_PLUS, TORC_FP64, false, false},
    {TORC_MIN_MONOID, TORC_PLUS, TORC_INT64, false, false},
    {TORC_MAX_MONOID, TORC_PLUS, TORC_FP64, false, false},  /* longest paths */
    {TORC_MAX_MONOID, TORC_MIN, TORC_FP64, false, false},   /* widest paths */
    {TORC_MAX_MONOID, TORC_TIMES, TORC_FP64, false, false}, /* most reliable paths */
    {TORC_LOR_MONOID, TORC_LAND, TORC_BOOL, false, false},  /* reachability: packed */
    {TORC_PLUS_MONOID, TORC_SECOND, TORC_FP64, true, true}, /* betweenness centrality */
    {TORC_ANY_MONOID, TORC_FIRSTJ, TORC_INT64, true, true}, /* parents */
    {TORC_ANY_MONOID, TORC_PAIR, TORC_BOOL, true, true},    /* levels */
};
enum { TORC_FREQUENT_PRODUCTS = sizeof torc_frequent_products / sizeof torc_frequent_products[0] };

#endif
