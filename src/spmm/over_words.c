/* over_words.c: multiplications over words of 64 columns. */
#include "bit_packing.h"
#include "multiply.h"

static const torc_update overwrite;
static const torc_part whole = {.may_plan = true};

/* Over words: pack B, multiply, unpack C. */
torc_status torc_multiply_packed(const torc_dense *C, torc_semiring semiring, torc_sparse *A,
    const torc_dense *B, const torc_update *update)
{
    torc_context *context = A->context;
    torc_dense words_b, words_c;
    torc_status status = torc_packed_view(&words_b, context, B, TORC_WORKSPACE_B);
    if (status == TORC_SUCCESS) {
        status = torc_packed_view(&words_c, context, C, TORC_WORKSPACE_C);
    }
    if (status == TORC_SUCCESS) {
        status = context->executor->pack_bits(context->device, words_b.data, B);
    }
    if (status == TORC_SUCCESS) {
        status = torc_multiply_by_row(&words_c, semiring, A, &words_b, update, &whole, true);
    }
    if (status == TORC_SUCCESS) {
        status = context->executor->unpack_bits(context->device, C, words_c.data);
    }
    return status;
}

/* A step of a traversal over words: pack presence, and the mask; what is present is true. */
torc_status torc_multiply_presence(
    const torc_dense *C, torc_sparse *A, const torc_dense *B, const torc_update *update)
{
    torc_context *context = A->context;
    const torc_executor *executor = context->executor;
    torc_dense there_b = torc_presence_of(B, B->bitmap), there_c = torc_presence_of(C, C->bitmap);
    torc_dense mask = torc_presence_of(C, update->mask), words_b, words_c, words_m;
    torc_status status = torc_packed_view(&words_b, context, &there_b, TORC_WORKSPACE_B);
    if (status == TORC_SUCCESS) {
        status = torc_packed_view(&words_c, context, &there_c, TORC_WORKSPACE_C);
    }
    if (status == TORC_SUCCESS && update->mask) {
        status = torc_packed_view(&words_m, context, &mask, TORC_WORKSPACE_MASK);
    }
    if (status == TORC_SUCCESS) {
        status = executor->pack_bits(context->device, words_b.data, &there_b);
    }
    if (status == TORC_SUCCESS) {
        status =
            torc_multiply_by_row(&words_c, torc_presence_semiring, A, &words_b, &overwrite, &whole, true);
    }
    if (status == TORC_SUCCESS && update->mask) {
        status = executor->pack_bits(context->device, words_m.data, &mask);
    }
    if (status == TORC_SUCCESS && update->mask) {
        status = executor->mask_bits(
            context->device, words_c.data, words_m.data, words_c.nrows * words_c.ncols, update->complement);
    }
    if (status == TORC_SUCCESS) {
        status = executor->unpack_bits(context->device, &there_c, words_c.data);
    }
    return status == TORC_SUCCESS ? executor->unpack_bits(context->device, C, words_c.data) : status;
}
