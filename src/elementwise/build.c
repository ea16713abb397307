/* build.c: a dense matrix from entries in host memory: they are sent, and scattered on the device. */
#include "context.h"
#include "dense.h"
#include <inttypes.h>

/* The arrays that were sent for one call. */
typedef struct sent_entries {
    void *positions, *values;
} sent_entries;

static torc_status send(void **to, torc_context *context, const void *from, size_t size)
{
    torc_status status = torc_memory_allocate(to, context, size);
    return status == TORC_SUCCESS ? torc_memory_upload(context, *to, from, size) : status;
}

static torc_status send_entries(sent_entries *sent, torc_context *context, const torc_dense *C,
    const uint64_t *positions, const void *values, size_t nvalues, size_t count)
{
    torc_status status = send(&sent->positions, context, positions, count * sizeof *positions);
    if (status == TORC_SUCCESS && C->data) {
        status = send(&sent->values, context, values, nvalues * torc_type_size(C->type));
    }
    return status;
}

static torc_status check(
    const torc_dense *C, torc_context *context, const uint64_t *positions, const void *values, int64_t count)
{
    if (!C || (count > 0 && (!positions || (C->data && !values)))) {
        return torc_context_refuse(context, TORC_NULL_POINTER, "C, positions or values is NULL");
    }
    torc_layout layout = torc_layout_of(C);
    if (torc_type_size(C->type) == 0) {
        return torc_context_refuse(context, TORC_INVALID_VALUE, "C has no type that torc knows");
    }
    torc_status status = torc_check_layout(context, "C", C);
    if (status != TORC_SUCCESS) {
        return status;
    }
    int64_t cells = C->nrows * C->ncols;
    if (count < 0 || count > cells) {
        return torc_context_refuse(
            context, TORC_INVALID_VALUE, "%" PRId64 " entries of %" PRId64 " elements", count, cells);
    }
    bool lacks_bitmap = cells > 0 && !C->bitmap;
    return lacks_bitmap || C->iso || !torc_is_gapless(&layout)
               ? torc_context_refuse(context, TORC_INVALID_VALUE,
                     "C has no bitmap, gaps between its lines, or one value for all")
               : TORC_SUCCESS;
}

torc_status torc_build(const torc_dense *C, torc_context *context, const uint64_t *positions,
    const void *values, bool iso, int64_t count)
{
    if (!context) {
        return TORC_NULL_POINTER;
    }
    torc_status status = check(C, context, positions, values, count);
    if (status != TORC_SUCCESS || C->nrows == 0 || C->ncols == 0) {
        return status;
    }
    sent_entries sent = {0};
    if (count > 0) {
        status = send_entries(&sent, context, C, positions, values, iso ? 1 : (size_t)count, (size_t)count);
    }
    if (status == TORC_SUCCESS) {
        const torc_build_args build = {
            .bitmap = C->bitmap,
            .to = C->data,
            .positions = sent.positions,
            .values = sent.values,
            .iso = iso,
            .value_size = torc_type_size(C->type),
            .count = count,
            .cells = C->nrows * C->ncols,
        };
        status = context->executor->build(context->device, &build);
    }
    torc_memory_release(context, sent.positions);
    torc_memory_release(context, sent.values);
    return status;
}
