#include "bench_case.h"
#include "bench_bits.h"
#include "bench_check.h"
#include "bench_device.h"
#include "clock_now.h"
#include "floor.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 32, POISON = 0xff /* bytes of a NaN */ };

const char bench_csv_header[] =
    "matrix,rows,cols,nnz,mean,deviation,empty_rows,max_row,near,far,sectors,bricks,bricks16,N,type,"
    "semiring,contender,cache,ms,predicted_ms,compulsory_ms,gather_ms,over_floor,error,bits,"
    "prepare_ms\n";

/* What is known of a contender on a problem before it is timed. */
typedef struct findings {
    double error; /* -1: not checked */
    double prepare_ms;
    const char *bits; /* same, differ, or nothing: not asked */
} findings;

static size_t row_size(const bench_problem *problem)
{
    return (size_t)problem->ncols * torc_type_size(problem->semiring.type);
}

static size_t result_size(const bench_problem *problem)
{
    return (size_t)problem->matrix->nrows * row_size(problem);
}

static void run_poisoned(const bench_contender *contender, const bench_problem *problem, void *state)
{
    BENCH_CUDA(
        cudaMemsetAsync(problem->c, contender->adds ? 0 : POISON, result_size(problem), problem->stream));
    contender->queue(state);
    BENCH_CUDA(cudaStreamSynchronize(problem->stream));
}

static double check_row(
    const bench_contender *contender, const bench_problem *problem, void *state, void *row, int64_t i)
{
    if (contender->read_row) {
        contender->read_row(row, state, i);
    } else {
        const char *from = (const char *)problem->c + (size_t)i * row_size(problem);
        BENCH_CUDA(cudaMemcpy(row, from, row_size(problem), cudaMemcpyDeviceToHost));
    }
    uint8_t *present = NULL;
    if (contender->read_present) {
        present = bench_allocate((size_t)problem->ncols, 1);
        contender->read_present(present, state, i);
    }
    double error = bench_row_error(
        problem->matrix, problem->semiring, contender->order, problem->ncols, i, row, present);
    free(present);
    return error;
}

/* The worst error of the longest row and of rows at equal distances. */
static double check(const bench_contender *contender, const bench_problem *problem, void *state)
{
    const bench_matrix *A = problem->matrix;
    void *row = bench_allocate(1, row_size(problem));
    int64_t stride = (A->nrows / SAMPLES) | 1; /* odd, so that samples differ in every low bit */
    double worst = check_row(contender, problem, state, row, A->longest_row);
    for (int64_t i = 0; i < A->nrows; i += stride) {
        worst = fmax(worst, check_row(contender, problem, state, row, i));
    }
    free(row);
    return worst;
}

/* Whether `runs` more runs leave the bits that are in C now. */
static const char *compare_bits(
    const bench_contender *contender, const bench_problem *problem, void *state, int runs)
{
    size_t size = result_size(problem);
    uint64_t differences = 0;
    void *first = bench_device_allocate(size);
    BENCH_CUDA(cudaMemcpyAsync(first, problem->c, size, cudaMemcpyDeviceToDevice, problem->stream));
    for (int run = 1; run < runs && differences == 0; run++) {
        run_poisoned(contender, problem, state);
        BENCH_CUDA(bench_count_differences(
            &differences, first, problem->c, (int64_t)(size / sizeof(uint32_t)), problem->stream));
    }
    cudaFree(first);
    return differences == 0 ? "same" : "differ";
}

static void print_row(const bench_output *output, const bench_problem *problem,
    const bench_contender *contender, const char *cache, double seconds, const findings *found)
{
    const bench_matrix *A = problem->matrix;
    torc_semiring semiring = problem->semiring;
    torc_problem question = bench_question(problem);
    torc_floor bytes = torc_floor_of(&question);
    double compulsory = bytes.compulsory / output->bandwidth, gather = bytes.gather / output->bandwidth;
    const torc_statistics *rows = question.rows;
    fprintf(output->csv,
        "%s,%lld,%lld,%lld,%.2f,%.2f,%lld,%lld,%.4f,%.4f,%.4f,%.4f,%.4f,%lld,%s,%s_%s,%s,%s,%.5f,", A->name,
        (long long)A->nrows, (long long)A->ncols, (long long)A->nnz, rows->mean_row, rows->deviation_row,
        (long long)rows->empty_rows, (long long)rows->max_row, rows->near_footprint, rows->far_footprint,
        rows->sector_footprint, rows->brick_footprint, rows->tall_brick_footprint, (long long)problem->ncols,
        torc_type_name(semiring.type), torc_monoid_name(semiring.add), torc_multiply_name(semiring.multiply),
        contender->name, cache, 1e3 * seconds);
    if (contender->predicted > 0) {
        fprintf(output->csv, "%.5f", 1e3 * contender->predicted);
    }
    fprintf(output->csv, ",%.5f,%.5f,%.3f,%.2e,%s,%.2f\n", 1e3 * compulsory, 1e3 * gather,
        seconds / compulsory, found->error, found->bits, found->prepare_ms);
    fflush(output->csv);
}

static void run_contender(const bench_output *output, bench_timer *timer, const bench_options *options,
    const bench_problem *problem, const bench_contender *contender)
{
    findings found = {.error = -1, .bits = ""};
    double start = torc_now();
    void *state = contender->prepare(contender, problem);
    if (!state) {
        fprintf(output->csv, "# %s N=%lld: %s declines\n", problem->matrix->name, (long long)problem->ncols,
            contender->name);
        return;
    }
    BENCH_CUDA(cudaStreamSynchronize(problem->stream));
    found.prepare_ms = 1e3 * (torc_now() - start);
    run_poisoned(contender, problem, state);
    if (!options->is_sweep) {
        found.error = check(contender, problem, state);
    }
    if (options->runs > 0 && !contender->is_on_host) {
        found.bits = compare_bits(contender, problem, state, options->runs);
    }
    double warm = bench_time_warm(timer, contender->queue, state);
    print_row(output, problem, contender, "warm", warm, &found);
    if (options->is_cold && !contender->is_on_host) {
        double cold = bench_time_cold(timer, contender->queue, state);
        print_row(output, problem, contender, "cold", cold, &found);
    }
    contender->release(state);
}

static bool is_wanted(const bench_options *options, const bench_contender *contender)
{
    for (int i = 0; i < options->ncontenders; i++) {
        if (strstr(contender->name, options->contenders[i])) {
            return true;
        }
    }
    return options->ncontenders == 0;
}

void bench_case_run(const bench_output *output, bench_timer *timer, const bench_options *options,
    const bench_problem *problem)
{
    static int (*const families[])(bench_contender * list, const bench_problem *problem) = {
        bench_list_torc, bench_list_cusparse, bench_list_spmm_op, bench_list_suitesparse};
    for (size_t family = 0; family < sizeof families / sizeof families[0]; family++) {
        bench_contender list[BENCH_MAX_CONTENDERS];
        int count = families[family](list, problem);
        for (int i = 0; i < count; i++) {
            if (is_wanted(options, &list[i])) {
                run_contender(output, timer, options, problem, &list[i]);
            }
        }
    }
}
