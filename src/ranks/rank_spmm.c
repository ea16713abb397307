/* rank_spmm.c: a product: the halo of B travels, then each rank multiplies its rows. */
#include "rank_operands.h"
#include <stdlib.h>

/* Does a term depend on the number of its row of B? Ranks have numbers of their own for these. */
static bool names_rows_of_b(torc_multiply multiply)
{
    return multiply == TORC_FIRSTJ || multiply == TORC_FIRSTJ1 || multiply == TORC_SECONDI ||
           multiply == TORC_SECONDI1;
}

static bool has_values(torc_semiring semiring, const torc_dense *B)
{
    return torc_semiring_traits(semiring).reads_b && !B->iso;
}

static torc_status check(
    const torc_rank_sparse *A, const torc_dense *C, torc_semiring semiring, const torc_dense *B)
{
    if (!C || !B) {
        return TORC_NULL_POINTER;
    }
    bool travels = has_values(semiring, B) || B->bitmap;
    if (B->nrows != A->b_rows || C->ncols != B->ncols) {
        return TORC_DIMENSION_MISMATCH;
    }
    if (has_values(semiring, B) && B->nrows > 0 && B->ncols > 0 && !B->data) {
        return TORC_NULL_POINTER;
    }
    bool is_plain = B->order == TORC_ROW_MAJOR && B->ld == B->ncols;
    return (travels && !is_plain) || C->order != TORC_ROW_MAJOR || names_rows_of_b(semiring.multiply)
               ? TORC_UNSUPPORTED
               : TORC_SUCCESS;
}

/* ---- One array of B ----------------------------------------------------------------------------------- */

static torc_status grow_on_host(torc_rank_buffer *buffer, size_t size)
{
    if (buffer->size >= size) {
        return TORC_SUCCESS;
    }
    free(buffer->memory);
    buffer->memory = malloc(size);
    buffer->size = buffer->memory ? size : 0;
    return buffer->memory ? TORC_SUCCESS : TORC_OUT_OF_MEMORY;
}

static torc_status grow_on_device(torc_rank_buffer *buffer, torc_context *context, size_t size)
{
    if (buffer->size >= size) {
        return TORC_SUCCESS;
    }
    torc_memory_release(context, buffer->memory);
    torc_status status = torc_memory_allocate(&buffer->memory, context, size);
    buffer->size = status == TORC_SUCCESS ? size : 0;
    return status;
}

/* This rank's rows, which precede those of the halo. */
static torc_status copy_own(
    void *to, const torc_rank_sparse *A, const void *from, torc_type type, int64_t ncols)
{
    torc_dense own = {A->b_rows, ncols, ncols, TORC_ROW_MAJOR, type, false, (void *)from, NULL}, copy = own;
    torc_operation identity = {.kind = TORC_APPLY, .unary = TORC_UNARY_IDENTITY, .type = type};
    torc_operand operand = {.dense = &own};
    copy.data = to;
    return torc_elementwise(&copy, &identity, A->ranks->context, &operand, NULL, NULL);
}

/* Rows that others need, in host memory. */
static torc_status gather_lent(const torc_rank_sparse *A, void *to, const void *from, size_t row_bytes)
{
    size_t count = (size_t)A->lent.total;
    uint64_t *offsets = malloc((count + 1) * sizeof *offsets);
    if (!offsets) {
        return TORC_OUT_OF_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        offsets[i] = A->lent_rows[i] * row_bytes;
    }
    torc_status status = torc_memory_gather(A->ranks->context, to, from, offsets, count, row_bytes);
    free(offsets);
    return status;
}

/* All that can fail before anything travels. */
static torc_status prepare(
    torc_rank_sparse *A, int array, const void *from, torc_type type, int64_t ncols, size_t row_bytes)
{
    size_t rows = (size_t)(A->b_rows + A->needed.total);
    torc_status status = grow_on_device(&A->extended[array], A->ranks->context, rows * row_bytes);
    if (status == TORC_SUCCESS) {
        status = grow_on_host(&A->sent[array], (size_t)A->lent.total * row_bytes);
    }
    if (status == TORC_SUCCESS) {
        status = grow_on_host(&A->received[array], (size_t)A->needed.total * row_bytes);
    }
    if (status == TORC_SUCCESS && A->b_rows > 0) {
        status = copy_own(A->extended[array].memory, A, from, type, ncols);
    }
    return status == TORC_SUCCESS ? gather_lent(A, A->sent[array].memory, from, row_bytes) : status;
}

static void travel(const torc_rank_sparse *A, int array, size_t row_bytes)
{
    const torc_rank_rows *needed = &A->needed, *lent = &A->lent;
    MPI_Datatype row;
    MPI_Type_contiguous((int)row_bytes, MPI_BYTE, &row);
    MPI_Type_commit(&row);
    MPI_Alltoallv(A->sent[array].memory, lent->counts, lent->starts, row, A->received[array].memory,
        needed->counts, needed->starts, row, A->ranks->communicator);
    MPI_Type_free(&row);
}

static torc_status receive(const torc_rank_sparse *A, int array, size_t row_bytes)
{
    char *to = A->extended[array].memory;
    return torc_memory_upload(A->ranks->context, to ? to + (size_t)A->b_rows * row_bytes : NULL,
        A->received[array].memory, (size_t)A->needed.total * row_bytes);
}

/* ---- All of it ---------------------------------------------------------------------------------------- */

/* B becomes B with the halo's rows. */
static torc_status extend(torc_dense *B, torc_rank_sparse *A, torc_semiring semiring, bool has_bitmap)
{
    struct {
        bool is_there;
        const void *from;
        torc_type type;
    } arrays[TORC_RANK_ARRAYS] = {
        {has_values(semiring, B), B->data, B->type}, {has_bitmap, B->bitmap, TORC_UINT8}};
    torc_status status = TORC_SUCCESS;
    for (int i = 0; i < TORC_RANK_ARRAYS && status == TORC_SUCCESS; i++) {
        size_t row_bytes = (size_t)B->ncols * torc_type_size(arrays[i].type);
        if (!arrays[i].is_there || B->ncols == 0) {
            continue;
        }
        status =
            torc_ranks_agree(A->ranks, prepare(A, i, arrays[i].from, arrays[i].type, B->ncols, row_bytes));
        if (status == TORC_SUCCESS) {
            travel(A, i, row_bytes);
            status = torc_ranks_agree(A->ranks, receive(A, i, row_bytes));
        }
    }
    B->nrows = A->b_rows + A->needed.total;
    B->data = arrays[0].is_there ? A->extended[TORC_RANK_VALUES].memory : B->data;
    B->bitmap = has_bitmap ? A->extended[TORC_RANK_BITMAP].memory : NULL;
    return status;
}

torc_status torc_ranks_spmm(const torc_dense *C, torc_semiring semiring, torc_rank_sparse *A,
    const torc_dense *B, const torc_update *update)
{
    if (!A) {
        return TORC_NULL_POINTER;
    }
    torc_status status = torc_ranks_agree(A->ranks, check(A, C, semiring, B));
    if (status != TORC_SUCCESS) {
        return status;
    }
    int64_t form[] = {B->ncols, B->type, semiring.multiply}, arrays[] = {B->iso, B->bitmap != NULL};
    status = torc_ranks_compare(A->ranks, form, 3, true);
    if (status == TORC_SUCCESS) { /* who has no rows of B need not know */
        status = torc_ranks_compare(A->ranks, arrays, 2, B->nrows > 0);
    }
    torc_dense extended = *B;
    extended.iso = arrays[0];
    if (status == TORC_SUCCESS) {
        status = extend(&extended, A, semiring, arrays[1]);
    }
    if (status != TORC_SUCCESS) {
        return status;
    }
    return torc_ranks_agree(A->ranks, torc_spmm(C, semiring, A->A, false, &extended, update));
}
