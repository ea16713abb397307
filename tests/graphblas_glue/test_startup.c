/* The device is opened beside the program: calls go on on the CPU, and take it once it is there; whatever the
 * program does meanwhile, nothing is lost, and nothing hangs.
 *
 * Linked with --wrap=torc_context_create, so that a device takes as long to open as the test likes, and with
 * --wrap=torc_processors, since opening is worth it sooner where more processors go on meanwhile. */
#include "beside.h"
#include "glue_fixture.h"
#include "operations.h"
#include "outcome.h"
#include "plain_call.h"
#include "profit.h"
#include "rates.h"
#include "reference.h"
#include "require.h"
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const torc_semiring plus_times = {TORC_PLUS_MONOID, TORC_TIMES, TORC_FP64};

static pthread_mutex_t obstacle = PTHREAD_MUTEX_INITIALIZER;

static void hold(void)
{
    pthread_mutex_lock(&obstacle);
}

static void let_go(void)
{
    pthread_mutex_unlock(&obstacle);
}

static void pass_obstacle(void)
{
    hold();
    let_go();
}

torc_status __real_torc_context_create(torc_context **context, const torc_options *options);
torc_status __wrap_torc_context_create(torc_context **context, const torc_options *options);

torc_status __wrap_torc_context_create(torc_context **context, const torc_options *options)
{
    pass_obstacle();
    return __real_torc_context_create(context, options);
}

int __wrap_torc_processors(void);

int __wrap_torc_processors(void)
{
    return 2;
}

static random_call product(void)
{
    return torc_plain_call(plus_times, 9, 8, 7);
}

/* Where it ran is returned in *trace. */
static void expect_right(mxm_trace *trace, const random_call *call)
{
    outcome expected = torc_outcome_of_suitesparse(call, NULL), actual = torc_outcome_of_torc(call, trace);
    torc_outcome_check(call, &expected, &actual, trace);
}

static void expect_reason(const random_call *call, const char *where, const char *why)
{
    mxm_trace trace;
    expect_right(&trace, call);
    cr_expect_str_eq(trace.where, where, "%s", trace.text);
    cr_expect_not_null(strstr(trace.text, why), "\"%s\" in %s", why, trace.text);
}

/* ---- What a call finds -------------------------------------------------------------------------------- */

/* With rates of its own, which no GPU is to measure and keep. */
static void start_unforced_with(const char *backend)
{
    setenv("TORC_BACKEND", backend, 1);
    torc_trace_begin();
    unsetenv("TORC_FORCE");
    cr_assert_eq(GrB_init(GrB_NONBLOCKING), GrB_SUCCESS);
}

static void start_unforced(void)
{
    start_unforced_with("reference");
}

/* By its rates this machine has a device that takes no time, but for opening it: two and a half times as long
 * as the CPU is predicted to take for the call, so long that no clock matters. */
static void tell_rates(const random_call *call)
{
    torc_machine_rates *rates = (torc_machine_rates *)torc_rates_get();
    torc_mxm_statistics statistics = TORC_MXM_STATISTICS_INIT;
    for (int i = 0; i < TORC_RATE_COUNT; i++) {
        rates->of[i] = i == TORC_RATE_CALL ? 1e-9 : i >= TORC_RATE_CPU_ACCUMULATED ? 1e-3 : 1e15;
    }
    expect_reason(call, "cpu", "not worth opening the device yet");
    cr_assert_eq(torc_mxm_statistics_get(&statistics), GrB_SUCCESS);
    rates->of[TORC_RATE_START] = 2.5 * statistics.cpu.predicted_seconds;
    cr_assert_gt(rates->of[TORC_RATE_START], 10000);
}

Test(
    startup, calls_stay_on_the_cpu_until_the_device_is_open, .init = start_unforced, .fini = torc_glue_finish)
{
    random_call call = product();
    tell_rates(&call);
    expect_reason(&call, "cpu", "not worth opening the device yet");
    cr_expect_eq(torc_session_device_state(), TORC_DEVICE_UNTRIED);
    hold();
    for (int i = 0; i < 3; i++) {
        expect_reason(&call, "cpu", "the device is being opened");
        cr_expect_eq(torc_session_device_state(), TORC_DEVICE_OPENING);
    }
    let_go();
    torc_beside_wait();
    cr_expect_eq(torc_session_device_state(), TORC_DEVICE_OPEN);
    for (int i = 0; i < 3; i++) {
        expect_reason(&call, "reference", "predicted faster");
    }
}

/* Of a million elements. True: torc has computed it. */
static bool add_vectors(void)
{
    enum { SIZE = 1 << 20 };
    GrB_Vector v;
    cr_assert_eq(GrB_Vector_new(&v, GrB_FP64, SIZE), GrB_SUCCESS);
    cr_assert_eq(GrB_Vector_assign_FP64(v, NULL, NULL, 1, GrB_ALL, SIZE, NULL), GrB_SUCCESS);
    cr_assert_eq(GrB_Vector_setElement_FP64(v, 2, 0), GrB_SUCCESS);
    torc_target target = {.name = "GrB_Vector_eWiseAdd_BinaryOp", .C = (GrB_Matrix)v};
    bool is_done = torc_try_ewise(&target, TORC_EWISE_ADD, GrB_PLUS_FP64, (GrB_Matrix)v, (GrB_Matrix)v);
    cr_assert_eq(GrB_Vector_free(&v), GrB_SUCCESS);
    return is_done;
}

Test(startup, what_is_done_between_products_counts_for_opening, .init = start_unforced,
    .fini = torc_glue_finish)
{
    random_call call = product();
    cr_expect_not(add_vectors());
    cr_expect_eq(
        torc_session_device_state(), TORC_DEVICE_UNTRIED, "without a product it is no loop of torc's");
    tell_rates(&call);
    torc_machine_rates *rates = (torc_machine_rates *)torc_rates_get();
    double lost = torc_profit_missed();
    rates->of[TORC_RATE_CACHE_OF_ALL] = 1;
    rates->of[TORC_RATE_OUT_STAGED] = 1; /* bytes a second, on the CPU */
    rates->of[TORC_RATE_START] = lost + 2e7;
    cr_expect_not(add_vectors());
    cr_expect_eq(torc_session_device_state(), TORC_DEVICE_UNTRIED);
    cr_expect_gt(torc_profit_missed(), lost);
    cr_expect_not(add_vectors());
    torc_beside_wait();
    cr_expect_eq(torc_session_device_state(), TORC_DEVICE_OPEN);
}

/* ---- Who else has the device --------------------------------------------------------------------------- */

static sem_t taken;

static void *have_the_device(void *unused)
{
    torc_session_lock();
    sem_post(&taken);
    usleep(500000);
    torc_session_release();
    return unused;
}

/* Like calls are predicted to take 0.3 s on the CPU, and none on the device. */
Test(startup, waiting_for_another_thread_is_not_the_devices_time, .init = start_unforced,
    .fini = torc_glue_finish)
{
    random_call call = product();
    torc_machine_rates *rates = (torc_machine_rates *)torc_rates_get();
    tell_rates(&call);
    double on_cpu = rates->of[TORC_RATE_START] / 2.5;
    for (int i = TORC_RATE_CPU_ACCUMULATED; i < TORC_RATE_COUNT; i++) {
        rates->of[i] *= on_cpu / 0.3;
    }
    torc_session_open_beside();
    torc_beside_wait();
    for (int i = 0; i < 3; i++) {
        expect_reason(&call, "reference", "predicted faster");
    }
    sem_init(&taken, 0, 0);
    for (int i = 0; i < 2; i++) {
        pthread_t other;
        cr_assert_eq(pthread_create(&other, NULL, have_the_device, NULL), 0);
        sem_wait(&taken);
        expect_reason(&call, "reference", "predicted faster");
        pthread_join(other, NULL);
    }
    expect_reason(&call, "reference", "predicted faster");
}

/* It gains microseconds. */
static random_call product_of_little_gain(void)
{
    torc_machine_rates *rates = (torc_machine_rates *)torc_rates_get();
    for (int i = 0; i < TORC_RATE_COUNT; i++) {
        rates->of[i] = i <= TORC_RATE_START ? 1e-9 : 1e15;
    }
    return product();
}

Test(startup, a_call_waits_for_no_longer_than_it_gains, .init = start_unforced, .fini = torc_glue_finish)
{
    random_call call = product_of_little_gain();
    hold();
    expect_reason(&call, "cpu", "the device is being opened");
    let_go();
    torc_beside_wait();
    expect_reason(&call, "reference", "predicted faster");
}

Test(startup, a_call_that_gains_more_than_opening_takes_waits_for_it, .init = start_unforced,
    .fini = torc_glue_finish)
{
    random_call call = product();
    tell_rates(&call);
    ((torc_machine_rates *)torc_rates_get())->of[TORC_RATE_START] = 1e-3;
    expect_reason(&call, "reference", "predicted faster");
}

/* ---- What lacks a kernel ------------------------------------------------------------------------------ */

static const char not_compiled[] = "a kernel is not compiled yet";

/* The device is open, and a call gains little by it. */
static random_call open_for_little_gain(void)
{
    torc_session_open_beside();
    torc_beside_wait();
    return product_of_little_gain();
}

Test(startup, calls_stay_on_the_cpu_until_their_kernel_is_compiled, .init = start_unforced,
    .fini = torc_glue_finish)
{
    random_call call = open_for_little_gain();
    torc_reference_lack_kernel();
    expect_reason(&call, "cpu", not_compiled);
    torc_beside_wait();
    expect_reason(&call, "reference", "predicted faster");
}

Test(
    startup, a_kernel_is_compiled_once_there_is_time_for_it, .init = start_unforced, .fini = torc_glue_finish)
{
    random_call call = open_for_little_gain();
    torc_reference_lack_kernel();
    hold();
    cr_assert(torc_beside_start(pass_obstacle));
    cr_expect_not(torc_beside_start(pass_obstacle), "two at a time");
    for (int i = 0; i < 3; i++) {
        expect_reason(&call, "cpu", not_compiled);
    }
    let_go();
    torc_beside_wait();
    expect_reason(&call, "cpu", not_compiled);
    torc_beside_wait();
    expect_reason(&call, "reference", "predicted faster");
}

Test(startup, a_call_that_gains_much_waits_for_its_kernel, .init = start_unforced, .fini = torc_glue_finish)
{
    random_call call = open_for_little_gain();
    torc_machine_rates *rates = (torc_machine_rates *)torc_rates_get();
    for (int i = TORC_RATE_CPU_ACCUMULATED; i < TORC_RATE_COUNT; i++) {
        rates->of[i] = 1e-3;
    }
    torc_reference_lack_kernel();
    expect_reason(&call, "reference", "predicted faster");
}

/* ---- Where it cannot be opened ------------------------------------------------------------------------ */

static void start_without_device(void)
{
    setenv("TORC_DEVICE", "9999", 1);
    start_unforced_with("cuda");
}

Test(startup, a_device_that_is_missing_is_looked_for_once, .init = start_without_device,
    .fini = torc_glue_finish)
{
    random_call call = product();
    tell_rates(&call);
    hold();
    expect_reason(&call, "cpu", "not worth opening the device yet");
    expect_reason(&call, "cpu", "the device is being opened");
    let_go();
    torc_beside_wait();
    for (int i = 0; i < 2; i++) {
        cr_expect_eq(torc_session_device_state(), TORC_DEVICE_MISSING);
        expect_reason(&call, "cpu", "no usable device");
        torc_session_open_beside();
    }
}

/* ---- What the program does meanwhile ------------------------------------------------------------------ */

static void expect_nothing_held(void)
{
    cr_expect_eq(torc_reference_bytes_held() + torc_reference_bytes_pinned(), 0);
}

/* A program may close GraphBLAS, start it again, and multiply. */
Test(startup, closing_while_it_opens_leaves_nothing, .init = torc_glue_start, .fini = torc_glue_finish)
{
    random_call call = product();
    for (int i = 0; i < 3; i++) {
        torc_session_open_beside();
        torc_session_close();
        cr_expect_eq(torc_session_device_state(), TORC_DEVICE_UNTRIED);
        expect_nothing_held();
    }
    torc_session_open_beside();
    expect_reason(&call, torc_trace_is_reference() ? "reference" : "cuda", "forced");
}

/* As the last thing that a process does. */
static void open_and_return(void)
{
    torc_session_open_beside();
}

static void *open_and_exit(void *unused)
{
    torc_session_open_beside();
    exit(0);
    return unused;
}

static void exit_in_another_thread(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, open_and_exit, NULL);
    pthread_join(thread, NULL);
}

/* A child with a device of its own: this process has none yet. */
static int status_of_child(void (*last)(void))
{
    int status;
    pid_t child = fork();
    if (child == 0) {
        alarm(TORC_HANGING);
        last();
        exit(0);
    }
    cr_assert_eq(waitpid(child, &status, 0), child);
    return status;
}

static void start_without_gpu_in_this_process(void)
{
    setenv("TORC_BACKEND", "auto", 0);
    torc_session_settings();
}

Test(startup, a_process_may_end_while_it_opens, .init = start_without_gpu_in_this_process)
{
    cr_expect_eq(status_of_child(open_and_return), 0);
    cr_expect_eq(status_of_child(exit_in_another_thread), 0);
}

typedef struct forked {
    const random_call *call;
    const outcome *expected;
    int status;
} forked;

static int multiply_as_child(const forked *from)
{
    mxm_trace trace;
    GxB_Global_Option_set(GxB_NTHREADS, 1);
    outcome actual = torc_outcome_of_torc(from->call, &trace);
    bool is_there = strcmp(trace.where, torc_trace_is_reference() ? "reference" : "cpu") == 0;
    return is_there && !torc_outcome_difference(from->call, from->expected, &actual) ? 0 : 1;
}

static void *fork_and_wait(void *data)
{
    forked *from = data;
    pid_t child = fork();
    if (child == 0) {
        alarm(TORC_HANGING);
        _exit(multiply_as_child(from));
    }
    if (waitpid(child, &from->status, 0) != child) {
        from->status = -1;
    }
    return NULL;
}

/* It cannot be open before this thread lets it, whenever the other one forks. */
Test(startup, a_child_forked_while_it_opens_multiplies, .init = torc_glue_start, .fini = torc_glue_finish)
{
    random_call call = product();
    mxm_trace trace;
    outcome expected = torc_outcome_of_suitesparse(&call, NULL);
    forked child = {.call = &call, .expected = &expected};
    pthread_t thread;
    hold();
    torc_session_open_beside();
    cr_assert_eq(pthread_create(&thread, NULL, fork_and_wait, &child), 0);
    let_go();
    pthread_join(thread, NULL);
    cr_expect_eq(child.status, 0);
    outcome actual = torc_outcome_of_torc(&call, &trace);
    torc_outcome_check(&call, &expected, &actual, &trace);
}
