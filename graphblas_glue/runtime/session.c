#include "session.h"
#include "arena.h"
#include "beside.h"
#include "binding.h"
#include "c_locale.h"
#include "clock.h"
#include "process.h"
#include "setting.h"
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

const char torc_being_opened[] = "the device is being opened";

static pthread_once_t settings_once = PTHREAD_ONCE_INIT;
static torc_settings settings;

static pthread_mutex_t device_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t device_is_known = PTHREAD_COND_INITIALIZER;
static torc_context *device_context;      /* under device_mutex */
static _Atomic torc_status device_status; /* of the attempt to open it */
static _Atomic torc_device_state device_state;
static _Atomic double opening_since;
static _Thread_local bool is_mine;
static atomic_bool gives_way;

static _Atomic(void (*)(void)) duties[TORC_DUTIES]; /* before the device is closed */
static atomic_int nduties;

/* A thread of the parent may have had the device, or have been opening it. A GPU does not outlive a fork:
 * what is left of its context is for nothing, not even for closing. */
static void start_in_child(void)
{
    device_mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    device_is_known = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    torc_device_state state = atomic_load(&device_state);
    bool is_reference = settings.options.backend == TORC_BACKEND_REFERENCE;
    if (state == TORC_DEVICE_OPENING || (state == TORC_DEVICE_OPEN && !is_reference)) {
        device_context = NULL;
        atomic_store(&device_status, TORC_NO_DEVICE);
        atomic_store(&device_state, is_reference ? TORC_DEVICE_UNTRIED : TORC_DEVICE_MISSING);
    }
}

static void read_force(void)
{
    static atomic_flag is_refused = ATOMIC_FLAG_INIT;
    const char *force = torc_setting("TORC_FORCE");
    if (force && strcmp(force, "cpu") == 0) {
        settings.force = TORC_FORCE_CPU;
    } else if (force && strcmp(force, "gpu") == 0) {
        settings.force = TORC_FORCE_GPU;
    } else if (force) {
        torc_setting_refuse(&is_refused, "TORC_FORCE", force, "cpu or gpu");
    }
}

static void read_burble(void)
{
    static atomic_flag is_refused = ATOMIC_FLAG_INIT;
    const char *refused;
    settings.burble = torc_log_asked(&refused);
    if (refused) {
        torc_setting_refuse(&is_refused, "TORC_BURBLE", refused, "0, 1, program or summary");
    }
}

static void read_settings(void)
{
    torc_arena_begin();
    static const torc_fork_handlers handlers = {.child = start_in_child};
    torc_process_at_fork(&handlers);
    torc_options_from_environment(&settings.options);
    read_force();
    read_burble();
}

const torc_settings *torc_session_settings(void)
{
    pthread_once(&settings_once, read_settings);
    return &settings;
}

/* ---- Opening ------------------------------------------------------------------------------------------ */

/* True: it is for the caller to open. */
static bool begin_opening(void)
{
    torc_device_state untried = TORC_DEVICE_UNTRIED;
    bool is_first = torc_process_is_ours() &&
                    atomic_compare_exchange_strong(&device_state, &untried, TORC_DEVICE_OPENING);
    if (is_first) {
        atomic_store(&opening_since, torc_clock());
    }
    return is_first;
}

static void tell_opening(torc_status status, double seconds)
{
    char line[160];
    if (torc_session_settings()->burble >= TORC_LOG_CALLS) {
        torc_c_locale locale = torc_c_locale_begin();
        snprintf(line, sizeof line, "torc: the device was %s in %.3f s; at %.6f s\n",
            status == TORC_SUCCESS ? "opened" : "not found", seconds, torc_clock_age());
        torc_c_locale_end(locale);
        torc_log_write(line);
    }
}

/* Nobody has the device meanwhile, so that what needs none need not wait. */
static void open_device(void)
{
    torc_context *opened;
    int limit = torc_threads_limit(1); /* the other processors are the program's meanwhile */
    torc_status status = torc_context_create(&opened, &torc_session_settings()->options);
    torc_threads_limit(limit);
    tell_opening(status, torc_clock() - atomic_load(&opening_since));
    pthread_mutex_lock(&device_mutex);
    device_context = opened;
    atomic_store(&device_status, status);
    atomic_store(&device_state, opened ? TORC_DEVICE_OPEN : TORC_DEVICE_MISSING);
    pthread_cond_broadcast(&device_is_known);
    pthread_mutex_unlock(&device_mutex);
    if (opened) {
        torc_arena_pin_expected(opened);
    }
}

void torc_session_open_beside(void)
{
    torc_session_settings(); /* registers what a fork does after it has waited for the thread beside */
    if (begin_opening() && !torc_beside_start(open_device)) {
        open_device();
    }
}

/* The device is closed only once this is done. */
static void compile_kernel(void)
{
    torc_beside_give_way();
    pthread_mutex_lock(&device_mutex);
    torc_context *context = device_context;
    pthread_mutex_unlock(&device_mutex);
    torc_context_compile(context);
}

void torc_session_compile_beside(void)
{
    torc_beside_start(compile_kernel);
}

/* One that is late is expected to be late by as much again. */
double torc_session_delay(double start)
{
    switch (torc_session_device_state()) {
    case TORC_DEVICE_OPEN:
        return 0;
    case TORC_DEVICE_OPENING:
        return fabs(start - (torc_clock() - atomic_load(&opening_since)));
    default:
        return start;
    }
}

/* Under device_mutex. false: it is still being opened when patience ends. */
static bool await_device(double patience)
{
    double whole, rest = modf(torc_clock() + patience, &whole);
    struct timespec end = {(time_t)whole, (long)(1e9 * rest)};
    bool is_late = false;
    while (atomic_load(&device_state) == TORC_DEVICE_OPENING && !is_late) {
        is_late = pthread_cond_clockwait(&device_is_known, &device_mutex, CLOCK_MONOTONIC, &end) == ETIMEDOUT;
    }
    return atomic_load(&device_state) != TORC_DEVICE_OPENING;
}

/* ---- Having it ---------------------------------------------------------------------------------------- */

static _Thread_local int limit_before;
static _Thread_local double waited;

/* Copies to the device and back take no more threads than this call may, or else GraphBLAS. */
static void begin_having(void)
{
    is_mine = true;
    limit_before = torc_threads_limit(0);
    torc_threads_limit(limit_before > 0 ? limit_before : torc_binding_threads_served());
}

void torc_session_give_way(void)
{
    atomic_store(&gives_way, true);
}

/* Not if the thread has it: what it was doing was left by a handler of signals, or called this. */
static bool try_lock(void)
{
    if (is_mine) {
        return false;
    }
    return (atomic_load(&gives_way) ? pthread_mutex_trylock : pthread_mutex_lock)(&device_mutex) == 0;
}

torc_context *torc_session_acquire(const char **reason, double patience)
{
    torc_session_open_beside();
    double start = torc_clock();
    if (!try_lock()) {
        *reason = is_mine ? "this thread has the device already" : "another thread has the device";
        return NULL;
    }
    bool is_known = await_device(patience);
    if (!device_context) {
        pthread_mutex_unlock(&device_mutex);
        *reason = is_known ? torc_session_why_missing() : torc_being_opened;
        return NULL;
    }
    begin_having();
    waited = torc_clock() - start;
    return device_context;
}

double torc_session_waited(void)
{
    return waited;
}

void torc_session_lock(void)
{
    pthread_mutex_lock(&device_mutex);
    begin_having();
}

bool torc_session_is_mine(void)
{
    return is_mine;
}

void torc_session_release(void)
{
    is_mine = false;
    torc_threads_limit(limit_before);
    pthread_mutex_unlock(&device_mutex);
}

torc_device_state torc_session_device_state(void)
{
    return atomic_load(&device_state);
}

const char *torc_session_why_missing(void)
{
    return torc_status_text(atomic_load(&device_status));
}

void torc_session_at_close(void (*duty)(void))
{
    int place = atomic_fetch_add(&nduties, 1);
    atomic_store(&duties[place], duty);
}

static void close_device(void)
{
    pthread_mutex_lock(&device_mutex);
    await_device(TORC_FOREVER);
    begin_having();
    for (int i = atomic_load(&nduties); i-- > 0;) {
        void (*duty)(void) = atomic_load(&duties[i]);
        if (duty) {
            duty();
        }
    }
    torc_arena_unpin();
    torc_context_destroy(device_context);
    device_context = NULL;
    atomic_store(&device_state, TORC_DEVICE_UNTRIED);
    torc_session_release();
}

/* By whoever ends torc's part, which nobody interrupts. A program that ends within a call leaves the device
 * to the system. */
static void end(bool is_for_good)
{
    int cancels;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancels);
    torc_beside_wait();
    if ((is_for_good ? torc_process_abandon() : torc_process_is_ours()) && !is_mine) {
        close_device();
    }
    pthread_setcancelstate(cancels, NULL);
}

void torc_session_close(void)
{
    end(false);
}

/* What calls read once is read before: it takes files. */
void torc_session_retire(void)
{
    torc_session_settings();
    torc_binding_get();
    end(true);
}
