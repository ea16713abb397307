/* exchange.h: content from device to device between processes that have one device each: by NCCL, where
 * libnccl is found at run time. libtorc_ranks is made of it; processes that something other than MPI starts
 * may use it themselves.
 *
 *     each   torc_exchange_party_of; tell it to all. All need one: of different devices, of one version
 *     one    torc_exchange_make_token; tell it to all
 *     each   torc_exchange_create, then torc_exchange_progress until it is queued
 *     each   torc_exchange_move, then torc_exchange_progress until it is queued, then torc_exchange_await
 *            before the work that needs what was moved; again and again
 *
 * Devices of one host may also write to each other's memory, where that memory was made for it. Each byte is
 * read once and written once then, while NCCL keeps it in buffers on its way:
 *
 *     each   torc_exchange_signals_of; tell it to all; torc_exchange_heed of each other's
 *     each   torc_exchange_allocate; tell the key to all; torc_exchange_map of each other's
 *     each   torc_exchange_ready; tell all; torc_exchange_write, also of nothing; tell all;
 *            torc_exchange_await before the work that needs what the others wrote; again and again
 *
 * No function waits for another process. Progress is asked for in a loop in which processes also hear of each
 * other's failures: where one has failed, all destroy the exchange, and no device goes on waiting; but for
 * what a device that is lost was to write, until its process ends.
 *
 * Statuses and threads are as in torc.h. A function that fails leaves its text to torc_context_error.
 */
#ifndef TORC_EXCHANGE_H
#define TORC_EXCHANGE_H

#include <torc/torc.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct torc_exchange torc_exchange;

/* What a process tells all others. Plain bytes. */
typedef struct torc_exchange_party {
    uint8_t device[16]; /* no two processes may have the same */
    int64_t version;    /* of the library that moves content: all have the same */
} torc_exchange_party;

typedef struct torc_exchange_token {
    char bytes[128];
} torc_exchange_token;

/** @retval TORC_UNSUPPORTED  the context's device has no such way: the reference executor, a build without
 * NCCL, or no libnccl here. */
TORC_API torc_status torc_exchange_party_of(torc_exchange_party *party, torc_context *context);

/** A token for one exchange. @retval TORC_UNSUPPORTED  as torc_exchange_party_of. */
TORC_API torc_status torc_exchange_make_token(torc_exchange_token *token, torc_context *context);

/** Begin an exchange of `count` processes, of which this is `number`, with the same token. The context must
 *  outlive it.
 *  @retval TORC_UNSUPPORTED    as torc_exchange_party_of.
 *  @retval TORC_INVALID_VALUE  `number` is not one of 0 to count - 1.
 *  On error *exchange is NULL. */
TORC_API torc_status torc_exchange_create(
    torc_exchange **exchange, torc_context *context, const torc_exchange_token *token, int number, int count);

/** NULL is allowed. Before torc_context_destroy of its context.
 *  @param[in] aborts  what is under way ends at once, with undefined content, and nobody is waited for. Else
 *                     waits for it, and all processes destroy it. */
TORC_API void torc_exchange_destroy(torc_exchange *exchange, bool aborts);

/* How far what was asked of an exchange is. */
typedef enum torc_exchange_stage {
    TORC_EXCHANGE_PENDING, /* not on the device yet: nothing else may be asked of it */
    TORC_EXCHANGE_QUEUED,  /* on the device, all of it */
    TORC_EXCHANGE_DONE,    /* it is done, and so is all work that is queued on the context */
} torc_exchange_stage;

/** How far it is, without waiting. @retval TORC_DEVICE_ERROR  it failed, or another process did. */
TORC_API torc_status torc_exchange_progress(torc_exchange_stage *stage, torc_exchange *exchange);

enum { TORC_EXCHANGE_TURNS = 8 };

/* What goes to another process, or comes from it. */
typedef struct torc_exchange_piece {
    int other;
    bool is_sent;
    void *memory; /* device memory; is read only if it is sent */
    size_t size;  /* bytes, as many as the other process says */
} torc_exchange_piece;

/** So many bytes that a process receives, moved or written, are worth a turn of their own: fewer cost more
 * than is gained by work that need not wait for them. Of the way alone, so all processes of an exchange have
 * the same. NULL: 0. */
TORC_API size_t torc_exchange_turn_bytes(const torc_exchange *exchange, bool are_written);

/** Send and receive pieces, all at once: after the moves before it and all work that is queued on the
 * context, and beside work that will be.
 *  @param[in] turn    below TORC_EXCHANGE_TURNS: what torc_exchange_await calls this move, until the next one
 *                     of the same turn. The same for all processes.
 *  @param[in] pieces  what goes from one process to another is in the same order on both. Pieces that are
 *                     received overlap no others.
 *  @retval TORC_INVALID_VALUE  there is no such turn. */
TORC_API torc_status torc_exchange_move(
    torc_exchange *exchange, int turn, const torc_exchange_piece *pieces, int count);

/** Work that will be queued on the context waits for the last move of that turn; or, if this process wrote in
 *  it since, for what all wrote. No work before that touches what is received or changes what is sent, and
 *  torc_context_wait does not wait for it.
 *  @retval TORC_INVALID_VALUE  there is no such turn. */
TORC_API torc_status torc_exchange_await(torc_exchange *exchange, int turn);

/* What a process tells all others, so that their devices see how far its own is; and of its memory, so that
 * they write to it. Plain bytes. */
typedef struct torc_exchange_signals {
    char bytes[64 * (1 + TORC_EXCHANGE_TURNS)];
} torc_exchange_signals;

typedef struct torc_exchange_key {
    char bytes[64];
} torc_exchange_key;

/** @retval TORC_DEVICE_ERROR  the device shows no other process how far it is. */
TORC_API torc_status torc_exchange_signals_of(torc_exchange_signals *signals, torc_exchange *exchange);

/** Once for each other process.
 *  @retval TORC_INVALID_VALUE  there is no such process, or it is this one.
 *  @retval TORC_DEVICE_ERROR   it is on another host. */
TORC_API torc_status torc_exchange_heed(
    torc_exchange *exchange, int other, const torc_exchange_signals *signals);

/** Memory that others write to. torc_memory_release releases it, once no process maps it.
 *  @param[in] size  0: NULL, and a key of nothing.
 *  @retval TORC_UNSUPPORTED  as torc_exchange_party_of. */
TORC_API torc_status torc_exchange_allocate(
    void **memory, torc_exchange_key *key, torc_context *context, size_t size);

/** That memory, as this process's device writes to it: no function takes it but torc_exchange_write.
 *  @retval TORC_DEVICE_ERROR  the two devices do not reach each other. On error *mapped is NULL. */
TORC_API torc_status torc_exchange_map(void **mapped, torc_context *context, const torc_exchange_key *key);

/** After all that this process wrote there is done. NULL is allowed. */
TORC_API void torc_exchange_unmap(torc_context *context, void *mapped);

/** Others may write once all work is done that is queued on the context now. */
TORC_API torc_status torc_exchange_ready(torc_exchange *exchange);

/* Rows, from one to the next so many bytes, and where they go in memory of another process. */
typedef struct torc_exchange_rows {
    int other;
    void *to; /* in what this process mapped */
    size_t to_pitch;
    const void *from; /* device memory */
    size_t from_pitch;
    size_t width; /* bytes of a row that go */
    int64_t count;
    const uint64_t *list; /* device memory: the numbers of the rows that go, `count` of them */
} torc_exchange_rows;

/** Write rows, after what each process was ready after, and beside work that will be queued.
 *  @param[in] turn  as in torc_exchange_move. The same for all processes.
 *  @param[in] rows  whose places overlap no others.
 *  @retval TORC_INVALID_VALUE  there is no such turn. */
TORC_API torc_status torc_exchange_write(
    torc_exchange *exchange, int turn, const torc_exchange_rows *rows, int count);

#ifdef __cplusplus
}
#endif

#endif
