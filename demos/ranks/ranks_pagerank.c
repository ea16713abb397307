/* ranks_pagerank.c: PageRank of an R-MAT graph over the ranks of MPI, from several groups of seeds at once.
 *
 *     mpirun -n P ranks_pagerank [--scale S] [--seeds N] [--steps K]
 *
 * A surfer of column j returns to the vertices whose number is j modulo N. A(i,k) counts the edges from k to
 * i, D holds 1 / out-degree, or 0, E the places where surfers return, as probabilities:
 *
 *     Y = A (D ∘ R)                      the product: D ∘ R travels as far as A's columns name it
 *     R' = d Y + (1 - d Σ Y) ∘ E         what leaves vertices without edges returns too
 *
 * until |R' - R| is small. Every rank makes its rows of the graph by itself, and has as many vertices. */
#include "rmat_rows.h"
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <torc/ranks.h>

enum { MOST_SEEDS = 1024 };
static const double DAMPING = .85, ENOUGH = 1e-9;

typedef struct settings {
    int scale, steps;
    int64_t seeds;
} settings;

typedef struct surfers {
    torc_context *context;
    torc_ranks *ranks;
    torc_rank_sparse *A;
    torc_dense R, X, Y, D, E, returning; /* returning: one row, 1 - d Σ Y */
    torc_dense all_x;                    /* X, and behind it room for the rows of others */
    uint64_t *zeros;                     /* device memory: row 0, for every row */
} surfers;

static int rank, nranks;

static void require(torc_status status, torc_context *context, const char *what)
{
    if (status != TORC_SUCCESS) {
        fprintf(stderr, "ranks_pagerank: rank %d: %s: %s: %s\n", rank, what, torc_status_text(status),
            context ? torc_context_error(context) : "");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

/* ---- Steps -------------------------------------------------------------------------------------------- */

static void combine(surfers *s, torc_dense *C, torc_multiply binary, torc_operand a, torc_operand b)
{
    torc_operation operation = {.kind = TORC_EWISE_MULT, .binary = binary, .type = TORC_FP64};
    require(
        torc_elementwise(C, &operation, s->context, &a, &b, NULL), s->context, torc_multiply_name(binary));
}

static torc_operand matrix(const torc_dense *dense)
{
    return (torc_operand){.dense = dense};
}

static torc_operand number(double value)
{
    torc_operand operand = {.value = {.type = TORC_FP64}};
    memcpy(operand.value.value, &value, sizeof value);
    return operand;
}

/* The row of what returns, in every row. */
static torc_operand every_row(const surfers *s)
{
    return (torc_operand){.dense = &s->returning, .rows = s->zeros};
}

/* What returns in each column. */
static void sum_returning(surfers *s)
{
    static double sums[MOST_SEEDS];
    torc_reduction plus = {TORC_PLUS_MONOID, TORC_FP64, NULL};
    require(torc_ranks_reduce_columns(sums, NULL, plus, s->ranks, &s->Y), s->context, "sums");
    for (int64_t j = 0; j < s->Y.ncols; j++) {
        sums[j] = 1 - DAMPING * sums[j];
    }
    require(torc_memory_upload(s->context, s->returning.data, sums, (size_t)s->Y.ncols * sizeof *sums),
        s->context, "upload");
}

/* |R' - R|, summed over all columns. */
static double step(surfers *s)
{
    torc_semiring plus_times = {TORC_PLUS_MONOID, TORC_TIMES, TORC_FP64};
    torc_reduction plus = {TORC_PLUS_MONOID, TORC_FP64, NULL};
    torc_operation absolute = {.kind = TORC_APPLY, .unary = TORC_UNARY_ABS, .type = TORC_FP64};
    torc_operand difference = matrix(&s->X);
    double change;
    combine(s, &s->X, TORC_TIMES, matrix(&s->D), matrix(&s->R));
    require(torc_ranks_spmm(&s->Y, plus_times, s->A, &s->all_x, NULL), s->context, "product");
    sum_returning(s);
    combine(s, &s->Y, TORC_TIMES, matrix(&s->Y), number(DAMPING));
    combine(s, &s->X, TORC_TIMES, matrix(&s->E), every_row(s));
    combine(s, &s->Y, TORC_PLUS, matrix(&s->Y), matrix(&s->X));
    combine(s, &s->X, TORC_MINUS, matrix(&s->Y), matrix(&s->R));
    require(torc_elementwise(&s->X, &absolute, s->context, &difference, NULL, NULL), s->context, "abs");
    require(torc_ranks_reduce_to_scalar(&change, NULL, plus, s->ranks, &s->X), s->context, "change");
    torc_dense before = s->R;
    s->R = s->Y;
    s->Y = before;
    return change;
}

/* ---- Operands ----------------------------------------------------------------------------------------- */

/* With room for the rows of others, who write them there. */
static void make_x(surfers *s, int64_t own, int64_t needed, int64_t ncols)
{
    s->all_x = (torc_dense){own + needed, ncols, ncols, TORC_ROW_MAJOR, TORC_FP64, false, NULL, NULL};
    size_t size = (size_t)((own + needed) * ncols) * sizeof(double);
    require(torc_ranks_allocate(&s->all_x.data, s->ranks, size), s->context, "memory");
    s->X = s->all_x;
    s->X.nrows = own;
}

/* values: NULL: without content. */
static torc_dense new_dense(surfers *s, int64_t nrows, int64_t ncols, const double *values)
{
    torc_dense X = {nrows, ncols, ncols, TORC_ROW_MAJOR, TORC_FP64, false, NULL, NULL};
    size_t size = (size_t)(nrows * ncols) * sizeof *values;
    require(torc_memory_allocate(&X.data, s->context, size), s->context, "memory");
    require(torc_memory_upload(s->context, X.data, values, values ? size : 0), s->context, "upload");
    return X;
}

static void fill(surfers *s, const rmat_rows *rows, const settings *set, int64_t needed)
{
    int64_t n = INT64_C(1) << set->scale, own = rows->end - rows->begin, cells = own * set->seeds;
    double *d = calloc((size_t)cells + 1, sizeof *d), *e = calloc((size_t)cells + 1, sizeof *e);
    uint64_t *zeros = calloc((size_t)own + 1, sizeof *zeros);
    require(d && e && zeros ? TORC_SUCCESS : TORC_OUT_OF_MEMORY, NULL, "memory");
    for (int64_t i = 0; i < own; i++) {
        int64_t vertex = rows->begin + i, group = vertex % set->seeds;
        int64_t members = (n - group + set->seeds - 1) / set->seeds;
        double degree = rows->out_degree[i];
        for (int64_t j = 0; j < set->seeds; j++) {
            d[i * set->seeds + j] = degree > 0 ? 1 / degree : 0;
        }
        e[i * set->seeds + group] = 1 / (double)members;
    }
    s->D = new_dense(s, own, set->seeds, d);
    s->E = new_dense(s, own, set->seeds, e);
    s->R = new_dense(s, own, set->seeds, e);
    make_x(s, own, needed, set->seeds);
    s->Y = new_dense(s, own, set->seeds, NULL);
    s->returning = new_dense(s, 1, set->seeds, NULL);
    void *on_device;
    require(torc_memory_allocate(&on_device, s->context, (size_t)own * sizeof *zeros), s->context, "memory");
    require(
        torc_memory_upload(s->context, on_device, zeros, (size_t)own * sizeof *zeros), s->context, "upload");
    s->zeros = on_device;
    free(d);
    free(e);
    free(zeros);
}

static void release(surfers *s)
{
    void *all[] = {s->R.data, s->Y.data, s->D.data, s->E.data, s->returning.data, s->zeros};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        torc_memory_release(s->context, all[i]);
    }
    torc_ranks_release(s->ranks, s->X.data);
    torc_rank_sparse_destroy(s->A);
    torc_ranks_destroy(s->ranks);
    torc_context_destroy(s->context);
}

/* ---- The program -------------------------------------------------------------------------------------- */

/* Ranks of one machine take its devices in turn, unless the environment names one. */
static torc_context *open_device(void)
{
    torc_options options;
    torc_context *context;
    MPI_Comm here;
    int local;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &here);
    MPI_Comm_rank(here, &local);
    MPI_Comm_free(&here);
    torc_options_from_environment(&options);
    options.device = getenv("TORC_DEVICE") ? options.device : local;
    require(torc_context_create(&context, &options), NULL, "device");
    return context;
}

/* The most visited vertex of column 0. */
static void print_most(const surfers *s, const settings *set, int steps, int64_t first_row)
{
    size_t count = (size_t)(s->R.nrows * s->R.ncols);
    double *values = calloc(count + 1, sizeof *values);
    struct {
        double value;
        int vertex;
    } own = {-1, 0}, most;
    require(values ? TORC_SUCCESS : TORC_OUT_OF_MEMORY, NULL, "memory");
    require(
        torc_memory_download(s->context, values, s->R.data, count * sizeof *values), s->context, "download");
    for (int64_t i = 0; i < s->R.nrows; i++) {
        if (values[i * s->R.ncols] > own.value) {
            own.value = values[i * s->R.ncols];
            own.vertex = (int)(first_row + i);
        }
    }
    free(values);
    MPI_Allreduce(&own, &most, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("scale %d, %lld columns, %d steps: most to vertex %d in column 0, %.9f\n", set->scale,
            (long long)set->seeds, steps, most.vertex, most.value);
    }
}

static bool parse(settings *set, int argc, char **argv)
{
    static const struct option names[] = {{"scale", required_argument, NULL, 's'},
        {"seeds", required_argument, NULL, 'n'}, {"steps", required_argument, NULL, 'k'}, {0}};
    *set = (settings){.scale = 16, .seeds = 1, .steps = 100};
    for (int name; (name = getopt_long(argc, argv, "", names, NULL)) != -1;) {
        char *end = "";
        int64_t value = optarg ? strtoll(optarg, &end, 10) : 0;
        if (*end != '\0') {
            return false;
        }
        if (name == 's' && value >= 1 && value <= 30) {
            set->scale = (int)value;
        } else if (name == 'n' && value >= 1 && value <= MOST_SEEDS) {
            set->seeds = value;
        } else if (name == 'k' && value >= 1 && value <= 1000) {
            set->steps = (int)value;
        } else {
            return false;
        }
    }
    return optind == argc && set->seeds <= INT64_C(1) << set->scale;
}

static void report(const settings *set, const torc_halo *halo, const surfers *s)
{
    int64_t travels = halo->needed, most = 0;
    MPI_Allreduce(&halo->needed, &most, 1, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &travels, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) {
        fprintf(stderr,
            "%d ranks; a step exchanges %.2f MB, at most %.2f MB to one rank, which has %.2f MB; %s\n",
            nranks, 1e-6 * 8 * (double)(travels * set->seeds), 1e-6 * 8 * (double)(most * set->seeds),
            1e-6 * 8 * (double)(s->R.nrows * set->seeds), torc_ranks_way(s->ranks));
    }
}

int main(int argc, char **argv)
{
    settings set;
    surfers s = {.context = NULL};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &nranks);
    if (!parse(&set, argc, argv)) {
        if (rank == 0) {
            fputs("usage: mpirun -n P ranks_pagerank [--scale S] [--seeds N] [--steps K]\n", stderr);
        }
        MPI_Finalize();
        return 2;
    }
    int64_t n = INT64_C(1) << set.scale;
    s.context = open_device();
    require(torc_ranks_create(&s.ranks, MPI_COMM_WORLD, s.context), s.context, "ranks");
    rmat_rows rows = rmat_rows_make(set.scale, n * rank / nranks, n * (rank + 1) / nranks);
    torc_csr csr = {
        rows.end - rows.begin, n, rows.row_ptr, rows.from, rows.count, 64, 64, TORC_FP64, false, NULL};
    torc_halo halo;
    require(torc_rank_sparse_create(&s.A, s.ranks, &csr, csr.nrows), s.context, "A");
    require(torc_rank_sparse_halo(&halo, s.A), s.context, "halo");
    fill(&s, &rows, &set, halo.needed);
    rmat_rows_free(&rows);
    report(&set, &halo, &s);
    double change = step(&s), start = MPI_Wtime(); /* the first step has kernels compiled */
    int steps = 1;
    for (; steps < set.steps && change > ENOUGH * (double)set.seeds; steps++) {
        change = step(&s);
    }
    if (rank == 0 && steps > 1) {
        fprintf(stderr, "%.3f ms a step, after the first\n", 1e3 * (MPI_Wtime() - start) / (steps - 1));
    }
    print_most(&s, &set, steps, halo.first_row);
    release(&s);
    MPI_Finalize();
    return 0;
}
