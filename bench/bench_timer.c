#include "bench_timer.h"
#include "bench_device.h"
#include <stdlib.h>

enum { SAMPLES = 9, FEWEST_SAMPLES = 3, MAX_BATCH = 200 };

/* What is timed once only: no noise is that long. */
static const double LONG_SECONDS = 0.2;

void bench_timer_open(bench_timer *timer, cudaStream_t stream, size_t l2_bytes, double case_seconds)
{
    *timer = (bench_timer){.stream = stream, .case_seconds = case_seconds, .flush_size = 2 * l2_bytes};
    timer->flush = bench_device_allocate(timer->flush_size);
    BENCH_CUDA(cudaEventCreate(&timer->start));
    BENCH_CUDA(cudaEventCreate(&timer->stop));
}

void bench_timer_close(bench_timer *timer)
{
    cudaFree(timer->flush);
    cudaEventDestroy(timer->start);
    cudaEventDestroy(timer->stop);
}

static double time_batch(bench_timer *timer, void (*queue)(void *state), void *state, int batch)
{
    float milliseconds;
    BENCH_CUDA(cudaEventRecord(timer->start, timer->stream));
    for (int i = 0; i < batch; i++) {
        queue(state);
    }
    BENCH_CUDA(cudaEventRecord(timer->stop, timer->stream));
    BENCH_CUDA(cudaEventSynchronize(timer->stop));
    BENCH_CUDA(cudaEventElapsedTime(&milliseconds, timer->start, timer->stop));
    return 1e-3 * (double)milliseconds / batch;
}

static int compare_doubles(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

static double median(double *seconds, int count)
{
    qsort(seconds, (size_t)count, sizeof *seconds, compare_doubles);
    return count % 2 ? seconds[count / 2] : (seconds[count / 2 - 1] + seconds[count / 2]) / 2;
}

static int within(double value, int least, int most)
{
    return value < least ? least : value > most ? most : (int)value;
}

double bench_time_warm(bench_timer *timer, void (*queue)(void *state), void *state)
{
    double once = time_batch(timer, queue, state, 1), seconds[SAMPLES];
    int batch = within(timer->case_seconds / SAMPLES / once, 1, MAX_BATCH);
    int samples =
        within(timer->case_seconds / batch / once, once < LONG_SECONDS ? FEWEST_SAMPLES : 1, SAMPLES);
    for (int i = 0; i < samples; i++) {
        seconds[i] = time_batch(timer, queue, state, batch);
    }
    return median(seconds, samples);
}

double bench_time_cold(bench_timer *timer, void (*queue)(void *state), void *state)
{
    double once = time_batch(timer, queue, state, 1), seconds[SAMPLES];
    int samples = within(timer->case_seconds / once, FEWEST_SAMPLES, SAMPLES);
    for (int i = 0; i < samples; i++) {
        BENCH_CUDA(cudaMemsetAsync(timer->flush, i, timer->flush_size, timer->stream));
        seconds[i] = time_batch(timer, queue, state, 1);
    }
    return median(seconds, samples);
}

typedef struct copy_state {
    char *memory;
    size_t size;
    cudaStream_t stream;
} copy_state;

static void queue_copy(void *opaque)
{
    copy_state *copy = opaque;
    BENCH_CUDA(cudaMemcpyAsync(
        copy->memory + copy->size, copy->memory, copy->size, cudaMemcpyDeviceToDevice, copy->stream));
}

double bench_copy_bandwidth(bench_timer *timer)
{
    copy_state copy = {.size = (size_t)1 << 31, .stream = timer->stream};
    copy.memory = bench_device_allocate(2 * copy.size);
    BENCH_CUDA(cudaMemset(copy.memory, 1, 2 * copy.size));
    BENCH_CUDA(cudaDeviceSynchronize());
    double seconds = bench_time_warm(timer, queue_copy, &copy);
    cudaFree(copy.memory);
    return 2 * (double)copy.size / seconds;
}
