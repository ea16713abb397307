/* reduction.c: reductions: rounds of sums, each a launch, as reduce_args.h has them, until one sum of each
 * line, or of each place, is left. */
#include "context.h"
#include "dense.h"
#include "elementwise_check.h"
#include "elementwise_once.h"
#include "traits.h"
#include <inttypes.h>

static const torc_update overwrite;

/* Of A, whose ld may be anything where it has no arrays. */
static torc_layout layout_of(const torc_dense *A)
{
    torc_layout layout = torc_layout_of(A);
    layout.ld = A->iso && !A->bitmap ? layout.length : layout.ld;
    return layout;
}

/* Lines and places of what a round over `from` leaves. */
static torc_layout layout_after(bool is_across, const torc_layout *from)
{
    torc_layout after = *from;
    if (is_across) {
        after.nlines = torc_reduce_parts(from->nlines, TORC_REDUCE_STRIP);
    } else {
        after.length = torc_reduce_parts(from->length, TORC_REDUCE_CHUNK);
    }
    after.ld = after.length;
    return after;
}

static bool is_last(bool is_across, const torc_layout *after)
{
    return (is_across ? after->nlines : after->length) == 1;
}

/* Partial sums of all rounds, one after another. */
static size_t count_partials(bool is_across, torc_layout layout)
{
    size_t count = 0;
    layout = layout_after(is_across, &layout);
    while (!is_last(is_across, &layout)) {
        count += (size_t)layout.nlines * (size_t)layout.length;
        layout = layout_after(is_across, &layout);
    }
    return count;
}

/* sums, present: device memory, NULL: presence is not asked for. The last round alone writes to them. */
static torc_status reduce(void *sums, uint8_t *present, torc_reduction reduction, torc_context *context,
    const torc_dense *A, torc_layout layout, bool is_across)
{
    size_t size = torc_type_size(reduction.type), count = count_partials(is_across, layout);
    void *partials = NULL, *bytes = NULL;
    torc_status status = TORC_SUCCESS;
    if (count > 0) {
        status = torc_context_workspace(&partials, context, TORC_WORKSPACE_PARTIALS, count * size);
    }
    if (status == TORC_SUCCESS && count > 0 && A->bitmap) {
        status = torc_context_workspace(&bytes, context, TORC_WORKSPACE_PARTIAL_BITMAP, count);
    }
    torc_reduce_kernel kernel = {.reduction = reduction,
        .a_type = A->type,
        .a_access = A->iso ? TORC_ACCESS_ISO : TORC_ACCESS_ARRAY,
        .a_is_bitmap = A->bitmap,
        .is_across = is_across};
    torc_reduce_args args = {.a = A->data, .a_bitmap = A->bitmap};
    for (bool is_done = false; status == TORC_SUCCESS && !is_done;) {
        torc_layout after = layout_after(is_across, &layout);
        is_done = is_last(is_across, &after);
        args.nlines = layout.nlines;
        args.length = layout.length;
        args.ld = layout.ld;
        args.c = is_done ? sums : partials;
        args.c_bitmap = is_done ? present : bytes;
        args.ldc = after.ld;
        kernel.c_is_bitmap = args.c_bitmap;
        status = context->executor->reduce(context->device, &kernel, &args);
        args.a = args.c;
        args.a_bitmap = args.c_bitmap;
        kernel.a_type = reduction.type;
        kernel.a_access = TORC_ACCESS_ARRAY;
        layout = after;
        if (!is_done) {
            size_t made = (size_t)after.nlines * (size_t)after.length;
            partials = (char *)partials + made * size;
            bytes = bytes ? (uint8_t *)bytes + made : NULL;
        }
    }
    return status;
}

static torc_status check_reduction(torc_reduction reduction, torc_context *context, const torc_dense *A)
{
    if (!torc_reduction_is_supported(reduction)) {
        return torc_context_refuse(context, TORC_UNSUPPORTED, "%s is no monoid on %s",
            torc_monoid_name(reduction.add), torc_type_name(reduction.type));
    }
    return torc_values_check(A, "A", reduction.type, context);
}

static bool has_elements(const torc_layout *layout)
{
    return layout->nlines > 0 && layout->length > 0;
}

/* Reduce lines to their sums, or across them to those of each place, in workspace. *A and *layout become
 * these sums, as one line without gaps. */
static torc_status reduce_lines_first(
    torc_dense *A, torc_layout *layout, torc_reduction reduction, torc_context *context, bool is_across)
{
    void *sums, *present = NULL;
    size_t size = torc_type_size(reduction.type);
    int64_t count = is_across ? layout->length : layout->nlines;
    torc_status status = torc_context_workspace(&sums, context, TORC_WORKSPACE_C, (size_t)count * size);
    if (status == TORC_SUCCESS && A->bitmap) {
        status = torc_context_workspace(&present, context, TORC_WORKSPACE_C_BITMAP, (size_t)count);
    }
    if (status == TORC_SUCCESS) {
        status = reduce(sums, present, reduction, context, A, *layout, is_across);
    }
    A->type = reduction.type;
    A->iso = false;
    A->data = sums;
    A->bitmap = present;
    *layout = (torc_layout){.nlines = 1, .length = count, .ld = count};
    return status;
}

/* Do all orders give the same bits? */
static bool is_exact(torc_reduction reduction)
{
    return !reduction.definition && reduction.add != TORC_ANY_MONOID && reduction.type < TORC_FP32;
}

static torc_status reduce_all(
    void *result, bool *is_empty, torc_reduction reduction, torc_context *context, const torc_dense *A)
{
    size_t size = torc_type_size(reduction.type);
    torc_dense lines = *A;
    torc_layout layout = layout_of(A);
    bool may_lack = A->bitmap || !has_elements(&layout), has_gaps = !torc_is_gapless(&layout);
    torc_status status = TORC_SUCCESS;
    void *sum;
    if (may_lack && !A->bitmap) {
        layout = (torc_layout){.nlines = 1};
    } else if (has_gaps && (A->bitmap || !A->iso)) {
        status = reduce_lines_first(&lines, &layout, reduction, context, false);
    } else if (context->executor->devices && is_exact(reduction) && layout.nlines > 1 && !A->iso) {
        /* Of several devices each sums the columns, or the lines, that it has. */
        status = reduce_lines_first(&lines, &layout, reduction, context, layout.nlines > layout.length);
    } else {
        layout.length *= layout.nlines;
        layout.nlines = 1;
    }
    if (status == TORC_SUCCESS) {
        status = torc_context_workspace(&sum, context, TORC_WORKSPACE_SUM, size + 1);
    }
    if (status != TORC_SUCCESS) {
        return status;
    }
    uint8_t is_there = 1, *present = may_lack && is_empty ? (uint8_t *)sum + size : NULL;
    status = reduce(sum, present, reduction, context, &lines, layout, false);
    if (status == TORC_SUCCESS) {
        status = context->executor->download(context->device, result, sum, size);
    }
    if (status == TORC_SUCCESS && present) {
        status = context->executor->download(context->device, &is_there, present, 1);
    }
    if (status == TORC_SUCCESS && is_empty) {
        *is_empty = !is_there;
    }
    return status;
}

torc_status torc_reduce_to_scalar(
    void *result, bool *is_empty, torc_reduction reduction, torc_context *context, const torc_dense *A)
{
    if (!result || !context || !A) {
        return torc_context_explain(context, TORC_NULL_POINTER, "result or A is NULL");
    }
    torc_status status = check_reduction(reduction, context, A);
    if (status != TORC_SUCCESS) {
        return status;
    }
    status = reduce_all(result, is_empty, reduction, context, A);
    if (status == TORC_OUT_OF_MEMORY && torc_context_trim(context)) {
        status = reduce_all(result, is_empty, reduction, context, A);
    }
    return status;
}

/* w takes the sums as they are if it can; otherwise they go to t in workspace, and from there to w. */
static torc_status reduce_lines(const torc_dense *w, torc_reduction reduction, torc_context *context,
    const torc_dense *A, bool transpose, const torc_update *update)
{
    torc_layout layout = layout_of(A), to = torc_layout_of(w);
    bool is_across = layout.by_column != transpose, is_plain = !update->mask && !update->has_accum;
    if (is_plain && w->type == reduction.type && to.nlines == 1) {
        return reduce(w->data, w->bitmap, reduction, context, A, layout, is_across);
    }
    bool may_lack = A->bitmap || (is_across ? layout.nlines : layout.length) == 0;
    size_t n = (size_t)w->nrows;
    torc_dense t = {w->nrows, 1, w->nrows, TORC_COL_MAJOR, reduction.type, false, NULL, NULL};
    torc_status status =
        torc_context_workspace(&t.data, context, TORC_WORKSPACE_C, n * torc_type_size(reduction.type));
    if (status == TORC_SUCCESS && may_lack && (w->bitmap || update->has_accum)) {
        void *bitmap;
        status = torc_context_workspace(&bitmap, context, TORC_WORKSPACE_C_BITMAP, n);
        t.bitmap = bitmap;
    }
    if (status == TORC_SUCCESS) {
        status = reduce(t.data, t.bitmap, reduction, context, A, layout, is_across);
    }
    torc_operation identity = {.kind = TORC_APPLY, .unary = TORC_UNARY_IDENTITY, .type = reduction.type};
    torc_operand operand = {.dense = &t};
    return status == TORC_SUCCESS ? torc_elementwise_once(w, &identity, context, &operand, NULL, update)
                                  : status;
}

torc_status torc_reduce_to_vector(const torc_dense *w, torc_reduction reduction, torc_context *context,
    const torc_dense *A, bool transpose, const torc_update *update)
{
    if (!w || !context || !A) {
        return torc_context_explain(context, TORC_NULL_POINTER, "w or A is NULL");
    }
    update = update ? update : &overwrite;
    torc_status status = check_reduction(reduction, context, A);
    if (status == TORC_SUCCESS && (w->ncols != 1 || w->nrows != (transpose ? A->ncols : A->nrows))) {
        status = torc_context_refuse(context, TORC_DIMENSION_MISMATCH,
            "w is %" PRId64 " x %" PRId64 ", A %" PRId64 " x %" PRId64, w->nrows, w->ncols, A->nrows,
            A->ncols);
    }
    if (status == TORC_SUCCESS) {
        status = torc_result_check(w, reduction.type, context, update);
    }
    if (status != TORC_SUCCESS || w->nrows == 0) {
        return status;
    }
    status = reduce_lines(w, reduction, context, A, transpose, update);
    if (status == TORC_OUT_OF_MEMORY && torc_context_trim(context)) {
        status = reduce_lines(w, reduction, context, A, transpose, update);
    }
    return status;
}

torc_status torc_count_present(int64_t *count, torc_context *context, const uint8_t *bitmap, size_t size)
{
    if (!count || !context || (size > 0 && !bitmap)) {
        return torc_context_explain(context, TORC_NULL_POINTER, "count or bitmap is NULL");
    }
    if (size == 0) {
        *count = 0;
        return TORC_SUCCESS;
    }
    return context->executor->count(context->device, count, bitmap, size);
}
