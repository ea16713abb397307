/* exchange.h: content from device to device between processes that have one device each: by NCCL, where
 * libnccl is found at run time. libtorc_ranks is made of it; processes that something other than MPI starts
 * may use it themselves.
 *
 *     each   torc_exchange_identify; tell it to all. All need one: of different devices, of one version
 *     one    torc_exchange_make_unique_id; tell it to all
 *     each   torc_exchange_create, then torc_exchange_progress until it is queued
 *     each   torc_exchange_move, then torc_exchange_progress until it is queued, then torc_exchange_await
 *            before the work that needs what was moved; again and again
 *
 * Devices of one host may also write to each other's memory, where that memory was made for it. Each byte is
 * read once and written once then, while NCCL keeps it in buffers on its way:
 *
 *     each   torc_exchange_export_events; tell it to all; torc_exchange_import_events of each other's
 *     each   torc_exchange_allocate; tell the handle to all; torc_exchange_map of each other's
 *     each   torc_exchange_ready; tell all; torc_exchange_write, also of nothing; tell all;
 *            torc_exchange_await before the work that needs what the others wrote; again and again
 *
 * No function waits for another process. Progress is asked for in a loop in which processes also hear of each
 * other's failures: where one has failed, all destroy the exchange, and no device goes on waiting; but for
 * what a device that is lost was to write, until its process ends.
 *
 * An exchange belongs to its context: statuses, threads and the order of work are as in torc.h. Functions
 * queue their work and return. A function that fails leaves its text to torc_context_error. Structs and host
 * arrays have been read on return, and may be reused. Numbers of processes in pieces and rows are trusted.
 */
#ifndef TORC_EXCHANGE_H
#define TORC_EXCHANGE_H

#include <torc/torc.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct torc_exchange torc_exchange;

/* What a process tells all others. Plain bytes. */
typedef struct torc_exchange_identity {
    uint8_t device[16]; /* no two processes may have the same */
    int64_t version;    /* of the library that moves content: all have the same */
} torc_exchange_identity;

typedef struct torc_exchange_unique_id {
    char bytes[128];
} torc_exchange_unique_id;

/** Say which device this process has, and which version of NCCL. What all have told each other shows whether
 *  they can have an exchange: all devices differ, and all versions are the same.
 *  @retval TORC_UNSUPPORTED  the context's device has no such way: the reference executor, several devices as
 *                            one, a build without NCCL, or no libnccl here.
 *  On error *identity is all zeros. */
TORC_API torc_status torc_exchange_identify(torc_exchange_identity *identity, torc_context *context);

/** Make an id for one exchange: one process does, and tells it to all.
 *  @retval TORC_UNSUPPORTED  as torc_exchange_identify. *id is unchanged. */
TORC_API torc_status torc_exchange_make_unique_id(torc_exchange_unique_id *id, torc_context *context);

/** Begin an exchange of `count` processes, of which this is `number`, with the same id. All processes call
 *  it; it does not wait for them: torc_exchange_progress says when it has begun. The context must outlive it.
 *  @retval TORC_UNSUPPORTED    as torc_exchange_identify.
 *  @retval TORC_INVALID_VALUE  `number` is not one of 0 to count - 1.
 *  @retval TORC_DEVICE_ERROR   NCCL refuses.
 *  On error *exchange is NULL. */
TORC_API torc_status torc_exchange_create(torc_exchange **exchange, torc_context *context,
    const torc_exchange_unique_id *id, int number, int count);

/** End an exchange. NULL is allowed. Before torc_context_destroy of its context.
 *  @param[in] aborts  true: what is under way ends at once, with undefined content, and nobody is waited for.
 *                     false: waits for what is under way, on this device and in its queue. All processes do
 * the same, when torc_exchange_progress has said TORC_EXCHANGE_DONE to all. */
TORC_API void torc_exchange_destroy(torc_exchange *exchange, bool aborts);

/* How far an exchange is with the last thing that was asked of it. */
typedef enum torc_exchange_stage {
    TORC_EXCHANGE_PENDING, /* not on the device yet: call torc_exchange_progress or _destroy, nothing else */
    TORC_EXCHANGE_QUEUED,  /* on the device, all of it */
    TORC_EXCHANGE_DONE,    /* it is done, and so is all work that is queued on the context */
} torc_exchange_stage;

/** Ask how far an exchange is, without waiting. After torc_exchange_create and torc_exchange_move it has to
 * be asked until it is queued: only then is the move on the device.
 *  @param[out] stage  TORC_EXCHANGE_PENDING on error.
 *  @retval TORC_DEVICE_ERROR  it failed, or another process did: destroy it with `aborts`. */
TORC_API torc_status torc_exchange_progress(torc_exchange_stage *stage, torc_exchange *exchange);

enum { TORC_EXCHANGE_TURNS = 8 };

/* What goes to another process, or comes from it. */
typedef struct torc_exchange_piece {
    int other;
    bool is_sent;
    void *memory; /* device memory; is only read if it is sent */
    size_t size;  /* bytes, as many as the other process says */
} torc_exchange_piece;

/** The fewest bytes that are worth a turn of their own where a process receives them: with fewer, a turn
 * costs more than is gained by work that need not wait for the rest.
 *  @param[in] are_written  they come by torc_exchange_write; else by torc_exchange_move.
 *  The same for all processes of an exchange, as it follows from the way alone. 0 for NULL. */
TORC_API size_t torc_exchange_turn_bytes(const torc_exchange *exchange, bool are_written);

/** Send and receive pieces, all at once: after the moves before it and all work that is queued on the
 * context, and beside work that will be. torc_exchange_progress has to say that it is queued before anything
 * else is asked of the exchange. Work that is queued after torc_exchange_await of this turn may change and
 * release the memory of pieces; nothing else may, before TORC_EXCHANGE_DONE. count 0 does nothing: the turn
 * still means the move before.
 *  @param[in] turn    below TORC_EXCHANGE_TURNS: what torc_exchange_await calls this move, until the next one
 *                     of the same turn. The same for all processes.
 *  @param[in] pieces  what goes from one process to another is in the same order on both. Pieces that are
 *                     received overlap no others.
 *  @retval TORC_INVALID_VALUE  there is no such turn: nothing is moved.
 *  @retval TORC_DEVICE_ERROR   NCCL or the device failed: what is received is undefined. */
TORC_API torc_status torc_exchange_move(
    torc_exchange *exchange, int turn, const torc_exchange_piece *pieces, int count);

/** Have work that will be queued on the context wait for the last move of that turn; or, if this process
 * wrote in it since, for what all wrote. Before this call, queue no work that touches received memory or
 * changes sent memory. torc_context_wait waits for a move or a write only after this call. Does not wait
 * itself.
 *  @retval TORC_INVALID_VALUE  there is no such turn. */
TORC_API torc_status torc_exchange_await(torc_exchange *exchange, int turn);

/* What a process tells all others, so that their devices see how far its own is; and of its memory, so that
 * they write to it. Plain bytes. */
typedef struct torc_exchange_events {
    char bytes[64 * (1 + TORC_EXCHANGE_TURNS)];
} torc_exchange_events;

typedef struct torc_exchange_memory_handle {
    char bytes[64];
} torc_exchange_memory_handle;

/** Export the events of this exchange's device, so that devices of other processes can wait for it. Before
 * the first write. They are valid until the exchange is destroyed.
 *  @retval TORC_DEVICE_ERROR  the device cannot export them. *events is unchanged. */
TORC_API torc_status torc_exchange_export_events(torc_exchange_events *events, torc_exchange *exchange);

/** Import the events of process `other`, so that this device can wait for its device. Once for each other
 *  process, before the first write.
 *  @retval TORC_INVALID_VALUE  there is no such process, or it is this one.
 *  @retval TORC_DEVICE_ERROR   it is on another host. */
TORC_API torc_status torc_exchange_import_events(
    torc_exchange *exchange, int other, const torc_exchange_events *events);

/** Allocate device memory that others write to, its content undefined. All functions take it, as they take
 * that of torc_memory_allocate. torc_memory_release releases it, once no process maps it, and may wait.
 *  @param[out] handle   what the other processes map it by. Plain bytes.
 *  @param[in]  size  0: NULL, and a handle that is not to be mapped.
 *  @retval TORC_UNSUPPORTED    as torc_exchange_identify.
 *  @retval TORC_OUT_OF_MEMORY  the device or the context's limit.
 *  On error *memory is NULL, and *handle undefined. */
TORC_API torc_status torc_exchange_allocate(
    void **memory, torc_exchange_memory_handle *handle, torc_context *context, size_t size);

/** Map memory of another process, so that this device can write to it: no function takes it but
 *  torc_exchange_write, and torc_exchange_unmap. That process releases it only after it was unmapped.
 *  @retval TORC_UNSUPPORTED   as torc_exchange_identify.
 *  @retval TORC_DEVICE_ERROR  the two devices do not reach each other.
 *  On error *mapped is NULL. */
TORC_API torc_status torc_exchange_map(
    void **mapped, torc_context *context, const torc_exchange_memory_handle *handle);

/** Undo torc_exchange_map, after all that this process wrote there is done. NULL is allowed. */
TORC_API void torc_exchange_unmap(torc_context *context, void *mapped);

/** Declare this process's memory ready to be written to, once all work is done that is queued on the context
 *  now. Tell the others after this call; they write after they have heard. Call it again only when all have
 * told that they called torc_exchange_write. */
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

/** Write rows to memory of other processes: after the work that each process declared ready after, and beside
 * work that will be queued. All processes call it, with no rows too, and tell the others after it; then each
 * calls torc_exchange_await. The same turn is written again only when all have called that. Work that is
 * queued after torc_exchange_await of this turn may change and release `from` and `list`; nothing else may,
 * before TORC_EXCHANGE_DONE.
 *  @param[in] turn  as in torc_exchange_move. The same for all processes.
 *  @param[in] rows  whose places overlap no others.
 *  @retval TORC_INVALID_VALUE  there is no such turn: nothing is written.
 *  @retval TORC_DEVICE_ERROR   what was to be written is undefined. */
TORC_API torc_status torc_exchange_write(
    torc_exchange *exchange, int turn, const torc_exchange_rows *rows, int count);

#ifdef __cplusplus
}
#endif

#endif
