/* tune.c: each kernel in turn is made the operand's choice, and torc_spmm timed: so what is measured is what
 * the caller will wait for. The fastest is set at the end. */
#include "candidates.h"
#include "prediction.h"
#include "schedule.h"
#include "selected.h"
#include "spmm.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Entries: the instructions of more do not fit what multiprocessors keep from launch to launch. Measured on
 * an H200, fp32, N = 128, on the device alone: 26,000 take 3.2 us where the best general kernel took 5.5,
 * 105,000 take 11.3 where it took 10.2. */
enum { GENERAL = 8, COMPILED = 3, MOST_ENTRIES = 1 << 15 };
static const double ROUND_SECONDS = 2e-3;
enum { ROUNDS = 7, MOST_CALLS = 200, FEWEST_CALLS = 2 };

/* Compiled only where the search predicts less than that share of the fastest kernel so far: it is some
 * percent off, and to compile takes seconds. */
static const double PROMISING = 1.15;

typedef struct tuner {
    torc_sparse *A; /* or its transpose */
    torc_semiring semiring;
    torc_dense B, C;
    torc_problem problem;
    torc_tuning *tuning;
    torc_choice fastest; /* of all so far, and its program */
} tuner;

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

static torc_status make_operands(tuner *t, int64_t ncols)
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

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static torc_status time_calls(double *seconds, const tuner *t, int calls)
{
    torc_status status = TORC_SUCCESS;
    double start = now();
    for (int i = 0; i < calls && status == TORC_SUCCESS; i++) {
        status = torc_spmm(&t->C, t->semiring, t->A, false, &t->B, NULL);
    }
    torc_status waited = torc_context_wait(t->A->context);
    *seconds = (now() - start) / calls;
    return status == TORC_SUCCESS ? waited : status;
}

/* One product of many in a row: the least of several rounds, after a first one. */
static torc_status time_product(double *seconds, const tuner *t)
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

/* Time the product as `choice` says, whose program is the tuner's from here on: that of the slower one goes
 * back. */
static torc_status try_choice(tuner *t, torc_choice choice, const char *name, double predicted)
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

/* ---- Kernels that read A ------------------------------------------------------------------------------ */

/* That which selection takes, and the next by prediction, if they can be had. */
static torc_status time_general(tuner *t)
{
    torc_context *context = t->A->context;
    torc_spmm_kernel *list = malloc(TORC_MAX_CANDIDATES * sizeof *list);
    torc_status status = list ? TORC_SUCCESS : TORC_OUT_OF_MEMORY;
    int count = list ? torc_rank_kernels(list, &t->problem) : 0;
    for (int i = 0; i < count && i < GENERAL && status == TORC_SUCCESS; i++) {
        char name[TORC_KERNEL_NAME];
        torc_kernel_name(name, &list[i]);
        if (context->executor->load(context->device, &list[i]) == TORC_SUCCESS) {
            double predicted = torc_predict(&list[i], &t->problem, &torc_measured_rates).seconds;
            status = try_choice(t, (torc_choice){.kernel = list[i]}, name, predicted);
        }
    }
    free(list);
    return status == TORC_SUCCESS && t->tuning->count == 0 ? TORC_NO_COMPILER : status;
}

/* ---- Kernels with A in their text --------------------------------------------------------------------- */

/* A in host memory. */
typedef struct host_matrix {
    torc_host_csr csr;
    uint32_t *row_ptr, *col_idx, *order;
    void *values;
    torc_candidate_schedule *schedules;
} host_matrix;

/* As far as the operand says; the executor knows which semirings and values may. */
static bool may_be_compiled_in(const tuner *t)
{
    const torc_sparse *A = t->A;
    return A->access == TORC_ACCESS_ARRAY && A->type == t->semiring.type && A->csr.nnz > 0 &&
           A->csr.nnz <= MOST_ENTRIES;
}

static void free_matrix(host_matrix *m)
{
    free(m->row_ptr);
    free(m->col_idx);
    free(m->order);
    free(m->values);
    free(m->schedules);
}

/* Its offsets have 32 bits: it is small. */
static torc_status fetch_matrix(host_matrix *m, const torc_sparse *A)
{
    const torc_device_csr *csr = &A->csr;
    size_t rows = (size_t)csr->nrows, nnz = (size_t)csr->nnz, size = torc_type_size(A->type);
    m->row_ptr = malloc((rows + 1) * sizeof *m->row_ptr);
    m->col_idx = malloc(nnz * sizeof *m->col_idx);
    m->order = malloc(rows * sizeof *m->order);
    m->values = malloc(nnz * size);
    m->schedules = malloc(TORC_MOST_SCHEDULES * sizeof *m->schedules);
    if (!m->row_ptr || !m->col_idx || !m->order || !m->values || !m->schedules) {
        return TORC_OUT_OF_MEMORY;
    }
    m->csr = (torc_host_csr){csr->nrows, csr->ncols, m->row_ptr, m->col_idx};
    torc_status status =
        torc_memory_download(A->context, m->row_ptr, csr->row_ptr, (rows + 1) * sizeof *m->row_ptr);
    if (status == TORC_SUCCESS) {
        status = torc_memory_download(A->context, m->col_idx, csr->col_idx, nnz * sizeof *m->col_idx);
    }
    return status == TORC_SUCCESS ? torc_memory_download(A->context, m->values, csr->values, nnz * size)
                                  : status;
}

static void name_schedule(char name[TORC_TIMING_NAME], const torc_schedule *schedule)
{
    snprintf(name, TORC_TIMING_NAME, "constant/%dx%d%s", schedule->rows, schedule->columns,
        schedule->is_dealt ? "/dealt" : "");
}

/* NULL where it does not compile: another schedule may, or none. */
static torc_status load_program(
    torc_constant_program **program, const tuner *t, host_matrix *m, const torc_candidate_schedule *candidate)
{
    torc_context *context = t->A->context;
    torc_status status = torc_arrange_rows(m->order, &m->csr, &candidate->schedule);
    torc_constant_kernel kernel = {
        .semiring = t->semiring,
        .nrows = m->csr.nrows,
        .ncols = t->C.ncols,
        .row_ptr = m->row_ptr,
        .col_idx = m->col_idx,
        .values = m->values,
        .order = m->order,
        .tile_rows = candidate->schedule.rows,
        .threads = candidate->schedule.columns,
        .registers = candidate->registers,
    };
    *program = NULL;
    if (status == TORC_SUCCESS) {
        status = context->executor->constant_load(program, context->device, &kernel);
    }
    bool is_lacking =
        status == TORC_UNSUPPORTED || status == TORC_COMPILE_ERROR || status == TORC_NO_COMPILER;
    return is_lacking ? TORC_SUCCESS : status;
}

static torc_status time_schedules(tuner *t, host_matrix *m)
{
    int kept = 0;
    torc_search_problem problem = {
        m->csr, t->C.ncols, torc_type_size(t->semiring.type), torc_device_complete(t->A->context->facts)};
    if (torc_search_schedules(m->schedules, &kept, &problem) == 0) {
        return TORC_OUT_OF_MEMORY;
    }
    torc_status status = TORC_SUCCESS;
    double general = t->fastest.seconds;
    for (int i = 0; i < kept && i < COMPILED && status == TORC_SUCCESS; i++) {
        const torc_candidate_schedule *candidate = &m->schedules[i];
        torc_choice choice = {.kernel = t->fastest.kernel};
        if (candidate->seconds > PROMISING * general) {
            break;
        }
        status = load_program(&choice.program, t, m, candidate);
        if (choice.program) {
            char name[TORC_TIMING_NAME];
            name_schedule(name, &candidate->schedule);
            t->tuning->compiled++;
            status = try_choice(t, choice, name, candidate->seconds);
        }
    }
    return status;
}

static torc_status time_compiled_in(tuner *t)
{
    host_matrix m = {.row_ptr = NULL};
    torc_status status = fetch_matrix(&m, t->A);
    if (status == TORC_SUCCESS) {
        status = time_schedules(t, &m);
    }
    free_matrix(&m);
    return status;
}

/* ---- All of it ---------------------------------------------------------------------------------------- */

static torc_status check(const torc_sparse *A, torc_semiring semiring, bool transpose, int64_t ncols)
{
    static const char values;
    torc_context *context = A->context;
    torc_traits traits = torc_semiring_traits(semiring);
    int64_t m = transpose ? A->csr.ncols : A->csr.nrows, k = transpose ? A->csr.nrows : A->csr.ncols;
    if (!context->executor->constant_load) {
        return torc_context_refuse(context, TORC_UNSUPPORTED,
            "the %s executor has one kernel: there is nothing to tune", context->executor->name);
    }
    if (semiring.definition || semiring.type == TORC_BOOL) {
        return torc_context_refuse(
            context, TORC_UNSUPPORTED, "products of booleans and of user-defined semirings are not tuned");
    }
    if (context->kernel[0]) {
        return torc_context_refuse(
            context, TORC_UNSUPPORTED, "the context's options name the kernel: %s", context->kernel);
    }
    if (ncols < 1 || ncols > INT32_MAX) {
        return torc_context_refuse(context, TORC_INVALID_VALUE, "ncols is %lld", (long long)ncols);
    }
    /* As of operands that are there. */
    torc_dense B = {k, ncols, ncols, TORC_ROW_MAJOR, traits.y_type, false, (void *)&values, NULL};
    torc_dense C = {m, ncols, ncols, TORC_ROW_MAJOR, traits.z_type, false, (void *)&values, NULL};
    return torc_spmm_check_arguments(&C, semiring, A, transpose, &B, NULL);
}

/* The choice before stays where this fails. */
static torc_status find_fastest(tuner *t)
{
    static const torc_update overwrite;
    t->problem = torc_problem_of(&t->C, t->semiring, t->A, &t->B, &overwrite, false);
    torc_choice before = {.program = NULL};
    bool has_before = torc_selected_take(&before, t->A, &t->problem);
    torc_status status = time_general(t);
    if (status == TORC_SUCCESS && may_be_compiled_in(t)) {
        status = time_compiled_in(t);
    }
    bool is_found = status == TORC_SUCCESS;
    torc_choice *stays = is_found ? &t->fastest : &before;
    torc_program_release(t->A, is_found ? before.program : t->fastest.program);
    if (is_found || has_before) {
        torc_status set = torc_selected_set(t->A, &t->problem, stays);
        if (set != TORC_SUCCESS) {
            torc_program_release(t->A, stays->program);
            return set;
        }
    }
    return status;
}

torc_status torc_sparse_tune(
    torc_tuning *tuning, torc_sparse *A, torc_semiring semiring, bool transpose, int64_t ncols)
{
    torc_tuning unwanted, *found = tuning ? tuning : &unwanted;
    *found = (torc_tuning){.count = 0};
    if (!A) {
        return TORC_NULL_POINTER;
    }
    torc_context *context = A->context;
    torc_status status = check(A, semiring, transpose, ncols);
    tuner t = {.semiring = semiring, .tuning = found};
    if (status == TORC_SUCCESS) {
        status = torc_sparse_orient(&t.A, A, transpose);
    }
    if (status == TORC_SUCCESS && t.A->csr.nrows > 0) {
        status = make_operands(&t, ncols);
        if (status == TORC_SUCCESS) {
            status = find_fastest(&t);
        }
        torc_memory_release(context, t.B.data);
        torc_memory_release(context, t.C.data);
    }
    return status;
}
