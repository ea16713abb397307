/* rank_spmm.c: a product: the halo of B travels, then each rank multiplies its rows.
 *
 *     B                 own rows | room      rows that others need are gathered from the first, the halo is
 *                                            received in the room, and the product reads both where they lie
 *     B without room    own rows             are copied before a room of A's
 *
 * From device to device nothing of this waits: gathering, travelling and multiplying are queued. */
#include "rank_operands.h"
#include <stdlib.h>

/* Does a term depend on the number of its row of B? Ranks have numbers of their own for these. */
static bool names_rows_of_b(torc_multiply multiply)
{
    return multiply == TORC_FIRSTJ || multiply == TORC_FIRSTJ1 || multiply == TORC_SECONDI ||
           multiply == TORC_SECONDI1;
}

static bool is_plain(const torc_dense *B)
{
    return B->order == TORC_ROW_MAJOR && B->ld == B->ncols;
}

static bool has_room(const torc_rank_sparse *A, const torc_dense *B)
{
    return B->nrows == A->b_rows + A->needed.total;
}

static torc_status check(
    const torc_rank_sparse *A, const torc_dense *C, torc_semiring semiring, const torc_dense *B)
{
    if (!C || !B) {
        return TORC_NULL_POINTER;
    }
    bool reads_values = torc_semiring_traits(semiring).reads_b && !B->iso;
    bool travels = reads_values || B->bitmap;
    if ((B->nrows != A->b_rows && !has_room(A, B)) || C->ncols != B->ncols) {
        return TORC_DIMENSION_MISMATCH;
    }
    if (reads_values && B->nrows > 0 && B->ncols > 0 && !B->data) {
        return TORC_NULL_POINTER;
    }
    return (travels && !is_plain(B)) || C->order != TORC_ROW_MAJOR || names_rows_of_b(semiring.multiply)
               ? TORC_UNSUPPORTED
               : TORC_SUCCESS;
}

/* ---- One array of B ----------------------------------------------------------------------------------- */

typedef struct travelling {
    int number; /* of the buffers of A that it has */
    const void *from;
    char *to; /* this rank's rows, and behind them the halo's */
    size_t row_bytes;
} travelling;

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

/* Rows of B, all or those that are listed, as words of up to 16 bytes: one kernel for all types. */
static torc_status copy_rows(
    void *to, const torc_rank_sparse *A, const travelling *array, const uint64_t *rows, int64_t count)
{
    size_t word = 16;
    while (array->row_bytes % word != 0 || (uintptr_t)array->from % word != 0) {
        word /= 2;
    }
    torc_type type = torc_opaque_type(word);
    int64_t n = (int64_t)(array->row_bytes / word);
    torc_dense own = {A->b_rows, n, n, TORC_ROW_MAJOR, type, false, (void *)array->from, NULL};
    torc_dense copy = {count, n, n, TORC_ROW_MAJOR, type, false, to, NULL};
    torc_operation identity = {.kind = TORC_APPLY, .unary = TORC_UNARY_IDENTITY, .type = type};
    torc_operand operand = {.dense = &own, .rows = rows};
    return count > 0 ? torc_elementwise(&copy, &identity, A->ranks->context, &operand, NULL, NULL)
                     : TORC_SUCCESS;
}

/* Where it goes, and rows that others need in one piece: all that can fail before anything travels. */
static torc_status prepare(torc_rank_sparse *A, travelling *array, bool is_in_place)
{
    torc_context *context = A->ranks->context;
    torc_rank_buffer *extended = &A->extended[array->number], *gathered = &A->gathered[array->number];
    torc_status status = TORC_SUCCESS;
    array->to = (void *)array->from;
    if (!is_in_place) {
        size_t rows = (size_t)(A->b_rows + A->needed.total);
        status = grow_on_device(extended, context, rows * array->row_bytes);
        array->to = extended->memory;
        if (status == TORC_SUCCESS) {
            status = copy_rows(array->to, A, array, NULL, A->b_rows);
        }
    }
    if (status == TORC_SUCCESS) {
        status = grow_on_device(gathered, context, (size_t)A->lent.total * array->row_bytes);
    }
    return status == TORC_SUCCESS ? copy_rows(gathered->memory, A, array, A->lent_rows, A->lent.total)
                                  : status;
}

/* ---- From device to device ---------------------------------------------------------------------------- */

static int add_pieces(torc_exchange_piece *pieces, const torc_rank_rows *rows, int ranks, char *memory,
    size_t row_bytes, bool is_sent)
{
    int count = 0;
    for (int r = 0; r < ranks; r++) {
        if (rows->counts[r] > 0) {
            pieces[count++] = (torc_exchange_piece){0, r, is_sent,
                memory + (size_t)rows->starts[r] * row_bytes, (size_t)rows->counts[r] * row_bytes};
        }
    }
    return count;
}

static bool travel_directly(torc_rank_sparse *A, const travelling *arrays, int narrays)
{
    int count = 0, ranks = A->ranks->count;
    for (int i = 0; i < narrays; i++) {
        const travelling *a = &arrays[i];
        char *halo = a->to + (size_t)A->b_rows * a->row_bytes;
        count +=
            add_pieces(A->pieces + count, &A->lent, ranks, A->gathered[a->number].memory, a->row_bytes, true);
        count += add_pieces(A->pieces + count, &A->needed, ranks, halo, a->row_bytes, false);
    }
    return torc_ranks_move(A->ranks, A->pieces, count);
}

/* ---- By MPI ------------------------------------------------------------------------------------------- */

static torc_status bring_to_host(torc_rank_sparse *A, const travelling *array)
{
    size_t lent = (size_t)A->lent.total * array->row_bytes;
    torc_rank_buffer *sent = &A->sent[array->number], *received = &A->received[array->number];
    torc_status status = grow_on_host(sent, lent);
    if (status == TORC_SUCCESS) {
        status = grow_on_host(received, (size_t)A->needed.total * array->row_bytes);
    }
    return status == TORC_SUCCESS ? torc_memory_download(A->ranks->context, sent->memory,
                                        A->gathered[array->number].memory, lent)
                                  : status;
}

static void travel(const torc_rank_sparse *A, const travelling *array)
{
    const torc_rank_rows *needed = &A->needed, *lent = &A->lent;
    MPI_Datatype row;
    MPI_Type_contiguous((int)array->row_bytes, MPI_BYTE, &row);
    MPI_Type_commit(&row);
    MPI_Alltoallv(A->sent[array->number].memory, lent->counts, lent->starts, row,
        A->received[array->number].memory, needed->counts, needed->starts, row, A->ranks->communicator);
    MPI_Type_free(&row);
}

static torc_status travel_by_host(torc_rank_sparse *A, const travelling *arrays, int narrays)
{
    torc_status status = TORC_SUCCESS;
    for (int i = 0; i < narrays && status == TORC_SUCCESS; i++) {
        status = bring_to_host(A, &arrays[i]);
    }
    status = torc_ranks_agree(A->ranks, status);
    for (int i = 0; i < narrays && status == TORC_SUCCESS; i++) {
        travel(A, &arrays[i]);
    }
    for (int i = 0; i < narrays && status == TORC_SUCCESS; i++) {
        char *to = arrays[i].to;
        status =
            torc_memory_upload(A->ranks->context, to ? to + (size_t)A->b_rows * arrays[i].row_bytes : NULL,
                A->received[arrays[i].number].memory, (size_t)A->needed.total * arrays[i].row_bytes);
    }
    return status;
}

/* ---- All of it ---------------------------------------------------------------------------------------- */

/* B becomes B with the halo's rows. Ranks have not yet agreed on the status. */
static torc_status extend(torc_dense *B, torc_rank_sparse *A, bool has_values, bool has_bitmap)
{
    travelling arrays[TORC_RANK_ARRAYS];
    const void *from[] = {B->data, B->bitmap};
    const bool is_there[] = {has_values, has_bitmap};
    const size_t sizes[] = {torc_type_size(B->type), 1};
    int narrays = 0;
    torc_status status = TORC_SUCCESS;
    for (int i = 0; i < TORC_RANK_ARRAYS && status == TORC_SUCCESS && B->ncols > 0; i++) {
        if (is_there[i]) {
            travelling *array = &arrays[narrays++];
            *array = (travelling){i, from[i], NULL, (size_t)B->ncols * sizes[i]};
            status = prepare(A, array, has_room(A, B) && from[i]);
            if (i == TORC_RANK_VALUES) {
                B->data = array->to;
            } else {
                B->bitmap = (uint8_t *)array->to;
            }
        }
    }
    B->nrows = A->b_rows + A->needed.total;
    B->bitmap = has_bitmap ? B->bitmap : NULL;
    status = torc_ranks_agree(A->ranks, status);
    if (status != TORC_SUCCESS || narrays == 0) {
        return status;
    }
    return A->ranks->exchange && travel_directly(A, arrays, narrays)
               ? torc_exchange_await(A->ranks->exchange, 0)
               : travel_by_host(A, arrays, narrays);
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
        status = torc_ranks_compare(A->ranks, arrays, 2, A->b_rows > 0);
    }
    if (status != TORC_SUCCESS) {
        return status;
    }
    torc_dense extended = *B;
    extended.iso = arrays[0];
    status = extend(&extended, A, torc_semiring_traits(semiring).reads_b && !extended.iso, arrays[1]);
    if (status == TORC_SUCCESS) {
        status = torc_spmm(C, semiring, A->A, false, &extended, update);
    }
    return torc_ranks_agree(A->ranks, status);
}

torc_status torc_ranks_exchange(const torc_dense *B, torc_rank_sparse *A)
{
    if (!A) {
        return TORC_NULL_POINTER;
    }
    torc_status status = !B                                         ? TORC_NULL_POINTER
                         : !has_room(A, B)                          ? TORC_DIMENSION_MISMATCH
                         : B->iso || !is_plain(B)                   ? TORC_UNSUPPORTED
                         : B->nrows > 0 && B->ncols > 0 && !B->data ? TORC_NULL_POINTER
                                                                    : TORC_SUCCESS;
    status = torc_ranks_agree(A->ranks, status);
    if (status != TORC_SUCCESS) {
        return status;
    }
    int64_t form[] = {B->ncols, B->type, B->bitmap != NULL};
    status = torc_ranks_compare(A->ranks, form, 3, B->nrows > 0);
    if (status != TORC_SUCCESS) {
        return status;
    }
    torc_dense extended = *B;
    extended.ncols = form[0];
    extended.type = (torc_type)form[1];
    return torc_ranks_agree(A->ranks, extend(&extended, A, true, form[2]));
}
