#include "origin.h"
#include "seal.h"

torc_origin torc_array_origin(const void *memory, size_t size, const void *voucher)
{
    torc_origin origin = {.voucher = voucher};
    origin.arrays[TORC_ORIGIN_VALUES].memory = memory;
    origin.arrays[TORC_ORIGIN_VALUES].size = size;
    return origin;
}

size_t torc_origin_size(const torc_origin *origin)
{
    size_t size = 0;
    for (int i = 0; i < TORC_ORIGIN_ARRAYS; i++) {
        size += origin->arrays[i].memory ? origin->arrays[i].size : 0;
    }
    return size;
}

bool torc_origin_is_alike(const torc_origin *x, const torc_origin *y)
{
    if (x->is_sparse != y->is_sparse || x->nrows != y->nrows || x->ncols != y->ncols ||
        x->ptr_bits != y->ptr_bits || x->hyper_bits != y->hyper_bits || x->idx_bits != y->idx_bits ||
        x->is_compact != y->is_compact) {
        return false;
    }
    bool share_some = false;
    for (int i = 0; i < TORC_ORIGIN_ARRAYS; i++) {
        if (!x->arrays[i].memory || !y->arrays[i].memory) {
            continue;
        }
        if (x->arrays[i].memory != y->arrays[i].memory || x->arrays[i].size != y->arrays[i].size) {
            return false;
        }
        share_some = true;
    }
    return share_some;
}

bool torc_origin_serves(const torc_origin *more, const torc_origin *less)
{
    for (int i = 0; i < TORC_ORIGIN_ARRAYS; i++) {
        if (less->arrays[i].memory && !more->arrays[i].memory) {
            return false;
        }
    }
    bool reads_values = less->arrays[TORC_ORIGIN_VALUES].memory;
    bool has_values = !reads_values || (more->type == less->type && more->iso == less->iso);
    return torc_origin_is_alike(more, less) && has_values && (more->has_row_names || !less->has_row_names);
}

bool torc_origin_would_stay(const torc_origin *origin)
{
    bool is_provable = true;
    for (int i = 0; i < TORC_ORIGIN_ARRAYS && !origin->voucher; i++) {
        const void *memory = origin->arrays[i].memory;
        is_provable = is_provable && (!memory || torc_seal_is_possible(memory, origin->arrays[i].size));
    }
    return is_provable;
}
