#include "dense_copies.h"
#include "arena.h"
#include "hold.h"
#include "seal.h"

/* Compared with sending it, a small array is not worth a copy. */
static bool is_worth_a_copy(const torc_origin *origin)
{
    return origin->voucher || torc_origin_size(origin) >= TORC_ARENA_SMALLEST;
}

/* 0 where no array has them all: there may be more than can be counted. */
static size_t cells_of(const torc_view *view)
{
    bool has_array = view->format == TORC_BITMAP || (view->format == TORC_FULL && !view->iso);
    return has_array ? (size_t)(view->nvec * view->veclen) : 0;
}

/* The arrays of D, or of the old C, that travel. A bitmap is kept if its values are, however small it is. */
typedef struct dense_origins {
    bool has_values, has_bitmap;
    torc_origin values, bitmap;
} dense_origins;

static dense_origins origins_of_operand(const torc_product *product)
{
    const torc_view *D = product->dense;
    const void *voucher = torc_hold_voucher(product->dense_matrix);
    return (dense_origins){
        .has_values = torc_semiring_traits(product->semiring).reads_b && !D->iso && !product->dense_is_listed,
        .has_bitmap = product->dense_view.bitmap,
        .values = torc_array_origin(D->values, cells_of(D) * D->type_size, voucher),
        .bitmap = torc_array_origin(D->bitmap, cells_of(D), voucher),
    };
}

/* An old C of one value, or without a bitmap where the new one has one, does not turn into the new one. */
static dense_origins origins_of_old(const torc_epilogue *epilogue)
{
    const torc_view *C = epilogue->C;
    bool turns_over = epilogue->reads_old && !C->iso && (C->bitmap || !epilogue->has_presence);
    return (dense_origins){
        .has_values = turns_over,
        .has_bitmap = turns_over && epilogue->has_presence,
        .values = torc_array_origin(C->values, cells_of(C) * C->type_size, NULL),
        .bitmap = torc_array_origin(C->bitmap, cells_of(C), NULL),
    };
}

static bool are_present(const dense_origins *origins)
{
    return (origins->has_values || origins->has_bitmap) &&
           (!origins->has_values || torc_residency_has(&origins->values)) &&
           (!origins->has_bitmap || torc_residency_has(&origins->bitmap));
}

static bool would_stay(const dense_origins *origins)
{
    const torc_origin *larger = origins->has_values ? &origins->values : &origins->bitmap;
    return is_worth_a_copy(larger) && torc_origin_would_stay(&origins->values) &&
           torc_origin_would_stay(&origins->bitmap);
}

torc_dense_present torc_dense_copies_look(const torc_product *product, const torc_epilogue *epilogue)
{
    dense_origins operand = origins_of_operand(product), old = origins_of_old(epilogue);
    return (torc_dense_present){
        .operand = are_present(&operand), .old = are_present(&old), .would_stay = would_stay(&operand)};
}

static void give_back(torc_copy **copy)
{
    torc_residency_give_back(*copy);
    *copy = NULL;
}

/* The engine fills both or none. */
static torc_status fill_the_other(
    torc_copy *values, torc_copy *bitmap, const dense_origins *origins, torc_context *context)
{
    if (!values || !bitmap || values->is_filled == bitmap->is_filled) {
        return TORC_SUCCESS;
    }
    torc_copy *empty = values->is_filled ? bitmap : values;
    const torc_origin *origin = values->is_filled ? &origins->bitmap : &origins->values;
    torc_status status = torc_memory_upload(
        context, empty->data, origin->arrays[TORC_ORIGIN_VALUES].memory, torc_origin_size(origin));
    empty->is_filled = status == TORC_SUCCESS;
    return status;
}

static torc_device_copy told_to_engine(const torc_copy *values, const torc_copy *bitmap)
{
    return (torc_device_copy){
        .data = values ? values->data : NULL,
        .bitmap = bitmap ? bitmap->data : NULL,
        .is_filled = values ? values->is_filled : bitmap && bitmap->is_filled,
    };
}

static void pin(const torc_origin *origin, torc_context *context)
{
    torc_arena_pin(context, origin->arrays[TORC_ORIGIN_VALUES].memory, torc_origin_size(origin));
}

static torc_status borrow_operand(
    torc_dense_copies *copies, torc_host_options *options, const torc_product *product, torc_context *context)
{
    dense_origins origins = origins_of_operand(product);
    if (!is_worth_a_copy(origins.has_values ? &origins.values : &origins.bitmap)) {
        return TORC_SUCCESS;
    }
    if (origins.has_values) {
        copies->values = torc_residency_lend(context, &origins.values);
    }
    if (origins.has_bitmap && (copies->values || !origins.has_values)) {
        copies->bitmap = torc_residency_lend(context, &origins.bitmap);
    }
    if (origins.has_bitmap && !copies->bitmap) {
        give_back(&copies->values);
        pin(&origins.bitmap, context);
    }
    torc_status status = fill_the_other(copies->values, copies->bitmap, &origins, context);
    options->b_copy = told_to_engine(copies->values, copies->bitmap);
    return status;
}

/* The result stays on the device if it is to be C's content as it is, and can be recognised later. */
static torc_status borrow_result(torc_dense_copies *copies, torc_host_options *options,
    const torc_product *product, const torc_epilogue *epilogue, const torc_dense *R, torc_context *context)
{
    size_t cells = (size_t)R->nrows * (size_t)R->ncols, size = cells * torc_type_size(R->type);
    if (!epilogue->is_fused || product->is_compact || size < TORC_ARENA_SMALLEST ||
        !torc_seal_is_possible(R->data, size)) {
        return TORC_SUCCESS;
    }
    dense_origins old = origins_of_old(epilogue);
    copies->result = torc_residency_lend_result(
        context, old.has_values ? &old.values : NULL, size, false, TORC_RESULT_IS_COPIED);
    if (copies->result && R->bitmap) {
        copies->result_bitmap = torc_residency_lend_result(
            context, old.has_bitmap ? &old.bitmap : NULL, cells, false, TORC_RESULT_IS_COPIED);
        if (!copies->result_bitmap) {
            give_back(&copies->result);
        }
    }
    if (old.has_values && !(copies->result && copies->result->is_filled)) {
        pin(&old.values, context);
    }
    torc_status status = fill_the_other(copies->result, copies->result_bitmap, &old, context);
    options->c_copy = told_to_engine(copies->result, copies->result_bitmap);
    return status;
}

torc_status torc_dense_copies_borrow(torc_dense_copies *copies, torc_host_options *options,
    const torc_product *product, const torc_epilogue *epilogue, const torc_dense *R, torc_context *context)
{
    torc_status status = borrow_operand(copies, options, product, context);
    return status == TORC_SUCCESS ? borrow_result(copies, options, product, epilogue, R, context) : status;
}

static void keep(torc_copy *copy)
{
    if (copy) {
        copy->is_filled = true;
    }
}

static void keep_result(torc_copy *copy, const void *memory, size_t size)
{
    torc_origin origin = torc_array_origin(memory, size, NULL);
    if (copy && memory) {
        torc_residency_name(copy, &origin);
        copy->is_filled = true;
    }
}

void torc_dense_copies_keep(torc_dense_copies *copies, const torc_arrays *T)
{
    keep(copies->values);
    keep(copies->bitmap);
    keep_result(copies->result, T->iso ? NULL : T->values, T->nvalues * T->type_size);
    keep_result(copies->result_bitmap, T->bitmap, T->nvalues);
}

void torc_dense_copies_give_back(torc_dense_copies *copies)
{
    give_back(&copies->values);
    give_back(&copies->bitmap);
    give_back(&copies->result);
    give_back(&copies->result_bitmap);
}
