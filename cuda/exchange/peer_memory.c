/* peer_memory.c: memory of this process that other processes' devices write to, through NVLink or the bus, by
 * CUDA's interprocess communication.
 *
 *     ready     begun is recorded behind the work that touches this process's memory
 *     write     waits for begun of all, writes on the exchange's stream, records done of the turn
 *     await     work waits for done of all
 *
 * A device waits for what an event was last recorded behind: so processes tell each other when they have
 * recorded one, and it is not recorded again before the others have queued what waits for it.
 */
#include "device_exchange.h"
#include <string.h>

enum { EVENTS = 1 + TORC_EXCHANGE_TURNS };

static cudaEvent_t *event(torc_device_events *events, int number)
{
    return number == 0 ? &events->begun : &events->done[number - 1];
}

torc_status torc_device_events_make(torc_device_events *events, torc_device *device)
{
    for (int i = 0; i < EVENTS; i++) {
        TORC_TRY_CUDA(device,
            cudaEventCreateWithFlags(event(events, i), cudaEventDisableTiming | cudaEventInterprocess));
    }
    return TORC_SUCCESS;
}

void torc_device_events_destroy(torc_device_events *events)
{
    for (int i = 0; i < EVENTS; i++) {
        if (*event(events, i)) {
            cudaEventDestroy(*event(events, i));
        }
    }
}

torc_status torc_cuda_exchange_export_events(
    torc_exchange_events *events, torc_device *device, torc_device_exchange *exchange)
{
    cudaIpcEventHandle_t handles[EVENTS];
    _Static_assert(sizeof handles == sizeof events->bytes, "events are handles of events");
    TORC_ENTER(device);
    for (int i = 0; i < EVENTS; i++) {
        TORC_TRY_CUDA(device, cudaIpcGetEventHandle(&handles[i], *event(&exchange->own, i)));
    }
    memcpy(events->bytes, handles, sizeof handles);
    return TORC_SUCCESS;
}

torc_status torc_cuda_exchange_import_events(
    torc_device *device, torc_device_exchange *exchange, int other, const torc_exchange_events *events)
{
    cudaIpcEventHandle_t handles[EVENTS];
    TORC_ENTER(device);
    memcpy(handles, events->bytes, sizeof handles);
    for (int i = 0; i < EVENTS; i++) {
        TORC_TRY_CUDA(device, cudaIpcOpenEventHandle(event(&exchange->others[other], i), handles[i]));
    }
    return TORC_SUCCESS;
}

torc_status torc_cuda_exchange_map(
    void **mapped, torc_device *device, const torc_exchange_memory_handle *handle)
{
    cudaIpcMemHandle_t of_cuda;
    TORC_ENTER(device);
    memcpy(&of_cuda, handle->bytes, sizeof of_cuda);
    TORC_TRY_CUDA(device, cudaIpcOpenMemHandle(mapped, of_cuda, cudaIpcMemLazyEnablePeerAccess));
    return TORC_SUCCESS;
}

void torc_cuda_exchange_unmap(torc_device *device, void *mapped)
{
    torc_device_check(device, cudaSetDevice(device->ordinal), "cudaSetDevice");
    torc_device_check(device, cudaIpcCloseMemHandle(mapped), "cudaIpcCloseMemHandle");
}

torc_status torc_cuda_exchange_ready(torc_device *device, torc_device_exchange *exchange)
{
    TORC_ENTER(device);
    TORC_TRY_CUDA(device, cudaEventRecord(exchange->own.begun, device->stream));
    return TORC_SUCCESS;
}

static torc_status wait_for(torc_device *device, cudaStream_t stream, cudaEvent_t signal)
{
    return signal ? torc_device_check(device, cudaStreamWaitEvent(stream, signal, 0), "cudaStreamWaitEvent")
                  : TORC_SUCCESS;
}

torc_status torc_cuda_exchange_write(
    torc_device *device, torc_device_exchange *exchange, int turn, const torc_exchange_rows *rows, int count)
{
    TORC_ENTER(device);
    TORC_TRY(wait_for(device, exchange->stream, exchange->own.begun));
    for (int i = 0; i < exchange->count; i++) {
        TORC_TRY(wait_for(device, exchange->stream, exchange->others[i].begun));
    }
    for (const torc_exchange_rows *r = rows; r < rows + count; r++) {
        TORC_TRY(torc_device_write_rows(device, r, exchange->stream));
    }
    TORC_TRY_CUDA(device, cudaEventRecord(exchange->own.done[turn], exchange->stream));
    exchange->is_written[turn] = true;
    return TORC_SUCCESS;
}

torc_status torc_device_await_others(torc_device *device, const torc_device_exchange *exchange, int turn)
{
    for (int i = 0; i < exchange->count; i++) {
        TORC_TRY(wait_for(device, device->stream, exchange->others[i].done[turn]));
    }
    return TORC_SUCCESS;
}
