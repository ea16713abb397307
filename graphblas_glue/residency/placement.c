#include "placement.h"
#include "arena.h"
#include "away.h"
#include "listed_entries.h"
#include "mask_bytes.h"
#include "match.h"
#include <stdlib.h>
#include <string.h>
#include <torc/elementwise.h>

static int64_t cells_of(const torc_view *view)
{
    return view->nrows * view->ncols;
}

static torc_origin origin_of(const void *memory, size_t size, const void *voucher)
{
    torc_origin origin = {.voucher = voucher};
    origin.arrays[TORC_ORIGIN_VALUES].memory = memory;
    origin.arrays[TORC_ORIGIN_VALUES].size = size;
    return origin;
}

/* ---- Operands ----------------------------------------------------------------------------------------- */

/* Who has the device may not touch what is away: the keeper would wait for the device to bring it home. */
static torc_status send(torc_context *context, void *to, const void *memory, size_t size)
{
    return torc_residency_bring_home(memory) ? torc_memory_upload(context, to, memory, size)
                                             : TORC_DEVICE_ERROR;
}

static torc_status fill(torc_copy *copy, torc_context *context, const void *memory, size_t size)
{
    if (copy->is_filled) {
        return TORC_SUCCESS;
    }
    torc_status status = send(context, copy->data, memory, size);
    copy->is_filled = status == TORC_SUCCESS;
    return status;
}

torc_status torc_place_bytes(torc_placed_array *placed, torc_context *context, const void *bytes, size_t size)
{
    *placed = (torc_placed_array){0};
    torc_status status = torc_memory_allocate(&placed->own, context, size);
    if (status == TORC_OUT_OF_MEMORY && torc_residency_evict()) {
        status = torc_memory_allocate(&placed->own, context, size);
    }
    if (status == TORC_SUCCESS && bytes) {
        status = send(context, placed->own, bytes, size);
    }
    placed->data = placed->own;
    if (status != TORC_SUCCESS) {
        torc_placed_array_release(placed, context);
    }
    return status;
}

/* Compared with sending it, a small array is not worth a copy, unless it is the only one. */
torc_status torc_place_array(
    torc_placed_array *placed, torc_context *context, const void *memory, size_t size, const void *voucher)
{
    torc_origin origin = origin_of(memory, size, voucher);
    *placed = (torc_placed_array){0};
    if (size >= TORC_ARENA_SMALLEST || voucher || torc_away_journey(memory) != 0) {
        placed->copy = torc_residency_lend(context, &origin);
    }
    if (!placed->copy) {
        return torc_place_bytes(placed, context, memory, size);
    }
    torc_status status = fill(placed->copy, context, memory, size);
    placed->data = placed->copy->data;
    if (status != TORC_SUCCESS) {
        torc_placed_array_release(placed, context);
    }
    return status;
}

static double bytes_to_send(const void *memory, size_t size)
{
    torc_origin origin = origin_of(memory, size, NULL);
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
    return values + (torc_view_is_dense(view) ? 0 : bytes_to_send(view->bitmap, cells));
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

void torc_placed_array_release(torc_placed_array *placed, torc_context *context)
{
    torc_residency_give_back(placed->copy);
    torc_memory_release(context, placed->own);
    *placed = (torc_placed_array){0};
}

void torc_placed_release(torc_placed_dense *placed, torc_context *context)
{
    torc_placed_array_release(&placed->values, context);
    torc_placed_array_release(&placed->bitmap, context);
}

static torc_dense dense_of(const torc_view *view, torc_type type)
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

/* Entries of a sparse matrix go to their places; dense->data is NULL where values are not asked for. */
static torc_status build(const torc_dense *dense, torc_context *context, const torc_view *view)
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
        status = build(&built, context, view);
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
    if (status == TORC_SUCCESS && !torc_view_is_dense(view)) {
        status = torc_place_array(&placed->bitmap, context, view->bitmap, cells, voucher);
    }
    return status;
}

torc_status torc_place_dense(torc_placed_dense *placed, torc_context *context, const torc_view *view,
    torc_type type, bool reads_values, const void *voucher)
{
    *placed = (torc_placed_dense){.dense = dense_of(view, type)};
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
    torc_dense bytes = dense_of(mask, TORC_BOOL);
    torc_status status = torc_place_bytes(placed, context, NULL, (size_t)cells_of(mask));
    bytes.iso = false;
    bytes.order = by_col ? TORC_COL_MAJOR : TORC_ROW_MAJOR;
    bytes.ld = by_col ? mask->nrows : mask->ncols;
    bytes.bitmap = placed->data;
    if (status == TORC_SUCCESS) {
        status = build(&bytes, context, mask);
    }
    if (status != TORC_SUCCESS) {
        torc_placed_array_release(placed, context);
    }
    return status;
}

/* As it lies, where it can be taken so; a sparse one of values is written by the host. */
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

/* ---- The result --------------------------------------------------------------------------------------- */

/* C may be sparse, and have no vector of some that the result has. */
static int64_t result_cells(const torc_view *C)
{
    return C->nrows * C->ncols;
}

/* Blocks that are to be away must be the arena's, however small. */
static void *take_block(const torc_binding *graphblas, size_t size)
{
    void *block = torc_host_allocate(graphblas, size < TORC_ARENA_SMALLEST ? TORC_ARENA_SMALLEST : size);
    if (block && !torc_arena_owns(block)) {
        torc_host_release(graphblas, block);
        block = NULL;
    }
    return block;
}

/* Below that the way home takes less than what surrounds it. */
enum { SMALLEST_AWAY = 128 << 10 };

bool torc_result_may_leave(const torc_binding *graphblas, int64_t cells, torc_type type)
{
    return torc_away_is_allowed() && torc_host_is_arena(graphblas) &&
           (size_t)cells >= SMALLEST_AWAY / torc_type_size(type);
}

static bool is_block(const void *p)
{
    void *base;
    return torc_arena_block(p, &base, NULL) && base == p;
}

/* What an array of the result begins as. */
typedef struct result_array {
    const void *old; /* C's; NULL: it has none */
    size_t size;
    bool reads_old, may_overlap, stays;
} result_array;

/* The device array that C's old one is, or a new one. */
static torc_status lend_array(torc_placed_array *placed, torc_context *context, const result_array *array)
{
    torc_origin origin = origin_of(array->old, array->size, NULL);
    if (!array->stays) {
        return torc_place_bytes(placed, context, array->reads_old ? array->old : NULL, array->size);
    }
    placed->copy =
        torc_residency_lend_result(context, array->old ? &origin : NULL, array->size, array->may_overlap);
    placed->data = placed->copy ? placed->copy->data : NULL;
    if (!placed->copy) {
        return TORC_OUT_OF_MEMORY;
    }
    return array->reads_old && array->old ? fill(placed->copy, context, array->old, array->size)
                                          : TORC_SUCCESS;
}

static torc_status upload_ones(torc_context *context, void *to, size_t size)
{
    void *ones = malloc(size);
    torc_status status =
        ones ? torc_memory_upload(context, to, memset(ones, 1, size), size) : TORC_OUT_OF_MEMORY;
    free(ones);
    return status;
}

/* Of a full C whose result has a bitmap all elements were present; a sparse C's entries follow. */
static torc_status place_presence(
    torc_placed_result *result, torc_context *context, bool reads_old, bool may_overlap)
{
    const torc_view *C = result->C;
    size_t cells = (size_t)result_cells(C);
    const void *old = C->format == TORC_BITMAP ? C->bitmap : NULL;
    const result_array presence = {old, cells, reads_old && old, may_overlap, result->stays};
    torc_status status = lend_array(&result->placed.bitmap, context, &presence);
    if (status == TORC_SUCCESS && reads_old && C->format == TORC_FULL) {
        status = upload_ones(context, result->placed.bitmap.data, cells);
    }
    result->placed.dense.bitmap = result->placed.bitmap.data;
    return status;
}

/* Of one value for all, that value is read apart (torc_update.iso). */
static torc_status place_old_entries(torc_placed_result *result, torc_context *context)
{
    torc_dense old = result->placed.dense;
    old.data = result->C->iso ? NULL : old.data;
    return build(&old, context, result->C);
}

/* Host blocks that are to be C's. */
static bool take_blocks(
    torc_placed_result *result, const torc_binding *graphblas, const torc_result_form *form)
{
    size_t cells = (size_t)result_cells(result->C), size = cells * torc_type_size(form->type);
    result->values = form->iso     ? torc_iso_result_block(form->iso, graphblas, form->type)
                     : form->stays ? take_block(graphblas, size)
                                   : torc_host_allocate(graphblas, size);
    result->bitmap = !form->has_bitmap ? NULL
                     : form->stays     ? take_block(graphblas, cells)
                                       : torc_host_allocate(graphblas, cells);
    return result->values && (result->bitmap || !form->has_bitmap);
}

static torc_status place_values(
    torc_placed_result *result, torc_context *context, const torc_result_form *form, bool has_values)
{
    size_t size = (size_t)result_cells(result->C) * torc_type_size(form->type);
    const result_array values = {has_values ? result->C->values : NULL, size, form->reads_old && has_values,
        form->may_overlap, form->stays};
    torc_placed_array *placed = &result->placed.values;
    torc_status status = !form->iso         ? lend_array(placed, context, &values)
                         : form->has_bitmap ? torc_place_bytes(placed, context, NULL, size)
                                            : TORC_SUCCESS;
    result->placed.dense.data = placed->data;
    return status;
}

torc_status torc_place_result(torc_placed_result *result, torc_context *context,
    const torc_binding *graphblas, const torc_view *C, const torc_result_form *form)
{
    *result = (torc_placed_result){
        .C = C, .is_iso = form->iso, .stays = form->stays, .placed.dense = dense_of(C, form->type)};
    result->placed.dense.iso = false;
    bool has_values = (C->format == TORC_FULL || C->format == TORC_BITMAP) && !C->iso;
    result->is_in_place = form->stays && C->format == TORC_FULL && has_values && !form->has_bitmap &&
                          !form->iso && is_block(C->values);
    bool has_blocks = result->is_in_place || take_blocks(result, graphblas, form);
    torc_status status = has_blocks ? place_values(result, context, form, has_values) : TORC_OUT_OF_MEMORY;
    if (status == TORC_SUCCESS && form->has_bitmap) {
        status = place_presence(result, context, form->reads_old, form->may_overlap);
    }
    if (status == TORC_SUCCESS && form->reads_old && torc_view_is_listed(C)) {
        status = place_old_entries(result, context);
    }
    if (status != TORC_SUCCESS) {
        torc_result_release(result, context, graphblas);
    }
    return status;
}

/* Where the block does not leave its content comes at once. */
static bool leave_array(
    torc_placed_array *placed, torc_context *context, void *block, size_t size, uint64_t maker)
{
    torc_origin origin = origin_of(block, size, NULL);
    if (placed->copy && torc_residency_leave(placed->copy, &origin, maker)) {
        return true;
    }
    return torc_memory_download(context, block, placed->data, size) == TORC_SUCCESS;
}

/* SuiteSparse takes the one value of a matrix without entries for an entry when it reduces it. */
static torc_status drop_iso_value(torc_placed_result *result, size_t size)
{
    const torc_binding *graphblas = torc_binding_get();
    torc_host_release(graphblas, result->values);
    result->values = torc_host_allocate(graphblas, size);
    result->is_iso = false;
    return result->values ? TORC_SUCCESS : TORC_OUT_OF_MEMORY;
}

torc_status torc_result_finish(
    torc_placed_result *result, torc_arrays *T, torc_context *context, int64_t nvals, uint64_t maker)
{
    const torc_view *C = result->C;
    const torc_dense *dense = &result->placed.dense;
    size_t cells = (size_t)result_cells(C), type_size = torc_type_size(dense->type);
    bool is_full = !result->bitmap || nvals == (int64_t)cells;
    void *block = result->is_in_place ? (void *)C->values : result->values;
    uint64_t maker_of_bitmap = result->is_iso ? maker : TORC_NO_MAKER;
    if ((!result->is_iso && !leave_array(&result->placed.values, context, block, cells * type_size, maker)) ||
        (!is_full && !leave_array(&result->placed.bitmap, context, result->bitmap, cells, maker_of_bitmap))) {
        return TORC_DEVICE_ERROR;
    }
    if (result->is_iso && nvals == 0 && drop_iso_value(result, cells * type_size) != TORC_SUCCESS) {
        return TORC_OUT_OF_MEMORY;
    }
    if (!result->is_in_place) {
        *T = (torc_arrays){
            .format = is_full ? TORC_FULL : TORC_BITMAP,
            .by_col = C->by_col,
            .nvec = C->by_col ? C->ncols : C->nrows,
            .nvals = nvals,
            .bitmap = is_full ? NULL : result->bitmap,
            .values = result->values,
            .iso = result->is_iso,
            .nvalues = cells,
            .type_size = type_size,
        };
        result->values = NULL;
        result->bitmap = is_full ? result->bitmap : NULL;
    }
    return TORC_SUCCESS;
}

void torc_result_release(torc_placed_result *result, torc_context *context, const torc_binding *graphblas)
{
    torc_placed_release(&result->placed, context);
    torc_host_release(graphblas, result->values);
    torc_host_release(graphblas, result->bitmap);
    result->values = NULL;
    result->bitmap = NULL;
}
