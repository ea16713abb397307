/* test_emulated_tune_faults.c: torc_sparse_tune in which call number 0, 1, 2, ... of the device fails:
 * nothing leaks, and what was chosen before stays. */
#include "constant_cases.h"
#include "emulated_cases.h"
#include "engine_fixture.h"
#include "reference.h"
#include "selected.h"

enum { N = TORC_TUNED_COLUMNS, CALLS = 60 };

static const torc_semiring plus_times = {TORC_PLUS_MONOID, TORC_TIMES, TORC_FP32, NULL, false};

/* As torc_sparse_tune poses it. */
static torc_choice choice_of(torc_sparse *A)
{
    static _Alignas(256) char memory[1];
    const torc_update overwrite = {0};
    torc_dense X = {A->csr.nrows, N, N, TORC_ROW_MAJOR, TORC_FP32, false, memory, NULL};
    torc_problem problem = torc_problem_of(&X, plus_times, A, &X, &overwrite, false);
    return torc_selected(A, &problem, "");
}

static torc_sparse *create(torc_context **context)
{
    torc_options options = TORC_OPTIONS_INIT;
    torc_csr csr = torc_constant_matrix(TORC_FP32);
    torc_sparse *A;
    cr_assert_eq(torc_context_create(context, &options), TORC_SUCCESS);
    cr_assert_eq(torc_sparse_create(&A, *context, &csr), TORC_SUCCESS);
    return A;
}

Test(emulated_tune_faults, leak_nothing_and_leave_the_choice_before)
{
    torc_context *context;
    torc_sparse *A = create(&context);
    torc_tuning tuning;
    int failures = 0;
    cr_assert_eq(torc_sparse_tune(&tuning, A, plus_times, false, N), TORC_SUCCESS);
    torc_choice before = choice_of(A);
    int programs = torc_emulated_programs();
    size_t held = torc_reference_bytes_held();
    cr_assert_gt(before.seconds, 0, "measured");
    for (int call = 0; call < CALLS; call++) {
        torc_reference_fail_at(call);
        torc_status status = torc_sparse_tune(&tuning, A, plus_times, false, N);
        torc_reference_fail_at(-1);
        cr_assert(status == TORC_OUT_OF_MEMORY || status == TORC_DEVICE_ERROR, "call %d", call);
        failures++;
        torc_choice after = choice_of(A);
        cr_assert_eq(after.seconds, before.seconds, "call %d: another choice", call);
        cr_assert_eq(after.program, before.program);
        cr_assert_eq(torc_emulated_programs(), programs, "call %d leaks a program", call);
        cr_assert_eq(torc_reference_bytes_held(), held, "call %d leaks", call);
    }
    cr_expect_eq(failures, CALLS);
    torc_sparse_destroy(A);
    torc_context_destroy(context);
    cr_expect_eq(torc_emulated_programs(), 0);
    cr_expect_eq(torc_reference_bytes_held(), 0);
}

Test(emulated_tune_faults, of_nine_products_the_oldest_gives_its_program_back)
{
    torc_context *context;
    torc_sparse *A = create(&context);
    torc_constant_kernel text = torc_constant_case(1);
    static _Alignas(256) char memory[1];
    const torc_update overwrite = {0};
    for (int64_t n = 1; n <= TORC_CHOICES + 1; n++) {
        torc_dense X = {A->csr.nrows, n, n, TORC_ROW_MAJOR, TORC_FP32, false, memory, NULL};
        torc_problem problem = torc_problem_of(&X, plus_times, A, &X, &overwrite, false);
        torc_choice choice = torc_selected(A, &problem, "");
        cr_assert_eq(context->executor->constant_load(&choice.program, context->device, &text), TORC_SUCCESS);
        cr_assert_eq(torc_selected_set(A, &problem, &choice), TORC_SUCCESS);
    }
    cr_expect_eq(torc_emulated_programs(), TORC_CHOICES);
    torc_sparse_destroy(A);
    cr_expect_eq(torc_emulated_programs(), 0);
    torc_context_destroy(context);
}
