#include "placement.h"
#include "arena.h"
#include "away.h"
#include "listed_entries.h"
#include "mask_bytes.h"
#include "match.h"
#include <stdlib.h>
#include <torc/elementwise.h>

static int64_t cells_of(const torc_view *view)
{
    return view->nrows * view->ncols;
}

static double bytes_to_send(const void *memory, size_t size)
{
    torc_origin origin = torc_array_origin(memory, size, NULL);
    bool is_there =
        torc_away_journey(memory) != 0 || (size >= TORC_ARENA_SMALLEST && torc_residency_has(&origin));
    return !memory || is_there ? 0 : (double)size;
}

double torc_bytes_to_place(const torc_view *view, bool reads_values)
{
    bool has_values = reads_values && !view->iso;
    if (torc_view_is_listed(view)) {
        size_t each = sizeof(uint64_t) + (has_values ? view->type_size : 0);
        return (double)view->nvals * (double)each;
    }
    size_t cells = (size_t)cells_of(view);
    double values = has_values ? bytes_to_send(view->values, cells * view->type_size) : 0;
    return values + (torc_view_has_all_elements(view) ? 0 : bytes_to_send(view->bitmap, cells));
}

double torc_bytes_there(const torc_view *view, bool reads_values)
{
    double values = reads_values && !view->iso ? (double)view->type_size : 0;
    return (double)cells_of(view) * (values + (torc_view_has_all_elements(view) ? 0 : 1));
}

void torc_placement_expect(const torc_view *view, bool reads_values)
{
    torc_residency_expect(view->idx);
    torc_residency_expect(view->bitmap);
    torc_residency_expect(reads_values ? view->values : NULL);
}

static double bytes_of_journey(const void *memory, double size)
{
    static const double BEFORE_THE_BUS = 10e6;
    return torc_away_journey(memory) != 0 ? size + BEFORE_THE_BUS : 0;
}

double torc_bytes_to_fetch(const torc_view *view)
{
    double places = torc_view_is_listed(view) ? (double)view->nvals : (double)cells_of(view);
    return bytes_of_journey(view->values, places * (double)view->type_size) +
           bytes_of_journey(view->bitmap, places);
}

void torc_placed_release(torc_placed_dense *placed, torc_context *context)
{
    torc_placed_array_release(&placed->values, context);
    torc_placed_array_release(&placed->bitmap, context);
}

torc_dense torc_view_as_dense(const torc_view *view, torc_type type)
{
    return (torc_dense){
        .nrows = view->nrows,
        .ncols = view->ncols,
        .ld = view->by_col ? view->nrows : view->ncols,
        .order = view->by_col ? TORC_COL_MAJOR : TORC_ROW_MAJOR,
        .type = type,
        .iso = view->iso,
    };
}

torc_status torc_place_entries(const torc_dense *dense, torc_context *context, const torc_view *view)
{
    uint64_t *positions = torc_listed_positions(view, dense->order == TORC_COL_MAJOR);
    torc_status status = TORC_OUT_OF_MEMORY;
    if (positions && torc_residency_bring_home(view->values)) {
        status = torc_build(dense, context, positions, view->values, view->iso, view->nvals);
    }
    free(positions);
    return status;
}

/* A sparse matrix becomes a bitmap on the device; only its entries travel. */
static torc_status place_listed(
    torc_placed_dense *placed, torc_context *context, const torc_view *view, bool reads_values)
{
    size_t cells = (size_t)cells_of(view);
    torc_status status = torc_place_bytes(&placed->bitmap, context, NULL, cells);
    if (status == TORC_SUCCESS && reads_values) {
        status = view->iso ? torc_place_bytes(&placed->values, context, view->values, view->type_size)
                           : torc_place_bytes(&placed->values, context, NULL, cells * view->type_size);
    }
    if (status == TORC_SUCCESS) {
        torc_dense built = placed->dense;
        built.iso = false;
        built.data = view->iso ? NULL : placed->values.data;
        built.bitmap = placed->bitmap.data;
        status = torc_place_entries(&built, context, view);
    }
    return status;
}

static torc_status place_arrays(torc_placed_dense *placed, torc_context *context, const torc_view *view,
    bool reads_values, const void *voucher)
{
    size_t cells = (size_t)cells_of(view);
    torc_status status = TORC_SUCCESS;
    if (reads_values && view->iso) {
        status = torc_place_bytes(&placed->values, context, view->values, view->type_size);
    } else if (reads_values) {
        status = torc_place_array(&placed->values, context, view->values, cells * view->type_size, voucher);
    }
    if (status == TORC_SUCCESS && !torc_view_has_all_elements(view)) {
        status = torc_place_array(&placed->bitmap, context, view->bitmap, cells, voucher);
    }
    return status;
}

torc_status torc_place_dense(torc_placed_dense *placed, torc_context *context, const torc_view *view,
    torc_type type, bool reads_values, const void *voucher)
{
    *placed = (torc_placed_dense){.dense = torc_view_as_dense(view, type)};
    torc_status status = torc_view_is_listed(view)
                             ? place_listed(placed, context, view, reads_values)
                             : place_arrays(placed, context, view, reads_values, voucher);
    placed->dense.data = placed->values.data;
    placed->dense.bitmap = placed->bitmap.data;
    if (status != TORC_SUCCESS) {
        torc_placed_release(placed, context);
    }
    return status;
}

/* A dense mask of values, or laid out otherwise, becomes bytes on the device. */
static torc_status make_mask(torc_placed_array *placed, torc_context *context, const torc_view *mask,
    torc_type type, bool is_pattern, bool by_col)
{
    torc_placed_dense values;
    torc_status status = torc_place_dense(&values, context, mask, type, true, NULL);
    if (status != TORC_SUCCESS) {
        return status;
    }
    status = torc_place_bytes(placed, context, NULL, (size_t)cells_of(mask));
    torc_dense bytes = {.nrows = mask->nrows,
        .ncols = mask->ncols,
        .ld = by_col ? mask->nrows : mask->ncols,
        .order = by_col ? TORC_COL_MAJOR : TORC_ROW_MAJOR,
        .type = TORC_BOOL,
        .data = placed->data};
    torc_operation is_true = {
        .kind = TORC_APPLY, .unary = is_pattern ? TORC_UNARY_ONE : TORC_UNARY_IDENTITY, .type = TORC_BOOL};
    torc_operand operand = {.dense = &values.dense};
    if (status == TORC_SUCCESS) {
        status = torc_elementwise(&bytes, &is_true, context, &operand, NULL, NULL);
    }
    torc_placed_release(&values, context);
    if (status != TORC_SUCCESS) {
        torc_placed_array_release(placed, context);
    }
    return status;
}

/* The entries of a sparse mask whose values are of no account. */
static torc_status build_mask(
    torc_placed_array *placed, torc_context *context, const torc_view *mask, bool by_col)
{
    torc_dense bytes = torc_view_as_dense(mask, TORC_BOOL);
    torc_status status = torc_place_bytes(placed, context, NULL, (size_t)cells_of(mask));
    bytes.iso = false;
    bytes.order = by_col ? TORC_COL_MAJOR : TORC_ROW_MAJOR;
    bytes.ld = by_col ? mask->nrows : mask->ncols;
    bytes.bitmap = placed->data;
    if (status == TORC_SUCCESS) {
        status = torc_place_entries(&bytes, context, mask);
    }
    if (status != TORC_SUCCESS) {
        torc_placed_array_release(placed, context);
    }
    return status;
}

/* The mask's own bytes if they are right as they lie; else made on the device; a sparse valued mask by the
 * host. */
torc_status torc_place_mask(
    torc_placed_array *placed, torc_context *context, const torc_view *mask, bool is_pattern, bool by_col)
{
    size_t cells = (size_t)mask->nrows * (size_t)mask->ncols;
    const uint8_t *own = torc_mask_own_bytes(mask, is_pattern, by_col);
    torc_type type;
    *placed = (torc_placed_array){0};
    if (own) {
        return torc_place_array(placed, context, own, cells, NULL);
    }
    if (!mask->ptr && mask->nvals > 0 && torc_match_type(&type, mask->type)) {
        return make_mask(placed, context, mask, type, is_pattern, by_col);
    }
    if (is_pattern && torc_view_is_listed(mask)) {
        return build_mask(placed, context, mask, by_col);
    }
    torc_residency_bring_home(mask->values);
    torc_residency_bring_home(mask->bitmap);
    uint8_t *made;
    const uint8_t *bytes = torc_mask_bytes(&made, mask, is_pattern, by_col);
    torc_status status = bytes ? torc_place_bytes(placed, context, bytes, cells) : TORC_OUT_OF_MEMORY;
    free(made);
    return status;
}
