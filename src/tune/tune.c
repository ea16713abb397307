/* tune.c: torc_sparse_tune: check, make operands, find the fastest kernel, set it. */
#include "dense.h"
#include "spmm.h"
#include "tuner.h"

static torc_status check(const torc_sparse *A, torc_semiring semiring, bool transpose, int64_t ncols)
{
    static const char values;
    torc_context *context = A->context;
    torc_traits traits = torc_semiring_traits(semiring);
    int64_t m = transpose ? A->csr.ncols : A->csr.nrows, k = transpose ? A->csr.nrows : A->csr.ncols;
    if (!context->executor->has_choice || !context->executor->has_choice(context->device)) {
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
    torc_status status = torc_spmm_check_arguments(&C, semiring, A, transpose, &B, NULL);
    return status == TORC_SUCCESS ? torc_check_layout(context, "B", &B) : status; /* made even if not read */
}

static torc_status time_all(torc_tuner *t, bool has_matrix)
{
    torc_status status = torc_tuner_time_general(t);
    if (status == TORC_SUCCESS && has_matrix && torc_tuner_may_compile_in(t)) {
        status = torc_tuner_time_compiled_in(t);
    }
    if (status == TORC_SUCCESS && has_matrix) {
        torc_tuner_remember(t);
    }
    return status;
}

/* The choice before stays where this fails. */
static torc_status find_fastest(torc_tuner *t, bool has_matrix, bool is_timed)
{
    static const torc_update overwrite;
    t->problem = torc_problem_of(&t->C, t->semiring, t->A, &t->B, &overwrite, false);
    torc_choice before = {.program = NULL};
    bool has_before = torc_selected_take(&before, t->A, &t->problem);
    bool is_known = has_matrix && !is_timed && torc_tuner_recall(t);
    torc_status status = is_known ? TORC_SUCCESS : time_all(t, has_matrix);
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

/* Make operands, bring A to host memory if it is small enough, and find the fastest kernel. */
static torc_status tune(torc_tuner *t, int64_t ncols, bool is_timed)
{
    torc_context *context = t->A->context;
    bool has_matrix = t->A->csr.nnz <= TORC_HOST_ENTRIES;
    torc_status status = torc_tuner_make_operands(t, ncols);
    if (status == TORC_SUCCESS && has_matrix) {
        status = torc_host_matrix_fetch(&t->matrix, t->A);
    }
    if (status == TORC_SUCCESS) {
        status = find_fastest(t, has_matrix, is_timed);
    }
    torc_host_matrix_free(&t->matrix);
    torc_memory_release(context, t->B.data);
    torc_memory_release(context, t->C.data);
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
    torc_status status = check(A, semiring, transpose, ncols);
    torc_tuner t = {.semiring = semiring, .tuning = found};
    if (status == TORC_SUCCESS) {
        status = torc_sparse_refuse_divided(A, "tuning");
    }
    if (status == TORC_SUCCESS) {
        status = torc_sparse_orient(&t.A, A, transpose);
    }
    if (status == TORC_SUCCESS) {
        t.A = torc_sparse_ordered(t.A);
    }
    return status == TORC_SUCCESS && t.A->csr.nrows > 0 ? tune(&t, ncols, tuning != NULL) : status;
}
