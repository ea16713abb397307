/* bench_cusparse.h: what the contenders of cuSPARSE share. */
#ifndef BENCH_CUSPARSE_H
#define BENCH_CUSPARSE_H

#include "bench_contender.h"
#include <cusparse.h>

/* One handle for the whole program: the first one loads the library's kernels. */
cusparseHandle_t bench_cusparse_handle(cudaStream_t stream);

/* The operands of a problem, of the type that the problem's is there. */
typedef struct bench_cusparse_operands {
    cudaDataType type;
    cusparseSpMatDescr_t A;
    cusparseDnMatDescr_t B, C;
} bench_cusparse_operands;

bench_cusparse_operands bench_cusparse_describe(const bench_problem *problem);
void bench_cusparse_forget(const bench_cusparse_operands *operands);

/* End the program, with its name, if a call fails. */
#define BENCH_CUSPARSE(call) bench_cusparse_require((call), #call)
void bench_cusparse_require(cusparseStatus_t status, const char *call);

#endif
