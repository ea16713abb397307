/* ranks_bench.c: mpirun -n P torc-bench-ranks [--scale S] [--columns LIST] [--repeats R] [--csv FILE]: R-MAT
 * times a dense matrix over the ranks of MPI, plus_times in fp32, operands on the devices. Each rank makes
 * its rows of R-MAT itself. Median times of the slowest rank, in milliseconds:
 *
 *     total      torc_ranks_spmm until all devices have done it, B with room in memory of torc_ranks_allocate
 *     exchange   torc_ranks_exchange alone, likewise
 *     product    the difference: where they overlap, what is left of the product behind the exchange
 *     in_a_row   torc_ranks_spmm again and again, waited for once
 *     moving     total of a B with room in memory of torc_memory_allocate
 *     copying    total of a B without room there, whose rows are copied
 *
 * halo_mb: what the rank that needs most receives; gb_s: that by the time of exchange. The sum of C is the
 * same for all numbers of ranks, but for rounding. */
#include "../demos/ranks/rmat_rows.h"
#include "bench_provenance.h"
#include "bench_require.h"
#include "rmat_settings.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <torc/ranks.h>

enum { MOST_SCALE = 30 };

typedef struct operands {
    torc_context *context;
    torc_ranks *ranks;
    torc_rank_sparse *A;
    torc_halo halo;
    torc_dense B, C; /* B has room */
} operands;

typedef enum bench_mode { TOTAL, EXCHANGE, COPYING, MODES } bench_mode;

static const torc_semiring plus_times = {TORC_PLUS_MONOID, TORC_TIMES, TORC_FP32};
static const char usage[] =
    "usage: mpirun -n P torc-bench-ranks [--scale S] [--columns LIST] [--repeats R] [--csv FILE]\n";
static int rank, nranks;

static void require(torc_status status, const operands *o, const char *what)
{
    if (status != TORC_SUCCESS) {
        fprintf(stderr, "torc-bench-ranks: rank %d: %s: %s: %s\n", rank, what, torc_status_text(status),
            torc_context_error(o->context));
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

/* ---- Operands ----------------------------------------------------------------------------------------- */

/* Ranks of one machine take its devices in turn, unless the environment names one. */
static torc_context *open_device(void)
{
    torc_options options;
    torc_context *context = NULL;
    MPI_Comm here;
    int local;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &here);
    MPI_Comm_rank(here, &local);
    MPI_Comm_free(&here);
    torc_options_from_environment(&options);
    options.device = getenv("TORC_DEVICE") ? options.device : local;
    require(torc_context_create(&context, &options), &(operands){0}, "device");
    return context;
}

static void make_sparse(operands *o, int scale)
{
    int64_t n = INT64_C(1) << scale;
    rmat_rows rows = rmat_rows_make(scale, n * rank / nranks, n * (rank + 1) / nranks);
    int64_t nrows = rows.end - rows.begin, nnz = rows.row_ptr[nrows];
    float *values = bench_allocate((size_t)nnz + 1, sizeof *values);
    for (int64_t p = 0; p < nnz; p++) {
        values[p] = (float)rows.count[p];
    }
    torc_csr csr = {nrows, n, rows.row_ptr, rows.from, values, 64, 64, TORC_FP32, false, NULL};
    require(torc_rank_sparse_create(&o->A, o->ranks, &csr, nrows), o, "A");
    require(torc_rank_sparse_halo(&o->halo, o->A), o, "halo");
    o->B.nrows = nrows + o->halo.needed;
    o->C.nrows = nrows;
    rmat_rows_free(&rows);
    free(values);
}

static torc_dense own_rows(const operands *o)
{
    torc_dense own = o->B;
    own.nrows = o->C.nrows;
    return own;
}

/* B(i,j) is the number of row i in all of B. */
static void number_rows(operands *o)
{
    torc_operation number = {.kind = TORC_APPLY_INDEX, .index = TORC_ROWINDEX, .type = TORC_INT64};
    torc_operand nothing = {.value = {.type = TORC_INT64}};
    number.thunk = (torc_scalar){TORC_INT64, {(uint64_t)o->halo.first_of_b, 0}};
    torc_dense own = own_rows(o);
    require(torc_elementwise(&own, &number, o->context, &nothing, NULL, NULL), o, "numbers");
}

static void make_dense(operands *o, int64_t n)
{
    o->B = (torc_dense){o->B.nrows, n, n, TORC_ROW_MAJOR, TORC_FP32, false, NULL, NULL};
    o->C = (torc_dense){o->C.nrows, n, n, TORC_ROW_MAJOR, TORC_FP32, false, NULL, NULL};
    require(torc_ranks_allocate(&o->B.data, o->ranks, (size_t)(o->B.nrows * n) * sizeof(float)), o, "B");
    require(torc_memory_allocate(&o->C.data, o->context, (size_t)(o->C.nrows * n) * sizeof(float)), o, "C");
    number_rows(o);
}

/* B in memory that others do not write to. */
static void move_dense(operands *o)
{
    size_t size = (size_t)(o->B.nrows * o->B.ncols) * sizeof(float);
    torc_ranks_release(o->ranks, o->B.data);
    require(torc_memory_allocate(&o->B.data, o->context, size), o, "B");
    number_rows(o);
}

/* ---- Times -------------------------------------------------------------------------------------------- */

static void run(operands *o, bench_mode mode)
{
    torc_dense own = own_rows(o);
    require(mode == EXCHANGE ? torc_ranks_exchange(&o->B, o->A)
                             : torc_ranks_spmm(&o->C, plus_times, o->A, mode == COPYING ? &own : &o->B, NULL),
        o, mode == EXCHANGE ? "exchange" : "product");
}

/* So many in a row, from when all begin to when the last one has done it. */
static double seconds_of(operands *o, bench_mode mode, int count)
{
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime(), own, slowest;
    for (int i = 0; i < count; i++) {
        run(o, mode);
    }
    require(torc_ranks_wait(o->ranks), o, "wait");
    own = MPI_Wtime() - start;
    MPI_Allreduce(&own, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return slowest;
}

static int compare_seconds(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* After a first call, which compiles and plans. */
static double median(operands *o, bench_mode mode, int repeats)
{
    double seconds[RMAT_MOST_REPEATS];
    seconds_of(o, mode, 1);
    for (int i = 0; i < repeats; i++) {
        seconds[i] = seconds_of(o, mode, 1);
    }
    qsort(seconds, (size_t)repeats, sizeof *seconds, compare_seconds);
    return seconds[repeats / 2];
}

/* A B without room needs as much memory again, and its own rows there. */
static double try_copying(operands *o, int repeats)
{
    torc_device_info info;
    require(torc_context_info(&info, o->context), o, "device");
    size_t more = (size_t)(o->B.nrows * o->B.ncols) * sizeof(float);
    int fits = info.memory_available > more + more / 8;
    MPI_Allreduce(MPI_IN_PLACE, &fits, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return fits ? median(o, COPYING, repeats) : 0;
}

static void measure_width(operands *o, const rmat_settings *settings, int64_t n, FILE *csv)
{
    make_dense(o, n);
    double total = median(o, TOTAL, settings->repeats), exchange = median(o, EXCHANGE, settings->repeats);
    double in_a_row = seconds_of(o, TOTAL, settings->repeats) / settings->repeats, sum;
    torc_reduction plus = {TORC_PLUS_MONOID, TORC_FP64, NULL};
    require(torc_ranks_reduce_to_scalar(&sum, NULL, plus, o->ranks, &o->C), o, "sum");
    move_dense(o);
    double moving = median(o, TOTAL, settings->repeats), copying = try_copying(o, settings->repeats);
    int64_t most;
    MPI_Allreduce(&o->halo.needed, &most, 1, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
    double bytes = (double)most * (double)n * sizeof(float);
    if (rank == 0) {
        fprintf(csv, "%d,%lld,%d,%.4g,%.4g,%.4g,%.4g,%.4g,%.4g,%.4g,%.4g,%.9g\n", settings->scale,
            (long long)n, nranks, 1e3 * total, 1e3 * exchange, 1e3 * (total - exchange), 1e3 * in_a_row,
            1e3 * moving, 1e3 * copying, 1e-6 * bytes, 1e-9 * bytes / exchange, sum);
        fflush(csv);
    }
    torc_memory_release(o->context, o->B.data);
    torc_memory_release(o->context, o->C.data);
}

/* ---- The program -------------------------------------------------------------------------------------- */

static void print_provenance(FILE *csv, const operands *o)
{
    bench_provenance p = bench_provenance_now();
    torc_device_info info;
    require(torc_context_info(&info, o->context), o, "device");
    fprintf(csv, "# device of each rank: %s\n# driver: %s\n# date: %s\n# commit: %s\n# content moves %s\n",
        *info.name ? info.name : info.backend, p.driver, p.date, p.commit, torc_ranks_way(o->ranks));
}

static void measure(const rmat_settings *settings)
{
    operands o = {.context = open_device()};
    FILE *csv = rank == 0 && settings->csv ? fopen(settings->csv, "w") : stdout;
    bench_require(csv, settings->csv ? settings->csv : "CSV", "cannot be written");
    require(torc_ranks_create(&o.ranks, MPI_COMM_WORLD, o.context), &o, "ranks");
    if (*torc_context_error(o.context)) { /* why not from GPU to GPU */
        fprintf(stderr, "rank %d: %s\n", rank, torc_context_error(o.context));
    }
    double start = MPI_Wtime();
    make_sparse(&o, settings->scale);
    if (rank == 0) {
        print_provenance(csv, &o);
        fprintf(csv, "# A was there after %.1f s\n", MPI_Wtime() - start);
        fprintf(csv, "scale,columns,ranks,total_ms,exchange_ms,product_ms,in_a_row_ms,moving_ms,copying_ms,"
                     "halo_mb,gb_s,sum\n");
    }
    for (int i = 0; i < settings->nwidths; i++) {
        measure_width(&o, settings, settings->widths[i], csv);
    }
    bench_require(fflush(csv) == 0 && (csv == stdout || fclose(csv) == 0), "CSV", "cannot be written");
    torc_rank_sparse_destroy(o.A);
    torc_ranks_destroy(o.ranks);
    torc_context_destroy(o.context);
}

int main(int argc, char **argv)
{
    rmat_settings settings = {.scale = 20, .repeats = 21, .nwidths = 2, .widths = {128, 512}};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &nranks);
    bool is_good = rmat_settings_parse(&settings, MOST_SCALE, argc, argv);
    if (is_good) {
        measure(&settings);
    } else if (rank == 0) {
        fputs(usage, stderr);
    }
    MPI_Finalize();
    return is_good ? 0 : 2;
}
