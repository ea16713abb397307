/* frequent_products.h: the products that programs use most: tools/precompile compiles their kernels ahead of
 * time. C = A (+).(x) B with C full, unless `is_frontier`: C⟨¬M,r⟩ with bitmaps, one step of a traversal; or
 * C is `preset`: C (+)= A (+).(x) B, into one value everywhere or an array of them. */
#ifndef TORC_FREQUENT_PRODUCTS_H
#define TORC_FREQUENT_PRODUCTS_H

#include "backend.h"

typedef struct torc_frequent_product {
    torc_monoid add;
    torc_multiply multiply;
    torc_type type;
    bool a_is_iso, is_frontier;
    torc_access preset;
} torc_frequent_product;

static const torc_frequent_product torc_frequent_products[] = {
    {TORC_PLUS_MONOID, TORC_TIMES, TORC_FP32}, /* linear algebra */
    {TORC_PLUS_MONOID, TORC_TIMES, TORC_FP64}, /* likewise */
    {TORC_PLUS_MONOID, TORC_TIMES, TORC_FP32, .preset = TORC_ACCESS_ARRAY},
    {TORC_PLUS_MONOID, TORC_TIMES, TORC_FP64, .preset = TORC_ACCESS_ARRAY},
    {TORC_PLUS_MONOID, TORC_SECOND, TORC_FP32},                            /* sums over neighbours */
    {TORC_PLUS_MONOID, TORC_SECOND, TORC_FP64},                            /* likewise */
    {TORC_PLUS_MONOID, TORC_SECOND, TORC_FP64, .preset = TORC_ACCESS_ISO}, /* PageRank */
    {TORC_PLUS_MONOID, TORC_SECOND, TORC_FP32, .preset = TORC_ACCESS_ISO}, /* likewise, of one vector */
    {TORC_PLUS_MONOID, TORC_SECOND, TORC_FP32, .preset = TORC_ACCESS_ARRAY},
    {TORC_MIN_MONOID, TORC_SECOND, TORC_UINT32, .preset = TORC_ACCESS_ARRAY}, /* components */
    {TORC_MIN_MONOID, TORC_SECOND, TORC_UINT64, .preset = TORC_ACCESS_ARRAY}, /* likewise */
    {TORC_MIN_MONOID, TORC_PLUS, TORC_FP32},                                  /* shortest paths */
    {TORC_MIN_MONOID, TORC_PLUS, TORC_FP64},                                  /* likewise */
    {TORC_MIN_MONOID, TORC_PLUS, TORC_INT64},                                 /* likewise */
    {TORC_MIN_MONOID, TORC_PLUS, TORC_FP64, .preset = TORC_ACCESS_ARRAY},     /* their rounds */
    {TORC_MIN_MONOID, TORC_PLUS, TORC_FP32, .preset = TORC_ACCESS_ARRAY},     /* likewise */
    {TORC_MAX_MONOID, TORC_PLUS, TORC_FP64, .preset = TORC_ACCESS_ARRAY},     /* longest paths */
    {TORC_MAX_MONOID, TORC_MIN, TORC_FP64, .preset = TORC_ACCESS_ARRAY},      /* widest paths */
    {TORC_MAX_MONOID, TORC_TIMES, TORC_FP64, .preset = TORC_ACCESS_ARRAY},    /* most reliable paths */
    {TORC_LOR_MONOID, TORC_LAND, TORC_BOOL},                                  /* reachability: packed */
    {TORC_LOR_MONOID, TORC_SECOND, TORC_BOOL},                                /* levels: presence, packed */
    {TORC_PLUS_MONOID, TORC_SECOND, TORC_FP64, true, true},                   /* betweenness centrality */
    {TORC_ANY_MONOID, TORC_FIRSTJ, TORC_INT64, true, true},                   /* parents */
    {TORC_ANY_MONOID, TORC_SECONDI, TORC_INT64, true, true},                  /* likewise, of one source */
    {TORC_ANY_MONOID, TORC_PAIR, TORC_BOOL, true, true},                      /* levels */
};
enum { TORC_FREQUENT_PRODUCTS = sizeof torc_frequent_products / sizeof torc_frequent_products[0] };

#endif
