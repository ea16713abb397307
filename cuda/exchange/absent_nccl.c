/* absent_nccl.c: nccl_exchange.c in a build without NCCL: there is no way from device to device between
 * processes. */
#include "cuda_device.h"

static torc_status refuse(torc_device *device)
{
    torc_device_note(device, "NCCL", "this build has none");
    return TORC_UNSUPPORTED;
}

torc_status torc_cuda_exchange_identity(torc_exchange_identity *identity, torc_device *device)
{
    (void)identity;
    return refuse(device);
}

torc_status torc_cuda_exchange_unique_id(torc_exchange_unique_id *id, torc_device *device)
{
    (void)id;
    return refuse(device);
}

torc_status torc_cuda_exchange_open(torc_device_exchange **exchange, torc_device *device,
    const torc_exchange_unique_id *id, int number, int count)
{
    (void)id, (void)number, (void)count;
    *exchange = NULL;
    return refuse(device);
}

void torc_cuda_exchange_close(torc_device *device, torc_device_exchange *exchange, bool aborts)
{
    (void)device, (void)exchange, (void)aborts;
}

torc_status torc_cuda_exchange_progress(
    torc_exchange_stage *stage, torc_device *device, torc_device_exchange *exchange)
{
    (void)stage, (void)exchange;
    return refuse(device);
}

torc_status torc_cuda_exchange_move(torc_device *device, torc_device_exchange *exchange, int turn,
    const torc_exchange_piece *pieces, int count)
{
    (void)exchange, (void)turn, (void)pieces, (void)count;
    return refuse(device);
}

torc_status torc_cuda_exchange_await(torc_device *device, torc_device_exchange *exchange, int turn)
{
    (void)exchange, (void)turn;
    return refuse(device);
}
