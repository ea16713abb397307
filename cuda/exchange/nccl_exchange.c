/* nccl_exchange.c: content from device to device between processes, by NCCL.
 *
 * Pieces travel on a stream of the exchange's own, which waits for the work before them. A move is a group of
 * NCCL's, one kernel for each process, and an event behind it that work may wait for; nobody waits on the
 * host. The communicator does not block: what NCCL has to do on the host, first of all to connect, goes on in
 * a thread of its own, and is asked for. So a process always hears of the others' failures, and aborts. A
 * group may be on the stream only when NCCL says so: the event is put behind it then, by progress.
 */
#include "device_exchange.h"
#include "nccl_library.h"
#include <stdlib.h>
#include <string.h>

enum { NO_TURN = -1 };

static torc_status find_nccl(const torc_nccl **nccl, torc_device *device)
{
    *nccl = torc_nccl_get();
    if (!*nccl) {
        torc_device_note(device, "NCCL", "its library was not found");
    }
    return *nccl ? TORC_SUCCESS : TORC_UNSUPPORTED;
}

static bool is_under_way(ncclResult_t result)
{
    return result == ncclSuccess || result == ncclInProgress;
}

/* Turn a result of NCCL into a status, and keep its text. */
static torc_status check(torc_device *device, ncclResult_t result, ncclComm_t communicator, const char *call)
{
    if (is_under_way(result)) {
        return TORC_SUCCESS;
    }
    cudaGetLastError(); /* else the next, unrelated check would find it */
    const char *text = torc_nccl_get()->last_error(communicator);
    torc_device_note(device, call, text && *text ? text : torc_nccl_get()->error_string(result));
    return TORC_DEVICE_ERROR;
}

torc_status torc_cuda_exchange_identity(torc_exchange_identity *identity, torc_device *device)
{
    const torc_nccl *nccl;
    struct cudaDeviceProp properties;
    int version = 0;
    TORC_ENTER(device);
    TORC_TRY(find_nccl(&nccl, device));
    TORC_TRY(check(device, nccl->version(&version), NULL, "ncclGetVersion"));
    TORC_TRY_CUDA(device, cudaGetDeviceProperties(&properties, device->ordinal));
    memcpy(identity->device, &properties.uuid, sizeof identity->device);
    identity->version = version;
    return TORC_SUCCESS;
}

torc_status torc_cuda_exchange_unique_id(torc_exchange_unique_id *id, torc_device *device)
{
    const torc_nccl *nccl;
    ncclUniqueId nccl_id;
    _Static_assert(sizeof nccl_id == sizeof id->bytes, "an id is NCCL's");
    TORC_ENTER(device);
    TORC_TRY(find_nccl(&nccl, device));
    TORC_TRY(check(device, nccl->unique_id(&nccl_id), NULL, "ncclGetUniqueId"));
    memcpy(id->bytes, &nccl_id, sizeof nccl_id);
    return TORC_SUCCESS;
}

/* Like other traffic, its kernels find room beside a multiplication. */
static torc_status make_stream(torc_device_exchange *exchange, torc_device *device)
{
    int least, greatest;
    TORC_TRY_CUDA(device, cudaDeviceGetStreamPriorityRange(&least, &greatest));
    TORC_TRY_CUDA(device, cudaStreamCreateWithPriority(&exchange->stream, cudaStreamNonBlocking, greatest));
    return torc_device_events_make(&exchange->own, device);
}

/* What was made, be it all or not. */
static void destroy(torc_device_exchange *exchange)
{
    if (exchange->stream) {
        cudaStreamDestroy(exchange->stream);
    }
    torc_device_events_destroy(&exchange->own);
    for (int i = 0; exchange->others && i < exchange->count; i++) {
        torc_device_events_destroy(&exchange->others[i]);
    }
    free(exchange->others);
    free(exchange);
}

torc_status torc_cuda_exchange_open(torc_device_exchange **exchange, torc_device *device,
    const torc_exchange_unique_id *id, int number, int count)
{
    const torc_nccl *nccl;
    ncclUniqueId nccl_id;
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    TORC_ENTER(device);
    TORC_TRY(find_nccl(&nccl, device));
    torc_device_exchange *opened = calloc(1, sizeof *opened);
    if (!opened) {
        return TORC_OUT_OF_MEMORY;
    }
    opened->count = count;
    opened->turn = NO_TURN;
    opened->others = calloc((size_t)(unsigned)count, sizeof *opened->others);
    config.blocking = 0;
    memcpy(&nccl_id, id->bytes, sizeof nccl_id);
    torc_status status = opened->others ? make_stream(opened, device) : TORC_OUT_OF_MEMORY;
    if (status == TORC_SUCCESS) {
        ncclResult_t result = nccl->open(&opened->communicator, count, nccl_id, number, &config);
        status = check(device, result, NULL, "ncclCommInitRankConfig");
    }
    if (status != TORC_SUCCESS) {
        torc_cuda_exchange_close(device, opened, true);
        return status;
    }
    *exchange = opened;
    return TORC_SUCCESS;
}

void torc_cuda_exchange_close(torc_device *device, torc_device_exchange *exchange, bool aborts)
{
    torc_device_check(device, cudaSetDevice(device->ordinal), "cudaSetDevice");
    if (exchange->communicator && aborts) {
        torc_nccl_get()->abort(exchange->communicator);
    } else if (exchange->communicator) {
        cudaStreamSynchronize(exchange->stream);
        cudaStreamSynchronize(device->stream);
        torc_nccl_get()->destroy(exchange->communicator);
    }
    destroy(exchange);
    cudaGetLastError(); /* else the next, unrelated check would find it */
}

/* Hand a group of pieces to NCCL. It ends, whatever fails in it. */
static torc_status begin_group(
    torc_device *device, torc_device_exchange *exchange, const torc_exchange_piece *pieces, int count)
{
    const torc_nccl *nccl = torc_nccl_get();
    ncclComm_t communicator = exchange->communicator;
    cudaStream_t stream = exchange->stream;
    TORC_TRY(check(device, nccl->group_start(), communicator, "ncclGroupStart"));
    ncclResult_t result = ncclSuccess;
    for (const torc_exchange_piece *p = pieces; p < pieces + count && is_under_way(result); p++) {
        result = p->is_sent ? nccl->send(p->memory, p->size, ncclUint8, p->other, communicator, stream)
                            : nccl->receive(p->memory, p->size, ncclUint8, p->other, communicator, stream);
    }
    ncclResult_t ended = nccl->group_end();
    TORC_TRY(check(device, result, communicator, "ncclSend, ncclRecv"));
    return check(device, ended, communicator, "ncclGroupEnd");
}

/* Is all work on the stream done? */
static torc_status look(bool *is_done, torc_device *device, cudaStream_t stream)
{
    cudaError_t work = cudaStreamQuery(stream);
    *is_done = work == cudaSuccess;
    return torc_device_check(device, work == cudaErrorNotReady ? cudaSuccess : work, "cudaStreamQuery");
}

torc_status torc_cuda_exchange_progress(
    torc_exchange_stage *stage, torc_device *device, torc_device_exchange *exchange)
{
    ncclResult_t result = ncclSuccess;
    ncclComm_t communicator = exchange->communicator;
    bool has_travelled, is_done;
    TORC_ENTER(device);
    TORC_TRY(check(
        device, torc_nccl_get()->async_error(communicator, &result), communicator, "ncclCommGetAsyncError"));
    TORC_TRY(check(device, result, communicator, "NCCL"));
    *stage = TORC_EXCHANGE_PENDING;
    if (result == ncclInProgress) {
        return TORC_SUCCESS;
    }
    if (exchange->turn != NO_TURN) {
        TORC_TRY_CUDA(device, cudaEventRecord(exchange->own.done[exchange->turn], exchange->stream));
        exchange->turn = NO_TURN;
    }
    TORC_TRY(look(&has_travelled, device, exchange->stream));
    TORC_TRY(look(&is_done, device, device->stream));
    *stage = has_travelled && is_done ? TORC_EXCHANGE_DONE : TORC_EXCHANGE_QUEUED;
    return TORC_SUCCESS;
}

torc_status torc_cuda_exchange_move(torc_device *device, torc_device_exchange *exchange, int turn,
    const torc_exchange_piece *pieces, int count)
{
    TORC_ENTER(device);
    TORC_TRY_CUDA(device, cudaEventRecord(exchange->own.begun, device->stream));
    TORC_TRY_CUDA(device, cudaStreamWaitEvent(exchange->stream, exchange->own.begun, 0));
    exchange->turn = turn;
    exchange->is_written[turn] = false;
    return begin_group(device, exchange, pieces, count);
}

torc_status torc_cuda_exchange_await(torc_device *device, torc_device_exchange *exchange, int turn)
{
    TORC_ENTER(device);
    TORC_TRY_CUDA(device, cudaStreamWaitEvent(device->stream, exchange->own.done[turn], 0));
    return exchange->is_written[turn] ? torc_device_await_others(device, exchange, turn) : TORC_SUCCESS;
}
