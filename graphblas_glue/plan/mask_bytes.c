#include "mask_bytes.h"
#include "match.h"
#include "offsets.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static const char *value_at(const torc_view *mask, int64_t p)
{
    return (const char *)mask->values + (mask->iso ? 0 : (size_t)p * mask->type_size);
}

/* Is a bit set? So SuiteSparse reads a mask. Masks of several values with a negative zero do not come here.
 */
static bool is_true(const torc_view *mask, int64_t p)
{
    static const char zeros[16];
    return memcmp(value_at(mask, p), zeros, mask->type_size) != 0;
}

bool torc_mask_is_pattern(bool *is_readable, const torc_view *mask, bool is_structural)
{
    torc_type type;
    *is_readable = is_structural || torc_match_type(&type, mask->type);
    return is_structural || (*is_readable && mask->iso && mask->nvals > 0 && is_true(mask, 0));
}

bool torc_mask_may_have_negative_zeros(const torc_view *mask)
{
    torc_type type;
    return !mask->iso && torc_match_type(&type, mask->type) && type >= TORC_FP32;
}

typedef struct zero_search {
    const torc_view *mask;
    torc_type type;
    atomic_bool is_found;
} zero_search;

static void search_values(void *argument, int64_t first, int64_t last)
{
    zero_search *search = argument;
    const torc_view *mask = search->mask;
    for (int64_t p = first; p < last && !search->is_found; p++) {
        bool is_cast_to_true;
        torc_cast(&is_cast_to_true, TORC_BOOL, value_at(mask, p), search->type);
        bool is_present = !mask->bitmap || mask->bitmap[p];
        if (is_present && !is_cast_to_true && is_true(mask, p)) {
            search->is_found = true;
        }
    }
}

bool torc_mask_has_negative_zeros(const torc_view *mask)
{
    zero_search search = {.mask = mask};
    if (torc_mask_may_have_negative_zeros(mask) && torc_match_type(&search.type, mask->type)) {
        int64_t count = mask->ptr ? mask->nvals : mask->nvec * mask->veclen;
        torc_threads_loop(count, mask->type_size, search_values, &search);
    }
    return search.is_found;
}

/* Where the bytes of one vector of the mask are: `start`, and `step` from one position to the next. */
typedef struct vector_bytes {
    uint8_t *start;
    int64_t step;
} vector_bytes;

static vector_bytes bytes_of_vector(uint8_t *bytes, const torc_view *mask, bool by_col, int64_t vector)
{
    int64_t count = mask->by_col ? mask->ncols : mask->nrows;
    return by_col == mask->by_col ? (vector_bytes){bytes + vector * mask->veclen, 1}
                                  : (vector_bytes){bytes + vector, count};
}

typedef struct filling {
    uint8_t *bytes;
    const torc_view *mask;
    bool is_pattern, by_col;
} filling;

/* Vectors do not share bytes. */
static void fill_vectors(void *argument, int64_t first, int64_t last)
{
    const filling *f = argument;
    const torc_view *mask = f->mask;
    bool is_listed = mask->ptr;
    for (int64_t v = first; v < last; v++) {
        int64_t vector = mask->hyper ? torc_offset(mask->hyper, mask->hyper_bits, v) : v;
        vector_bytes to = bytes_of_vector(f->bytes, mask, f->by_col, vector);
        int64_t begin = is_listed ? torc_offset(mask->ptr, mask->ptr_bits, v) : v * mask->veclen;
        int64_t end = is_listed ? torc_offset(mask->ptr, mask->ptr_bits, v + 1) : begin + mask->veclen;
        for (int64_t p = begin; p < end; p++) {
            int64_t i = is_listed ? torc_offset(mask->idx, mask->idx_bits, p) : p - begin;
            bool is_present = !mask->bitmap || mask->bitmap[p];
            to.start[i * to.step] = is_present && (f->is_pattern || is_true(mask, p));
        }
    }
}

static void fill(uint8_t *bytes, const torc_view *mask, bool is_pattern, bool by_col)
{
    filling f = {bytes, mask, is_pattern, by_col};
    torc_threads_loop(mask->nvec, (size_t)mask->veclen, fill_vectors, &f);
}

const uint8_t *torc_mask_own_bytes(const torc_view *mask, bool is_pattern, bool by_col)
{
    if (mask->by_col != by_col || mask->nvals == 0) {
        return NULL;
    }
    if (is_pattern) {
        return (const uint8_t *)mask->bitmap;
    }
    bool is_one_byte_each = mask->format == TORC_FULL && !mask->iso && mask->type_size == 1;
    return is_one_byte_each ? mask->values : NULL;
}

const uint8_t *torc_mask_bytes(uint8_t **made, const torc_view *mask, bool is_pattern, bool by_col)
{
    const uint8_t *own = torc_mask_own_bytes(mask, is_pattern, by_col);
    *made = NULL;
    if (own) {
        return own;
    }
    *made = calloc((size_t)mask->nrows * (size_t)mask->ncols, 1);
    if (*made && mask->nvals > 0) {
        fill(*made, mask, is_pattern, by_col);
    }
    return *made;
}
