/* bench_timer.h: how long queued work takes on the device, by its own events: a median, within a share of a
 * second that is the same for every case. */
#ifndef BENCH_TIMER_H
#define BENCH_TIMER_H

#include <cuda_runtime_api.h>
#include <stddef.h>

typedef struct bench_timer {
    cudaStream_t stream;
    double case_seconds; /* how long a case is timed */
    cudaEvent_t start, stop;
    void *flush; /* written between calls: twice L2, so that nothing of the operands stays there */
    size_t flush_size;
} bench_timer;

void bench_timer_open(bench_timer *timer, cudaStream_t stream, size_t l2_bytes, double case_seconds);
void bench_timer_close(bench_timer *timer);

/* Median seconds of one call, which has been made before. Warm: batches of calls without a pause, so that
 * what fits in L2 is there. Cold: single calls after a flush. */
double bench_time_warm(bench_timer *timer, void (*queue)(void *state), void *state);
double bench_time_cold(bench_timer *timer, void (*queue)(void *state), void *state);

/* Bytes a second of a copy within the device, read and written ones counted. */
double bench_copy_bandwidth(bench_timer *timer);

#endif
