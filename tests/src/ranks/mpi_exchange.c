/* mpi_exchange.c: torc/exchange.h in the place of libtorc's, for reference devices: what ranks do between
 * GPUs is done without any. Pieces are sent by MPI, since memory of these devices is the host's. As NCCL's,
 * an exchange takes its time, and waits for the others. What is received is there only once it is awaited, so
 * that work that does not wait computes something else.
 *
 * What a process maps is the address that the memory has in its own process: rows are sent together with
 * where they go, and the other process puts them there when it awaits them.
 *
 * A turn of few bytes is worth it. Where the process moved nothing in a fourth turn, or wrote nothing, it
 * says so at its end.
 *
 *     TORC_TEST_MOVES=N   nothing is written, and on rank 0 the exchange fails at the N-th move of the
 *                         process, 0: when it begins */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <torc/exchange.h>

enum { MOST_PIECES = 1024, MOST_RANKS = 64, TURN_BYTES = 2 << 10, WRITTEN_BYTES = 1 << 10, LETTERS = 1000 };

typedef struct one_move {
    int count;
    MPI_Request requests[MOST_PIECES];
    torc_exchange_piece pieces[MOST_PIECES];
    void *received[MOST_PIECES]; /* theirs; NULL: the piece is sent, or was awaited */
} one_move;

/* To each other rank, or from it, behind as many headers as it begins with, rows. */
typedef struct letters {
    bool are_new;
    void *sent[MOST_RANKS];
    MPI_Request requests[MOST_RANKS];
} letters;

typedef struct header {
    char *to; /* in the other's memory */
    size_t pitch, width;
    int64_t count;
} header;

struct torc_exchange {
    MPI_Comm communicator;
    int number, count, tag, polls;
    bool is_lost;
    one_move moves[TORC_EXCHANGE_TURNS]; /* the last of each turn */
    letters letters[TORC_EXCHANGE_TURNS];
};

static int moves, tags;
static bool moved_fourth, wrote_fourth; /* some exchange of the process */

static bool fails_now(int number)
{
    const char *named = getenv("TORC_TEST_MOVES");
    return named && number == 0 && moves == atoi(named);
}

torc_status torc_exchange_identify(torc_exchange_identity *identity, torc_context *context)
{
    int rank;
    (void)context;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    *identity = (torc_exchange_identity){.version = 1};
    memcpy(identity->device, &rank, sizeof rank);
    return TORC_SUCCESS;
}

torc_status torc_exchange_make_unique_id(torc_exchange_unique_id *id, torc_context *context)
{
    (void)context;
    snprintf(id->bytes, sizeof id->bytes, "id");
    return TORC_SUCCESS;
}

static void say_at_end(void)
{
    if (!moved_fourth || !wrote_fourth) {
        fprintf(stderr, "mpi_exchange.c: nothing %s in a fourth turn\n", moved_fourth ? "written" : "moved");
    }
}

torc_status torc_exchange_create(
    torc_exchange **exchange, torc_context *context, const torc_exchange_unique_id *id, int number, int count)
{
    int all;
    (void)context;
    *exchange = NULL;
    MPI_Comm_size(MPI_COMM_WORLD, &all);
    if (strcmp(id->bytes, "id") != 0 || count != all || fails_now(number)) {
        return TORC_DEVICE_ERROR;
    }
    torc_exchange *made = calloc(1, sizeof *made);
    if (!made) {
        return TORC_OUT_OF_MEMORY;
    }
    if (tags == 0) {
        atexit(say_at_end);
    }
    made->number = number;
    made->count = count;
    for (int t = 0; t < TORC_EXCHANGE_TURNS; t++) {
        for (int r = 0; r < MOST_RANKS; r++) {
            made->letters[t].requests[r] = MPI_REQUEST_NULL;
        }
    }
    made->tag = ++tags;                  /* what an exchange that failed sent goes to no other */
    made->communicator = MPI_COMM_WORLD; /* the ranks' own is a duplicate */
    *exchange = made;
    return TORC_SUCCESS;
}

static int letter_tag(const torc_exchange *exchange, int turn)
{
    return LETTERS + exchange->tag * TORC_EXCHANGE_TURNS + turn;
}

/* Rows come to where their header says. */
static void read_letter(torc_exchange *exchange, int turn, int other)
{
    MPI_Status status;
    int size;
    int64_t count;
    MPI_Probe(other, letter_tag(exchange, turn), exchange->communicator, &status);
    MPI_Get_count(&status, MPI_BYTE, &size);
    char *letter = malloc((size_t)size);
    MPI_Recv(
        letter, size, MPI_BYTE, other, letter_tag(exchange, turn), exchange->communicator, MPI_STATUS_IGNORE);
    memcpy(&count, letter, sizeof count);
    const char *data = letter + sizeof count + (size_t)count * sizeof(header);
    for (int64_t i = 0; i < count; i++) {
        header h;
        memcpy(&h, letter + sizeof count + (size_t)i * sizeof h, sizeof h);
        for (int64_t row = 0; row < h.count; row++, data += h.width) {
            memcpy(h.to + (size_t)row * h.pitch, data, h.width);
        }
    }
    free(letter);
}

/* Received pieces, and rows, come into their place. */
torc_status torc_exchange_await(torc_exchange *exchange, int turn)
{
    one_move *move = &exchange->moves[turn];
    for (int i = 0; i < move->count; i++) {
        if (move->received[i]) {
            memcpy(move->pieces[i].memory, move->received[i], move->pieces[i].size);
            free(move->received[i]);
            move->received[i] = NULL;
        }
    }
    for (int r = 0; r < exchange->count && exchange->letters[turn].are_new; r++) {
        if (r != exchange->number) {
            read_letter(exchange, turn, r);
        }
    }
    exchange->letters[turn].are_new = false;
    return TORC_SUCCESS;
}

static void forget(letters *old)
{
    MPI_Waitall(MOST_RANKS, old->requests, MPI_STATUSES_IGNORE);
    for (int r = 0; r < MOST_RANKS; r++) {
        free(old->sent[r]);
        old->sent[r] = NULL;
    }
}

static void cancel(one_move *move)
{
    for (int i = 0; i < move->count; i++) {
        if (move->requests[i] != MPI_REQUEST_NULL) {
            MPI_Cancel(&move->requests[i]);
            MPI_Request_free(&move->requests[i]); /* what it receives may be written to yet */
        }
    }
}

void torc_exchange_destroy(torc_exchange *exchange, bool aborts)
{
    for (int t = 0; exchange && !aborts && t < TORC_EXCHANGE_TURNS; t++) {
        forget(&exchange->letters[t]);
    }
    for (int t = 0; exchange && aborts && t < TORC_EXCHANGE_TURNS; t++) {
        cancel(&exchange->moves[t]);
    }
    free(exchange);
}

torc_status torc_exchange_progress(torc_exchange_stage *stage, torc_exchange *exchange)
{
    int is_done = 1;
    for (int t = 0; t < TORC_EXCHANGE_TURNS; t++) {
        int has_moved;
        MPI_Testall(exchange->moves[t].count, exchange->moves[t].requests, &has_moved, MPI_STATUSES_IGNORE);
        is_done = is_done && has_moved;
    }
    *stage = is_done && exchange->polls++ > 2 ? TORC_EXCHANGE_DONE : TORC_EXCHANGE_PENDING;
    return exchange->is_lost ? TORC_DEVICE_ERROR : TORC_SUCCESS;
}

size_t torc_exchange_turn_bytes(const torc_exchange *exchange, bool are_written)
{
    (void)exchange;
    return are_written ? WRITTEN_BYTES : TURN_BYTES;
}

torc_status torc_exchange_move(
    torc_exchange *exchange, int turn, const torc_exchange_piece *pieces, int count)
{
    one_move *move = &exchange->moves[turn];
    exchange->polls = move->count = 0;
    moves++;
    moved_fourth = moved_fourth || turn == 3;
    if (fails_now(exchange->number) || count > MOST_PIECES) {
        exchange->is_lost = true;
        return TORC_DEVICE_ERROR;
    }
    for (int i = 0; i < count; i++) {
        const torc_exchange_piece *p = &pieces[i];
        MPI_Request *request = &move->requests[move->count++];
        move->pieces[i] = *p;
        move->received[i] = p->is_sent ? NULL : malloc(p->size);
        if (p->is_sent) {
            MPI_Isend(
                p->memory, (int)p->size, MPI_BYTE, p->other, exchange->tag, exchange->communicator, request);
        } else {
            MPI_Irecv(move->received[i], (int)p->size, MPI_BYTE, p->other, exchange->tag,
                exchange->communicator, request);
        }
    }
    return TORC_SUCCESS;
}

torc_status torc_exchange_export_events(torc_exchange_events *events, torc_exchange *exchange)
{
    (void)exchange;
    memset(events, 1, sizeof *events);
    return getenv("TORC_TEST_MOVES") ? TORC_DEVICE_ERROR : TORC_SUCCESS;
}

torc_status torc_exchange_import_events(
    torc_exchange *exchange, int other, const torc_exchange_events *events)
{
    return events->bytes[0] == 1 && other != exchange->number ? TORC_SUCCESS : TORC_DEVICE_ERROR;
}

torc_status torc_exchange_allocate(
    void **memory, torc_exchange_memory_handle *handle, torc_context *context, size_t size)
{
    torc_status status = torc_memory_allocate(memory, context, size);
    memcpy(handle->bytes, memory, sizeof *memory);
    return status;
}

torc_status torc_exchange_map(void **mapped, torc_context *context, const torc_exchange_memory_handle *handle)
{
    (void)context;
    memcpy(mapped, handle->bytes, sizeof *mapped);
    return TORC_SUCCESS;
}

void torc_exchange_unmap(torc_context *context, void *mapped)
{
    (void)context, (void)mapped;
}

torc_status torc_exchange_ready(torc_exchange *exchange)
{
    (void)exchange;
    return TORC_SUCCESS;
}

/* A letter to that rank. */
static void write_letter(
    torc_exchange *exchange, int turn, int other, const torc_exchange_rows *rows, int count)
{
    int64_t headers = 0;
    size_t size = sizeof headers;
    for (int i = 0; i < count; i++) {
        headers += rows[i].other == other;
        size += rows[i].other == other ? sizeof(header) + (size_t)rows[i].count * rows[i].width : 0;
    }
    char *letter = malloc(size), *head = letter + sizeof headers,
         *data = head + (size_t)headers * sizeof(header);
    memcpy(letter, &headers, sizeof headers);
    for (int i = 0; i < count; i++) {
        const torc_exchange_rows *r = &rows[i];
        header h = {r->to, r->to_pitch, r->width, r->count};
        if (r->other != other) {
            continue;
        }
        memcpy(head, &h, sizeof h);
        head += sizeof h;
        for (int64_t row = 0; row < r->count; row++, data += r->width) {
            memcpy(data, (const char *)r->from + r->list[row] * r->from_pitch, r->width);
        }
    }
    exchange->letters[turn].sent[other] = letter;
    MPI_Isend(letter, (int)size, MPI_BYTE, other, letter_tag(exchange, turn), exchange->communicator,
        &exchange->letters[turn].requests[other]);
}

torc_status torc_exchange_write(torc_exchange *exchange, int turn, const torc_exchange_rows *rows, int count)
{
    forget(&exchange->letters[turn]);
    for (int r = 0; r < exchange->count; r++) {
        if (r != exchange->number) {
            write_letter(exchange, turn, r, rows, count);
        }
    }
    exchange->letters[turn].are_new = true;
    wrote_fourth = wrote_fourth || turn == 3;
    return TORC_SUCCESS;
}
