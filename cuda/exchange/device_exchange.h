/* device_exchange.h: an exchange between processes, as its two ways have it: NCCL's, and memory that devices
 * write to. */
#ifndef TORC_DEVICE_EXCHANGE_H
#define TORC_DEVICE_EXCHANGE_H

#include "cuda_device.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How far a device is. Other processes may wait for it, too. */
typedef struct torc_device_events {
    cudaEvent_t begun;                     /* the work before the last move, or before what others write */
    cudaEvent_t done[TORC_EXCHANGE_TURNS]; /* what was moved or written in turns */
} torc_device_events;

struct torc_device_exchange {
    struct ncclComm *communicator;
    cudaStream_t stream;
    torc_device_events own, *others; /* of all processes; empty where this one did not import them */
    int count, turn;                 /* whose move NCCL is bringing to the stream */
    bool is_written[TORC_EXCHANGE_TURNS];
};

/* peer_memory.c: what make made, be it all or not. */
torc_status torc_device_events_make(torc_device_events *events, torc_device *device);
void torc_device_events_destroy(torc_device_events *events);

/* Work waits for what the others wrote in that turn. */
torc_status torc_device_await_others(torc_device *device, const torc_device_exchange *exchange, int turn);

/* write_rows.cu: queue it on a stream. */
torc_status torc_device_write_rows(torc_device *device, const torc_exchange_rows *rows, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
