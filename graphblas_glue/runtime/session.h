/* session.h: what torc keeps for the whole process: what the environment asked for, and the one device,
 * opened beside the program once its calls are worth it, and closed by GrB_finalize. A child of fork has none
 * of the GPU that its parent opened: its calls stay on the CPU. */
#ifndef TORC_SESSION_H
#define TORC_SESSION_H

#include "log.h"
#include <torc/graphblas.h>

typedef enum torc_force { TORC_FORCE_NEITHER, TORC_FORCE_CPU, TORC_FORCE_GPU } torc_force;

typedef struct torc_settings {
    torc_options options;
    torc_force force;      /* TORC_FORCE=cpu|gpu: skip the cost model */
    torc_log_level burble; /* TORC_BURBLE, TORC_LOG */
} torc_settings;

/* Read from the environment once. Any thread. */
const torc_settings *torc_session_settings(void);

/* Why a call has no device meanwhile. */
extern const char torc_being_opened[];

/* Begin to open the device, unless that was tried; calls go on meanwhile. */
void torc_session_open_beside(void);

/* Begin to compile the kernel that a call lacked and did not wait for, unless something is under way beside
 * the program. */
void torc_session_compile_beside(void);

/* What a call would have to wait, in seconds, that took the device now, if opening it takes `start`: nothing
 * where it is open. */
double torc_session_delay(double start);

/* Take the device for this thread, opening it if need be; NULL where there is none, or opening it takes more
 * than `patience`, in seconds (not held then; *reason says why, a static string). Others wait until it is
 * given back. */
#define TORC_FOREVER 1e9
torc_context *torc_session_acquire(const char **reason, double patience);
void torc_session_release(void);

/* Seconds that this thread waited when it took the device last: for other threads, or until it was open. */
double torc_session_waited(void);

/* From now on a call that finds the device in another thread's hands goes to the CPU instead of waiting: the
 * program's allocator may have locks, for which the thread that has the device asks. */
void torc_session_give_way(void);

/* The same without opening it, to free what is on it, or to fetch it: given back by torc_session_release. */
void torc_session_lock(void);

/* Has this thread the device? */
bool torc_session_is_mine(void);

/* Is the device open, or known to be missing? Any thread. */
typedef enum torc_device_state {
    TORC_DEVICE_UNTRIED,
    TORC_DEVICE_OPENING,
    TORC_DEVICE_OPEN,
    TORC_DEVICE_MISSING
} torc_device_state;
torc_device_state torc_session_device_state(void);

/* Why it is missing, a static string. */
const char *torc_session_why_missing(void);

/* Have a function called whenever the device is to be closed, the last one first, by the thread that has the
 * device; TORC_DUTIES at most in all of torc. Any thread. */
enum { TORC_DUTIES = 4 };
void torc_session_at_close(void (*duty)(void));

/* Free the device and all that is held on it. A later call starts again. */
void torc_session_close(void);

/* The same for good: the program is about to shut itself in a sandbox, in which what torc asks of the kernel
 * may be forbidden on pain of death. From then on torc makes no system call: calls are SuiteSparse's, memory
 * is libc's. */
void torc_session_retire(void);

#endif
