/* nccl_exchange.c: content from device to device between processes, by NCCL.
 *
 * Pieces travel on the stream of work, so that they are in order with it, and nobody waits. The communicator
 * does not block: what NCCL has to do on the host, first of all to connect, goes on in a thread of its own,
 * and is asked for. So a process always hears of the others' failures, and aborts.
 */
#include "cuda_device.h"
#include "nccl_library.h"
#include <stdlib.h>
#include <string.h>

struct torc_device_exchange {
    ncclComm_t communicator;
};

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

torc_status torc_cuda_exchange_party(torc_exchange_party *party, torc_device *device)
{
    const torc_nccl *nccl;
    struct cudaDeviceProp properties;
    int version = 0;
    TORC_ENTER(device);
    TORC_TRY(find_nccl(&nccl, device));
    TORC_TRY(check(device, nccl->version(&version), NULL, "ncclGetVersion"));
    TORC_TRY_CUDA(device, cudaGetDeviceProperties(&properties, device->ordinal));
    memcpy(party->device, &properties.uuid, sizeof party->device);
    party->version = version;
    return TORC_SUCCESS;
}

torc_status torc_cuda_exchange_token(torc_exchange_token *token, torc_device *device)
{
    const torc_nccl *nccl;
    ncclUniqueId id;
    _Static_assert(sizeof id == sizeof token->bytes, "a token is NCCL's");
    TORC_ENTER(device);
    TORC_TRY(find_nccl(&nccl, device));
    TORC_TRY(check(device, nccl->unique_id(&id), NULL, "ncclGetUniqueId"));
    memcpy(token->bytes, &id, sizeof id);
    return TORC_SUCCESS;
}

torc_status torc_cuda_exchange_open(torc_device_exchange **exchange, torc_device *device,
    const torc_exchange_token *token, int number, int count)
{
    const torc_nccl *nccl;
    ncclUniqueId id;
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    TORC_ENTER(device);
    TORC_TRY(find_nccl(&nccl, device));
    torc_device_exchange *opened = calloc(1, sizeof *opened);
    if (!opened) {
        return TORC_OUT_OF_MEMORY;
    }
    config.blocking = 0;
    memcpy(&id, token->bytes, sizeof id);
    ncclResult_t result = nccl->open(&opened->communicator, count, id, number, &config);
    torc_status status = check(device, result, NULL, "ncclCommInitRankConfig");
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
        cudaStreamSynchronize(device->stream);
        torc_nccl_get()->destroy(exchange->communicator);
    }
    cudaGetLastError(); /* else the next, unrelated check would find it */
    free(exchange);
}

torc_status torc_cuda_exchange_progress(
    torc_exchange_stage *stage, torc_device *device, torc_device_exchange *exchange)
{
    ncclResult_t result = ncclSuccess;
    ncclComm_t communicator = exchange->communicator;
    TORC_ENTER(device);
    TORC_TRY(check(
        device, torc_nccl_get()->async_error(communicator, &result), communicator, "ncclCommGetAsyncError"));
    TORC_TRY(check(device, result, communicator, "NCCL"));
    *stage = TORC_EXCHANGE_PENDING;
    if (result == ncclInProgress) {
        return TORC_SUCCESS;
    }
    cudaError_t work = cudaStreamQuery(device->stream);
    *stage = work == cudaErrorNotReady ? TORC_EXCHANGE_QUEUED : TORC_EXCHANGE_DONE;
    return torc_device_check(device, work == cudaErrorNotReady ? cudaSuccess : work, "cudaStreamQuery");
}

/* Begun groups end, whatever fails in them. */
torc_status torc_cuda_exchange_move(
    torc_device *device, torc_device_exchange *exchange, const torc_exchange_piece *pieces, int count)
{
    const torc_nccl *nccl = torc_nccl_get();
    ncclComm_t communicator = exchange->communicator;
    TORC_ENTER(device);
    TORC_TRY(check(device, nccl->group_start(), communicator, "ncclGroupStart"));
    ncclResult_t result = ncclSuccess;
    for (int i = 0; i < count && is_under_way(result); i++) {
        const torc_exchange_piece *p = &pieces[i];
        result = p->is_sent
                     ? nccl->send(p->memory, p->size, ncclUint8, p->other, communicator, device->stream)
                     : nccl->receive(p->memory, p->size, ncclUint8, p->other, communicator, device->stream);
    }
    ncclResult_t ended = nccl->group_end();
    TORC_TRY(check(device, result, communicator, "ncclSend, ncclRecv"));
    return check(device, ended, communicator, "ncclGroupEnd");
}
