/* torc_bench.c: fp32 SpMM on R-MAT scale 20 and uniform 2^20 × 16, N = 4, 32, 128: torc beside cuSPARSE's CSR
 * algorithms, in one run. Everything is on the device; what a multiplication needs each time (zeroing,
 * combining) is inside the time, what is done once for A (conversion, analysis) is outside. A time is the
 * median over batches of queued multiplications; the L2 cache is warm. Each result is checked against float64
 * on sampled rows and the longest one. The compulsory floor is every input read once and C written once, at
 * the bandwidth of a copy measured in the same run. One line of CSV a case on standard output. */
#include "bench_contender.h"
#include <cuda_runtime_api.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { BATCHES = 9, BATCH = 10, SAMPLE_STRIDE = 4099 };

void bench_require(bool condition, const char *what, const char *why)
{
    if (!condition) {
        fprintf(stderr, "torc-bench: %s: %s\n", what, why);
        exit(EXIT_FAILURE);
    }
}

static void require(cudaError_t error, const char *what)
{
    bench_require(error == cudaSuccess, what, cudaGetErrorString(error));
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int compare_doubles(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

/* Median seconds of one call of queue. */
static double time_queue(void (*queue)(void *), void *state)
{
    double seconds[BATCHES];
    for (int batch = -2; batch < BATCHES; batch++) { /* two to warm up */
        require(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
        double start = now();
        for (int i = 0; i < BATCH; i++) {
            queue(state);
        }
        require(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
        seconds[batch < 0 ? 0 : batch] = (now() - start) / BATCH;
    }
    qsort(seconds, BATCHES, sizeof *seconds, compare_doubles);
    return seconds[BATCHES / 2];
}

typedef struct copy_state {
    void *to, *from;
    size_t size;
} copy_state;

static void queue_copy(void *opaque)
{
    copy_state *copy = opaque;
    require(
        cudaMemcpyAsync(copy->to, copy->from, copy->size, cudaMemcpyDeviceToDevice, 0), "cudaMemcpyAsync");
}

/* Bytes a second, read and written counted. */
static double measure_bandwidth(void)
{
    copy_state copy = {.size = (size_t)1 << 30};
    require(cudaMalloc(&copy.to, copy.size), "cudaMalloc");
    require(cudaMalloc(&copy.from, copy.size), "cudaMalloc");
    double seconds = time_queue(queue_copy, &copy);
    cudaFree(copy.to);
    cudaFree(copy.from);
    return 2 * (double)copy.size / seconds;
}

/* The largest error of sampled rows over Σ|a·b|, plus-times; any difference at all, min-plus. */
static double check(const bench_problem *problem, const float *b, const float *c, bool is_plus_times)
{
    const bench_matrix *A = problem->A;
    double worst = 0;
    for (int64_t i = 0; i < A->n; i++) {
        bool is_longest = A->row_ptr[i + 1] - A->row_ptr[i] == A->max_row;
        if (i % SAMPLE_STRIDE != 0 && !is_longest) {
            continue;
        }
        for (int64_t j = 0; j < problem->ncols; j++) {
            double sum = 0, magnitude = 0, least = INFINITY, found = c[i * problem->ncols + j];
            for (int32_t p = A->row_ptr[i]; p < A->row_ptr[i + 1]; p++) {
                float x = A->values[p], y = b[A->col_idx[p] * problem->ncols + j];
                sum += (double)x * y;
                magnitude += fabs((double)x * y);
                least = fmin(least, (double)(x + y));
            }
            double error = is_plus_times ? fabs(found - sum) / fmax(magnitude, 1e-30) : found != least;
            worst = fmax(worst, isnan(found) ? INFINITY : error);
        }
    }
    return worst;
}

static double compulsory_bytes(const bench_problem *problem)
{
    double n = (double)problem->A->n, nnz = (double)problem->A->nnz;
    return 4 * (n + 1) + 8 * nnz + 2 * 4 * n * (double)problem->ncols;
}

static void run_contender(const bench_contender *contender, const bench_problem *problem, const float *b,
    float *c, double bandwidth)
{
    size_t size = (size_t)problem->A->n * (size_t)problem->ncols * sizeof(float);
    require(cudaMemset(problem->c, 0xff, size), "cudaMemset"); /* NaN: an element not written is seen */
    void *state = contender->prepare(problem);
    double seconds = time_queue(contender->queue, state);
    contender->release(state);
    require(cudaMemcpy(c, problem->c, size, cudaMemcpyDeviceToHost), "cudaMemcpy");
    double floor_seconds = compulsory_bytes(problem) / bandwidth;
    printf("%s,%lld,%lld,%lld,%lld,%s,%.4f,%.4f,%.2f,%.2e\n", problem->A->name, (long long)problem->A->n,
        (long long)problem->A->nnz, (long long)problem->A->max_row, (long long)problem->ncols,
        contender->name, 1e3 * seconds, 1e3 * floor_seconds, seconds / floor_seconds,
        check(problem, b, c, contender->is_plus_times));
    fflush(stdout);
}

static void run_matrix(const char *name, double bandwidth)
{
    static const int64_t widths[] = {4, 32, 128};
    bench_matrix A = bench_matrix_make(name);
    for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++) {
        size_t count = (size_t)A.n * (size_t)widths[w], size = count * sizeof(float);
        float *b = malloc(size), *c = malloc(size);
        bench_require(b && c, "malloc", "out of memory");
        uint64_t state = 3;
        for (size_t i = 0; i < count; i++) {
            b[i] = bench_random(&state);
        }
        void *device_b, *device_c;
        require(cudaMalloc(&device_b, size), "cudaMalloc");
        require(cudaMalloc(&device_c, size), "cudaMalloc");
        require(cudaMemcpy(device_b, b, size, cudaMemcpyHostToDevice), "cudaMemcpy");
        bench_problem problem = {&A, widths[w], device_b, device_c};
        for (int i = 0; i < bench_torc_count; i++) {
            run_contender(&bench_torc_contenders[i], &problem, b, c, bandwidth);
        }
        for (int i = 0; i < bench_cusparse_count; i++) {
            run_contender(&bench_cusparse_contenders[i], &problem, b, c, bandwidth);
        }
        cudaFree(device_b);
        cudaFree(device_c);
        free(b);
        free(c);
    }
    bench_matrix_free(&A);
}

int main(void)
{
    struct cudaDeviceProp device;
    int driver;
    require(cudaGetDeviceProperties(&device, 0), "cudaGetDeviceProperties");
    require(cudaDriverGetVersion(&driver), "cudaDriverGetVersion");
    double bandwidth = measure_bandwidth();
    printf("# device %s, CUDA driver %d, copy %.0f GB/s\n", device.name, driver, bandwidth / 1e9);
    printf("matrix,n,nnz,max_row,N,contender,ms,compulsory_ms,over_floor,error\n");
    run_matrix("uniform", bandwidth);
    run_matrix("rmat", bandwidth);
    return 0;
}
