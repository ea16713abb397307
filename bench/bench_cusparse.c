#include "bench_contender.h"
#include <cuda_runtime_api.h>
#include <cusparse.h>
#include <stdlib.h>

typedef struct cusparse_state {
    cusparseHandle_t handle;
    cusparseSpMatDescr_t A;
    cusparseDnMatDescr_t B, C;
    cusparseSpMMAlg_t algorithm;
    void *row_ptr, *col_idx, *values, *workspace;
    float alpha, beta;
} cusparse_state;

static void require(cusparseStatus_t status, const char *what)
{
    bench_require(status == CUSPARSE_STATUS_SUCCESS, what, cusparseGetErrorString(status));
}

static void *copy_to_device(const void *from, size_t size)
{
    void *to = NULL;
    bench_require(cudaMalloc(&to, size) == cudaSuccess, "cudaMalloc", "out of device memory");
    bench_require(cudaMemcpy(to, from, size, cudaMemcpyHostToDevice) == cudaSuccess, "cudaMemcpy", "failed");
    return to;
}

static void *prepare(const bench_problem *problem, cusparseSpMMAlg_t algorithm)
{
    const bench_matrix *A = problem->A;
    int64_t n = A->n, ncols = problem->ncols;
    cusparse_state *s = calloc(1, sizeof *s);
    bench_require(s, "calloc", "out of memory");
    *s = (cusparse_state){.algorithm = algorithm, .alpha = 1, .beta = 0};
    s->row_ptr = copy_to_device(A->row_ptr, (size_t)(n + 1) * sizeof(int32_t));
    s->col_idx = copy_to_device(A->col_idx, (size_t)A->nnz * sizeof(int32_t));
    s->values = copy_to_device(A->values, (size_t)A->nnz * sizeof(float));
    require(cusparseCreate(&s->handle), "cusparseCreate");
    require(cusparseCreateCsr(&s->A, n, n, A->nnz, s->row_ptr, s->col_idx, s->values, CUSPARSE_INDEX_32I,
                CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F),
        "cusparseCreateCsr");
    require(cusparseCreateDnMat(&s->B, n, ncols, ncols, (void *)problem->b, CUDA_R_32F, CUSPARSE_ORDER_ROW),
        "cusparseCreateDnMat");
    require(cusparseCreateDnMat(&s->C, n, ncols, ncols, problem->c, CUDA_R_32F, CUSPARSE_ORDER_ROW),
        "cusparseCreateDnMat");
    size_t size = 0;
    cusparseOperation_t plain = CUSPARSE_OPERATION_NON_TRANSPOSE;
    require(cusparseSpMM_bufferSize(
                s->handle, plain, plain, &s->alpha, s->A, s->B, &s->beta, s->C, CUDA_R_32F, algorithm, &size),
        "cusparseSpMM_bufferSize");
    bench_require(cudaMalloc(&s->workspace, size + 1) == cudaSuccess, "cudaMalloc", "out of device memory");
    require(cusparseSpMM_preprocess(s->handle, plain, plain, &s->alpha, s->A, s->B, &s->beta, s->C,
                CUDA_R_32F, algorithm, s->workspace),
        "cusparseSpMM_preprocess");
    return s;
}

static void *prepare_algorithm_1(const bench_problem *problem)
{
    return prepare(problem, CUSPARSE_SPMM_CSR_ALG1);
}

static void *prepare_algorithm_2(const bench_problem *problem)
{
    return prepare(problem, CUSPARSE_SPMM_CSR_ALG2);
}

static void *prepare_algorithm_3(const bench_problem *problem)
{
    return prepare(problem, CUSPARSE_SPMM_CSR_ALG3);
}

static void queue(void *opaque)
{
    cusparse_state *s = opaque;
    cusparseOperation_t plain = CUSPARSE_OPERATION_NON_TRANSPOSE;
    require(cusparseSpMM(s->handle, plain, plain, &s->alpha, s->A, s->B, &s->beta, s->C, CUDA_R_32F,
                s->algorithm, s->workspace),
        "cusparseSpMM");
}

static void release(void *opaque)
{
    cusparse_state *s = opaque;
    cusparseDestroySpMat(s->A);
    cusparseDestroyDnMat(s->B);
    cusparseDestroyDnMat(s->C);
    cusparseDestroy(s->handle);
    cudaFree(s->row_ptr);
    cudaFree(s->col_idx);
    cudaFree(s->values);
    cudaFree(s->workspace);
    free(s);
}

const bench_contender bench_cusparse_contenders[] = {
    {"cusparse CSR_ALG1", true, prepare_algorithm_1, queue, release},
    {"cusparse CSR_ALG2", true, prepare_algorithm_2, queue, release},
    {"cusparse CSR_ALG3", true, prepare_algorithm_3, queue, release},
};
const int bench_cusparse_count = sizeof bench_cusparse_contenders / sizeof bench_cusparse_contenders[0];
