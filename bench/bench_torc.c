/* bench_torc.c: torc as it selects ("torc selected"), as the rules of two papers would, and every kernel that
 * it could have chosen: torc_spmm each time, under that rule. "column-major torc" is what it selects, on
 * dense operands by column. */
#include "bench_contender.h"
#include "bit_packing.h"
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

static torc_dense dense(int64_t nrows, const bench_problem *problem, torc_order order, void *data)
{
    int64_t ncols = problem->ncols;
    return (torc_dense){nrows, ncols, order == TORC_ROW_MAJOR ? ncols : nrows, order, problem->semiring.type,
        false, data, NULL};
}

torc_problem bench_question(const bench_problem *problem)
{
    torc_dense B = dense(problem->matrix->ncols, problem, TORC_ROW_MAJOR, problem->b);
    torc_dense C = dense(problem->matrix->nrows, problem, TORC_ROW_MAJOR, problem->c);
    return torc_problem_of(&C, problem->semiring, problem->sparse, &B, &overwrite, false);
}

/* What a kernel is chosen for: the same, or packed. */
static torc_problem question_of_kernels(const bench_problem *problem)
{
    torc_dense B = dense(problem->matrix->ncols, problem, TORC_ROW_MAJOR, problem->b), words_b;
    torc_dense C = dense(problem->matrix->nrows, problem, TORC_ROW_MAJOR, problem->c), words_c;
    torc_sparse *A = problem->sparse;
    if (!torc_packing_pays(&C, problem->semiring, A, &B)) {
        return bench_question(problem);
    }
    BENCH_TORC(torc_packed_view(&words_b, A->context, &B, TORC_WORKSPACE_B));
    BENCH_TORC(torc_packed_view(&words_c, A->context, &C, TORC_WORKSPACE_C));
    return torc_problem_of(&words_c, problem->semiring, A, &words_b, &overwrite, true);
}

static void *prepare(const bench_contender *contender, const bench_problem *problem)
{
    torc_state *state = bench_allocate(1, sizeof *state);
    state->semiring = problem->semiring;
    state->A = problem->sparse;
    state->B = dense(problem->matrix->ncols, problem, contender->order, problem->b);
    state->C = dense(problem->matrix->nrows, problem, contender->order, problem->c);
    const char *rule = contender->name + strlen(family);
    bool is_selected = contender->order == TORC_COL_MAJOR || strcmp(rule, "selected") == 0;
    snprintf(state->rule, sizeof state->rule, "%s", is_selected ? "" : rule);
    return state;
}

static void read_column_major_row(void *row, void *opaque, int64_t i)
{
    const torc_dense *C = &((torc_state *)opaque)->C;
    size_t size = torc_type_size(C->type);
    BENCH_CUDA(cudaMemcpy2D(row, size, (const char *)C->data + (size_t)i * size, (size_t)C->ld * size, size,
        (size_t)C->ncols, cudaMemcpyDeviceToHost));
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
    torc_problem asked = question_of_kernels(problem);
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
    list[RULES + count] = list[0]; /* predicted likewise */
    list[RULES + count].order = TORC_COL_MAJOR;
    list[RULES + count].read_row = read_column_major_row;
    snprintf(list[RULES + count].name, sizeof list->name, "column-major torc");
    return RULES + count + 1;
}
