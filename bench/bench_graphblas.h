/* bench_graphblas.h: a call of GraphBLAS that must succeed: the bench ends with its text otherwise. */
#ifndef BENCH_GRAPHBLAS_H
#define BENCH_GRAPHBLAS_H

#include "bench_require.h"
#include <GraphBLAS.h>

#define TRY(call) bench_require((call) == GrB_SUCCESS, #call, "GraphBLAS refuses")

#endif
