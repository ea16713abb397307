#include "bench_contender.h"
#include <stdlib.h>
#include <torc/torc.h>

typedef struct torc_state {
    torc_context *context;
    torc_sparse *A;
    torc_dense B, C;
    torc_semiring semiring;
} torc_state;

static void require(torc_status status, const char *what)
{
    bench_require(status == TORC_SUCCESS, what, torc_status_text(status));
}

static void *prepare(const bench_problem *problem, torc_monoid add, torc_multiply multiply)
{
    const bench_matrix *A = problem->A;
    torc_state *state = calloc(1, sizeof *state);
    bench_require(state, "calloc", "out of memory");
    require(torc_context_create(&state->context, NULL), "torc_context_create");
    torc_csr csr = {
        .nrows = A->n,
        .ncols = A->n,
        .row_ptr = A->row_ptr,
        .col_idx = A->col_idx,
        .values = A->values,
        .row_ptr_bits = 32,
        .col_idx_bits = 32,
        .type = TORC_FP32,
    };
    require(torc_sparse_create(&state->A, state->context, &csr), "torc_sparse_create");
    state->B = (torc_dense){
        A->n, problem->ncols, problem->ncols, TORC_ROW_MAJOR, TORC_FP32, false, (void *)problem->b};
    state->C = state->B;
    state->C.data = problem->c;
    state->semiring = (torc_semiring){add, multiply, TORC_FP32};
    return state;
}

static void *prepare_plus_times(const bench_problem *problem)
{
    return prepare(problem, TORC_PLUS_MONOID, TORC_TIMES);
}

static void *prepare_min_plus(const bench_problem *problem)
{
    return prepare(problem, TORC_MIN_MONOID, TORC_PLUS);
}

static void queue(void *opaque)
{
    torc_state *state = opaque;
    require(torc_spmm(&state->C, state->semiring, state->A, false, &state->B, NULL), "torc_spmm");
}

static void release(void *opaque)
{
    torc_state *state = opaque;
    torc_sparse_destroy(state->A);
    torc_context_destroy(state->context);
    free(state);
}

const bench_contender bench_torc_contenders[] = {
    {"torc plus_times", true, prepare_plus_times, queue, release},
    {"torc min_plus", false, prepare_min_plus, queue, release},
};
const int bench_torc_count = sizeof bench_torc_contenders / sizeof bench_torc_contenders[0];
