/* compiled_in.c: kernels with A in their text: the best schedules of the search are tried while they may
 * gain.
 */
#include "tuner.h"
#include <stdlib.h>

enum { COMPILED = 3 };

/* Compiled only where the search predicts less than that share of the fastest kernel so far: it is some
 * percent off, and to compile takes seconds. */
static const double PROMISING = 1.15;

bool torc_tuner_may_compile_in(const torc_tuner *t)
{
    const torc_sparse *A = t->A;
    return A->access == TORC_ACCESS_ARRAY && A->type == t->semiring.type &&
           torc_search_may_gain(A->csr.nrows, A->csr.nnz) &&
           !A->c_rows; /* its text says nothing of another order */
}

torc_status torc_tuner_load(
    torc_constant_program **program, const torc_tuner *t, const torc_schedule *schedule)
{
    torc_context *context = t->A->context;
    uint32_t *order = malloc((size_t)t->A->csr.nrows * sizeof *order);
    torc_constant_kernel kernel = {
        .semiring = t->semiring,
        .nrows = t->A->csr.nrows,
        .ncols = t->C.ncols,
        .row_ptr = t->matrix.row_ptr,
        .col_idx = t->matrix.col_idx,
        .values = t->matrix.values,
        .order = order,
        .tile_rows = schedule->rows,
        .threads = schedule->columns,
        .registers = torc_counted_registers(schedule->rows, torc_type_size(t->semiring.type)),
    };
    *program = NULL;
    torc_status status = order ? torc_arrange_rows(order, &t->matrix.csr, schedule) : TORC_OUT_OF_MEMORY;
    if (status == TORC_SUCCESS) {
        status = context->executor->constant_load(program, context->device, &kernel);
    }
    free(order);
    return torc_tuner_lacks(status) ? TORC_SUCCESS : status;
}

static torc_status time_schedules(torc_tuner *t, const torc_candidate_schedule *list, int kept)
{
    torc_status status = TORC_SUCCESS;
    double general = t->fastest.seconds;
    for (int i = 0; i < kept && i < COMPILED && status == TORC_SUCCESS; i++) {
        torc_choice choice = {.kernel = t->fastest.kernel};
        if (list[i].seconds > PROMISING * general) {
            break;
        }
        status = torc_tuner_load(&choice.program, t, &list[i].schedule);
        if (choice.program) {
            char name[TORC_SCHEDULE_NAME];
            torc_schedule_name(name, &list[i].schedule);
            t->tuning->compiled++;
            status = torc_tuner_try(t, choice, name, list[i].seconds);
        }
    }
    return status;
}

torc_status torc_tuner_time_compiled_in(torc_tuner *t)
{
    int kept = 0;
    torc_search_problem problem = {
        t->matrix.csr, t->C.ncols, torc_type_size(t->semiring.type), t->A->context->facts};
    torc_candidate_schedule *list = malloc(TORC_MOST_SCHEDULES * sizeof *list);
    bool has_memory = list && torc_search_schedules(list, &kept, &problem) > 0;
    torc_status status = has_memory ? time_schedules(t, list, kept) : TORC_OUT_OF_MEMORY;
    free(list);
    return status;
}
