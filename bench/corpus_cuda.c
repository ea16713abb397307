#include "bench_contender.h"
#include "bench_device.h"
#include "bench_provenance.h"
#include "brick_height.h"
#include "compile.h"
#include "context.h"
#include "corpus_executor.h"
#include "cuda_device.h"
#include "kernel_cache.h"
#include "kernel_source.h"
#include "candidates.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_KERNELS = 2048, ALIGNMENT = 256, HOPPER = 90 };

/* ---- Kernels ------------------------------------------------------------------------------------------ */

typedef struct kernel_list {
    char *sources[MOST_KERNELS];
    int count;
} kernel_list;

static void add_source(kernel_list *list, const torc_spmm_kernel *kernel)
{
    char source[TORC_SOURCE_SIZE];
    BENCH_TORC(torc_spmm_source(source, kernel));
    for (int i = 0; i < list->count; i++) {
        if (strcmp(list->sources[i], source) == 0) {
            return;
        }
    }
    bench_require(list->count < MOST_KERNELS, "kernels", "too many");
    list->sources[list->count++] = strdup(source);
}

/* All candidates of plus_times on such rows. */
static void add_candidates(
    kernel_list *list, torc_type type, int64_t ncols, const torc_statistics *rows, int architecture)
{
    size_t size = torc_type_size(type);
    uint64_t alignment = ALIGNMENT | (uint64_t)ncols * size;
    torc_problem problem = {
        .kernel = {.semiring = {TORC_PLUS_MONOID, TORC_TIMES, type, NULL, false},
            .a_type = type,
            .b_type = type,
            .a_access = TORC_ACCESS_ARRAY,
            .b_access = TORC_ACCESS_ARRAY},
        .ncols = ncols,
        .b_size = size,
        .c_size = size,
        .b_alignment = alignment,
        .c_alignment = alignment,
        .is_everywhere = true,
        .brick_height = torc_brick_height(rows, type),
        .rows = rows,
        .device = {.compute_capability = architecture},
    };
    torc_spmm_kernel kernels[TORC_MAX_CANDIDATES];
    int count = torc_list_candidates(kernels, &problem);
    for (int i = 0; i < count; i++) {
        add_source(list, &kernels[i]);
    }
}

/* Few and many rows, short and long ones: what makes candidates differ. */
static void list_kernels(kernel_list *list, const int64_t *widths, int nwidths, int architecture)
{
    static const torc_type types[] = {TORC_FP32, TORC_FP64};
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        for (int w = 0; w < nwidths; w++) {
            for (int64_t nrows = 1 << 8; nrows <= 1 << 20; nrows <<= 12) {
                for (int64_t mean = 4; mean <= 1024; mean *= 256) {
                    torc_statistics rows = {.nrows = nrows,
                        .ncols = nrows,
                        .nnz = nrows * mean,
                        .max_row = mean,
                        .mean_row = (double)mean,
                        .near_footprint = .5,
                        .far_footprint = .5,
                        .sector_footprint = 1,
                        .brick_footprint = 1,
                        .tall_brick_footprint = 1};
                    add_candidates(list, types[t], widths[w], &rows, architecture);
                }
            }
        }
    }
}

static void compile(const torc_kernel_cache *cache, const char *source, int architecture)
{
    char key[TORC_KEY_SIZE], log[TORC_LOG_SIZE];
    torc_image image;
    if (torc_compile_key(key, source, architecture, torc_compiler_version()) &&
        !torc_kernel_cache_load(&image, cache, key)) {
        bench_require(torc_compile(&image, log, source, architecture) == TORC_SUCCESS, "NVRTC", log);
        torc_kernel_cache_store(cache, key, &image);
        torc_image_release(&image);
    }
}

static int architecture_of_device(void)
{
    char line[64];
    int major, minor;
    bench_first_line(
        line, sizeof line, "nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null");
    return sscanf(line, "%d.%d", &major, &minor) == 2 ? 10 * major + minor : HOPPER;
}

void corpus_compile_ahead(const torc_options *options, const int64_t *widths, int nwidths)
{
    int workers = (int)sysconf(_SC_NPROCESSORS_ONLN), architecture = architecture_of_device();
    kernel_list *list = bench_allocate(1, sizeof *list);
    list_kernels(list, widths, nwidths, architecture);
    for (int worker = 0; worker < workers; worker++) {
        pid_t pid = fork();
        bench_require(pid >= 0, "fork", "failed");
        if (pid == 0) {
            torc_kernel_cache cache;
            torc_kernel_cache_open(&cache, options->cache_dir);
            for (int i = worker; i < list->count; i += workers) {
                compile(&cache, list->sources[i], architecture);
            }
            _exit(0);
        }
    }
    for (int status; wait(&status) >= 0;) {
        bench_require(WIFEXITED(status) && WEXITSTATUS(status) == 0, "kernels", "could not be compiled");
    }
    fprintf(stderr, "torc-bench-corpus: %d kernels for sm_%d\n", list->count, architecture);
    for (int i = 0; i < list->count; i++) {
        free(list->sources[i]);
    }
    free(list);
}

/* ---- Time --------------------------------------------------------------------------------------------- */

enum { REPEATS = 3, FEWEST_CALLS = 2, MOST_CALLS = 20 };
static const double LONG_SECONDS = 1e-3, GRAPH_SECONDS = 4e-4;

typedef struct stopwatch {
    cudaStream_t stream;
    cudaEvent_t start, stop;
} stopwatch;

/* Events are made once. */
static stopwatch *stopwatch_of(torc_context *context)
{
    static stopwatch only;
    bench_require(context->executor == torc_executor_cuda(), "the reference executor",
        "is timed in a build without CUDA");
    if (!only.stream) {
        only.stream = context->device->stream;
        BENCH_CUDA(cudaEventCreate(&only.start));
        BENCH_CUDA(cudaEventCreate(&only.stop));
    }
    return &only;
}

static double elapsed(const stopwatch *watch)
{
    float milliseconds;
    BENCH_CUDA(cudaEventRecord(watch->stop, watch->stream));
    BENCH_CUDA(cudaEventSynchronize(watch->stop));
    BENCH_CUDA(cudaEventElapsedTime(&milliseconds, watch->start, watch->stop));
    return 1e-3 * (double)milliseconds;
}

static double median_of_three(double a, double b, double c)
{
    return fmax(fmin(a, b), fmin(fmax(a, b), c));
}

static double time_call(const stopwatch *watch, void (*queue)(void *state), void *state)
{
    BENCH_CUDA(cudaEventRecord(watch->start, watch->stream));
    queue(state);
    return elapsed(watch);
}

/* Short calls in a graph, for the device would wait for the host. */
static double time_graph(const stopwatch *watch, void (*queue)(void *state), void *state, int calls)
{
    cudaGraph_t graph;
    cudaGraphExec_t ready;
    double seconds[REPEATS];
    BENCH_CUDA(cudaStreamBeginCapture(watch->stream, cudaStreamCaptureModeThreadLocal));
    for (int i = 0; i < calls; i++) {
        queue(state);
    }
    BENCH_CUDA(cudaStreamEndCapture(watch->stream, &graph));
    BENCH_CUDA(cudaGraphInstantiate(&ready, graph, 0));
    BENCH_CUDA(cudaGraphLaunch(ready, watch->stream));
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        BENCH_CUDA(cudaEventRecord(watch->start, watch->stream));
        BENCH_CUDA(cudaGraphLaunch(ready, watch->stream));
        seconds[repeat] = elapsed(watch) / calls;
    }
    cudaGraphExecDestroy(ready);
    cudaGraphDestroy(graph);
    return median_of_three(seconds[0], seconds[1], seconds[2]);
}

double corpus_time(torc_context *context, void (*queue)(void *state), void *state, double enough)
{
    const stopwatch *watch = stopwatch_of(context);
    queue(state); /* has the kernel loaded, and A cut */
    double once = time_call(watch, queue, state);
    if (once > LONG_SECONDS) {
        return once > enough
                   ? once
                   : median_of_three(once, time_call(watch, queue, state), time_call(watch, queue, state));
    }
    int calls = (int)fmin(MOST_CALLS, fmax(FEWEST_CALLS, ceil(GRAPH_SECONDS / once)));
    return time_graph(watch, queue, state, calls);
}

/* ---- Rivals ------------------------------------------------------------------------------------------- */

int corpus_time_rivals(corpus_rival *rivals, const torc_dense *C, const bench_matrix *matrix,
    const torc_sparse *held, const torc_dense *B, double enough)
{
    bench_contender list[BENCH_MAX_CONTENDERS];
    bench_problem problem = {.matrix = matrix,
        .semiring = {TORC_PLUS_MONOID, TORC_TIMES, C->type, NULL, false},
        .ncols = C->ncols,
        .stream = stopwatch_of(held->context)->stream,
        .row_ptr = held->csr.row_ptr,
        .col_idx = (int32_t *)held->csr.col_idx,
        .values = held->csr.values,
        .b = B->data,
        .c = C->data};
    int count = 0, listed = bench_list_cusparse(list, &problem);
    for (int i = 0; i < listed && count < CORPUS_MOST_RIVALS; i++) {
        void *state = list[i].prepare(&list[i], &problem);
        if (state) {
            corpus_rival *rival = &rivals[count++];
            memcpy(rival->name, list[i].name, sizeof rival->name);
            rival->seconds = corpus_time(held->context, list[i].queue, state, enough);
            list[i].release(state);
        }
    }
    return count;
}
