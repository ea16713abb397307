#include "dense.h"
#include <inttypes.h>

static bool is_leading_dimension(const torc_dense *X)
{
    bool by_row = X->order == TORC_ROW_MAJOR;
    int64_t bytes; /* of an array that memory could hold */
    return X->ld >= (by_row ? X->ncols : X->nrows) &&
           !__builtin_mul_overflow(X->ld, by_row ? X->nrows : X->ncols, &bytes) &&
           !__builtin_mul_overflow(bytes, torc_type_size(X->type), &bytes);
}

torc_status torc_check_order(torc_context *context, const char *name, const torc_dense *X)
{
    return X->order == TORC_ROW_MAJOR || X->order == TORC_COL_MAJOR
               ? TORC_SUCCESS
               : torc_context_refuse(
                     context, TORC_INVALID_VALUE, "%s has order %d, which is none", name, (int)X->order);
}

torc_status torc_check_layout(torc_context *context, const char *name, const torc_dense *X)
{
    torc_status status = torc_check_order(context, name, X);
    if (status != TORC_SUCCESS) {
        return status;
    }
    return X->nrows >= 0 && X->ncols >= 0 && is_leading_dimension(X)
               ? TORC_SUCCESS
               : torc_context_refuse(context, TORC_INVALID_VALUE,
                     "%s, %" PRId64 " x %" PRId64 ", has a leading dimension of %" PRId64, name, X->nrows,
                     X->ncols, X->ld);
}

torc_layout torc_layout_of(const torc_dense *X)
{
    bool by_column = X->order == TORC_COL_MAJOR;
    int64_t nlines = by_column ? X->ncols : X->nrows, length = by_column ? X->nrows : X->ncols;
    bool is_column = !by_column && length == 1 && nlines > 1, is_row = by_column && length == 1;
    if (X->ld == 1 && (is_column || is_row)) {
        return (torc_layout){1, nlines, nlines, !by_column};
    }
    return (torc_layout){nlines, length, X->ld, by_column};
}

bool torc_is_gapless(const torc_layout *layout)
{
    return layout->nlines == 1 || layout->ld == layout->length;
}

torc_status torc_check_update(torc_context *context, const torc_dense *C, const torc_update *update)
{
    bool has_elements = C->nrows > 0 && C->ncols > 0; /* without any, memory for bitmap and mask is NULL */
    if (has_elements && update->complement && !update->mask) {
        return torc_context_refuse(context, TORC_INVALID_VALUE, "a complement without mask");
    }
    if (has_elements && update->mask && update->replace && !C->bitmap) {
        return torc_context_refuse(
            context, TORC_INVALID_VALUE, "a mask with replace, and a result without bitmap");
    }
    if (update->has_accum) {
        torc_traits accum = torc_semiring_traits(
            (torc_semiring){TORC_ANY_MONOID, update->accum, C->type}); /* any exists on every type */
        if (!accum.is_supported || accum.is_positional || accum.z_type != C->type) {
            return torc_context_refuse(context, TORC_UNSUPPORTED,
                "the accumulator %s is no operator on %s that gives %s", torc_multiply_name(update->accum),
                torc_type_name(C->type), torc_type_name(C->type));
        }
    }
    return TORC_SUCCESS;
}

bool torc_reads_old(const torc_update *update)
{
    return update->has_accum || (update->mask && !update->replace);
}
