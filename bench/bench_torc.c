/* bench_torc.c: torc as it selects ("torc selected"), as the rules of two papers would, and every kernel that
 * it could have chosen: torc_spmm each time, under that rule. */
#include "bench_contender.h"
#include "bench_device.h"
#include "prediction.h"
#include "selection.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct torc_state {
    torc_semiring semiring;
    torc_sparse *A;
    torc_dense B, C;
    char rule[TORC_KERNEL_NAME];
} torc_state;

static const torc_update overwrite = {0};
static const char family[] = "torc ";

static torc_dense dense(int64_t nrows, const bench_problem *problem, void *data)
{
    return (torc_dense){
        nrows, problem->ncols, problem->ncols, TORC_ROW_MAJOR, problem->semiring.type, false, data, NULL};
}

torc_problem bench_question(const bench_problem *problem)
{
    torc_dense B = dense(problem->matrix->ncols, problem, problem->b);
    torc_dense C = dense(problem->matrix->nrows, problem, problem->c);
    return torc_problem_of(&C, problem->semiring, problem->sparse, &B, &overwrite, false);
}

static void *prepare(const bench_contender *contender, const bench_problem *problem)
{
    torc_state *state = bench_allocate(1, sizeof *state);
    state->semiring = problem->semiring;
    state->A = problem->sparse;
    state->B = dense(problem->matrix->ncols, problem, problem->b);
    state->C = dense(problem->matrix->nrows, problem, problem->c);
    const char *rule = contender->name + strlen(family);
    snprintf(state->rule, sizeof state->rule, "%s", strcmp(rule, "selected") == 0 ? "" : rule);
    return state;
}

static void queue(void *opaque)
{
    torc_state *state = opaque;
    memcpy(state->A->context->kernel, state->rule, sizeof state->rule);
    BENCH_TORC(torc_spmm(&state->C, state->semiring, state->A, false, &state->B, NULL));
}

int bench_list_torc(bench_contender *list, const bench_problem *problem)
{
    static const char *const rules[] = {"selected", "yang", "huang"};
    enum { RULES = sizeof rules / sizeof rules[0] };
    torc_problem asked = bench_question(problem);
    torc_spmm_kernel kernels[TORC_MAX_CANDIDATES];
    int count = torc_list_candidates(kernels, &asked);
    for (int i = 0; i < RULES + count; i++) {
        char name[TORC_KERNEL_NAME];
        torc_spmm_kernel kernel;
        if (i < RULES) {
            snprintf(name, sizeof name, "%s", rules[i]);
            kernel = torc_select_kernel(&asked, i == 0 ? "" : rules[i]);
        } else {
            kernel = kernels[i - RULES];
            torc_kernel_name(name, &kernel);
        }
        list[i] = (bench_contender){
            .predicted = torc_predict(&kernel, &asked, &torc_measured_rates).seconds,
            .prepare = prepare,
            .queue = queue,
            .release = free,
        };
        snprintf(list[i].name, sizeof list[i].name, "%s%s", family, name);
    }
    return RULES + count;
}
