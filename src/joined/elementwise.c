/* elementwise.c: element-wise operations follow their operands: where one is spread, each member computes
 * what it has of it. Otherwise, and where lists or positions say which elements meet, every member computes
 * all. */
#include "joined.h"

/* How C's elements are shared out. */
typedef enum sharing {
    WHOLE,   /* every member has all */
    COLUMNS, /* places of each line; lines of a flat kernel are told apart, or taken for one */
    LINES
} sharing;

enum { A, A_BITMAP, B, B_BITMAP, C, C_BITMAP, MASK, ARRAYS };

typedef struct operation {
    const torc_elementwise_kernel *kernel;
    const torc_elementwise_args *args;
    int64_t nlines, length; /* as it is shared out */
    sharing sharing;
    torc_joined_cut cut; /* of places, or of lines */
} operation;

/* ---- Arrays ------------------------------------------------------------------------------------------- */

static bool is_read(const operation *o, int array)
{
    torc_access old = o->kernel->old_access;
    return array == C ? old == TORC_ACCESS_ARRAY : array == C_BITMAP ? old != TORC_ACCESS_NONE : true;
}

static const void *first_of(const operation *o, int array, size_t *size)
{
    const torc_elementwise_kernel *kernel = o->kernel;
    const torc_elementwise_args *args = o->args;
    *size = 1;
    switch (array) {
    case A:
        *size = torc_type_size(kernel->a.type);
        return kernel->a.access == TORC_ACCESS_ARRAY ? args->a.values : NULL;
    case A_BITMAP:
        return kernel->a.is_bitmap ? args->a.bitmap : NULL;
    case B:
        *size = torc_type_size(kernel->b.type);
        return kernel->b.access == TORC_ACCESS_ARRAY ? args->b.values : NULL;
    case B_BITMAP:
        return kernel->b.is_bitmap ? args->b.bitmap : NULL;
    case C:
        *size = torc_type_size(kernel->c_type);
        return args->c;
    case C_BITMAP:
        return kernel->c_is_bitmap ? args->c_bitmap : NULL;
    default:
        return kernel->has_mask ? args->mask : NULL;
    }
}

/* Where an operand has no array, 0: ld may be anything. */
static int64_t ld_of(const operation *o, int array)
{
    const torc_elementwise_args *args = o->args;
    size_t size;
    if (o->kernel->is_flat || array > B_BITMAP) {
        return o->kernel->is_flat ? o->length : args->ldc;
    }
    int values = array <= A_BITMAP ? A : B;
    bool has_array = first_of(o, values, &size) || first_of(o, values + 1, &size);
    return !has_array ? 0 : values == A ? args->a.ld : args->b.ld;
}

/* An array as it is shared out: by columns its lines, by lines one line of all its elements. */
static torc_joined_lines lines_of(const operation *o, int array)
{
    torc_joined_lines lines = {.count = o->nlines, .length = o->length, .ld = ld_of(o, array)};
    lines.first = first_of(o, array, &lines.size);
    return o->sharing == LINES ? torc_joined_as_one(&lines) : lines;
}

/* The cut in elements of such lines. */
static torc_joined_cut cut_of(const operation *o, const torc_joined *joined, int array)
{
    return o->sharing == LINES && lines_of(o, array).first
               ? torc_joined_cut_between(joined, &o->cut, ld_of(o, array), lines_of(o, array).length)
               : o->cut;
}

/* ---- How C is shared out ------------------------------------------------------------------------------ */

static bool is_empty(const torc_elementwise_args *args)
{
    return args->nlines == 0 || args->length == 0;
}

/* As the first operand that is spread in this way. */
static bool follows(operation *o, torc_joined *joined)
{
    bool follows = false;
    for (int array = 0; array < ARRAYS && !follows; array++) {
        torc_joined_lines lines = lines_of(o, array);
        follows = is_read(o, array) && torc_joined_cut_of(&o->cut, joined, &lines) &&
                  (o->sharing != LINES ||
                      torc_joined_cut_into_lines(&o->cut, joined, ld_of(o, array), o->nlines, lines.length));
    }
    return follows;
}

static void choose_sharing(operation *o, torc_joined *joined)
{
    const torc_elementwise_args *args = o->args;
    bool is_free = !o->kernel->a.has_lists && !o->kernel->b.has_lists && !is_empty(args) &&
                   !torc_operation_get_traits(&o->kernel->operation).is_positional;
    bool is_flat = o->kernel->is_flat && args->flat_length > 0;
    o->nlines = is_flat ? args->length / args->flat_length : args->nlines;
    o->length = is_flat ? args->flat_length : args->length;
    o->sharing = COLUMNS;
    if (is_free && follows(o, joined)) {
        return;
    }
    o->sharing = LINES;
    if (is_flat) { /* all of it is one line, cut between any elements */
        o->sharing = COLUMNS;
        o->nlines = 1;
        o->length = args->length;
    }
    bool has_lines = o->sharing == COLUMNS || o->nlines > 1;
    if (!is_free || !has_lines || !follows(o, joined)) {
        o->sharing = WHOLE;
    }
}

/* ---- Placing ------------------------------------------------------------------------------------------ */

/* With lists any element may be meant. */
static torc_status unite(operation *o, torc_joined *joined, int array)
{
    torc_joined_lines lines = lines_of(o, array);
    bool has_lists = (array <= A_BITMAP && o->kernel->a.has_lists) ||
                     (array > A_BITMAP && array <= B_BITMAP && o->kernel->b.has_lists);
    return has_lists ? torc_joined_unite_block(joined, lines.first) : torc_joined_unite(joined, &lines);
}

/* What is read before what is written: the mask may be C's bitmap. */
static torc_status place_arrays(operation *o, torc_joined *joined)
{
    torc_status status = TORC_SUCCESS;
    for (int array = 0; array < ARRAYS && status == TORC_SUCCESS; array++) {
        torc_joined_lines lines = lines_of(o, array);
        torc_joined_cut cut = cut_of(o, joined, array);
        status = !is_read(o, array)    ? torc_joined_begin_write(joined, &lines)
                 : o->sharing == WHOLE ? unite(o, joined, array)
                                       : torc_joined_align(joined, &lines, &cut);
    }
    for (int array = C; array <= C_BITMAP && status == TORC_SUCCESS; array++) {
        torc_joined_lines lines = lines_of(o, array);
        torc_joined_cut cut = cut_of(o, joined, array);
        if (o->sharing != WHOLE) {
            status = torc_joined_spread_out(joined, &lines, &cut);
        } else if (lines.count == 1 || lines.ld == lines.length) {
            torc_joined_overwrite(joined, lines.first, (size_t)(lines.count * lines.length) * lines.size);
        }
    }
    return status;
}

/* Lists, and operands of one value that is in device memory. */
static torc_status place_others(const operation *o, torc_joined *joined)
{
    const torc_elementwise_operand *operands[] = {&o->args->a, &o->args->b};
    torc_status status = TORC_SUCCESS;
    for (int i = 0; i < 2 && status == TORC_SUCCESS; i++) {
        const torc_operand_form *form = i == 0 ? &o->kernel->a : &o->kernel->b;
        status = torc_joined_unite_block(joined, operands[i]->lines);
        if (status == TORC_SUCCESS) {
            status = torc_joined_unite_block(joined, operands[i]->places);
        }
        if (status == TORC_SUCCESS && form->access == TORC_ACCESS_ISO) {
            status = torc_joined_unite_bytes(joined, operands[i]->values, torc_type_size(form->type));
        }
    }
    bool has_iso = o->kernel->old_access == TORC_ACCESS_ISO;
    return status == TORC_SUCCESS && has_iso
               ? torc_joined_unite_bytes(joined, o->args->old_c, torc_type_size(o->kernel->c_type))
               : status;
}

/* ---- Launch ------------------------------------------------------------------------------------------- */

static void place_operand(torc_elementwise_operand *own, const torc_operand_form *form, torc_joined *joined,
    int member, int64_t skipped)
{
    size_t size = form->access == TORC_ACCESS_ARRAY ? torc_type_size(form->type) : 0;
    own->values = torc_joined_behind(joined, member, own->values, skipped, size);
    own->bitmap = torc_joined_behind(joined, member, own->bitmap, skipped, 1);
    own->lines = torc_joined_at(joined, member, own->lines);
    own->places = torc_joined_at(joined, member, own->places);
}

/* Vectors begin where lines do, and where they are cut. */
static int fitting_vector(const operation *o, int64_t begin)
{
    int vector = o->kernel->vector;
    bool has_lines = o->sharing == COLUMNS && o->nlines > 1;
    while (vector > 1 && o->sharing == COLUMNS &&
           (begin % vector != 0 || (has_lines && o->length % vector != 0))) {
        vector /= 2;
    }
    return vector;
}

static torc_status launch(torc_joined *joined, int member, const void *argument)
{
    const operation *o = argument;
    torc_elementwise_kernel kernel = *o->kernel;
    torc_elementwise_args own = *o->args;
    int64_t begin = 0;
    if (o->sharing != WHOLE) {
        int64_t count = o->cut.at[member + 1] - o->cut.at[member];
        begin = o->cut.at[member];
        own.nlines = o->sharing == LINES ? count : o->nlines;
        own.length = o->sharing == LINES ? o->length : count;
        own.a.ld = ld_of(o, A);
        own.b.ld = ld_of(o, B);
        own.ldc = ld_of(o, C);
        kernel.is_flat = kernel.is_flat && o->nlines == 1;
        kernel.vector = fitting_vector(o, begin);
    }
    bool by_line = o->sharing == LINES;
    int64_t skipped_c = by_line ? begin * own.ldc : begin;
    size_t c_size = torc_type_size(kernel.c_type);
    place_operand(&own.a, &kernel.a, joined, member, by_line ? begin * own.a.ld : begin);
    place_operand(&own.b, &kernel.b, joined, member, by_line ? begin * own.b.ld : begin);
    own.c = torc_joined_behind(joined, member, own.c, skipped_c, c_size);
    own.old_c = torc_joined_behind(
        joined, member, own.old_c, skipped_c, kernel.old_access == TORC_ACCESS_ARRAY ? c_size : 0);
    own.c_bitmap = torc_joined_behind(joined, member, own.c_bitmap, skipped_c, 1);
    own.mask = torc_joined_behind(joined, member, own.mask, skipped_c, 1);
    return joined->each->elementwise(joined->members[member], &kernel, &own);
}

torc_status torc_joined_elementwise(
    torc_device *device, const torc_elementwise_kernel *kernel, const torc_elementwise_args *args)
{
    torc_joined *joined = torc_joined_of(device);
    operation o = {.kernel = kernel, .args = args};
    choose_sharing(&o, joined);
    torc_status status = place_others(&o, joined);
    if (status == TORC_SUCCESS) {
        torc_joined_lines c = lines_of(&o, C), c_bitmap = lines_of(&o, C_BITMAP);
        torc_joined_snapshot(joined, &c, &c_bitmap);
        status = torc_joined_restore_on_error(joined, place_arrays(&o, joined));
    }
    return status == TORC_SUCCESS
               ? torc_joined_launch_all(joined, o.sharing == WHOLE ? NULL : &o.cut, launch, &o)
               : status;
}
