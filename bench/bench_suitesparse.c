/* bench_suitesparse.c: SuiteSparse:GraphBLAS on all cores, A and B in its own objects: C = A·B, and C += A·B
 * into a full C, for which it has a faster way. C += grows with each call, so its rows say A·B only after the
 * first. It is slow, so only at three widths. */
#include "bench_contender.h"
#include "bench_require.h"
#include "bench_values.h"
#include <GraphBLAS.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ASSIGN, ACCUMULATE };

typedef struct suitesparse_state {
    GrB_Matrix A, B, C;
    GrB_Semiring semiring;
    GrB_BinaryOp accum;
    GrB_Type type;
    int64_t ncols;
} suitesparse_state;

static void require(GrB_Info info, const char *call)
{
    bench_require(info == GrB_SUCCESS, call, "SuiteSparse:GraphBLAS reports an error");
}

#define REQUIRE(call) require((call), #call)

static void start(void)
{
    static bool has_started = false;
    if (!has_started) {
        REQUIRE(GrB_init(GrB_NONBLOCKING));
        has_started = true;
    }
}

static GrB_Index *widen(const int32_t *from, int64_t count)
{
    GrB_Index *to = bench_allocate((size_t)count, sizeof *to);
    for (int64_t i = 0; i < count; i++) {
        to[i] = (GrB_Index)from[i];
    }
    return to;
}

/* A full matrix that takes the values over. */
static GrB_Matrix full(GrB_Type type, int64_t nrows, int64_t ncols, void *values, size_t size)
{
    GrB_Matrix X;
    REQUIRE(GxB_Matrix_import_FullR(&X, type, (GrB_Index)nrows, (GrB_Index)ncols, &values,
        (GrB_Index)nrows * (GrB_Index)ncols * size, false, NULL));
    return X;
}

static void *prepare(const bench_contender *contender, const bench_problem *problem)
{
    const bench_matrix *M = problem->matrix;
    torc_type type = problem->semiring.type;
    size_t size = torc_type_size(type);
    bool is_fp32 = type == TORC_FP32;
    start();
    suitesparse_state *s = bench_allocate(1, sizeof *s);
    s->ncols = problem->ncols;
    s->type = is_fp32 ? GrB_FP32 : GrB_FP64;
    s->semiring = is_fp32 ? GrB_PLUS_TIMES_SEMIRING_FP32 : GrB_PLUS_TIMES_SEMIRING_FP64;
    GrB_Index nrows = (GrB_Index)M->nrows, ncols = (GrB_Index)M->ncols, nnz = (GrB_Index)M->nnz;
    GrB_Index *Ap = widen(M->row_ptr, M->nrows + 1), *Aj = widen(M->col_idx, M->nnz);
    void *Ax = bench_values_make(type, M->nnz);
    REQUIRE(GxB_Matrix_import_CSR(&s->A, s->type, nrows, ncols, &Ap, &Aj, &Ax, (nrows + 1) * sizeof *Ap,
        nnz * sizeof *Aj, nnz * size, false, false, NULL));
    int64_t nb = M->ncols * s->ncols;
    s->B = full(s->type, M->ncols, s->ncols, bench_values_make(type, nb), size);
    if (contender->variant == ACCUMULATE) {
        s->accum = is_fp32 ? GrB_PLUS_FP32 : GrB_PLUS_FP64;
        s->C = full(s->type, M->nrows, s->ncols, bench_allocate((size_t)(M->nrows * s->ncols), size), size);
    } else {
        REQUIRE(GrB_Matrix_new(&s->C, s->type, nrows, (GrB_Index)s->ncols));
    }
    return s;
}

static void queue(void *opaque)
{
    suitesparse_state *s = opaque;
    REQUIRE(GrB_mxm(s->C, NULL, s->accum, s->semiring, s->A, s->B, NULL));
    REQUIRE(GrB_Matrix_wait(s->C, GrB_MATERIALIZE));
}

static void read_row(void *row, void *opaque, int64_t i)
{
    suitesparse_state *s = opaque;
    bool is_fp32 = s->type == GrB_FP32;
    memset(
        row, 0, (size_t)s->ncols * (is_fp32 ? sizeof(float) : sizeof(double))); /* what is not there is 0 */
    for (int64_t j = 0; j < s->ncols; j++) {
        GrB_Index r = (GrB_Index)i, c = (GrB_Index)j;
        GrB_Info info = is_fp32 ? GrB_Matrix_extractElement_FP32((float *)row + j, s->C, r, c)
                                : GrB_Matrix_extractElement_FP64((double *)row + j, s->C, r, c);
        require(info == GrB_NO_VALUE ? GrB_SUCCESS : info, "GrB_Matrix_extractElement");
    }
}

static void release(void *opaque)
{
    suitesparse_state *s = opaque;
    GrB_Matrix_free(&s->A);
    GrB_Matrix_free(&s->B);
    GrB_Matrix_free(&s->C);
    free(s);
}

int bench_list_suitesparse(bench_contender *list, const bench_problem *problem)
{
    static const char *const names[] = {[ASSIGN] = "suitesparse C=AB", [ACCUMULATE] = "suitesparse C+=AB"};
    bool is_plus_times = problem->semiring.add == TORC_PLUS_MONOID &&
                         problem->semiring.multiply == TORC_TIMES && problem->semiring.type != TORC_INT64;
    bool is_told = problem->ncols == 1 || problem->ncols == 32 || problem->ncols == 128;
    if (!is_plus_times || !is_told) {
        return 0;
    }
    for (int i = ASSIGN; i <= ACCUMULATE; i++) {
        list[i] = (bench_contender){
            .variant = i,
            .is_on_host = true,
            .prepare = prepare,
            .queue = queue,
            .release = release,
            .read_row = read_row,
        };
        snprintf(list[i].name, sizeof list[i].name, "%s", names[i]);
    }
    return ACCUMULATE + 1;
}
