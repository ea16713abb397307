/* time_kernels.c: measures each kernel by making it the operand's choice and timing torc_spmm: what is
 * measured is what the caller will wait for. */
#include "prediction.h"
#include "ranking.h"
#include "seconds_now.h"
#include "tuner.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { GENERAL = 8, PLANNED = 1 << 17 }; /* ours */
static const double ROUND_SECONDS = 2e-3;
enum { ROUNDS = 7, MOST_CALLS = 200, FEWEST_CALLS = 2 };

/* ---- Operands ----------------------------------------------------------------------------------------- */

/* Values that differ, none of them 0: a device may be faster on zeros. */
static torc_status fill(torc_context *context, const torc_dense *X)
{
    enum { PERIOD = 4099, STEP = 101, RANGE = 127 };
    size_t size = torc_type_size(X->type), count = (size_t)(X->nrows * X->ncols);
    char *values = malloc(count * size + 1);
    if (!values) {
        return TORC_OUT_OF_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        double value = (double)(1 + i % PERIOD * STEP % RANGE);
        torc_cast(values + i * size, X->type, &value, TORC_FP64);
    }
    torc_status status = torc_memory_upload(context, X->data, values, count * size);
    free(values);
    return status;
}

torc_status torc_tuner_make_operands(torc_tuner *t, int64_t ncols)
{
    torc_context *context = t->A->context;
    torc_traits traits = torc_semiring_traits(t->semiring);
    t->B = (torc_dense){t->A->csr.ncols, ncols, ncols, TORC_ROW_MAJOR, traits.y_type, false, NULL, NULL};
    t->C = (torc_dense){t->A->csr.nrows, ncols, ncols, TORC_ROW_MAJOR, traits.z_type, false, NULL, NULL};
    size_t row_of_b = (size_t)ncols * torc_type_size(traits.y_type);
    size_t row_of_c = (size_t)ncols * torc_type_size(traits.z_type);
    torc_status status = torc_memory_allocate(&t->B.data, context, (size_t)t->B.nrows * row_of_b);
    if (status == TORC_SUCCESS) {
        status = torc_memory_allocate(&t->C.data, context, (size_t)t->C.nrows * row_of_c);
    }
    return status == TORC_SUCCESS ? fill(context, &t->B) : status;
}

/* ---- Time --------------------------------------------------------------------------------------------- */

static torc_status time_calls(double *seconds, const torc_tuner *t, int calls)
{
    torc_status status = TORC_SUCCESS;
    double start = torc_seconds_now();
    for (int i = 0; i < calls && status == TORC_SUCCESS; i++) {
        status = torc_spmm(&t->C, t->semiring, t->A, false, &t->B, NULL);
    }
    torc_status waited = torc_context_wait(t->A->context);
    *seconds = (torc_seconds_now() - start) / calls;
    return status == TORC_SUCCESS ? waited : status;
}

/* Seconds of one product, from many in a row: the least of several rounds, after one that does not count. */
static torc_status time_product(double *seconds, const torc_tuner *t)
{
    double round;
    torc_status status = time_calls(&round, t, FEWEST_CALLS);
    if (status == TORC_SUCCESS) {
        status = time_calls(&round, t, FEWEST_CALLS);
    }
    double calls = fmin(MOST_CALLS, fmax(FEWEST_CALLS, ROUND_SECONDS / fmax(1e-9, round)));
    *seconds = INFINITY;
    for (int i = 0; i < ROUNDS && status == TORC_SUCCESS; i++) {
        status = time_calls(&round, t, (int)calls);
        *seconds = fmin(*seconds, round);
    }
    return status;
}

torc_status torc_tuner_try(torc_tuner *t, torc_choice choice, const char *name, double predicted)
{
    torc_tuning *tuning = t->tuning;
    torc_status status = torc_selected_set(t->A, &t->problem, &choice);
    if (status == TORC_SUCCESS) {
        torc_choice taken;
        status = time_product(&choice.seconds, t);
        torc_selected_take(&taken, t->A, &t->problem);
    }
    if (status != TORC_SUCCESS) {
        torc_program_release(t->A, choice.program);
        return status;
    }
    torc_timing *timing = &tuning->timings[tuning->count];
    *timing = (torc_timing){.predicted = predicted, .measured = choice.seconds};
    snprintf(timing->kernel, sizeof timing->kernel, "%s", name);
    bool is_faster = tuning->count == 0 || choice.seconds < t->fastest.seconds;
    torc_program_release(t->A, is_faster ? t->fastest.program : choice.program);
    if (is_faster) {
        t->fastest = choice;
        tuning->chosen = tuning->count;
    }
    tuning->count++;
    return status;
}

/* The first ones of the ranking; and those with a plan, whose time their predictions count: an operand that
 * is tuned is used often. Of 1008 random products of less than PLANNED entries a plan was the fastest for
 * none. */
static bool is_worth_timing(const torc_spmm_kernel *kernel, int place, const torc_sparse *A)
{
    return place < GENERAL || (torc_rank_has_plan(kernel) && A->csr.nnz >= PLANNED);
}

/* Load the kernel and make the plan of A that it needs. TORC_UNSUPPORTED: A does not get that plan, and
 * torc_spmm would take another kernel. */
static torc_status make_ready(const torc_tuner *t, const torc_spmm_kernel *kernel)
{
    torc_context *context = t->A->context;
    torc_cut cut = torc_sparse_cut_of(t->A, kernel, t->C.ncols);
    torc_status status = context->executor->load(context->device, kernel);
    if (status != TORC_SUCCESS || !torc_cut_is_plan(cut)) {
        return status;
    }
    status = torc_sparse_cut(t->A, cut);
    return status == TORC_SUCCESS && !torc_sparse_has_plan(t->A, cut) ? TORC_UNSUPPORTED : status;
}

torc_status torc_tuner_time_general(torc_tuner *t)
{
    torc_spmm_kernel *list = malloc(TORC_MAX_CANDIDATES * sizeof *list);
    torc_status status = list ? TORC_SUCCESS : TORC_OUT_OF_MEMORY;
    int count = list ? torc_rank_kernels(list, &t->problem) : 0;
    for (int i = 0; i < count && status == TORC_SUCCESS; i++) {
        char name[TORC_KERNEL_NAME];
        if (!is_worth_timing(&list[i], i, t->A)) {
            continue;
        }
        torc_kernel_name(name, &list[i]);
        status = make_ready(t, &list[i]);
        if (status == TORC_SUCCESS) {
            double predicted = torc_predict(&list[i], &t->problem, &torc_measured_rates).seconds;
            status = torc_tuner_try(t, (torc_choice){.kernel = list[i]}, name, predicted);
        } else if (torc_tuner_lacks(status)) {
            status = TORC_SUCCESS; /* another one may be had */
        }
    }
    free(list);
    return status == TORC_SUCCESS && t->tuning->count == 0 ? TORC_NO_COMPILER : status;
}
