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
 * No function waits for another process. Progress is asked for in a loop in which processes also hear of each
 * other's failures: where one has failed, all destroy the exchange, and no device goes on waiting.
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

enum { TORC_EXCHANGE_TURNS = 4 };

/* What goes to another process, or comes from it. */
typedef struct torc_exchange_piece {
    int other;
    bool is_sent;
    void *memory; /* device memory; is read only if it is sent */
    size_t size;  /* bytes, as many as the other process says */
} torc_exchange_piece;

/** So many bytes that a process receives are worth a turn of their own: fewer cost more than is gained by
 * work that need not wait for them. Of the way alone, so all processes of an exchange have the same. NULL: 0.
 */
TORC_API size_t torc_exchange_turn_bytes(const torc_exchange *exchange);

/** Send and receive pieces, all at once: after the moves before it and all work that is queued on the
 * context, and beside work that will be.
 *  @param[in] turn    below TORC_EXCHANGE_TURNS: what torc_exchange_await calls this move, until the next one
 *                     of the same turn. The same for all processes.
 *  @param[in] pieces  what goes from one process to another is in the same order on both. Pieces that are
 *                     received overlap no others.
 *  @retval TORC_INVALID_VALUE  there is no such turn. */
TORC_API torc_status torc_exchange_move(
    torc_exchange *exchange, int turn, const torc_exchange_piece *pieces, int count);

/** Work that will be queued on the context waits for the last move of that turn. No work before that touches
 *  what is received or changes what is sent, and torc_context_wait does not wait for it.
 *  @retval TORC_INVALID_VALUE  there is no such turn. */
TORC_API torc_status torc_exchange_await(torc_exchange *exchange, int turn);

#ifdef __cplusplus
}
#endif

#endif
