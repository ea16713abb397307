/* mpi_exchange.c: torc/exchange.h in the place of libtorc's, for reference devices: what ranks do between
 * GPUs is done without any. Pieces are sent by MPI, since memory of these devices is the host's. As NCCL's,
 * an exchange takes its time, and waits for the others. What is received is there only once it is awaited, so
 * that work that does not wait computes something else.
 *
 * A turn of few bytes is worth it. Where the process moved nothing in the last turn, it says so when an
 * exchange ends well.
 * TORC_TEST_MOVES=N: on rank 0 the exchange fails at the N-th move of the process, 0: when it begins. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <torc/exchange.h>

enum { MOST_PIECES = 1024, TURN_BYTES = 2 << 10 };

typedef struct one_move {
    int count;
    MPI_Request requests[MOST_PIECES];
    torc_exchange_piece pieces[MOST_PIECES];
    void *received[MOST_PIECES]; /* theirs; NULL: the piece is sent, or was awaited */
} one_move;

struct torc_exchange {
    MPI_Comm communicator;
    int number, tag, polls;
    bool is_lost;
    one_move moves[TORC_EXCHANGE_TURNS]; /* the last of each turn */
};

static int moves, tags;
static bool had_last_turn; /* some exchange of the process */

static bool fails_now(int number)
{
    const char *named = getenv("TORC_TEST_MOVES");
    return named && number == 0 && moves == atoi(named);
}

torc_status torc_exchange_party_of(torc_exchange_party *party, torc_context *context)
{
    int rank;
    (void)context;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    *party = (torc_exchange_party){.version = 1};
    memcpy(party->device, &rank, sizeof rank);
    return TORC_SUCCESS;
}

torc_status torc_exchange_make_token(torc_exchange_token *token, torc_context *context)
{
    (void)context;
    snprintf(token->bytes, sizeof token->bytes, "token");
    return TORC_SUCCESS;
}

torc_status torc_exchange_create(
    torc_exchange **exchange, torc_context *context, const torc_exchange_token *token, int number, int count)
{
    int all;
    (void)context;
    *exchange = NULL;
    MPI_Comm_size(MPI_COMM_WORLD, &all);
    if (strcmp(token->bytes, "token") != 0 || count != all || fails_now(number)) {
        return TORC_DEVICE_ERROR;
    }
    torc_exchange *made = calloc(1, sizeof *made);
    if (!made) {
        return TORC_OUT_OF_MEMORY;
    }
    made->number = number;
    made->tag = ++tags;                  /* what an exchange that failed sent goes to no other */
    made->communicator = MPI_COMM_WORLD; /* the ranks' own is a duplicate */
    *exchange = made;
    return TORC_SUCCESS;
}

/* Received pieces come into their place. */
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
    return TORC_SUCCESS;
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
    if (exchange && !aborts && !had_last_turn) {
        fprintf(stderr, "mpi_exchange.c: nothing moved in the last turn\n");
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

size_t torc_exchange_turn_bytes(const torc_exchange *exchange)
{
    (void)exchange;
    return TURN_BYTES;
}

torc_status torc_exchange_move(
    torc_exchange *exchange, int turn, const torc_exchange_piece *pieces, int count)
{
    one_move *move = &exchange->moves[turn];
    exchange->polls = move->count = 0;
    moves++;
    had_last_turn = had_last_turn || turn == TORC_EXCHANGE_TURNS - 1;
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
