/* bench_torc.c: torc as it chooses ("torc selected"), and every kernel it could have chosen, forced through
 * the executor. */
#include "bench_contender.h"
#include "bench_device.h"
#include "selection.h"
#include "sparse.h"
#include <stdio.h>
#include <stdlib.h>

enum { SELECTED = -1 };

typedef struct torc_state {
    torc_semiring semiring;
    torc_sparse *A;
    torc_dense B, C;
    torc_spmm_kernel kernel; /* what is forced */
    torc_spmm_args args;
} torc_state;

/* Every shape that is legal for the case (backend.h). A group twice as wide as C, or more, would only idle.
 */
static int list_shapes(torc_shape *shapes, const bench_problem *problem)
{
    int count = 0;
    size_t size = torc_type_size(problem->semiring.type);
    for (int vector = 1; vector <= 4 && (size_t)vector * size <= 16; vector *= 2) {
        for (int lanes = 1; lanes <= 32; lanes *= 2) {
            bool reaches_across = lanes > 1 && (int64_t)lanes / 2 * vector >= problem->ncols;
            if (problem->ncols % vector == 0 && !reaches_across) {
                shapes[count++] = (torc_shape){lanes, vector};
            }
        }
    }
    return count;
}

static torc_dense dense(int64_t nrows, const bench_problem *problem, void *data)
{
    return (torc_dense){
        nrows, problem->ncols, problem->ncols, TORC_ROW_MAJOR, problem->semiring.type, false, data, NULL};
}

/* What spmm.c would hand to the executor, but for the shape. */
static void force_kernel(torc_state *state, const bench_problem *problem, torc_shape shape)
{
    const torc_sparse *A = problem->sparse;
    torc_traits traits = torc_semiring_traits(problem->semiring);
    torc_type type = problem->semiring.type;
    state->kernel = (torc_spmm_kernel){
        .semiring = problem->semiring,
        .a_type = type,
        .b_type = type,
        .a_access = traits.reads_a ? A->access : TORC_ACCESS_NONE,
        .b_access = traits.reads_b ? TORC_ACCESS_ARRAY : TORC_ACCESS_NONE,
        .wide_offsets = A->csr.wide_offsets,
        .shape = shape,
    };
    int64_t npartials = A->partition.nsegments * problem->ncols;
    state->args = (torc_spmm_args){
        .nrows = A->csr.nrows,
        .ncols = problem->ncols,
        .ldb = problem->ncols,
        .ldc = problem->ncols,
        .row_ptr = A->csr.row_ptr,
        .col_idx = A->csr.col_idx,
        .a = A->csr.values,
        .b = problem->b,
        .c = problem->c,
        .segments = A->partition.segments,
        .long_rows = A->partition.long_rows,
        .partials = bench_device_allocate((size_t)npartials * torc_type_size(type)),
        .nsegments = A->partition.nsegments,
        .nlong_rows = A->partition.nlong_rows,
    };
}

static void *prepare(const bench_contender *contender, const bench_problem *problem)
{
    torc_state *state = bench_allocate(1, sizeof *state);
    state->semiring = problem->semiring;
    state->A = problem->sparse;
    state->B = dense(problem->matrix->ncols, problem, problem->b);
    state->C = dense(problem->matrix->nrows, problem, problem->c);
    if (contender->variant != SELECTED) {
        torc_shape shapes[BENCH_MAX_CONTENDERS];
        list_shapes(shapes, problem);
        force_kernel(state, problem, shapes[contender->variant]);
    }
    return state;
}

static void queue_selected(void *opaque)
{
    torc_state *state = opaque;
    BENCH_TORC(torc_spmm(&state->C, state->semiring, state->A, false, &state->B, NULL));
}

static void queue_forced(void *opaque)
{
    torc_state *state = opaque;
    torc_context *context = state->A->context;
    BENCH_TORC(context->executor->spmm(context->device, &state->kernel, &state->args));
}

static void release(void *opaque)
{
    torc_state *state = opaque;
    cudaFree(state->args.partials);
    free(state);
}

int bench_list_torc(bench_contender *list, const bench_problem *problem)
{
    torc_shape shapes[BENCH_MAX_CONTENDERS];
    int nshapes = list_shapes(shapes, problem);
    list[0] = (bench_contender){
        .name = "torc selected",
        .variant = SELECTED,
        .prepare = prepare,
        .queue = queue_selected,
        .release = release,
    };
    for (int i = 0; i < nshapes; i++) {
        list[1 + i] = list[0];
        list[1 + i].variant = i;
        list[1 + i].queue = queue_forced;
        snprintf(list[1 + i].name, sizeof list[1 + i].name, "torc lanes=%d vector=%d", shapes[i].lanes,
            shapes[i].vector);
    }
    return 1 + nshapes;
}
