/* reductions.c: one round of a reduction. Where A is spread between what is summed, each member has sums of
 * its own; otherwise every member sums all, in the one order that there is. */
#include "joined.h"

typedef struct reduction {
    const torc_reduce_kernel *kernel;
    const torc_reduce_args *args;
    bool is_cut;
    torc_joined_cut cut; /* across lines: of places; along lines: of lines */
} reduction;

enum { VALUES, BITMAP, ARRAYS };

static torc_joined_lines source_of(const reduction *r, int array)
{
    const torc_reduce_args *args = r->args;
    torc_joined_lines lines = {NULL, args->nlines, args->length, args->ld, 1};
    if (array == BITMAP) {
        lines.first = r->kernel->a_is_bitmap ? args->a_bitmap : NULL;
    } else {
        lines.first = r->kernel->a_access == TORC_ACCESS_ARRAY ? args->a : NULL;
        lines.size = torc_type_size(r->kernel->a_type);
    }
    return lines;
}

static torc_joined_lines sums_of(const reduction *r, int array)
{
    const torc_reduce_args *args = r->args;
    torc_joined_lines lines = {NULL, args->nlines, args->length, args->ldc, 1};
    if (r->kernel->is_across) {
        lines.count = torc_reduce_parts(args->nlines, TORC_REDUCE_STRIP);
    } else {
        lines.length = torc_reduce_parts(args->length, TORC_REDUCE_CHUNK);
    }
    if (array == BITMAP) {
        lines.first = r->kernel->c_is_bitmap ? args->c_bitmap : NULL;
    } else {
        lines.first = args->c;
        lines.size = torc_type_size(r->kernel->reduction.type);
    }
    return lines;
}

/* Along lines these are cut between lines: all elements are one line. */
static torc_joined_lines as_shared(const reduction *r, torc_joined_lines lines)
{
    return r->kernel->is_across ? lines : torc_joined_as_one(&lines);
}

static torc_joined_cut as_shared_cut(
    const reduction *r, const torc_joined *joined, const torc_joined_lines *lines)
{
    return r->kernel->is_across
               ? r->cut
               : torc_joined_cut_between(joined, &r->cut, lines->ld, as_shared(r, *lines).length);
}

static bool follows(reduction *r, torc_joined *joined)
{
    bool follows = false, is_one = !r->kernel->is_across && r->args->nlines == 1;
    for (int array = 0; array < ARRAYS && !follows && !is_one; array++) {
        torc_joined_lines lines = source_of(r, array), shared = as_shared(r, lines);
        follows = torc_joined_cut_of(&r->cut, joined, &shared) &&
                  (r->kernel->is_across ||
                      torc_joined_cut_into_lines(&r->cut, joined, lines.ld, lines.count, shared.length));
    }
    return follows;
}

static torc_status place(reduction *r, torc_joined *joined)
{
    torc_status status = TORC_SUCCESS;
    for (int array = 0; array < ARRAYS && status == TORC_SUCCESS; array++) {
        torc_joined_lines lines = source_of(r, array), shared = as_shared(r, lines);
        torc_joined_cut cut = as_shared_cut(r, joined, &lines);
        status = r->is_cut ? torc_joined_align(joined, &shared, &cut) : torc_joined_unite(joined, &lines);
    }
    for (int array = 0; array < ARRAYS && status == TORC_SUCCESS; array++) {
        torc_joined_lines lines = sums_of(r, array), shared = as_shared(r, lines);
        torc_joined_cut cut = as_shared_cut(r, joined, &lines);
        status = torc_joined_begin_write(joined, &lines);
        if (status == TORC_SUCCESS && r->is_cut) {
            status = torc_joined_spread_out(joined, &shared, &cut);
        }
        if (!r->is_cut && lines.ld == lines.length) {
            torc_joined_overwrite(joined, lines.first, (size_t)(lines.count * lines.length) * lines.size);
        }
    }
    return status;
}

static torc_status launch(torc_joined *joined, int member, const void *argument)
{
    const reduction *r = argument;
    torc_reduce_args own = *r->args;
    bool is_across = r->kernel->is_across;
    int64_t begin = r->is_cut ? r->cut.at[member] : 0;
    if (r->is_cut) {
        *(is_across ? &own.length : &own.nlines) = r->cut.at[member + 1] - begin;
    }
    int64_t from = is_across ? begin : begin * own.ld, to = is_across ? begin : begin * own.ldc;
    size_t size = r->kernel->a_access == TORC_ACCESS_ARRAY ? torc_type_size(r->kernel->a_type) : 0;
    own.a = torc_joined_behind(joined, member, own.a, from, size);
    own.a_bitmap = torc_joined_behind(joined, member, own.a_bitmap, from, 1);
    own.c = torc_joined_behind(joined, member, own.c, to, torc_type_size(r->kernel->reduction.type));
    own.c_bitmap = torc_joined_behind(joined, member, own.c_bitmap, to, 1);
    return joined->each->reduce(joined->members[member], r->kernel, &own);
}

torc_status torc_joined_reduce(
    torc_device *device, const torc_reduce_kernel *kernel, const torc_reduce_args *args)
{
    torc_joined *joined = torc_joined_of(device);
    reduction r = {.kernel = kernel, .args = args};
    r.is_cut = args->nlines > 0 && args->length > 0 && follows(&r, joined);
    torc_status status = TORC_SUCCESS;
    if (kernel->a_access == TORC_ACCESS_ISO) {
        status = torc_joined_unite_bytes(joined, args->a, torc_type_size(kernel->a_type));
    }
    if (status == TORC_SUCCESS) {
        torc_joined_lines c = sums_of(&r, VALUES), c_bitmap = sums_of(&r, BITMAP);
        torc_joined_snapshot(joined, &c, &c_bitmap);
        status = torc_joined_restore_on_error(joined, place(&r, joined));
    }
    return status == TORC_SUCCESS ? torc_joined_launch_all(joined, r.is_cut ? &r.cut : NULL, launch, &r)
                                  : status;
}
