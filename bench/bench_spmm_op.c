/* bench_spmm_op.c: cuSPARSE's SpMMOp, whose operators are the user's, as min-plus. It is here to be shown:
 * its partial sums start from 0, so that rows of 32 entries or more come out wrong, and it leaves empty rows
 * as they were. Operators travel to it as LTO-IR; a plan links them. */
#include "bench_cusparse.h"
#include "bench_device.h"
#include <nvrtc.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct spmm_op_state {
    bench_cusparse_operands operands;
    cusparseSpMMOpPlan_t plan;
    void *workspace;
} spmm_op_state;

typedef struct lto_code {
    char *code;
    size_t size;
} lto_code;

static void require(nvrtcResult result, const char *call)
{
    bench_require(result == NVRTC_SUCCESS, call, nvrtcGetErrorString(result));
}

#define REQUIRE(call) require((call), #call)

static lto_code compile(const char *type, const char *function)
{
    char source[256], architecture[32];
    struct cudaDeviceProp properties;
    nvrtcProgram program;
    lto_code made;
    BENCH_CUDA(cudaGetDeviceProperties(&properties, 0));
    snprintf(architecture, sizeof architecture, "-arch=compute_%d%d", properties.major, properties.minor);
    snprintf(source, sizeof source, "typedef %s T;\n__device__ T %s", type, function);
    const char *options[] = {architecture, "-rdc=true", "-dlto"};
    REQUIRE(nvrtcCreateProgram(&program, source, NULL, 0, NULL, NULL));
    REQUIRE(nvrtcCompileProgram(program, sizeof options / sizeof options[0], options));
    REQUIRE(nvrtcGetLTOIRSize(program, &made.size));
    made.code = bench_allocate(made.size, 1);
    REQUIRE(nvrtcGetLTOIR(program, made.code));
    nvrtcDestroyProgram(&program);
    return made;
}

static void *prepare(const bench_contender *contender, const bench_problem *problem)
{
    static const cusparseOperation_t plain = CUSPARSE_OPERATION_NON_TRANSPOSE;
    (void)contender;
    const char *type = problem->semiring.type == TORC_FP32 ? "float" : "double";
    lto_code add = compile(type, "add_op(T x, T y) { return x < y ? x : y; }");
    lto_code multiply = compile(type, "mul_op(T a, T b) { return a + b; }");
    lto_code epilogue = compile(type, "epilogue(T sum, T old) { return sum; }");
    spmm_op_state *s = bench_allocate(1, sizeof *s);
    s->operands = bench_cusparse_describe(problem);
    size_t size = 0;
    BENCH_CUSPARSE(cusparseSpMMOp_createPlan(bench_cusparse_handle(problem->stream), &s->plan, plain, plain,
        s->operands.A, s->operands.B, s->operands.C, s->operands.type, CUSPARSE_SPMM_OP_ALG_DEFAULT, add.code,
        add.size, multiply.code, multiply.size, epilogue.code, epilogue.size, &size));
    s->workspace = bench_device_allocate(size);
    free(add.code);
    free(multiply.code);
    free(epilogue.code);
    return s;
}

static void queue(void *opaque)
{
    spmm_op_state *s = opaque;
    BENCH_CUSPARSE(cusparseSpMMOp(s->plan, s->workspace));
}

static void release(void *opaque)
{
    spmm_op_state *s = opaque;
    cusparseSpMMOp_destroyPlan(s->plan);
    bench_cusparse_forget(&s->operands);
    cudaFree(s->workspace);
    free(s);
}

int bench_list_spmm_op(bench_contender *list, const bench_problem *problem)
{
    if (problem->semiring.add != TORC_MIN_MONOID || problem->semiring.multiply != TORC_PLUS ||
        problem->semiring.type == TORC_INT64) {
        return 0;
    }
    list[0] =
        (bench_contender){.name = "cusparse SpMMOp", .prepare = prepare, .queue = queue, .release = release};
    return 1;
}
