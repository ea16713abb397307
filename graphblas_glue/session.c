#include "session.h"
#include "arena.h"
#include "rates.h"
#include "residency.h"
#include "statistics.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static pthread_once_t settings_once = PTHREAD_ONCE_INIT;
static torc_settings settings;

static pthread_mutex_t device_mutex = PTHREAD_MUTEX_INITIALIZER;
static torc_context *device_context; /* under device_mutex */
static torc_status device_status;    /* of the attempt to open it, under device_mutex */
static _Atomic torc_device_state device_state;

/* A thread of the parent may have had the device. A GPU does not outlive a fork: what is left of its context
 * is for nothing, not even for closing. */
static void start_in_child(void)
{
    device_mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    if (device_context && settings.options.backend != TORC_BACKEND_REFERENCE) {
        device_context = NULL;
        device_status = TORC_NO_DEVICE;
        atomic_store(&device_state, TORC_DEVICE_MISSING);
    }
}

static void read_settings(void)
{
    pthread_atfork(NULL, NULL, start_in_child);
    torc_options_from_environment(&settings.options);
    const char *force = getenv("TORC_FORCE");
    if (force && strcmp(force, "cpu") == 0) {
        settings.force = TORC_FORCE_CPU;
    } else if (force && strcmp(force, "gpu") == 0) {
        settings.force = TORC_FORCE_GPU;
    }
    const char *burble = getenv("TORC_BURBLE");
    settings.burble = burble ? atoi(burble) : 0;
    if (settings.burble > 0) { /* programs may end without GrB_finalize */
        atexit(torc_statistics_burble);
    }
}

const torc_settings *torc_session_settings(void)
{
    pthread_once(&settings_once, read_settings);
    return &settings;
}

torc_context *torc_session_acquire(const char **reason)
{
    pthread_mutex_lock(&device_mutex);
    if (atomic_load(&device_state) == TORC_DEVICE_UNTRIED) {
        device_status = torc_context_create(&device_context, &torc_session_settings()->options);
        if (device_context) {
            torc_rates_meet_device(device_context);
        }
        atomic_store(&device_state, device_context ? TORC_DEVICE_OPEN : TORC_DEVICE_MISSING);
    }
    if (device_context) {
        return device_context;
    }
    *reason = torc_status_text(device_status);
    pthread_mutex_unlock(&device_mutex);
    return NULL;
}

void torc_session_lock(void)
{
    pthread_mutex_lock(&device_mutex);
}

void torc_session_release(void)
{
    pthread_mutex_unlock(&device_mutex);
}

torc_device_state torc_session_device_state(void)
{
    return atomic_load(&device_state);
}

void torc_session_close(void)
{
    torc_statistics_burble();
    pthread_mutex_lock(&device_mutex);
    torc_residency_evict();
    torc_arena_unpin();
    torc_context_destroy(device_context);
    device_context = NULL;
    atomic_store(&device_state, TORC_DEVICE_UNTRIED);
    pthread_mutex_unlock(&device_mutex);
}
