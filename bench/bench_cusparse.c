/* bench_cusparse.c: cuSPARSE's CSR algorithms with preprocessing, and its SpMV where B is one column. */
#include "bench_contender.h"
#include "bench_device.h"
#include <cusparse.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct cusparse_state {
    cusparseHandle_t handle;
    cusparseSpMatDescr_t A;
    cusparseDnMatDescr_t B, C;
    cusparseDnVecDescr_t x, y;
    int algorithm;
    cudaDataType type;
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

static void require(cusparseStatus_t status, const char *call)
{
    bench_require(status == CUSPARSE_STATUS_SUCCESS, call, cusparseGetErrorString(status));
}

#define REQUIRE(call) require((call), #call)

static void release(void *opaque)
{
    cusparse_state *s = opaque;
    cusparseDestroySpMat(s->A);
    cusparseDestroyDnMat(s->B);
    cusparseDestroyDnMat(s->C);
    cusparseDestroyDnVec(s->x);
    cusparseDestroyDnVec(s->y);
    cudaFree(s->workspace);
    free(s);
}

/* One for the whole program: the first one loads the library's kernels. */
static cusparseHandle_t open_handle(cudaStream_t stream)
{
    static cusparseHandle_t handle;
    if (!handle) {
        REQUIRE(cusparseCreate(&handle));
        REQUIRE(cusparseSetStream(handle, stream));
    }
    return handle;
}

static cusparse_state *describe(const bench_problem *problem, int algorithm)
{
    const bench_matrix *M = problem->matrix;
    int64_t n = problem->ncols;
    cusparse_state *s = bench_allocate(1, sizeof *s);
    bool is_fp32 = problem->semiring.type == TORC_FP32;
    s->type = is_fp32 ? CUDA_R_32F : CUDA_R_64F;
    s->algorithm = algorithm;
    if (is_fp32) {
        s->one.fp32 = 1;
    } else {
        s->one.fp64 = 1;
    }
    s->handle = open_handle(problem->stream);
    REQUIRE(cusparseCreateCsr(&s->A, M->nrows, M->ncols, M->nnz, problem->row_ptr, problem->col_idx,
        problem->values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, s->type));
    REQUIRE(cusparseCreateDnMat(&s->B, M->ncols, n, n, problem->b, s->type, CUSPARSE_ORDER_ROW));
    REQUIRE(cusparseCreateDnMat(&s->C, M->nrows, n, n, problem->c, s->type, CUSPARSE_ORDER_ROW));
    REQUIRE(cusparseCreateDnVec(&s->x, M->ncols, problem->b, s->type));
    REQUIRE(cusparseCreateDnVec(&s->y, M->nrows, problem->c, s->type));
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
    cusparseStatus_t status = cusparseSpMM_bufferSize(
        s->handle, plain, plain, &s->one, s->A, s->B, &s->zero, s->C, s->type, s->algorithm, &size);
    if (status == CUSPARSE_STATUS_SUCCESS) {
        s->workspace = bench_device_allocate(size);
        status = cusparseSpMM_preprocess(s->handle, plain, plain, &s->one, s->A, s->B, &s->zero, s->C,
            s->type, s->algorithm, s->workspace);
    }
    return ready(s, status);
}

static void *prepare_vector(const bench_contender *contender, const bench_problem *problem)
{
    cusparse_state *s = describe(problem, contender->variant);
    size_t size = 0;
    cusparseStatus_t status = cusparseSpMV_bufferSize(
        s->handle, plain, &s->one, s->A, s->x, &s->zero, s->y, s->type, s->algorithm, &size);
    if (status == CUSPARSE_STATUS_SUCCESS) {
        s->workspace = bench_device_allocate(size);
        status = cusparseSpMV_preprocess(
            s->handle, plain, &s->one, s->A, s->x, &s->zero, s->y, s->type, s->algorithm, s->workspace);
    }
    return ready(s, status);
}

static void queue_matrix(void *opaque)
{
    cusparse_state *s = opaque;
    REQUIRE(cusparseSpMM(
        s->handle, plain, plain, &s->one, s->A, s->B, &s->zero, s->C, s->type, s->algorithm, s->workspace));
}

static void queue_vector(void *opaque)
{
    cusparse_state *s = opaque;
    REQUIRE(cusparseSpMV(
        s->handle, plain, &s->one, s->A, s->x, &s->zero, s->y, s->type, s->algorithm, s->workspace));
}

int bench_list_cusparse(bench_contender *list, const bench_problem *problem)
{
    int count = 0;
    bool is_plus_times =
        problem->semiring.add == TORC_PLUS_MONOID && problem->semiring.multiply == TORC_TIMES;
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
