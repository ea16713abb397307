/* dense_calls_bench.c: torc-bench-dense-calls: what SuiteSparse takes for operations on dense vectors, which
 * the cost model predicts (torc_cpu_pass_seconds). Vectors of fp64, the quickest of some calls.
 *
 *     torc-bench-dense-calls [ELEMENTS [THREADS]]      2^20 and as many as GraphBLAS takes, unless told
 */
#include "bench_number.h"
#include "bench_graphblas.h"
#include "clock_now.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { CALLS = 30 };

typedef struct operands {
    GrB_Index n;
    GrB_Vector a, b, c;        /* full */
    GrB_Vector gaps_a, gaps_b; /* bitmaps: half of the elements, two thirds */
    GrB_Vector mask, few;      /* bool, full: half of the elements, one in twenty */
    GrB_Vector is_equal;       /* bool, full */
    GrB_Vector listed;         /* bool, sparse: one in sixteen */
    GrB_Index *places;         /* anywhere */
} operands;

static void add(operands *o)
{
    TRY(GrB_Vector_eWiseAdd_BinaryOp(o->c, NULL, NULL, GrB_PLUS_FP64, o->a, o->b, NULL));
}

static void divide(operands *o)
{
    TRY(GrB_Vector_eWiseMult_BinaryOp(o->c, NULL, NULL, GrB_DIV_FP64, o->a, o->b, NULL));
}

static void negate(operands *o)
{
    TRY(GrB_Vector_apply(o->c, NULL, NULL, GrB_AINV_FP64, o->a, NULL));
}

static void accumulate(operands *o)
{
    TRY(GrB_Vector_apply(o->c, NULL, GrB_PLUS_FP64, GrB_IDENTITY_FP64, o->a, NULL));
}

static void accumulate_least(operands *o)
{
    TRY(GrB_Vector_eWiseAdd_BinaryOp(o->c, NULL, GrB_MIN_FP64, GrB_MIN_FP64, o->a, o->b, NULL));
}

static void compare(operands *o)
{
    TRY(GrB_Vector_eWiseMult_BinaryOp(o->is_equal, NULL, NULL, GrB_EQ_FP64, o->a, o->b, NULL));
}

static void sum(operands *o)
{
    double all;
    TRY(GrB_Vector_reduce_FP64(&all, NULL, GrB_PLUS_MONOID_FP64, o->a, NULL));
}

static void copy_masked(operands *o)
{
    TRY(GrB_Vector_apply(o->c, o->mask, NULL, GrB_IDENTITY_FP64, o->a, NULL));
}

static void copy_few(operands *o)
{
    TRY(GrB_Vector_apply(o->c, o->few, NULL, GrB_IDENTITY_FP64, o->a, NULL));
}

static void assign_masked(operands *o)
{
    TRY(GrB_Vector_assign_FP64(o->c, o->mask, NULL, 3, GrB_ALL, o->n, NULL));
}

static void assign_listed(operands *o)
{
    TRY(GrB_Vector_assign_FP64(o->c, o->listed, NULL, 3, GrB_ALL, o->n, GrB_DESC_S));
}

static void add_outside(operands *o)
{
    TRY(GrB_Vector_eWiseAdd_BinaryOp(o->c, o->mask, NULL, GrB_PLUS_FP64, o->a, o->b, GrB_DESC_C));
}

static void add_gaps(operands *o)
{
    TRY(GrB_Vector_eWiseAdd_BinaryOp(o->c, NULL, NULL, GrB_PLUS_FP64, o->gaps_a, o->gaps_b, NULL));
}

static void multiply_gaps(operands *o)
{
    TRY(GrB_Vector_eWiseMult_BinaryOp(o->c, NULL, NULL, GrB_TIMES_FP64, o->gaps_a, o->gaps_b, NULL));
}

static void gather(operands *o)
{
    TRY(GrB_Vector_extract(o->c, NULL, NULL, o->a, o->places, o->n, NULL));
}

/* Bytes of an element's lines that are read or written, and what else happens to it, as the cost model
 * counts: C's old content is written where it is read, and nothing is known of a mask's values. */
static const struct {
    const char *text;
    void (*call)(operands *o);
    double bytes, decided, doubtful, gathered, compared;
} cases[] = {
    {"c = a + b", add, 24, 0, 0, 0, 0},
    {"c = a / b", divide, 24, 0, 0, 0, 0},
    {"c = -a", negate, 16, 0, 0, 0, 0},
    {"c += a", accumulate, 16, 0, 0, 0, 0},
    {"c min= min(a b)", accumulate_least, 24, 0, 0, 0, 1},
    {"e = a == b", compare, 17, 0, 0, 0, 0},
    {"sum of a", sum, 8, 0, 0, 0, 0},
    {"c<m> = a", copy_masked, 17, 1, 1. / 6, 0, 0},
    {"c<few> = a", copy_few, 17, 1, 1. / 6, 0, 0},
    {"c<m> = 3", assign_masked, 9, 1, 1. / 6, 0, 0},
    {"c<listed> = 3", assign_listed, 17. / 16, 1. / 16, 0, 0, 0},
    {"c<!m> = a + b", add_outside, 25, 2, 2. / 6, 0, 0},
    {"c = a + b of bitmaps", add_gaps, 26, 1, 1. / 4, 0, 0},
    {"c = a * b of bitmaps", multiply_gaps, 26, 1, 1. / 4, 0, 0},
    {"c = a(places)", gather, 24, 0, 0, 1, 0},
};

/* splitmix64's mixing, so that no processor learns which element comes next. */
static uint64_t scattered(uint64_t i)
{
    i = (i ^ i >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    i = (i ^ i >> 27) * UINT64_C(0x94d049bb133111eb);
    return i ^ i >> 31;
}

static GrB_Vector new_full(GrB_Index n, GrB_Index below)
{
    GrB_Vector vector;
    double *values = bench_allocate(n, sizeof *values);
    for (GrB_Index i = 0; i < n; i++) {
        values[i] = (double)(scattered(i) % below);
    }
    void *given = values;
    TRY(GrB_Vector_new(&vector, GrB_FP64, n));
    TRY(GxB_Vector_pack_Full(vector, &given, n * sizeof *values, false, NULL));
    return vector;
}

/* All but one of `each` elements, which are spread as if at random. */
static GrB_Vector new_with_gaps(GrB_Index n, GrB_Index each)
{
    GrB_Vector vector = new_full(n, 1000);
    for (GrB_Index i = 0; i < n; i++) {
        if (scattered(i) % each == 0) {
            TRY(GrB_Vector_removeElement(vector, i));
        }
    }
    TRY(GxB_Vector_Option_set(vector, GxB_SPARSITY_CONTROL, GxB_BITMAP));
    TRY(GrB_Vector_wait(vector, GrB_MATERIALIZE));
    return vector;
}

static operands make(GrB_Index n)
{
    operands o = {n, new_full(n, 1000), new_full(n, 777), new_full(n, 5), new_with_gaps(n, 2),
        new_with_gaps(n, 3), NULL, NULL, NULL, NULL, bench_allocate(n, sizeof *o.places)};
    TRY(GrB_Vector_new(&o.mask, GrB_BOOL, n));
    TRY(GrB_Vector_new(&o.is_equal, GrB_BOOL, n));
    TRY(GrB_Vector_new(&o.few, GrB_BOOL, n));
    TRY(GrB_Vector_apply_BinaryOp2nd_FP64(o.mask, NULL, NULL, GrB_GE_FP64, o.a, 500, NULL));
    TRY(GrB_Vector_apply_BinaryOp2nd_FP64(o.few, NULL, NULL, GrB_GE_FP64, o.a, 950, NULL));
    TRY(GrB_Vector_new(&o.listed, GrB_BOOL, n));
    TRY(GxB_Vector_Option_set(o.listed, GxB_SPARSITY_CONTROL, GxB_SPARSE));
    for (GrB_Index i = 0; i < n; i++) {
        if (scattered(i + n) % 16 == 0) {
            TRY(GrB_Vector_setElement_BOOL(o.listed, true, i));
        }
        o.places[i] = scattered(i) % n;
    }
    TRY(GrB_Vector_wait(o.listed, GrB_MATERIALIZE));
    return o;
}

static void release(operands *o)
{
    GrB_Vector *all[] = {
        &o->a, &o->b, &o->c, &o->gaps_a, &o->gaps_b, &o->mask, &o->few, &o->is_equal, &o->listed};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        GrB_Vector_free(all[i]);
    }
    free(o->places);
}

static double time_call(operands *o, void (*call)(operands *o))
{
    double quickest = INFINITY;
    for (int i = 0; i < CALLS; i++) {
        double start = torc_now();
        call(o);
        TRY(GrB_Vector_wait(o->c, GrB_MATERIALIZE));
        quickest = fmin(quickest, torc_now() - start);
    }
    return quickest;
}

int main(int argc, char **argv)
{
    int64_t elements = 1 << 20, most_threads = 0;
    bool is_good = (argc < 2 || bench_number_parse(&elements, argv[1], INT64_C(1) << 40)) &&
                   (argc < 3 || bench_number_parse(&most_threads, argv[2], 4096)) && argc <= 3;
    bench_require(is_good, "ELEMENTS, THREADS", "have to be numbers above 0");
    GrB_Index n = (GrB_Index)elements;
    int threads = (int)most_threads;
    TRY(GrB_init(GrB_NONBLOCKING));
    if (threads > 0) {
        TRY(GxB_Global_Option_set(GxB_GLOBAL_NTHREADS, threads));
    }
    TRY(GxB_Global_Option_get(GxB_GLOBAL_NTHREADS, &threads));
    operands o = make(n);
    printf("call,elements,threads,ms,bytes,decided,doubtful,gathered,compared\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double seconds = time_call(&o, cases[i].call), all = (double)n;
        printf("%s,%.0f,%d,%.4f,%.0f,%.0f,%.0f,%.0f,%.0f\n", cases[i].text, all, threads, 1e3 * seconds,
            all * cases[i].bytes, all * cases[i].decided, all * cases[i].doubtful, all * cases[i].gathered,
            all * cases[i].compared);
    }
    release(&o);
    TRY(GrB_finalize());
    return EXIT_SUCCESS;
}
