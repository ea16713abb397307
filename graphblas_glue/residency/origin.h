/* origin.h: the host arrays that a device copy is made from. A dense copy is the bytes of one array, whatever
 * they mean (values, a bitmap); a sparse copy is a torc_sparse. */
#ifndef TORC_ORIGIN_H
#define TORC_ORIGIN_H

#include <torc/torc.h>

enum { TORC_ORIGIN_VALUES, TORC_ORIGIN_PTR, TORC_ORIGIN_HYPER, TORC_ORIGIN_IDX };
enum { TORC_ORIGIN_ARRAYS = TORC_ORIGIN_IDX + 1 };

typedef struct torc_origin {
    struct {
        const void *memory; /* on the host; NULL: none, or not read */
        size_t size;
    } arrays[TORC_ORIGIN_ARRAYS];
    const void *voucher; /* who promises that the content stays as it is; NULL: nobody */
    bool is_sparse;
    /* The rest, like the other arrays, is of sparse copies. */
    int64_t nrows, ncols;
    int ptr_bits, hyper_bits, idx_bits;
    bool is_compact; /* the rows are those that hyper lists */
    bool has_row_names;
    torc_type type; /* of values, as iso */
    bool iso;
} torc_origin;

/* Of a dense copy. */
torc_origin torc_array_origin(const void *memory, size_t size, const void *voucher);

/* Bytes of the arrays. */
size_t torc_origin_size(const torc_origin *origin);

/* Are they made from the same operand, though one may have more of its arrays than the other? */
bool torc_origin_is_alike(const torc_origin *x, const torc_origin *y);

/* May a copy of `more` be taken for one of `less`? */
bool torc_origin_serves(const torc_origin *more, const torc_origin *less);

/* Who makes a copy again finds the last one there, as long as nobody writes to the arrays. */
bool torc_origin_would_stay(const torc_origin *origin);

#endif
