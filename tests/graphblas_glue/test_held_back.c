/* While an operation waits for its kernel nothing goes to the device and back in its stead: the others stay
 * on the CPU, and results of products come home at once. */
#include "away.h"
#include "beside.h"
#include "glue_fixture.h"
#include "missing_kernels.h"
#include "operations.h"
#include "rates.h"
#include "reference.h"
#include "residency.h"
#include "write_tracking.h"
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>

enum { SIZE = 1100000 };

static pthread_mutex_t obstacle = PTHREAD_MUTEX_INITIALIZER;

static void pass_obstacle(void)
{
    pthread_mutex_lock(&obstacle);
    pthread_mutex_unlock(&obstacle);
}

/* A device that is open and takes no time; the CPU takes for ever, so that products wait for their kernels.
 */
static void start(void)
{
    if (!torc_tracking_is_available()) {
        cr_skip_test("this kernel tracks no writes");
    }
    setenv("TORC_BACKEND", "reference", 1);
    torc_trace_begin();
    unsetenv("TORC_FORCE");
    torc_away_allow(sigaction);
    cr_assert_eq(GxB_init(GrB_NONBLOCKING, torc_malloc, torc_calloc, torc_realloc, torc_free), GrB_SUCCESS);
    torc_machine_rates *rates = (torc_machine_rates *)torc_rates_get();
    for (int i = 0; i < TORC_RATE_COUNT; i++) {
        rates->of[i] = i <= TORC_RATE_START ? 1e-9 : i >= TORC_RATE_CPU_ACCUMULATED ? 1e-3 : 1e15;
    }
    rates->of[TORC_RATE_CACHE_OF_ALL] = 1;
    rates->of[TORC_RATE_OUT_STAGED] = 1; /* so fast does the CPU pass over dense operands */
    torc_session_open_beside();
    torc_beside_wait();
}

TestSuite(missing_kernels, .init = start, .fini = torc_glue_finish);

static GrB_Vector new_vector_of(int size, double value)
{
    double *values = torc_malloc((size_t)size * sizeof *values);
    void *array = values;
    GrB_Vector v;
    for (int i = 0; i < size; i++) {
        values[i] = value + i;
    }
    cr_assert_eq(GrB_Vector_new(&v, GrB_FP64, (GrB_Index)size), GrB_SUCCESS);
    cr_assert_eq(GxB_Vector_pack_Full(v, &array, (size_t)size * sizeof *values, false, NULL), GrB_SUCCESS);
    return v;
}

static GrB_Vector new_vector(double value)
{
    return new_vector_of(SIZE, value);
}

static bool apply(GrB_Vector w, GrB_UnaryOp op, GrB_Vector v)
{
    torc_target target = {.name = "GrB_Vector_apply", .C = (GrB_Matrix)w};
    return torc_try_apply(&target, op, (GrB_Matrix)v);
}

/* Of the thread that compiles: 0 is that of others. */
static int priority_of_compiler;

torc_status __real_torc_context_compile(torc_context *context);
torc_status __wrap_torc_context_compile(torc_context *context);
torc_status __wrap_torc_context_compile(torc_context *context)
{
    priority_of_compiler = getpriority(PRIO_PROCESS, 0);
    return __real_torc_context_compile(context);
}

static uint64_t looked_for(void)
{
    torc_residency_counts counts = torc_residency_count();
    return counts.hits + counts.misses;
}

Test(missing_kernels, hold_back_all_operations_until_they_are_compiled)
{
    GrB_Vector v = new_vector(1), w = new_vector(2);
    torc_reference_lack_kernel();
    pthread_mutex_lock(&obstacle);
    cr_assert(torc_beside_start(pass_obstacle));
    cr_assert_not(apply(w, GrB_AINV_FP64, v));
    uint64_t before = looked_for();
    for (int i = 0; i < 3; i++) {
        cr_expect_not(apply(w, GrB_AINV_FP64, v));
        cr_expect_not(apply(w, GrB_ABS_FP64, v));
    }
    cr_expect_eq(looked_for(), before, "operands were sent for nothing");
    pthread_mutex_unlock(&obstacle);
    torc_beside_wait();
    cr_expect_not(apply(w, GrB_ABS_FP64, v), "the other one still waits");
    cr_expect_not(apply(w, GrB_AINV_FP64, v), "only now is its kernel compiled");
    torc_beside_wait();
    cr_expect(apply(w, GrB_AINV_FP64, v));
    cr_expect(apply(w, GrB_ABS_FP64, v));
    GrB_Vector_free(&v);
    GrB_Vector_free(&w);
}

static GrB_Matrix new_sparse(GrB_Vector diagonal)
{
    GrB_Matrix A;
    cr_assert_eq(GrB_Matrix_new(&A, GrB_FP64, SIZE, SIZE), GrB_SUCCESS);
    cr_assert_eq(GxB_Matrix_diag(A, diagonal, 0, NULL), GrB_SUCCESS);
    return A;
}

static bool result_stays(GrB_Vector w, GrB_Matrix A, GrB_Vector v)
{
    cr_assert_eq(torc_mxv(w, NULL, GrB_PLUS_FP64, GrB_PLUS_TIMES_SEMIRING_FP64, A, v, NULL), GrB_SUCCESS);
    bool is_away = torc_away_is_any();
    double x;
    cr_assert_eq(GrB_Vector_reduce_FP64(&x, NULL, GrB_PLUS_MONOID_FP64, w, NULL), GrB_SUCCESS);
    return is_away;
}

Test(missing_kernels, have_results_of_products_come_home)
{
    GrB_Vector v = new_vector(1), w = new_vector(2), u = new_vector(3);
    GrB_Matrix A = new_sparse(v);
    torc_reference_lack_kernel();
    pthread_mutex_lock(&obstacle);
    cr_assert(torc_beside_start(pass_obstacle));
    cr_assert_not(apply(u, GrB_AINV_FP64, v));
    cr_expect_not(result_stays(w, A, v));
    pthread_mutex_unlock(&obstacle);
    torc_beside_wait();
    cr_expect_not(apply(u, GrB_AINV_FP64, v));
    torc_beside_wait();
    cr_assert(apply(u, GrB_AINV_FP64, v));
    GrB_Vector_free(&u);
    cr_expect(result_stays(w, A, v));
    GrB_Matrix_free(&A);
    GrB_Vector_free(&v);
    GrB_Vector_free(&w);
}

static bool leaves_and_comes_home(GrB_Vector w, GrB_Vector v)
{
    double x;
    bool has_left = apply(w, GrB_AINV_FP64, v);
    cr_assert_eq(GrB_Vector_reduce_FP64(&x, NULL, GrB_PLUS_MONOID_FP64, w, NULL), GrB_SUCCESS);
    cr_assert_not(torc_away_is_any());
    return has_left;
}

Test(missing_kernels, tell_nothing_of_results_that_come_home_meanwhile)
{
    GrB_Vector v = new_vector(1), w = new_vector(2);
    pthread_mutex_lock(&obstacle);
    cr_assert(torc_beside_start(pass_obstacle));
    for (int i = 0; i < 4; i++) {
        cr_expect(leaves_and_comes_home(w, v), "for the %d. time", i + 1);
    }
    pthread_mutex_unlock(&obstacle);
    torc_beside_wait();
    for (int i = 0; i < 2; i++) {
        cr_expect(leaves_and_comes_home(w, v), "for the %d. time afterwards", i + 1);
    }
    cr_expect_not(apply(w, GrB_AINV_FP64, v), "twice it left for nothing");
    GrB_Vector_free(&v);
    GrB_Vector_free(&w);
}

Test(missing_kernels, that_cannot_be_had_are_rarely_asked_for_again)
{
    cr_expect_not(torc_missing_kernels_hold_back(7, TORC_WORTH_FETCHING));
    for (int round = 0; round < 3; round++) {
        torc_missing_kernels_give_up(7);
        for (int i = 0; i < 100; i++) {
            cr_assert(torc_missing_kernels_hold_back(7, TORC_WORTH_FETCHING));
            cr_assert_not(torc_missing_kernels_hold_back(8, 1), "others do not wait for it");
        }
        cr_assert_not(torc_missing_kernels_hold_back(7, TORC_WORTH_FETCHING), "it is tried again");
    }
}

/* Levels of a multigrid, or batches: each has a size of its own. */
Test(missing_kernels, are_those_of_objects_of_other_sizes)
{
    GrB_Vector v = new_vector(1), w = new_vector(2);
    GrB_Vector longer = new_vector_of(SIZE + 1, 3), result = new_vector_of(SIZE + 1, 4);
    torc_reference_lack_kernel();
    cr_assert_not(apply(w, GrB_AINV_FP64, v));
    torc_beside_wait();
    cr_expect_not(apply(w, GrB_ABS_FP64, v), "it waits for the other one");
    cr_expect(apply(result, GrB_AINV_FP64, longer), "the kernel is there by now");
    cr_expect(apply(w, GrB_ABS_FP64, v));
    GrB_Vector_free(&v);
    GrB_Vector_free(&w);
    GrB_Vector_free(&longer);
    GrB_Vector_free(&result);
}

Test(missing_kernels, are_compiled_with_what_the_program_leaves)
{
    int before = getpriority(PRIO_PROCESS, 0); /* tests may run under nice */
    torc_missing_kernels_compile(1);
    torc_beside_wait();
    cr_expect_eq(priority_of_compiler, before + 10 < 19 ? before + 10 : 19);
    cr_expect_eq(getpriority(PRIO_PROCESS, 0), before, "the program's own threads keep theirs");
}

Test(missing_kernels, of_operations_that_do_not_come_again_are_forgotten)
{
    torc_missing_kernels_compile(1);
    torc_beside_wait();
    int questions = 0;
    while (questions < 1000 && torc_missing_kernels_send_home(1)) {
        questions++;
    }
    cr_expect_eq(questions, 100);
    cr_expect_not(torc_missing_kernels_hold_back(2, 1));
}

Test(missing_kernels, hold_back_nothing_that_is_worth_fetching)
{
    torc_reference_lack_kernel();
    pthread_mutex_lock(&obstacle);
    cr_assert(torc_beside_start(pass_obstacle));
    torc_missing_kernels_compile(1);
    cr_expect(torc_missing_kernels_hold_back(2, TORC_WORTH_FETCHING - 1));
    cr_expect(torc_missing_kernels_send_home(TORC_WORTH_FETCHING - 1));
    cr_expect_not(torc_missing_kernels_hold_back(2, TORC_WORTH_FETCHING));
    cr_expect_not(torc_missing_kernels_send_home(TORC_WORTH_FETCHING));
    cr_expect(torc_missing_kernels_hold_back(1, TORC_WORTH_FETCHING), "itself is being compiled");
    pthread_mutex_unlock(&obstacle);
    torc_beside_wait();
}
