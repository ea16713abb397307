/* pruned_schedules.c: the schedules of a search: compiled ahead by processes of their own, and, for small
 * matrices, all of them timed. */
#include "bench_values.h"
#include "clock_now.h"
#include "constant_source.h"
#include "context.h"
#include "kernel_cache.h"
#include "pruned_case.h"
#include "schedule.h"
#include <math.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* A, and what the search says of it. */
typedef struct searched {
    bench_matrix A;
    void *values;
    torc_type type;
    int64_t ncols;
    torc_candidate_schedule *schedules;
    int kept, count;
    double seconds; /* that the search took */
} searched;

static searched search(const char *name, torc_type type, int64_t ncols)
{
    searched s = {.A = bench_matrix_make(name), .type = type, .ncols = ncols};
    double start = torc_now();
    torc_search_problem problem = {
        {s.A.nrows, s.A.ncols, (const uint32_t *)s.A.row_ptr, (const uint32_t *)s.A.col_idx}, ncols,
        torc_type_size(type), torc_device_complete((torc_device_facts){.compute_capability = 90})};
    s.schedules = bench_allocate(TORC_MOST_SCHEDULES, sizeof *s.schedules);
    s.count = torc_search_schedules(s.schedules, &s.kept, &problem);
    bench_require(s.count > 0, name, "not enough memory");
    s.seconds = torc_now() - start;
    s.values = bench_values_make(type, s.A.nnz);
    return s;
}

static void forget(searched *s)
{
    bench_matrix_free(&s->A);
    free(s->values);
    free(s->schedules);
}

static torc_constant_kernel describe(const searched *s, int which, uint32_t *order)
{
    const torc_candidate_schedule *c = &s->schedules[which];
    torc_host_csr csr = {
        s->A.nrows, s->A.ncols, (const uint32_t *)s->A.row_ptr, (const uint32_t *)s->A.col_idx};
    BENCH_TORC(torc_arrange_rows(order, &csr, &c->schedule));
    return (torc_constant_kernel){{TORC_PLUS_MONOID, TORC_TIMES, s->type, NULL, false}, s->A.nrows, s->ncols,
        csr.row_ptr, csr.col_idx, s->values, order, c->schedule.rows, c->schedule.columns, c->registers};
}

/* Into the folder of the environment, where torc_sparse_tune looks. */
static void compile(const searched *s, int which, int architecture)
{
    torc_options options;
    torc_kernel_cache cache;
    torc_image image;
    char *source, key[TORC_KEY_SIZE], log[TORC_LOG_SIZE];
    uint32_t *order = bench_allocate((size_t)s->A.nrows, sizeof *order);
    torc_constant_kernel kernel = describe(s, which, order);
    BENCH_TORC(torc_constant_source(&source, &kernel));
    torc_options_from_environment(&options);
    torc_kernel_cache_open(&cache, options.cache_dir);
    if (torc_constant_key(key, source, architecture) && !torc_kernel_cache_load(&image, &cache, key)) {
        bench_require(torc_compile(&image, log, source, architecture) == TORC_SUCCESS, s->A.name, log);
        torc_kernel_cache_store(&cache, key, &image);
    }
    torc_image_release(&image);
    torc_kernel_cache_close(&cache);
    free(source);
    free(order);
}

static void wait_for_one(void)
{
    int status;
    bench_require(wait(&status) >= 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0, "a schedule",
        "could not be compiled");
}

/* Processes, since NVRTC compiles one text at a time in each. */
void pruned_compile_ahead(FILE *csv, pruned_compilation *compilation, const char *matrix, torc_type type,
    int64_t ncols, int schedules, int architecture)
{
    searched s = search(matrix, type, ncols);
    int count = schedules < s.kept ? schedules : s.kept;
    if (compilation->count == 0) {
        compilation->start = torc_now();
    }
    fprintf(csv, "# %s N=%lld %s: %d schedules searched in %.1f ms, %d kept\n", matrix, (long long)ncols,
        torc_type_name(type), s.count, 1e3 * s.seconds, s.kept);
    fflush(csv);
    for (int i = 0; i < count; i++) {
        if (compilation->running == sysconf(_SC_NPROCESSORS_ONLN)) {
            wait_for_one();
            compilation->running--;
        }
        pid_t pid = fork();
        bench_require(pid >= 0, "fork", "failed");
        if (pid == 0) {
            compile(&s, i, architecture);
            _exit(0);
        }
        compilation->running++;
        compilation->count++;
    }
    forget(&s);
}

void pruned_compile_wait(FILE *csv, pruned_compilation *compilation)
{
    for (; compilation->running > 0; compilation->running--) {
        wait_for_one();
    }
    fprintf(csv, "# %d schedules compiled in %.1f s, by %ld processes at once\n", compilation->count,
        torc_now() - compilation->start, sysconf(_SC_NPROCESSORS_ONLN));
}

typedef struct constant_call {
    bench_device *device;
    torc_constant_program *program;
    torc_constant_args args;
} constant_call;

static void queue(void *opaque)
{
    constant_call *call = opaque;
    BENCH_TORC(call->device->context->executor->constant_multiply(
        call->device->context->device, call->program, &call->args));
}

void pruned_exhaust(FILE *csv, bench_device *device, const char *matrix, torc_type type, int64_t ncols)
{
    searched s = search(matrix, type, ncols);
    const torc_executor *executor = device->context->executor;
    uint32_t *order = bench_allocate((size_t)s.A.nrows, sizeof *order);
    constant_call call = {.device = device};
    double first = 0, least_of_first = INFINITY, least = INFINITY;
    int best = 0;
    call.args.b = bench_device_values(type, s.A.ncols * ncols);
    call.args.c = bench_device_allocate((size_t)(s.A.nrows * ncols) * torc_type_size(type));
    for (int i = 0; i < s.kept; i++) {
        torc_constant_kernel kernel = describe(&s, i, order);
        BENCH_TORC(executor->constant_load(&call.program, device->context->device, &kernel));
        double seconds = pruned_time(device->stream, queue, &call).device;
        executor->constant_unload(device->context->device, call.program);
        first = i == 0 ? seconds : first;
        least_of_first = i < PRUNED_FIRST ? fmin(least_of_first, seconds) : least_of_first;
        best = seconds < least ? i : best;
        least = fmin(least, seconds);
    }
    fprintf(csv,
        "# %s N=%lld %s, on the device alone: of all %d that are kept the best takes %.2f us (%dx%d%s, rank "
        "%d), the first of the ranking %.2f, the best of its first %d %.2f\n",
        matrix, (long long)ncols, torc_type_name(type), s.kept, 1e6 * least, s.schedules[best].schedule.rows,
        s.schedules[best].schedule.columns, s.schedules[best].schedule.is_dealt ? "/dealt" : "", best + 1,
        1e6 * first, PRUNED_FIRST, 1e6 * least_of_first);
    fflush(csv);
    cudaFree((void *)call.args.b);
    cudaFree(call.args.c);
    free(order);
    forget(&s);
}
