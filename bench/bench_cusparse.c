/* bench_cusparse.c: cuSPARSE's CSR algorithms with preprocessing, and its SpMV where B is one column. */
#include "bench_cusparse.h"
#include "bench_device.h"
#include <stdio.h>
#include <stdlib.h>

typedef struct cusparse_state {
    cusparseHandle_t handle;
    bench_cusparse_operands operands;
    cusparseDnVecDescr_t x, y;
    int algorithm;
    void *workspace;
    union {
        float fp32;
        double fp64;
    } one, zero;
} cusparse_state;

static const struct {
    const char *name;
    int algorithm;
    bool is_vector;
} algorithms[] = {
    {"cusparse CSR_ALG1", CUSPARSE_SPMM_CSR_ALG1, false},
    {"cusparse CSR_ALG2", CUSPARSE_SPMM_CSR_ALG2, false},
    {"cusparse CSR_ALG3", CUSPARSE_SPMM_CSR_ALG3, false},
    {"cusparse SpMV_ALG1", CUSPARSE_SPMV_CSR_ALG1, true},
    {"cusparse SpMV_ALG2", CUSPARSE_SPMV_CSR_ALG2, true},
};

static const cusparseOperation_t plain = CUSPARSE_OPERATION_NON_TRANSPOSE;

void bench_cusparse_require(cusparseStatus_t status, const char *call)
{
    bench_require(status == CUSPARSE_STATUS_SUCCESS, call, cusparseGetErrorString(status));
}

cusparseHandle_t bench_cusparse_handle(cudaStream_t stream)
{
    static cusparseHandle_t handle;
    if (!handle) {
        BENCH_CUSPARSE(cusparseCreate(&handle));
        BENCH_CUSPARSE(cusparseSetStream(handle, stream));
    }
    return handle;
}

bench_cusparse_operands bench_cusparse_describe(const bench_problem *problem)
{
    const bench_matrix *M = problem->matrix;
    int64_t n = problem->ncols;
    bench_cusparse_operands o = {.type = problem->semiring.type == TORC_FP32 ? CUDA_R_32F : CUDA_R_64F};
    BENCH_CUSPARSE(cusparseCreateCsr(&o.A, M->nrows, M->ncols, M->nnz, problem->row_ptr, problem->col_idx,
        problem->values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, o.type));
    BENCH_CUSPARSE(cusparseCreateDnMat(&o.B, M->ncols, n, n, problem->b, o.type, CUSPARSE_ORDER_ROW));
    BENCH_CUSPARSE(cusparseCreateDnMat(&o.C, M->nrows, n, n, problem->c, o.type, CUSPARSE_ORDER_ROW));
    return o;
}

void bench_cusparse_forget(const bench_cusparse_operands *operands)
{
    cusparseDestroySpMat(operands->A);
    cusparseDestroyDnMat(operands->B);
    cusparseDestroyDnMat(operands->C);
}

static void release(void *opaque)
{
    cusparse_state *s = opaque;
    bench_cusparse_forget(&s->operands);
    cusparseDestroyDnVec(s->x);
    cusparseDestroyDnVec(s->y);
    cudaFree(s->workspace);
    free(s);
}

static cusparse_state *describe(const bench_problem *problem, int algorithm)
{
    cusparse_state *s = bench_allocate(1, sizeof *s);
    s->operands = bench_cusparse_describe(problem);
    s->algorithm = algorithm;
    if (s->operands.type == CUDA_R_32F) {
        s->one.fp32 = 1;
    } else {
        s->one.fp64 = 1;
    }
    s->handle = bench_cusparse_handle(problem->stream);
    BENCH_CUSPARSE(cusparseCreateDnVec(&s->x, problem->matrix->ncols, problem->b, s->operands.type));
    BENCH_CUSPARSE(cusparseCreateDnVec(&s->y, problem->matrix->nrows, problem->c, s->operands.type));
    return s;
}

/* An algorithm may refuse a case. */
static void *ready(cusparse_state *s, cusparseStatus_t status)
{
    if (status == CUSPARSE_STATUS_SUCCESS) {
        return s;
    }
    release(s);
    return NULL;
}

static void *prepare_matrix(const bench_contender *contender, const bench_problem *problem)
{
    cusparse_state *s = describe(problem, contender->variant);
    size_t size = 0;
    cusparseStatus_t status = cusparseSpMM_bufferSize(s->handle, plain, plain, &s->one, s->operands.A,
        s->operands.B, &s->zero, s->operands.C, s->operands.type, s->algorithm, &size);
    if (status == CUSPARSE_STATUS_SUCCESS) {
        s->workspace = bench_device_allocate(size);
        status = cusparseSpMM_preprocess(s->handle, plain, plain, &s->one, s->operands.A, s->operands.B,
            &s->zero, s->operands.C, s->operands.type, s->algorithm, s->workspace);
    }
    return ready(s, status);
}

static void *prepare_vector(const bench_contender *contender, const bench_problem *problem)
{
    cusparse_state *s = describe(problem, contender->variant);
    size_t size = 0;
    cusparseStatus_t status = cusparseSpMV_bufferSize(s->handle, plain, &s->one, s->operands.A, s->x,
        &s->zero, s->y, s->operands.type, s->algorithm, &size);
    if (status == CUSPARSE_STATUS_SUCCESS) {
        s->workspace = bench_device_allocate(size);
        status = cusparseSpMV_preprocess(s->handle, plain, &s->one, s->operands.A, s->x, &s->zero, s->y,
            s->operands.type, s->algorithm, s->workspace);
    }
    return ready(s, status);
}

static void queue_matrix(void *opaque)
{
    cusparse_state *s = opaque;
    BENCH_CUSPARSE(cusparseSpMM(s->handle, plain, plain, &s->one, s->operands.A, s->operands.B, &s->zero,
        s->operands.C, s->operands.type, s->algorithm, s->workspace));
}

static void queue_vector(void *opaque)
{
    cusparse_state *s = opaque;
    BENCH_CUSPARSE(cusparseSpMV(s->handle, plain, &s->one, s->operands.A, s->x, &s->zero, s->y,
        s->operands.type, s->algorithm, s->workspace));
}

int bench_list_cusparse(bench_contender *list, const bench_problem *problem)
{
    int count = 0;
    bool is_plus_times = problem->semiring.add == TORC_PLUS_MONOID &&
                         problem->semiring.multiply == TORC_TIMES && problem->semiring.type != TORC_INT64;
    for (size_t i = 0; is_plus_times && i < sizeof algorithms / sizeof algorithms[0]; i++) {
        bool is_vector = algorithms[i].is_vector;
        if (is_vector && problem->ncols > 1) {
            continue;
        }
        list[count] = (bench_contender){
            .variant = algorithms[i].algorithm,
            .prepare = is_vector ? prepare_vector : prepare_matrix,
            .queue = is_vector ? queue_vector : queue_matrix,
            .release = release,
        };
        snprintf(list[count++].name, sizeof list->name, "%s", algorithms[i].name);
    }
    return count;
}
