#include "operand_copies.h"
#include "arena.h"
#include "hold.h"
#include "seal.h"
#include <stdlib.h>

static void set_array(torc_origin *origin, int which, const void *memory, int64_t count, size_t size)
{
    origin->arrays[which].memory = memory;
    origin->arrays[which].size = memory ? (size_t)count * size : 0;
}

/* The arrays that torc_product_read_sparse reads. */
static torc_origin origin_of_sparse(const torc_product *product)
{
    const torc_view *S = product->sparse;
    torc_traits traits = torc_semiring_traits(product->semiring);
    const void *voucher = torc_hold_voucher(product->sparse_matrix);
    torc_origin origin = {
        .voucher = voucher,
        .is_sparse = true,
        .nrows = product->is_compact || S->format == TORC_SPARSE ? S->nvec
                 : S->by_col                                     ? S->ncols
                                                                 : S->nrows,
        .ncols = S->veclen,
        .ptr_bits = S->ptr_bits,
        .hyper_bits = S->hyper_bits,
        .idx_bits = S->idx_bits,
        .is_compact = product->is_compact,
        .has_row_names = product->is_compact && (voucher || traits.is_positional),
        .type = product->sparse_type,
        .iso = S->iso,
    };
    set_array(&origin, TORC_ORIGIN_PTR, S->ptr, S->nvec + 1, (size_t)S->ptr_bits / 8);
    set_array(&origin, TORC_ORIGIN_HYPER, S->hyper, S->nvec, (size_t)S->hyper_bits / 8);
    set_array(&origin, TORC_ORIGIN_IDX, S->idx, S->nvals, (size_t)S->idx_bits / 8);
    if (voucher || traits.reads_a) {
        set_array(&origin, TORC_ORIGIN_VALUES, S->values, S->iso ? 1 : S->nvals, S->type_size);
    }
    return origin;
}

static torc_origin origin_of_dense(const void *memory, int64_t count, size_t size, const void *voucher)
{
    torc_origin origin = {.voucher = voucher};
    set_array(&origin, TORC_ORIGIN_VALUES, memory, count, size);
    return origin;
}

/* Compared with sending it, a small array is not worth a copy. */
static bool is_worth_a_copy(const torc_origin *origin)
{
    return origin->voucher || torc_origin_size(origin) >= TORC_ARENA_SMALLEST;
}

/* 0 where no array has them all: there may be more than can be counted. */
static int64_t cells_of(const torc_view *view)
{
    bool has_array = view->format == TORC_BITMAP || (view->format == TORC_FULL && !view->iso);
    return has_array ? view->nvec * view->veclen : 0;
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
        .values = origin_of_dense(D->values, cells_of(D), D->type_size, voucher),
        .bitmap = origin_of_dense(D->bitmap, cells_of(D), 1, voucher),
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
        .values = origin_of_dense(C->values, cells_of(C), C->type_size, NULL),
        .bitmap = origin_of_dense(C->bitmap, cells_of(C), 1, NULL),
    };
}

static bool are_present(const dense_origins *origins)
{
    return (origins->has_values || origins->has_bitmap) &&
           (!origins->has_values || torc_residency_has(&origins->values)) &&
           (!origins->has_bitmap || torc_residency_has(&origins->bitmap));
}

/* Who sends it again finds it there, as long as nobody writes to it. */
static bool would_stay(const torc_origin *origin)
{
    bool is_provable = true;
    for (int i = 0; i < TORC_ORIGIN_ARRAYS && !origin->voucher; i++) {
        const void *memory = origin->arrays[i].memory;
        is_provable = is_provable && (!memory || torc_seal_may_hold(memory, origin->arrays[i].size));
    }
    return is_provable;
}

static bool would_dense_stay(const dense_origins *origins)
{
    const torc_origin *larger = origins->has_values ? &origins->values : &origins->bitmap;
    return is_worth_a_copy(larger) && would_stay(&origins->values) && would_stay(&origins->bitmap);
}

torc_operands_present torc_operand_copies_look(const torc_product *product, const torc_epilogue *epilogue)
{
    torc_origin sparse = origin_of_sparse(product);
    dense_origins dense = origins_of_operand(product), old = origins_of_old(epilogue);
    return (torc_operands_present){
        .sparse = torc_residency_has(&sparse),
        .dense = are_present(&dense),
        .old = are_present(&old),
        .sparse_would_stay = would_stay(&sparse),
        .dense_would_stay = would_dense_stay(&dense),
    };
}

static void give_back(torc_copy **copy)
{
    torc_residency_give_back(*copy);
    *copy = NULL;
}

/* Who vouches for a copy has one that serves every product. */
static torc_status send_sparse(
    torc_copy *S, const torc_product *product, bool is_complete, torc_context *context)
{
    torc_csr csr;
    int64_t *owned;
    torc_status status = torc_product_read_sparse(&csr, &owned, product, is_complete);
    if (status == TORC_SUCCESS) {
        status = torc_sparse_create(&S->sparse, context, &csr);
    }
    free(owned);
    return status;
}

torc_status torc_operand_copies_borrow_sparse(
    torc_operand_copies *copies, const torc_product *product, torc_context *context)
{
    torc_origin origin = origin_of_sparse(product);
    torc_copy *S = torc_residency_lend(context, &origin);
    if (!S || S->sparse) {
        copies->S = S;
        return S ? TORC_SUCCESS : TORC_OUT_OF_MEMORY;
    }
    torc_status status = send_sparse(S, product, origin.voucher, context);
    while (status == TORC_OUT_OF_MEMORY && torc_residency_evict_oldest()) {
        status = send_sparse(S, product, origin.voucher, context);
    }
    if (status == TORC_SUCCESS && torc_hold_is_reordered(product->sparse_matrix)) {
        torc_sparse_reorder(NULL, S->sparse, product->transpose_sparse); /* a hint: the copy serves without */
    }
    copies->S = S;
    if (status != TORC_SUCCESS) {
        give_back(&copies->S);
    }
    return status;
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

static torc_status borrow_operand(torc_operand_copies *copies, torc_host_options *options,
    const torc_product *product, torc_context *context)
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
static torc_status borrow_result(torc_operand_copies *copies, torc_host_options *options,
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

torc_status torc_operand_copies_borrow_dense(torc_operand_copies *copies, torc_host_options *options,
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

static void keep_result(torc_copy *copy, const void *memory, size_t count, size_t size)
{
    torc_origin origin = origin_of_dense(memory, (int64_t)count, size, NULL);
    if (copy && memory) {
        torc_residency_name(copy, &origin);
        copy->is_filled = true;
    }
}

void torc_operand_copies_keep(torc_operand_copies *copies, const torc_arrays *T)
{
    keep(copies->values);
    keep(copies->bitmap);
    keep_result(copies->result, T->iso ? NULL : T->values, T->nvalues, T->type_size);
    keep_result(copies->result_bitmap, T->bitmap, T->nvalues, 1);
}

void torc_operand_copies_give_back_dense(torc_operand_copies *copies)
{
    give_back(&copies->values);
    give_back(&copies->bitmap);
    give_back(&copies->result);
    give_back(&copies->result_bitmap);
}

void torc_operand_copies_give_back(torc_operand_copies *copies)
{
    give_back(&copies->S);
    torc_operand_copies_give_back_dense(copies);
}
