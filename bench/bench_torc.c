/* bench_torc.c: torc as it selects ("torc selected"), as the rules of two papers would, and every kernel that
 * it could have chosen: torc_spmm each time, under that rule. What it selects, again: "column-major torc", on
 * dense operands by column; "accumulating torc", C += A*B; "frontier-by-row torc" and "frontier-by-column
 * torc", a step of a traversal: B and C are bitmaps, C is replaced under a complemented mask. In precisions
 * other than exact: "torc-fp32 selected", "torc-tf32 selected", and the kernels that exact has not. Where A
 * is there with its rows reordered, what is selected, and these kernels, once more: "reordered torc
 * selected". */
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
    torc_update update;
    torc_precision precision;
    char rule[TORC_KERNEL_NAME];
} torc_state;

enum { SELECTS = 1, ACCUMULATES, TRAVERSES }; /* variants; 0: the rule is in the name */

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

/* A as products see it. */
static torc_sparse *operand(const bench_problem *problem, bool is_reordered)
{
    return is_reordered ? torc_sparse_ordered(problem->reordered) : problem->sparse;
}

/* What a kernel is chosen for: the same, or packed. */
static torc_problem question_of_kernels(const bench_problem *problem, bool is_reordered)
{
    torc_dense B = dense(problem->matrix->ncols, problem, TORC_ROW_MAJOR, problem->b), words_b;
    torc_dense C = dense(problem->matrix->nrows, problem, TORC_ROW_MAJOR, problem->c), words_c;
    torc_sparse *A = operand(problem, is_reordered);
    if (!torc_packing_pays(&C, problem->semiring, A, &B)) {
        return torc_problem_of(&C, problem->semiring, A, &B, &overwrite, false);
    }
    BENCH_TORC(torc_packed_view(&words_b, A->context, &B, TORC_WORKSPACE_B));
    BENCH_TORC(torc_packed_view(&words_c, A->context, &C, TORC_WORKSPACE_C));
    return torc_problem_of(&words_c, problem->semiring, A, &words_b, &overwrite, true);
}

static void *prepare(const bench_contender *contender, const bench_problem *problem)
{
    torc_state *state = bench_allocate(1, sizeof *state);
    *state = (torc_state){.semiring = problem->semiring,
        .A = operand(problem, contender->is_reordered),
        .B = dense(problem->matrix->ncols, problem, contender->order, problem->b),
        .C = dense(problem->matrix->nrows, problem, contender->order, problem->c),
        .precision = contender->precision};
    if (contender->variant == 0) {
        snprintf(state->rule, sizeof state->rule, "%s", strrchr(contender->name, ' ') + 1);
    } else if (contender->variant == ACCUMULATES) {
        state->update.has_accum = true;
        state->update.accum = TORC_PLUS;
    } else if (contender->variant == TRAVERSES) {
        state->B.bitmap = problem->marks;
        state->update.mask = problem->marks;
        state->C.bitmap = problem->present;
        state->update.complement = state->update.replace = true;
    }
    torc_problem asked = question_of_kernels(problem, contender->is_reordered);
    asked.precision = contender->precision;
    torc_spmm_kernel kernel = torc_select_kernel(&asked, state->rule);
    torc_cut cut = torc_sparse_cut_of(state->A, &kernel, asked.ncols);
    if (torc_cut_is_plan(cut)) { /* the first of them plans */
        BENCH_TORC(torc_sparse_cut(state->A, cut));
    }
    return state;
}

/* Row i of an array that is laid out as C. */
static void read_line(void *row, const torc_dense *C, const void *array, size_t size, int64_t i)
{
    bool is_by_row = C->order == TORC_ROW_MAJOR;
    size_t first = (size_t)(is_by_row ? i * C->ld : i), pitch = is_by_row ? 1 : (size_t)C->ld;
    BENCH_CUDA(cudaMemcpy2D(row, size, (const char *)array + first * size, pitch * size, size,
        (size_t)C->ncols, cudaMemcpyDeviceToHost));
}

static void read_row(void *row, void *opaque, int64_t i)
{
    const torc_dense *C = &((torc_state *)opaque)->C;
    read_line(row, C, C->data, torc_type_size(C->type), i);
}

static void read_present(uint8_t *row, void *opaque, int64_t i)
{
    const torc_dense *C = &((torc_state *)opaque)->C;
    read_line(row, C, C->bitmap, 1, i);
}

static void queue(void *opaque)
{
    torc_state *state = opaque;
    memcpy(state->A->context->kernel, state->rule, sizeof state->rule);
    state->A->context->precision = state->precision;
    BENCH_TORC(torc_spmm(&state->C, state->semiring, state->A, false, &state->B, &state->update));
}

/* What torc selects for other operands and updates, which nobody predicts here. */
static int list_others(bench_contender *list, const bench_problem *problem)
{
    static const struct {
        const char *name;
        int variant;
        torc_order order;
    } others[] = {
        {"column-major torc", SELECTS, TORC_COL_MAJOR},
        {"frontier-by-row torc", TRAVERSES, TORC_ROW_MAJOR},
        {"frontier-by-column torc", TRAVERSES, TORC_COL_MAJOR},
        {"accumulating torc", ACCUMULATES, TORC_ROW_MAJOR},
    };
    int count = problem->semiring.add == TORC_PLUS_MONOID ? 4 : 3;
    for (int i = 0; i < count; i++) {
        list[i] = (bench_contender){
            .variant = others[i].variant,
            .order = others[i].order,
            .adds = others[i].variant == ACCUMULATES,
            .prepare = prepare,
            .queue = queue,
            .release = free,
            .read_row = read_row,
            .read_present = others[i].variant == TRAVERSES ? read_present : NULL,
        };
        snprintf(list[i].name, sizeof list[i].name, "%s", others[i].name);
    }
    return count;
}

/* What is selected in a precision, and, if it is not exact, its kernels with bricks, if there are some. */
static int list_precision(bench_contender *list, const bench_problem *problem, torc_precision precision,
    const char *family_name, bool is_reordered)
{
    torc_problem asked = question_of_kernels(problem, is_reordered);
    torc_spmm_kernel kernels[1 + TORC_MAX_CANDIDATES];
    asked.precision = precision;
    kernels[0] = torc_select_kernel(&asked, "");
    int count = 1, candidates = torc_list_candidates(kernels + 1, &asked);
    for (int i = 1; i <= candidates; i++) {
        if (kernels[i].family == TORC_BRICKS) {
            kernels[count++] = kernels[i];
        }
    }
    for (int i = 0; i < count; i++) {
        char name[TORC_KERNEL_NAME] = "selected";
        if (i > 0) {
            torc_kernel_name(name, &kernels[i]);
        }
        list[i] = (bench_contender){
            .variant = i == 0 ? SELECTS : 0,
            .precision = precision,
            .is_reordered = is_reordered,
            .predicted = torc_predict(&kernels[i], &asked, &torc_measured_rates).seconds,
            .prepare = prepare,
            .queue = queue,
            .release = free,
        };
        snprintf(list[i].name, sizeof list[i].name, "%s %s", family_name, name);
    }
    return precision == TORC_PRECISION_EXACT || count > 1 ? count : 0;
}

static int list_reordered(bench_contender *list, const bench_problem *problem)
{
    int count = list_precision(list, problem, TORC_PRECISION_EXACT, "reordered torc", true);
    count += list_precision(list + count, problem, TORC_PRECISION_FP32, "reordered torc-fp32", true);
    return count + list_precision(list + count, problem, TORC_PRECISION_TF32, "reordered torc-tf32", true);
}

int bench_list_torc(bench_contender *list, const bench_problem *problem)
{
    static const char *const rules[] = {"selected", "yang", "huang"};
    enum { RULES = sizeof rules / sizeof rules[0] };
    torc_problem asked = question_of_kernels(problem, false);
    torc_spmm_kernel kernels[TORC_MAX_CANDIDATES];
    asked.precision = TORC_PRECISION_EXACT; /* the context's is that of the contender before */
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
            .variant = i == 0 ? SELECTS : 0,
            .predicted = torc_predict(&kernel, &asked, &torc_measured_rates).seconds,
            .prepare = prepare,
            .queue = queue,
            .release = free,
        };
        snprintf(list[i].name, sizeof list[i].name, "%s%s", family, name);
    }
    count += RULES;
    count += list_others(list + count, problem);
    count += list_precision(list + count, problem, TORC_PRECISION_FP32, "torc-fp32", false);
    count += list_precision(list + count, problem, TORC_PRECISION_TF32, "torc-tf32", false);
    return problem->reordered ? count + list_reordered(list + count, problem) : count;
}
