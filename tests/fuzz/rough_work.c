/* rough_work.c: see rough_work.h. GraphBLAS alone would answer as if nothing had happened, and so does torc.
 */
#include "rough_work.h"
#include "checked_call.h"
#include "random_chance.h"
#include "reference.h"
#include "require.h"
#include "session.h"
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FURTHEST_FAULT = 40, ROOM = 256 << 20, CHILD_SECONDS = 60 };

/* What happens around the call of a seed. */
typedef struct trouble {
    bool has_fault, fault_lasts, is_cancelled, has_child;
    int limit; /* RLIMIT_AS or RLIMIT_DATA; negative: none */
    int64_t fault;
} trouble;

static trouble amid;

/* Without faults where SuiteSparse itself, which answers then, is wrong at times: positional operators. */
static trouble draw_trouble(uint64_t seed, const random_call *call)
{
    uint64_t stream = seed ^ UINT64_C(0x726f756768); /* another one than the call's */
    bool may_fail = torc_trace_is_reference() && !torc_semiring_traits(call->semiring.known).is_positional;
    static const int limits[] = {RLIMIT_AS, RLIMIT_DATA};
    trouble drawn = {.limit = -1};
    drawn.has_fault = random_chance(&stream, 0.6) && may_fail;
    drawn.fault_lasts = random_chance(&stream, 0.3);
    drawn.fault = (int64_t)random_below(&stream, FURTHEST_FAULT);
    drawn.is_cancelled = random_chance(&stream, 0.2);
    drawn.has_child = torc_trace_is_reference() && random_chance(&stream, 0.05);
    if (random_chance(&stream, 0.2)) {
        drawn.limit = limits[random_below(&stream, 2)];
    }
    return drawn;
}

/* ---- The call itself ---------------------------------------------------------------------------------- */

typedef struct mxm_call {
    GrB_Matrix C, mask, A, B;
    GrB_BinaryOp accum;
    GrB_Semiring semiring;
    GrB_Descriptor desc;
    GrB_Info info;
} mxm_call;

static void *multiply(void *data)
{
    mxm_call *call = data;
    if (amid.has_fault) {
        (amid.fault_lasts ? torc_reference_fail_from : torc_reference_fail_at)(amid.fault);
    }
    call->info = torc_mxm(call->C, call->mask, call->accum, call->semiring, call->A, call->B, call->desc);
    torc_reference_fail_at(-1);
    return NULL;
}

/* Any point of the call that ends a cancelled thread would leave the call undone. */
static void *multiply_cancelled(void *call)
{
    pthread_cancel(pthread_self());
    multiply(call);
    pthread_testcancel();
    return NULL;
}

static GrB_Info multiply_amid_trouble(GrB_Matrix C, GrB_Matrix mask, GrB_BinaryOp accum,
    GrB_Semiring semiring, GrB_Matrix A, GrB_Matrix B, GrB_Descriptor desc)
{
    mxm_call call = {C, mask, A, B, accum, semiring, desc, GrB_PANIC};
    pthread_t thread;
    void *end = NULL;
    if (!amid.is_cancelled) {
        multiply(&call);
        return call.info;
    }
    TORC_REQUIRE(pthread_create(&thread, NULL, multiply_cancelled, &call) == 0);
    pthread_join(thread, &end);
    TORC_REQUIRE(end == PTHREAD_CANCELED);
    return call.info;
}

/* ---- Around it ---------------------------------------------------------------------------------------- */

static int64_t bytes_used(int limit)
{
    long long kib = 0;
    char line[128];
    FILE *status = fopen("/proc/self/status", "r");
    const char *name = limit == RLIMIT_AS ? "VmSize:" : "VmData:";
    while (status && kib == 0 && fgets(line, sizeof line, status)) {
        if (strncmp(line, name, strlen(name)) == 0) {
            kib = strtoll(line + strlen(name), NULL, 10);
        }
    }
    if (status) {
        fclose(status);
    }
    return 1024 * (int64_t)kib;
}

/* There is room enough for what the calls hold. */
static struct rlimit set_limit(int limit)
{
    struct rlimit before, now;
    TORC_REQUIRE(getrlimit(limit, &before) == 0);
    now = before;
    now.rlim_cur = (rlim_t)(bytes_used(limit) + ROOM);
    TORC_REQUIRE(setrlimit(limit, &now) == 0);
    return before;
}

static bool is_right(const random_call *call, fuzz_tally *tally)
{
    checked_call check = torc_checked_call(call);
    tally->on_device += check.is_on_device;
    tally->refused += check.is_refused;
    bool is_right = !check.difference || check.difference == torc_ran_elsewhere;
    if (!is_right) {
        fprintf(stderr, "%s\n%s%s", check.difference, torc_random_call_describe(call), check.trace.text);
    }
    return is_right;
}

static bool child_is_right(const random_call *call)
{
    int status = 0;
    fuzz_tally apart = {0};
    fflush(NULL);
    pid_t child = fork();
    TORC_REQUIRE(child >= 0);
    if (child == 0) {
        alarm(CHILD_SECONDS);
        _exit(is_right(call, &apart) ? 0 : 1);
    }
    TORC_REQUIRE(waitpid(child, &status, 0) == child);
    if (status != 0) {
        fprintf(stderr, "a child ends with status %#x\n", (unsigned)status);
    }
    return status == 0;
}

/* A fault may leave the device lost: it is closed, and must have got everything back. */
static bool leaves_nothing(void)
{
    torc_session_close();
    size_t held = torc_reference_bytes_held() + torc_reference_bytes_pinned();
    if (held > 0) {
        fprintf(stderr, "%zu bytes are still held\n", held);
    }
    return held == 0;
}

static bool make(uint64_t seed, fuzz_tally *tally)
{
    random_call call;
    struct rlimit before;
    torc_random_call_draw(&call, seed);
    amid = draw_trouble(seed, &call);
    if (amid.limit >= 0) {
        before = set_limit(amid.limit);
    }
    bool is_well = !amid.has_child || child_is_right(&call);
    is_well = is_right(&call, tally) && is_well;
    if (amid.limit >= 0) {
        TORC_REQUIRE(setrlimit(amid.limit, &before) == 0);
    }
    is_well = (!amid.has_fault || leaves_nothing()) && is_well;
    torc_random_call_free(&call);
    tally->calls++;
    return is_well;
}

static void begin(void)
{
    torc_trace_begin();
    torc_traced_function = multiply_amid_trouble;
    TORC_REQUIRE(GxB_init(GrB_NONBLOCKING, torc_malloc, torc_calloc, torc_realloc, torc_free) == GrB_SUCCESS);
    TORC_REQUIRE(GxB_Global_Option_set(GxB_GLOBAL_NTHREADS, 1) == GrB_SUCCESS);
}

static void end(void)
{
    TORC_REQUIRE(leaves_nothing());
    TORC_REQUIRE(GrB_finalize() == GrB_SUCCESS);
}

const fuzz_work torc_rough_work = {begin, make, end, NULL, NULL};
