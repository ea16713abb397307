/* rank_travel.c: the halo of B on its way.
 *
 *     B                 own rows | room      rows that others need are gathered from the first, the halo is
 *                                            received in the room
 *     B without room    own rows             are copied before a room of A's
 *
 * Several panels are gathered one behind the other, and received so too: NCCL moves what is in one piece.
 * From there each is copied to its columns of the room.
 *
 *     gathered, arrived     panel 0, rows of its columns | panel 1 | ...
 *
 * Where all ranks have B in memory that others write to, rank_write.c does instead, without any of it.
 *
 * From device to device nothing of this waits: gathering, travelling and copying are queued. A panel is
 * gathered while the one before it travels. */
#include "rank_travel.h"
#include <stdlib.h>

bool torc_rank_has_room(const torc_rank_sparse *A, const torc_dense *B)
{
    return B->nrows == A->b_rows + A->needed.total;
}

/* ---- Panels ------------------------------------------------------------------------------------------- */

/* Panels are of whole lines: a product of 32 columns of fp32 takes 0.27 times as long as one of 128, but one
 * of 16 more than half as long as of 32 (2026-11-26-h100-x2-devices.csv, scale 20), one of 40 1.4 times as
 * long, and one of 88 as long as of 96 (2026-11-26-h100-x2-panels.txt). */
enum { LINE = 128, MOST_MOVED = 4 };

static size_t row_bytes(const torc_travel *travel, const torc_rank_array *array)
{
    return (size_t)travel->ncols * array->size;
}

/* Of what all ranks know alone, so that all cut alike, and the same product always has the same bits. By MPI
 * nothing goes on beside the exchange. */
static int count_panels(const torc_travel *travel, int most)
{
    const torc_rank_sparse *A = travel->A;
    if (!A->ranks->exchange || travel->narrays == 0) {
        return 1;
    }
    int64_t row = (int64_t)row_bytes(travel, &travel->arrays[0]);
    int64_t least = (int64_t)torc_exchange_turn_bytes(A->ranks->exchange, travel->is_written);
    int64_t by_row = row / LINE, by_halo = A->most_needed * row / least;
    int64_t count = by_row < by_halo ? by_row : by_halo;
    most = travel->is_written || most < MOST_MOVED ? most : MOST_MOVED;
    return count < 1 ? 1 : count < most ? (int)count : most;
}

int64_t torc_travel_column(const torc_travel *travel, int panel)
{
    if (panel == 0 || panel == travel->panels) {
        return panel == 0 ? 0 : travel->ncols;
    }
    const torc_rank_array *first = travel->arrays;
    int64_t lines = (int64_t)row_bytes(travel, first) / LINE * panel / travel->panels;
    return lines * LINE / (int64_t)first->size;
}

/* Of a panel's row. */
static size_t width(const torc_travel *travel, const torc_rank_array *array, int panel)
{
    int64_t columns = torc_travel_column(travel, panel + 1) - torc_travel_column(travel, panel);
    return (size_t)columns * array->size;
}

/* Where a panel's columns begin in rows of B, and in memory that has `rows` of them panel after panel. */
static char *at(
    void *memory, const torc_travel *travel, const torc_rank_array *array, int panel, int64_t rows)
{
    size_t offset = (size_t)(rows * torc_travel_column(travel, panel)) * array->size;
    return memory ? (char *)memory + offset : NULL;
}

static char *gathered(const torc_travel *travel, const torc_rank_array *array, int panel)
{
    const torc_rank_sparse *A = travel->A;
    return at(A->gathered[array->number].memory, travel, array, panel, A->lent.total);
}

static char *room(const torc_travel *travel, const torc_rank_array *array)
{
    return array->to ? array->to + (size_t)travel->A->b_rows * row_bytes(travel, array) : NULL;
}

static char *arrived(const torc_travel *travel, const torc_rank_array *array, int panel)
{
    const torc_rank_sparse *A = travel->A;
    void *memory = travel->panels > 1 ? A->arrived[array->number].memory : room(travel, array);
    return at(memory, travel, array, panel, A->needed.total);
}

/* ---- All that can fail before anything travels -------------------------------------------------------- */

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

/* Rows in device memory, from one to the next `pitch` bytes. */
typedef struct pitched {
    const void *memory;
    size_t pitch;
    int64_t count;
} pitched;

/* `bytes` bytes of each row, or of those that are listed, as words of up to 16 bytes: one kernel for all
 * types. */
static torc_status copy_rows(
    torc_context *context, pitched to, pitched from, size_t bytes, const uint64_t *list)
{
    size_t word = 16;
    uintptr_t all = (uintptr_t)to.memory | to.pitch | (uintptr_t)from.memory | from.pitch | bytes;
    while (all % word != 0) {
        word /= 2;
    }
    torc_type type = torc_opaque_type(word);
    int64_t n = (int64_t)(bytes / word), ld = (int64_t)(from.pitch / word), ldto = (int64_t)(to.pitch / word);
    torc_dense source = {from.count, n, ld, TORC_ROW_MAJOR, type, false, (void *)from.memory, NULL};
    torc_dense copy = {to.count, n, ldto, TORC_ROW_MAJOR, type, false, (void *)to.memory, NULL};
    torc_operation identity = {.kind = TORC_APPLY, .unary = TORC_UNARY_IDENTITY, .type = type};
    torc_operand operand = {.dense = &source, .rows = list};
    return to.count > 0 ? torc_elementwise(&copy, &identity, context, &operand, NULL, NULL) : TORC_SUCCESS;
}

static torc_status extend(torc_travel *travel, torc_rank_array *array)
{
    torc_rank_sparse *A = travel->A;
    torc_rank_buffer *extended = &A->extended[array->number];
    size_t row = row_bytes(travel, array);
    torc_status status =
        grow_on_device(extended, A->ranks->context, (size_t)(A->b_rows + A->needed.total) * row);
    array->to = extended->memory;
    pitched from = {array->from, row, A->b_rows}, to = {array->to, row, A->b_rows};
    return status == TORC_SUCCESS ? copy_rows(A->ranks->context, to, from, row, NULL) : status;
}

/* Memory for what is gathered, and for what arrives elsewhere than in its place. */
static torc_status make_way(const torc_travel *travel, const torc_rank_array *array)
{
    torc_rank_sparse *A = travel->A;
    torc_context *context = A->ranks->context;
    size_t row = row_bytes(travel, array);
    torc_status status = grow_on_device(&A->gathered[array->number], context, (size_t)A->lent.total * row);
    if (status == TORC_SUCCESS && travel->panels > 1) {
        status = grow_on_device(&A->arrived[array->number], context, (size_t)A->needed.total * row);
    }
    return status;
}

static torc_status gather(const torc_travel *travel, int panel)
{
    const torc_rank_sparse *A = travel->A;
    torc_status status = TORC_SUCCESS;
    for (int i = 0; i < travel->narrays && status == TORC_SUCCESS; i++) {
        const torc_rank_array *array = &travel->arrays[i];
        size_t bytes = width(travel, array, panel);
        pitched from = {
            at((void *)array->from, travel, array, panel, 1), row_bytes(travel, array), A->b_rows};
        pitched to = {gathered(travel, array, panel), bytes, A->lent.total};
        status = copy_rows(A->ranks->context, to, from, bytes, A->lent_rows);
    }
    return status;
}

static torc_status prepare(torc_travel *travel, bool is_in_place)
{
    torc_status status = TORC_SUCCESS;
    for (int i = 0; i < travel->narrays && status == TORC_SUCCESS; i++) {
        torc_rank_array *array = &travel->arrays[i];
        if (is_in_place && array->from) {
            array->to = (char *)array->from;
        } else {
            status = extend(travel, array);
        }
        if (status == TORC_SUCCESS) {
            status = make_way(travel, array);
        }
    }
    status = status == TORC_SUCCESS ? gather(travel, 0) : status;
    return torc_ranks_agree(travel->A->ranks, status);
}

/* ---- From device to device ---------------------------------------------------------------------------- */

static int add_pieces(torc_exchange_piece *pieces, const torc_rank_rows *rows, int ranks, char *memory,
    size_t bytes, bool is_sent)
{
    int count = 0;
    for (int r = 0; r < ranks; r++) {
        if (rows->counts[r] > 0) {
            pieces[count++] = (torc_exchange_piece){
                r, is_sent, memory + (size_t)rows->starts[r] * bytes, (size_t)rows->counts[r] * bytes};
        }
    }
    return count;
}

static bool move_panel(const torc_travel *travel, int p, torc_status own)
{
    torc_rank_sparse *A = travel->A;
    int count = 0, ranks = A->ranks->count;
    for (int i = 0; i < travel->narrays; i++) {
        const torc_rank_array *a = &travel->arrays[i];
        size_t bytes = width(travel, a, p);
        count += add_pieces(A->pieces + count, &A->lent, ranks, gathered(travel, a, p), bytes, true);
        count += add_pieces(A->pieces + count, &A->needed, ranks, arrived(travel, a, p), bytes, false);
    }
    return torc_ranks_move(A->ranks, own, p, A->pieces, count);
}

static bool travel_directly(const torc_travel *travel)
{
    bool is_good = move_panel(travel, 0, TORC_SUCCESS);
    for (int p = 1; p < travel->panels && is_good; p++) {
        is_good = move_panel(travel, p, gather(travel, p));
    }
    return is_good;
}

/* ---- By MPI ------------------------------------------------------------------------------------------- */

static torc_status bring_to_host(const torc_travel *travel, const torc_rank_array *array)
{
    torc_rank_sparse *A = travel->A;
    size_t lent = (size_t)A->lent.total * row_bytes(travel, array);
    torc_rank_buffer *sent = &A->sent[array->number], *received = &A->received[array->number];
    torc_status status = grow_on_host(sent, lent);
    if (status == TORC_SUCCESS) {
        status = grow_on_host(received, (size_t)A->needed.total * row_bytes(travel, array));
    }
    return status == TORC_SUCCESS ? torc_memory_download(A->ranks->context, sent->memory,
                                        A->gathered[array->number].memory, lent)
                                  : status;
}

static void move_on_host(const torc_travel *travel, const torc_rank_array *array, int panel)
{
    const torc_rank_sparse *A = travel->A;
    const torc_rank_rows *needed = &A->needed, *lent = &A->lent;
    void *sent = A->sent[array->number].memory, *received = A->received[array->number].memory;
    MPI_Datatype row;
    MPI_Type_contiguous((int)width(travel, array, panel), MPI_BYTE, &row);
    MPI_Type_commit(&row);
    MPI_Alltoallv(at(sent, travel, array, panel, lent->total), lent->counts, lent->starts, row,
        at(received, travel, array, panel, needed->total), needed->counts, needed->starts, row,
        A->ranks->communicator);
    MPI_Type_free(&row);
}

/* Several panels if the way between devices failed with them. */
static torc_status travel_by_host(const torc_travel *travel)
{
    const torc_rank_sparse *A = travel->A;
    torc_status status = TORC_SUCCESS;
    for (int p = 1; p < travel->panels && status == TORC_SUCCESS; p++) {
        status = gather(travel, p);
    }
    for (int i = 0; i < travel->narrays && status == TORC_SUCCESS; i++) {
        status = bring_to_host(travel, &travel->arrays[i]);
    }
    status = torc_ranks_agree(A->ranks, status);
    for (int i = 0; i < travel->narrays && status == TORC_SUCCESS; i++) {
        for (int p = 0; p < travel->panels; p++) {
            move_on_host(travel, &travel->arrays[i], p);
        }
    }
    for (int i = 0; i < travel->narrays && status == TORC_SUCCESS; i++) {
        const torc_rank_array *array = &travel->arrays[i];
        status = torc_memory_upload(A->ranks->context, arrived(travel, array, 0),
            A->received[array->number].memory, (size_t)A->needed.total * row_bytes(travel, array));
    }
    return status;
}

/* ---- All of it ---------------------------------------------------------------------------------------- */

static void add_array(torc_travel *travel, int number, const void *from, size_t size)
{
    travel->arrays[travel->narrays++] = (torc_rank_array){number, size, from, NULL};
}

torc_status torc_travel_begin(
    torc_travel *travel, torc_dense *B, torc_rank_sparse *A, bool has_values, bool has_bitmap, int panels)
{
    *travel = (torc_travel){.A = A, .ncols = B->ncols, .panels = 1};
    bool has_room = torc_rank_has_room(A, B);
    if (has_values && B->ncols > 0) {
        add_array(travel, TORC_RANK_VALUES, B->data, torc_type_size(B->type));
    }
    if (has_bitmap && B->ncols > 0) {
        add_array(travel, TORC_RANK_BITMAP, B->bitmap, 1);
    }
    travel->is_written = torc_travel_is_written(travel, has_room);
    travel->panels = count_panels(travel, panels);
    torc_status status = travel->is_written ? TORC_SUCCESS : prepare(travel, has_room);
    if (status == TORC_OUT_OF_MEMORY && travel->panels > 1) { /* one needs no memory where it arrives */
        travel->panels = 1;
        status = prepare(travel, has_room);
    }
    B->nrows = A->b_rows + A->needed.total;
    B->bitmap = has_bitmap ? B->bitmap : NULL;
    if (travel->narrays > 0) { /* a rank without rows may have said something else */
        B->order = TORC_ROW_MAJOR;
        B->ld = B->ncols;
    }
    for (int i = 0; i < travel->narrays; i++) {
        const torc_rank_array *array = &travel->arrays[i];
        if (array->number == TORC_RANK_VALUES) {
            B->data = array->to;
        } else {
            B->bitmap = (uint8_t *)array->to;
        }
    }
    if (status != TORC_SUCCESS || travel->narrays == 0) {
        return status;
    }
    if (travel->is_written) {
        return torc_travel_write(travel);
    }
    return A->ranks->exchange && travel_directly(travel) ? TORC_SUCCESS : travel_by_host(travel);
}

torc_status torc_travel_arrive(const torc_travel *travel, int panel)
{
    const torc_rank_sparse *A = travel->A;
    torc_status status = TORC_SUCCESS;
    if (A->ranks->exchange && travel->narrays > 0) {
        status = torc_exchange_await(A->ranks->exchange, panel);
    }
    bool is_elsewhere = travel->panels > 1 && !travel->is_written;
    for (int i = 0; i < travel->narrays && is_elsewhere && status == TORC_SUCCESS; i++) {
        const torc_rank_array *array = &travel->arrays[i];
        size_t bytes = width(travel, array, panel);
        pitched from = {arrived(travel, array, panel), bytes, A->needed.total};
        pitched to = {
            at(room(travel, array), travel, array, panel, 1), row_bytes(travel, array), A->needed.total};
        status = copy_rows(A->ranks->context, to, from, bytes, NULL);
    }
    return status;
}
