#include "pruned_case.h"
#include "bench_check.h"
#include "bench_cusparse.h"
#include "bench_values.h"
#include "clock_now.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 7, MOST_CALLS = 200, GRAPH_CALLS = 20, SAMPLES = 32, POISON = 0xff };
static const double ROUND_SECONDS = 2e-3;

const char pruned_csv_header[] =
    "matrix,rows,zeros_percent,nnz,N,type,selected_us,general_us,general,constant_us,constant,tuned_us,tuned,"
    "cusparse_us,cusparse,selected_device_us,tuned_device_us,cusparse_device_us,selected_host_us,"
    "tuned_host_us,cusparse_host_us,constant_predicted_us,compiled,tune_ms,error\n";

/* host: until all are queued. */
static double time_calls(
    cudaStream_t stream, void (*queue)(void *state), void *state, int calls, double *host)
{
    double start = torc_now();
    for (int i = 0; i < calls; i++) {
        queue(state);
    }
    *host = (torc_now() - start) / calls;
    BENCH_CUDA(cudaStreamSynchronize(stream));
    return (torc_now() - start) / calls;
}

/* Calls captured in a graph, so that the host has no part in it. */
static double time_device(cudaStream_t stream, void (*queue)(void *state), void *state)
{
    cudaGraph_t graph;
    cudaGraphExec_t ready;
    cudaEvent_t start, stop;
    double least = INFINITY;
    BENCH_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    for (int i = 0; i < GRAPH_CALLS; i++) {
        queue(state);
    }
    BENCH_CUDA(cudaStreamEndCapture(stream, &graph));
    BENCH_CUDA(cudaGraphInstantiate(&ready, graph, 0));
    BENCH_CUDA(cudaEventCreate(&start));
    BENCH_CUDA(cudaEventCreate(&stop));
    for (int round = 0; round < ROUNDS; round++) {
        float milliseconds;
        BENCH_CUDA(cudaEventRecord(start, stream));
        BENCH_CUDA(cudaGraphLaunch(ready, stream));
        BENCH_CUDA(cudaEventRecord(stop, stream));
        BENCH_CUDA(cudaEventSynchronize(stop));
        BENCH_CUDA(cudaEventElapsedTime(&milliseconds, start, stop));
        least = fmin(least, 1e-3 * (double)milliseconds / GRAPH_CALLS);
    }
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
    cudaGraphExecDestroy(ready);
    cudaGraphDestroy(graph);
    return least;
}

pruned_seconds pruned_time(cudaStream_t stream, void (*queue)(void *state), void *state)
{
    pruned_seconds least = {INFINITY, INFINITY, 0};
    double host, round = time_calls(stream, queue, state, 2, &host);
    round = time_calls(stream, queue, state, 2, &host);
    int calls = (int)fmin(MOST_CALLS, fmax(2, ROUND_SECONDS / round));
    for (int i = 0; i < ROUNDS; i++) {
        least.call = fmin(least.call, time_calls(stream, queue, state, calls, &host));
        least.host = fmin(least.host, host);
    }
    least.device = time_device(stream, queue, state);
    return least;
}

typedef struct torc_product {
    torc_semiring semiring;
    torc_sparse *A;
    torc_dense B, C;
} torc_product;

static void queue_torc(void *opaque)
{
    torc_product *p = opaque;
    BENCH_TORC(torc_spmm(&p->C, p->semiring, p->A, false, &p->B, NULL));
}

/* The least of cuSPARSE's algorithms. */
static pruned_seconds time_cusparse(const char **name, const bench_problem *problem)
{
    static bench_contender list[BENCH_MAX_CONTENDERS];
    pruned_seconds least = {INFINITY, INFINITY, INFINITY};
    int count = bench_list_cusparse(list, problem);
    for (int i = 0; i < count; i++) {
        void *state = list[i].prepare(&list[i], problem);
        if (!state) {
            continue;
        }
        pruned_seconds own = pruned_time(problem->stream, list[i].queue, state);
        list[i].release(state);
        if (own.call < least.call) {
            least = own;
            *name = list[i].name;
        }
    }
    return least;
}

/* The worst error of rows at equal distances, of a result that was written anew. */
static double check(const bench_problem *problem, torc_product *p)
{
    const bench_matrix *A = problem->matrix;
    size_t row_size = (size_t)problem->ncols * torc_type_size(problem->semiring.type);
    char *row = bench_allocate(1, row_size);
    double worst = 0;
    BENCH_CUDA(cudaMemsetAsync(problem->c, POISON, (size_t)A->nrows * row_size, problem->stream));
    queue_torc(p);
    BENCH_CUDA(cudaStreamSynchronize(problem->stream));
    for (int64_t i = 0; i < A->nrows; i += (A->nrows / SAMPLES) | 1) {
        BENCH_CUDA(cudaMemcpy(
            row, (const char *)problem->c + (size_t)i * row_size, row_size, cudaMemcpyDeviceToHost));
        worst =
            fmax(worst, bench_row_error(A, problem->semiring, TORC_ROW_MAJOR, problem->ncols, i, row, NULL));
    }
    free(row);
    return worst;
}

static bool is_constant(const torc_timing *timing)
{
    return strncmp(timing->kernel, "constant/", strlen("constant/")) == 0;
}

/* The fastest of those with A in their text, or of the others; NULL: none was timed. */
static const torc_timing *fastest(const torc_tuning *tuning, bool of_constants)
{
    const torc_timing *least = NULL;
    for (int i = 0; i < tuning->count; i++) {
        const torc_timing *own = &tuning->timings[i];
        if (is_constant(own) == of_constants && (!least || own->measured < least->measured)) {
            least = own;
        }
    }
    return least;
}

static void load(bench_problem *problem, torc_product *p, bench_device *device)
{
    const bench_matrix *A = problem->matrix;
    torc_type type = problem->semiring.type;
    int64_t n = problem->ncols;
    void *values = bench_values_make(type, A->nnz);
    torc_csr csr = {A->nrows, A->ncols, A->row_ptr, A->col_idx, values, 32, 32, type, false, NULL};
    BENCH_TORC(torc_sparse_create(&p->A, device->context, &csr));
    problem->row_ptr = bench_device_copy(A->row_ptr, (size_t)(A->nrows + 1) * sizeof(int32_t));
    problem->col_idx = bench_device_copy(A->col_idx, (size_t)A->nnz * sizeof(int32_t));
    problem->values = bench_device_copy(values, (size_t)A->nnz * torc_type_size(type));
    problem->b = bench_device_values(type, A->ncols * n);
    problem->c = bench_device_allocate((size_t)(A->nrows * n) * torc_type_size(type));
    p->semiring = problem->semiring;
    p->B = (torc_dense){A->ncols, n, n, TORC_ROW_MAJOR, type, false, problem->b, NULL};
    p->C = (torc_dense){A->nrows, n, n, TORC_ROW_MAJOR, type, false, problem->c, NULL};
    free(values);
}

static void unload(bench_problem *problem, torc_product *p)
{
    torc_sparse_destroy(p->A);
    cudaFree(problem->row_ptr);
    cudaFree(problem->col_idx);
    cudaFree(problem->values);
    cudaFree(problem->b);
    cudaFree(problem->c);
}

void pruned_case_run(FILE *csv, bench_device *device, const bench_matrix *A, torc_type type, int64_t ncols)
{
    torc_product p;
    torc_tuning tuning;
    const char *cusparse_name = "";
    bench_problem problem = {.matrix = A,
        .semiring = {TORC_PLUS_MONOID, TORC_TIMES, type, NULL, false},
        .ncols = ncols,
        .stream = device->stream};
    load(&problem, &p, device);
    pruned_seconds selected = pruned_time(device->stream, queue_torc, &p);
    double start = torc_now();
    BENCH_TORC(torc_sparse_tune(&tuning, p.A, problem.semiring, false, ncols));
    double tune = torc_now() - start;
    pruned_seconds tuned = pruned_time(device->stream, queue_torc, &p);
    double error = check(&problem, &p);
    pruned_seconds rival = time_cusparse(&cusparse_name, &problem);
    const torc_timing *general = fastest(&tuning, false), *constant = fastest(&tuning, true);
    fprintf(csv, "%s,%lld,%.0f,%lld,%lld,%s,%.2f,%.2f,%s,", A->name, (long long)A->nrows,
        100 - 100. * (double)A->nnz / ((double)A->nrows * (double)A->ncols), (long long)A->nnz,
        (long long)ncols, torc_type_name(type), 1e6 * selected.call, 1e6 * general->measured,
        general->kernel);
    fprintf(csv, constant ? "%.2f,%s," : ",,", constant ? 1e6 * constant->measured : 0,
        constant ? constant->kernel : "");
    fprintf(csv, "%.2f,%s,%.2f,%s,%.2f,%.2f,%.2f,%.2f,%.2f,%.2f,", 1e6 * tuned.call,
        tuning.timings[tuning.chosen].kernel, 1e6 * rival.call, cusparse_name, 1e6 * selected.device,
        1e6 * tuned.device, 1e6 * rival.device, 1e6 * selected.host, 1e6 * tuned.host, 1e6 * rival.host);
    fprintf(csv, constant ? "%.2f," : ",", constant ? 1e6 * constant->predicted : 0);
    fprintf(csv, "%d,%.0f,%.2e\n", tuning.compiled, 1e3 * tune, error);
    fflush(csv);
    unload(&problem, &p);
}
