/* mxm_case.c: see mxm_case.h.
 *
 * Both libraries do the same calls on matrices of their own, SuiteSparse's first, in memory of torc's
 * allocator, as a program under the drop-in has it. Then the results are compared: all values are positive,
 * so that a reordered sum of n terms is off by no more than n·u/(1 - n·u) of itself; min_plus is exact. */
#include "mxm_case.h"
#include "bench_require.h"
#include "bench_values.h"
#include "clock_now.h"
#include "matrix_generators.h"
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <torc/graphblas.h>

enum { TINY = 100, TINY_CALLS = 100000, FULL_SCALE = 20, WARM_UPS = 2 };
#define BUS 55e9 /* bytes a second each way, pinned: what a call is held against */

const char mxm_csv_header[] =
    "case,nrows,ncols,nnz,n,type,calls,torc_ms,torc_min_ms,suitesparse_ms,"
    "suitesparse_min_ms,bytes_in,bytes_out,bytes_spared,bus_ms,over_bus,difference\n";

typedef GrB_Info (*mxm_function)(GrB_Matrix, const GrB_Matrix, const GrB_BinaryOp, const GrB_Semiring,
    const GrB_Matrix, const GrB_Matrix, const GrB_Descriptor);

/* What one library multiplies. */
typedef struct mxm_operands {
    GrB_Matrix A, B, *C;
    int ncs; /* one for each thread */
} mxm_operands;

typedef struct mxm_times {
    double median, least; /* seconds of one call, or of one by every thread */
} mxm_times;

static void require(GrB_Info info, const char *call)
{
    bench_require(info == GrB_SUCCESS, call, "GraphBLAS reports an error");
}

#define REQUIRE(call) require((call), #call)

/* ---- Operands ----------------------------------------------------------------------------------------- */

static bench_matrix make_pattern(const mxm_case *c, int scale)
{
    int down = FULL_SCALE - scale;
    if (c->matrix == MXM_RMAT) {
        return bench_make_rmat(scale, true);
    }
    if (c->matrix == MXM_UNIFORM) {
        return bench_make_uniform((int64_t)1 << scale, (int64_t)1 << scale, 16);
    }
    return c->matrix == MXM_TINY
               ? bench_make_uniform(TINY, TINY, 3)
               : bench_make_uniform(200000 >> down, 50000 >> down, 500 >> (down < 4 ? down : 4));
}

static GrB_Index *widen(const int32_t *from, int64_t count)
{
    GrB_Index *to = bench_allocate((size_t)count, sizeof *to);
    for (int64_t i = 0; i < count; i++) {
        to[i] = (GrB_Index)from[i];
    }
    return to;
}

/* Through a copy, so that the arrays are from GraphBLAS's own allocator. */
static GrB_Matrix adopt(GrB_Matrix imported)
{
    GrB_Matrix A;
    REQUIRE(GrB_Matrix_dup(&A, imported));
    GrB_Matrix_free(&imported);
    return A;
}

static GrB_Matrix make_sparse(const bench_matrix *M, GrB_Type type, torc_type values)
{
    GrB_Matrix A;
    GrB_Index nrows = (GrB_Index)M->nrows, ncols = (GrB_Index)M->ncols, nnz = (GrB_Index)M->nnz;
    GrB_Index *Ap = widen(M->row_ptr, M->nrows + 1), *Aj = widen(M->col_idx, M->nnz);
    void *Ax = bench_values_make(values, M->nnz);
    REQUIRE(GxB_Matrix_import_CSR(&A, type, nrows, ncols, &Ap, &Aj, &Ax, (nrows + 1) * sizeof *Ap,
        nnz * sizeof *Aj, nnz * torc_type_size(values), false, false, NULL));
    return adopt(A);
}

static GrB_Matrix make_dense(int64_t nrows, int64_t ncols, GrB_Type type, torc_type values)
{
    GrB_Matrix B;
    void *Bx = bench_values_make(values, nrows * ncols);
    REQUIRE(GxB_Matrix_import_FullR(&B, type, (GrB_Index)nrows, (GrB_Index)ncols, &Bx,
        (GrB_Index)(nrows * ncols) * torc_type_size(values), false, NULL));
    return adopt(B);
}

static GrB_Matrix make_result(const mxm_case *c, int64_t nrows, GrB_Type type)
{
    GrB_Matrix C;
    GrB_Index m = (GrB_Index)(c->is_left ? c->ncols : nrows), n = (GrB_Index)(c->is_left ? nrows : c->ncols);
    REQUIRE(GrB_Matrix_new(&C, type, m, n));
    if (c->is_accumulated) {
        REQUIRE(GrB_Matrix_assign_FP64(C, NULL, NULL, 0, GrB_ALL, m, GrB_ALL, n, NULL));
    }
    return C;
}

static mxm_operands make_operands(const mxm_case *c, const bench_matrix *M, int ncs)
{
    torc_type values = c->is_fp64 ? TORC_FP64 : TORC_FP32;
    GrB_Type type = c->is_fp64 ? GrB_FP64 : GrB_FP32;
    GrB_Matrix B = c->is_left ? make_dense(c->ncols, M->ncols, type, values)
                              : make_dense(M->ncols, c->ncols, type, values);
    mxm_operands operands = {
        make_sparse(M, type, values), B, bench_allocate((size_t)ncs, sizeof(GrB_Matrix)), ncs};
    for (int i = 0; i < ncs; i++) {
        operands.C[i] = make_result(c, M->nrows, type);
    }
    return operands;
}

static void free_operands(mxm_operands *operands)
{
    GrB_Matrix_free(&operands->A);
    GrB_Matrix_free(&operands->B);
    for (int i = 0; i < operands->ncs; i++) {
        GrB_Matrix_free(&operands->C[i]);
    }
    free(operands->C);
}

/* ---- Calls -------------------------------------------------------------------------------------------- */

typedef struct mxm_work {
    const mxm_case *c;
    mxm_function mxm;
    GrB_Matrix A, B, C;
} mxm_work;

static GrB_Semiring semiring_of(const mxm_case *c)
{
    if (c->is_sum && c->is_left) {
        return c->is_fp64 ? GxB_PLUS_FIRST_FP64 : GxB_PLUS_FIRST_FP32;
    }
    if (c->is_sum) {
        return c->is_fp64 ? GxB_PLUS_SECOND_FP64 : GxB_PLUS_SECOND_FP32;
    }
    if (c->is_min_plus) {
        return c->is_fp64 ? GrB_MIN_PLUS_SEMIRING_FP64 : GrB_MIN_PLUS_SEMIRING_FP32;
    }
    return c->is_fp64 ? GrB_PLUS_TIMES_SEMIRING_FP64 : GrB_PLUS_TIMES_SEMIRING_FP32;
}

static void *multiply(void *opaque)
{
    const mxm_work *w = opaque;
    bool is_left = w->c->is_left;
    GrB_BinaryOp accum = !w->c->is_accumulated ? NULL : w->c->is_fp64 ? GrB_PLUS_FP64 : GrB_PLUS_FP32;
    REQUIRE(w->mxm(w->C, NULL, accum, semiring_of(w->c), is_left ? w->B : w->A, is_left ? w->A : w->B,
        is_left ? GrB_DESC_T1 : NULL));
    REQUIRE(GrB_Matrix_wait(w->C, GrB_MATERIALIZE));
    return NULL;
}

/* Seconds until all threads are done. */
static double call(const mxm_case *c, mxm_function mxm, const mxm_operands *operands)
{
    pthread_t threads[operands->ncs];
    mxm_work work[operands->ncs];
    double start = torc_now();
    for (int i = 0; i < operands->ncs; i++) {
        work[i] = (mxm_work){c, mxm, operands->A, operands->B, operands->C[i]};
        if (operands->ncs > 1) {
            bench_require(
                pthread_create(&threads[i], NULL, multiply, &work[i]) == 0, "pthread_create", "no thread");
        } else {
            multiply(&work[i]);
        }
    }
    for (int i = 0; operands->ncs > 1 && i < operands->ncs; i++) {
        pthread_join(threads[i], NULL);
    }
    return torc_now() - start;
}

/* Row 0, or column 0 of a left one, gets another value, the same for both libraries. */
static void change(const mxm_case *c, GrB_Matrix B, int step)
{
    GrB_Index first = 0, n = (GrB_Index)c->ncols;
    REQUIRE(c->is_left ? GrB_Matrix_assign_FP64(B, NULL, NULL, 1 + step, GrB_ALL, n, &first, 1, NULL)
                       : GrB_Matrix_assign_FP64(B, NULL, NULL, 1 + step, &first, 1, GrB_ALL, n, NULL));
    REQUIRE(GrB_Matrix_wait(B, GrB_MATERIALIZE));
}

static int compare(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

static mxm_times summarise(double *seconds, int count)
{
    qsort(seconds, (size_t)count, sizeof *seconds, compare);
    return (mxm_times){seconds[count / 2], seconds[0]};
}

static mxm_times time_calls(const mxm_case *c, int repeats, mxm_function mxm, const mxm_operands *operands)
{
    double *seconds = bench_allocate((size_t)repeats, sizeof *seconds);
    for (int i = 0; i < repeats; i++) {
        if (c->changes_b) {
            change(c, operands->B, i);
        }
        seconds[i] = call(c, mxm, operands);
    }
    mxm_times times = summarise(seconds, repeats);
    free(seconds);
    return times;
}

/* In turn, so that both meet the same machine. */
static void time_tiny(
    mxm_times *torc, mxm_times *bare, const mxm_case *c, const mxm_operands *X, const mxm_operands *Y)
{
    double *x = bench_allocate(TINY_CALLS, sizeof *x), *y = bench_allocate(TINY_CALLS, sizeof *y);
    for (int i = 0; i < TINY_CALLS; i++) {
        y[i] = call(c, GrB_mxm, Y);
        x[i] = call(c, torc_mxm, X);
    }
    *torc = summarise(x, TINY_CALLS);
    *bare = summarise(y, TINY_CALLS);
    free(x);
    free(y);
}

/* ---- Results ------------------------------------------------------------------------------------------ */

static double reduce(GrB_Matrix X, GrB_Monoid monoid)
{
    double value = 0;
    REQUIRE(GrB_Matrix_reduce_FP64(&value, NULL, monoid, X, NULL));
    return value;
}

/* The largest |X - Y| / Y. All values of Y are positive, and both have the same entries. */
static double difference(const mxm_case *c, GrB_Matrix X, GrB_Matrix Y)
{
    GrB_Matrix D;
    GrB_Index nrows, ncols, nx, ny, nd;
    REQUIRE(GrB_Matrix_nrows(&nrows, X));
    REQUIRE(GrB_Matrix_ncols(&ncols, X));
    REQUIRE(GrB_Matrix_new(&D, GrB_FP64, nrows, ncols));
    REQUIRE(GrB_Matrix_eWiseMult_BinaryOp(D, NULL, NULL, GrB_DIV_FP64, X, Y, NULL));
    REQUIRE(GrB_Matrix_nvals(&nx, X));
    REQUIRE(GrB_Matrix_nvals(&ny, Y));
    REQUIRE(GrB_Matrix_nvals(&nd, D));
    bench_require(nx == ny && nx == nd, c->name, "torc and SuiteSparse give different entries");
    double above = reduce(D, GrB_MAX_MONOID_FP64) - 1, below = 1 - reduce(D, GrB_MIN_MONOID_FP64);
    GrB_Matrix_free(&D);
    return fmax(above, below);
}

/* C += accumulates an empty row's zeros: 0/0 is no number, which fmax and GraphBLAS's MAX leave out. */
static double check(
    const mxm_case *c, const bench_matrix *M, int ncalls, const mxm_operands *X, const mxm_operands *Y)
{
    double terms = (double)bench_row_length(M, M->longest_row) * (c->is_accumulated ? ncalls : 1);
    double unit = terms * (c->is_fp64 ? 0x1p-53 : 0x1p-24), worst = 0;
    double bound = c->is_min_plus ? 0 : 2 * unit / (1 - unit) + 0x1p-50; /* of two sums, and of D itself */
    for (int i = 0; i < X->ncs; i++) {
        worst = fmax(worst, difference(c, X->C[i], Y->C[0]));
    }
    bench_require(worst <= bound, c->name, "torc and SuiteSparse give different values");
    return worst;
}

/* New matrices each time take long to make; the first ones are in memory of the warm-ups, and few more than
 * that would let one slow call be the median. */
static int repeats_of(const mxm_case *c, const mxm_options *options)
{
    enum { MOST_FIRST = 5 };
    return c->is_first && options->repeats > MOST_FIRST ? MOST_FIRST : options->repeats;
}

/* Both libraries make the same calls on what is compared in the end. */
static int calls_compared(const mxm_case *c, int repeats)
{
    return c->is_first ? 1 : c->is_accumulated ? repeats + WARM_UPS : repeats;
}

static torc_mxm_statistics statistics(void)
{
    torc_mxm_statistics s = TORC_MXM_STATISTICS_INIT;
    REQUIRE(torc_mxm_statistics_get(&s));
    return s;
}

static void print(const mxm_case *c, const mxm_options *options, const bench_matrix *M, mxm_times torc,
    mxm_times bare, const torc_mxm_statistics *before, double error)
{
    torc_mxm_statistics s = statistics();
    int repeats = repeats_of(c, options);
    int ncalls = (int)(s.device.calls - before->device.calls),
        together = c->has_threads ? options->threads : 1;
    double scale = ncalls ? (double)together / ncalls : 0;
    double in = scale * (double)(s.bytes_in - before->bytes_in);
    double out = scale * (double)(s.bytes_out - before->bytes_out), bus = fmax(in, out) / BUS;
    fprintf(options->csv, "%s,%lld,%lld,%lld,%lld,%s,%d,%.4f,%.4f,%.4f,%.4f,%.0f,%.0f,%.0f,%.4f,%.2f,%.2g\n",
        c->name, (long long)M->nrows, (long long)M->ncols, (long long)M->nnz, (long long)c->ncols,
        c->is_fp64 ? "fp64" : "fp32", c->is_unforced ? TINY_CALLS : repeats, 1e3 * torc.median,
        1e3 * torc.least, 1e3 * bare.median, 1e3 * bare.least, in, out,
        scale * (double)(s.bytes_spared - before->bytes_spared), 1e3 * bus, bus > 0 ? torc.median / bus : 0,
        error);
    fprintf(stderr, "%-26s %10.3f ms   SuiteSparse %10.3f ms   %6.2f x   bus %8.3f ms   %s\n", c->name,
        1e3 * torc.median, 1e3 * bare.median, bare.median / torc.median, 1e3 * bus, c->tells);
    uint64_t expected = c->is_unforced ? 0 : (uint64_t)(repeats * together);
    bench_require((uint64_t)ncalls == expected, c->name, "calls did not run where they should");
}

/* ---- The case ----------------------------------------------------------------------------------------- */

/* Everything that a device does once, done on other matrices of the same kind, which stay where they are. */
static void warm_up(const mxm_case *c, const mxm_operands *operands)
{
    for (int i = 0; i < WARM_UPS; i++) {
        call(c, torc_mxm, operands);
    }
}

static mxm_times time_first(const mxm_case *c, int repeats, const bench_matrix *M, mxm_operands *operands)
{
    double *seconds = bench_allocate((size_t)repeats, sizeof *seconds);
    mxm_operands *seen = bench_allocate((size_t)repeats, sizeof *seen);
    for (int i = 0; i < repeats; i++) {
        seen[i] = *operands; /* not freed: its memory would come back */
        *operands = make_operands(c, M, operands->ncs);
        seconds[i] = call(c, torc_mxm, operands);
    }
    mxm_times times = summarise(seconds, repeats);
    for (int i = 0; i < repeats; i++) {
        free_operands(&seen[i]);
    }
    free(seen);
    free(seconds);
    return times;
}

static void run_torc(mxm_times *times, torc_mxm_statistics *before, const mxm_case *c,
    const mxm_options *options, const bench_matrix *M, mxm_operands *operands)
{
    int repeats = repeats_of(c, options);
    if (c->is_held) {
        REQUIRE(torc_matrix_hold(operands->A));
    }
    warm_up(c, operands);
    *before = statistics();
    *times = c->is_first ? time_first(c, repeats, M, operands) : time_calls(c, repeats, torc_mxm, operands);
    if (c->is_held) {
        REQUIRE(torc_matrix_release(operands->A));
    }
}

void mxm_case_run(const mxm_case *c, const mxm_options *options)
{
    if (!c->is_unforced) {
        setenv("TORC_FORCE", "gpu", 1);
    }
    REQUIRE(GxB_init(GrB_NONBLOCKING, torc_malloc, torc_calloc, torc_realloc, torc_free));
    bench_matrix M = make_pattern(c, options->scale);
    int ncs = c->has_threads ? options->threads : 1, ncalls = calls_compared(c, repeats_of(c, options));
    mxm_operands X = make_operands(c, &M, ncs), Y = make_operands(c, &M, ncs);
    mxm_times torc, bare;
    torc_mxm_statistics before = statistics();
    if (c->is_unforced) {
        time_tiny(&torc, &bare, c, &X, &Y);
    } else {
        bare = time_calls(c, ncalls, GrB_mxm, &Y);
        run_torc(&torc, &before, c, options, &M, &X);
    }
    print(c, options, &M, torc, bare, &before, check(c, &M, ncalls, &X, &Y));
    free_operands(&X);
    free_operands(&Y);
    bench_matrix_free(&M);
    REQUIRE(GrB_finalize());
}
