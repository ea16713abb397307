/* iso_result.h: results whose entries all have one value.
 *
 * Where all products of values are the same, and a sum of any number of them is that value again, SuiteSparse
 * keeps the value once (GxB_Matrix_iso). Such a result needs no array of values. Where its entries follow
 * from S alone, it needs no kernel either. */
#ifndef TORC_ISO_RESULT_H
#define TORC_ISO_RESULT_H

#include "epilogue.h"
#include "pack.h"

typedef struct torc_iso_result {
    bool is_iso;       /* C's new content has one value; or T has, where T is a matrix of its own */
    uint64_t value[2]; /* its bytes, from the first on, of T's type */
} torc_iso_result;

torc_iso_result torc_iso_result_plan(const torc_product *product, const torc_epilogue *epilogue);

/* A result that is `value` everywhere, cast to result_type. */
torc_iso_result torc_iso_result_of(const void *value, torc_type type, torc_type result_type);

/* Has it entries exactly in the rows in which op(S) has some? */
bool torc_iso_result_needs_no_kernel(
    const torc_iso_result *iso, const torc_product *product, const torc_epilogue *epilogue);

/* A block with the value; NULL for want of memory. */
void *torc_iso_result_block(const torc_iso_result *iso, const torc_binding *graphblas, torc_type type);

/* Replace T's values, if it has some, by the one. */
torc_status torc_iso_result_store(
    torc_arrays *T, const torc_iso_result *iso, const torc_binding *graphblas, torc_type type);

#endif
