/* torc_bench.c: SpMM on many matrices and widths: torc as it selects, all its kernels, cuSPARSE, SuiteSparse,
 * in one run. A and B are on the device before; what a multiplication needs each time (zeroing, combining) is
 * inside its time, what is done once for A (conversion, analysis) is outside and printed. The floors are
 * counted at the bandwidth of a copy measured in the same run. */
#include "bench_case.h"
#include "bench_device.h"
#include "bench_facts.h"
#include "bench_provenance.h"
#include "bench_require.h"
#include "bench_values.h"
#include "clock_now.h"
#include "context.h"
#include "sparse.h"
#include <cusparse.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TRIES = 3 };
static const double CASE_SECONDS = .03, SWEEP_SECONDS = .006;

static void print_provenance(const bench_output *output, const bench_device *device)
{
    bench_provenance p = bench_provenance_now();
    int runtime, major, minor, patch;
    BENCH_CUDA(cudaRuntimeGetVersion(&runtime));
    cusparseGetProperty(MAJOR_VERSION, &major);
    cusparseGetProperty(MINOR_VERSION, &minor);
    cusparseGetProperty(PATCH_LEVEL, &patch);
    fprintf(output->csv, "# device: %s, %d multiprocessors, %.0f MB of L2\n", device->info.name,
        device->info.multiprocessors, (double)device->info.l2_bytes / (1 << 20));
    bench_facts_write(output->csv, &device->context->facts);
    fprintf(output->csv, "# driver: %s\n# CUDA: %d.%d, cuSPARSE %d.%d.%d\n", p.driver, runtime / 1000,
        runtime % 1000 / 10, major, minor, patch);
    fprintf(output->csv, "# copy bandwidth: %.0f GB/s, read and written\n", output->bandwidth / 1e9);
    fprintf(output->csv, "# date: %s\n# commit: %s\n", p.date, p.commit);
}

/* The least of a few tries: what is planned is little beside what is copied. */
static double time_copying(torc_context *context, const torc_csr *csr)
{
    size_t nnz = (size_t)((const int32_t *)csr->row_ptr)[csr->nrows];
    const void *from[] = {csr->row_ptr, csr->col_idx, csr->values};
    size_t sizes[] = {
        (size_t)(csr->nrows + 1) * sizeof(int32_t), nnz * sizeof(int32_t), nnz * torc_type_size(csr->type)};
    double least = INFINITY;
    for (int i = 0; i < TRIES; i++) {
        double start;
        void *memory[3];
        start = torc_now();
        for (int a = 0; a < 3; a++) {
            BENCH_TORC(torc_memory_allocate(&memory[a], context, sizes[a]));
            BENCH_TORC(torc_memory_upload(context, memory[a], from[a], sizes[a]));
        }
        BENCH_TORC(torc_context_wait(context));
        least = fmin(least, torc_now() - start);
        for (int a = 0; a < 3; a++) {
            torc_memory_release(context, memory[a]);
        }
    }
    return least;
}

static double time_creating(torc_sparse **A, torc_context *context, const torc_csr *csr)
{
    double least = INFINITY;
    *A = NULL;
    for (int i = 0; i < TRIES; i++) {
        double start;
        torc_sparse_destroy(*A);
        start = torc_now();
        BENCH_TORC(torc_sparse_create(A, context, csr));
        BENCH_TORC(torc_sparse_slice(*A)); /* or else the first product that splits nonzeros would */
        BENCH_TORC(torc_context_wait(context));
        least = fmin(least, torc_now() - start);
    }
    return least;
}

/* What formats of 8 x 8 blocks need beside values, in bytes an entry: as Acc-SpMM counts them (section 3.3),
 * and what bricks are. */
static void print_bytes(const bench_output *output, const bench_matrix *A, const char *order, int64_t bricks)
{
    double rows = (double)A->nrows, nnz = (double)A->nnz, windows = ceil(rows / TORC_BRICK_ROWS);
    double blocks = (double)bricks, offsets = 4 * (windows + 1 + blocks + 1), columns = 32 * blocks;
    fprintf(output->csv,
        "# %s%s: %lld bricks, %.2f entries each; bytes an entry without values: CSR %.2f, ME-TCF %.2f, "
        "BitTCF "
        "%.2f, torc's bricks %.2f\n",
        A->name, order, (long long)bricks, nnz / blocks, 4 * (rows + 1 + nnz) / nnz,
        (offsets + columns + nnz) / nnz, (offsets + columns + 8 * blocks) / nnz,
        ((double)(TORC_BRICK_PAIRS * sizeof(torc_brick_pair)) * blocks +
            (double)sizeof(torc_brick_piece) * windows) /
            nnz);
}

/* The same A with its rows reordered. */
static void reorder_matrix(
    bench_problem *problem, const bench_output *output, torc_context *context, const torc_csr *csr)
{
    torc_reordering found;
    BENCH_TORC(torc_sparse_create(&problem->reordered, context, csr));
    BENCH_TORC(torc_sparse_reorder(&found, problem->reordered, false));
    BENCH_TORC(torc_sparse_slice(torc_sparse_ordered(problem->reordered)));
    fprintf(output->csv, "# %s: torc_sparse_reorder %.2f s\n", problem->matrix->name, found.seconds);
    print_bytes(output, problem->matrix, "", found.bricks_before);
    print_bytes(output, problem->matrix, " reordered", found.bricks_after);
}

/* A on the device, as torc holds it and as plain arrays. */
static void load_matrix(bench_problem *problem, const bench_output *output, const bench_options *options,
    torc_context *context, torc_type type)
{
    const bench_matrix *A = problem->matrix;
    void *values = bench_values_make(type, A->nnz);
    torc_csr csr = {
        .nrows = A->nrows,
        .ncols = A->ncols,
        .row_ptr = A->row_ptr,
        .col_idx = A->col_idx,
        .values = values,
        .row_ptr_bits = 32,
        .col_idx_bits = 32,
        .type = type,
    };
    char fault[256];
    torc_csr_check(fault, sizeof fault, &csr);
    bench_require(fault[0] == '\0', A->name, fault);
    double copying = time_copying(context, &csr), creating = time_creating(&problem->sparse, context, &csr);
    fprintf(output->csv, "# %s %s: plan %.2f ms: torc_sparse_create %.2f, copying its arrays %.2f\n", A->name,
        torc_type_name(type), 1e3 * fmax(0, creating - copying), 1e3 * creating, 1e3 * copying);
    if (options->reorders) {
        reorder_matrix(problem, output, context, &csr);
    }
    problem->row_ptr = bench_device_copy(A->row_ptr, (size_t)(A->nrows + 1) * sizeof(int32_t));
    problem->col_idx = bench_device_copy(A->col_idx, (size_t)A->nnz * sizeof(int32_t));
    problem->values = bench_device_copy(values, (size_t)A->nnz * torc_type_size(type));
    free(values);
}

static void unload(bench_problem *problem)
{
    torc_sparse_destroy(problem->sparse);
    torc_sparse_destroy(problem->reordered);
    cudaFree(problem->row_ptr);
    cudaFree(problem->col_idx);
    cudaFree(problem->values);
    cudaFree(problem->b);
    cudaFree(problem->c);
    cudaFree(problem->marks);
    cudaFree(problem->present);
}

/* All widths and semirings. B and C are made once, as wide as ever needed; a narrower one is their beginning.
 */
static void run_type(const bench_output *output, bench_timer *timer, const bench_options *options,
    bench_device *device, const bench_matrix *A, torc_type type)
{
    bench_problem problem = {.matrix = A, .stream = device->stream};
    int64_t widest = 0;
    for (int w = 0; w < options->nwidths; w++) {
        widest = options->widths[w] > widest ? options->widths[w] : widest;
    }
    load_matrix(&problem, output, options, device->context, type);
    problem.b = bench_device_values(type, A->ncols * widest);
    problem.c = bench_device_allocate((size_t)(A->nrows * widest) * torc_type_size(type));
    problem.marks = bench_device_values(TORC_BOOL, (A->nrows > A->ncols ? A->nrows : A->ncols) * widest);
    problem.present = bench_device_allocate((size_t)(A->nrows * widest));
    for (int s = 0; s < options->nsemirings; s++) {
        bool is_on_type = bench_options_semiring(&problem.semiring, options, s, type);
        for (int w = 0; is_on_type && w < options->nwidths; w++) {
            problem.ncols = options->widths[w];
            bench_case_run(output, timer, options, &problem);
        }
    }
    unload(&problem);
}

static void run_matrix(const bench_output *output, bench_timer *timer, const bench_options *options,
    bench_device *device, const char *name)
{
    double start = torc_now();
    bench_matrix A = bench_matrix_make(name);
    fprintf(stderr, "torc-bench: %s: %lld × %lld, %lld entries, made in %.1f s\n", A.name, (long long)A.nrows,
        (long long)A.ncols, (long long)A.nnz, torc_now() - start);
    for (int t = 0; t < options->ntypes; t++) {
        run_type(output, timer, options, device, &A, options->types[t]);
        fprintf(stderr, "torc-bench: %s: %s done after %.1f s\n", A.name, torc_type_name(options->types[t]),
            torc_now() - start);
    }
    bench_matrix_free(&A);
}

int main(int argc, char **argv)
{
    bench_options options;
    if (!bench_options_parse(&options, argc, argv)) {
        fprintf(stderr, "torc-bench: %s\n%s", options.error, bench_usage);
        return 2;
    }
    if (options.is_help) {
        fputs(bench_usage, stdout);
        return 0;
    }
    bench_device device;
    bench_timer timer;
    bench_device_open(&device);
    bench_timer_open(
        &timer, device.stream, device.info.l2_bytes, options.is_sweep ? SWEEP_SECONDS : CASE_SECONDS);
    bench_output output = {options.csv ? fopen(options.csv, "w") : stdout, bench_copy_bandwidth(&timer)};
    bench_require(output.csv, options.csv, "cannot be written");
    print_provenance(&output, &device);
    fputs(bench_csv_header, output.csv);
    for (int m = 0; m < options.nmatrices; m++) {
        run_matrix(&output, &timer, &options, &device, options.matrices[m]);
    }
    bench_require(fclose(output.csv) == 0, "the results", "could not be written to the end");
    bench_timer_close(&timer);
    bench_device_close(&device);
    return 0;
}
