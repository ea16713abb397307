/* dropin_signals.c: the drop-in's sigaction and its kin. Content that is away comes home by a handler of
 * SIGSEGV (away.h), which must stay in force whatever the program does with that signal. So the program's own
 * action is only noted: torc tells it when it is asked, and follows it for all faults that are not torc's.
 *
 * The kernel would end a thread that faults with SIGSEGV blocked. So nobody blocks it, neither the handlers
 * of other signals, nor who waits for them, nor who started the process. Before torc has a handler, all calls
 * go to libc.
 */
#include "away.h"
#include "dropin_signals.h"
#include "arena_range.h"
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>

typedef int (*mask_function)(int, const sigset_t *, sigset_t *);
typedef void (*handler_function)(int);

static torc_sigaction next_sigaction;
static handler_function (*next_signal)(int, handler_function), (*next_sysv_signal)(int, handler_function);
static mask_function next_sigprocmask, next_sigmask;
static int (*next_sigsuspend)(const sigset_t *);
static int (*next_ppoll)(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *);
static int (*next_ppoll_chk)(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *, size_t size);
static int (*next_pselect)(int, fd_set *, fd_set *, fd_set *, const struct timespec *, const sigset_t *);
static int (*next_epoll_pwait)(int, struct epoll_event *, int, int, const sigset_t *);
static int (*next_epoll_pwait2)(int, struct epoll_event *, int, const struct timespec *, const sigset_t *);

/* ISO C knows no cast from an object pointer to a function pointer. */
TORC_UNSANITIZED static void find(void *function, const char *name)
{
    void *address = dlsym(RTLD_NEXT, name);
    memcpy(function, &address, sizeof address);
}

TORC_UNSANITIZED __attribute__((constructor)) static void find_all(void)
{
    find(&next_sigaction, "sigaction");
    find(&next_signal, "signal");
    find(&next_sysv_signal, "__sysv_signal");
    find(&next_sigprocmask, "sigprocmask");
    find(&next_sigsuspend, "sigsuspend");
    find(&next_ppoll, "ppoll");
    find(&next_ppoll_chk, "__ppoll_chk");
    find(&next_pselect, "pselect");
    find(&next_epoll_pwait, "epoll_pwait");
    find(&next_epoll_pwait2, "epoll_pwait2");
    find(&next_sigmask, "pthread_sigmask"); /* the last: see find_first */
    sigset_t faults;
    sigemptyset(&faults);
    sigaddset(&faults, SIGSEGV);
    next_sigmask(SIG_UNBLOCK, &faults, NULL);
}

/* Others may be loaded, and begin, before. */
TORC_UNSANITIZED static void find_first(void)
{
    if (!next_sigmask) {
        find_all();
    }
}

void torc_dropin_watch_signals(void)
{
    find_first();
    if (next_sigaction) {
        torc_away_allow(next_sigaction);
    }
}

/* The set without SIGSEGV where it would be blocked. */
TORC_UNSANITIZED static const sigset_t *without_faults(sigset_t *changed, int how, const sigset_t *set)
{
    if (!set || how == SIG_UNBLOCK || !sigismember(set, SIGSEGV)) {
        return set;
    }
    *changed = *set;
    sigdelset(changed, SIGSEGV);
    return changed;
}

TORC_UNSANITIZED TORC_API int sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
    find_first();
    if (number == SIGSEGV && torc_away_is_watching()) {
        return torc_away_program_action(action, old);
    }
    struct sigaction changed;
    if (action) {
        changed = *action;
        sigdelset(&changed.sa_mask, SIGSEGV);
    }
    return next_sigaction(number, action ? &changed : NULL, old);
}

static handler_function take_signal(handler_function handler, int flags)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = flags}, old;
    return torc_away_program_action(&action, &old) == 0 ? old.sa_handler : SIG_ERR;
}

/* signal as BSD has it, and as System V: <signal.h> gives either that name, by the macros of the program. */
#define SIGNAL(function, next, flags)                                                                        \
    TORC_UNSANITIZED TORC_API handler_function function(int number, handler_function handler)                \
    {                                                                                                        \
        find_first();                                                                                        \
        return number == SIGSEGV && torc_away_is_watching() ? take_signal(handler, flags)                    \
                                                            : next(number, handler);                         \
    }

handler_function bsd_signal(int number, handler_function handler); /* <signal.h> may not have it any more */

SIGNAL(signal, next_signal, SA_RESTART)
SIGNAL(ssignal, next_signal, SA_RESTART)
SIGNAL(bsd_signal, next_signal, SA_RESTART)
SIGNAL(__sysv_signal, next_sysv_signal, (int)SA_RESETHAND | SA_NODEFER)
SIGNAL(sysv_signal, next_sysv_signal, (int)SA_RESETHAND | SA_NODEFER)

TORC_UNSANITIZED TORC_API int sigprocmask(int how, const sigset_t *set, sigset_t *old)
{
    sigset_t changed;
    find_first();
    return next_sigprocmask(how, without_faults(&changed, how, set), old);
}

TORC_UNSANITIZED TORC_API int pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
    sigset_t changed;
    find_first();
    return next_sigmask(how, without_faults(&changed, how, set), old);
}

/* ---- Waiting with a mask of its own, under which handlers run too ----------------------------------------
 */

TORC_UNSANITIZED TORC_API int sigsuspend(const sigset_t *set)
{
    sigset_t changed;
    find_first();
    return next_sigsuspend(without_faults(&changed, SIG_SETMASK, set));
}

TORC_UNSANITIZED TORC_API int ppoll(
    struct pollfd *descriptors, nfds_t count, const struct timespec *timeout, const sigset_t *set)
{
    sigset_t changed;
    find_first();
    return next_ppoll(descriptors, count, timeout, without_faults(&changed, SIG_SETMASK, set));
}

/* What ppoll is with _FORTIFY_SOURCE. */
int __ppoll_chk(struct pollfd *descriptors, nfds_t count, const struct timespec *timeout, const sigset_t *set,
    size_t size);

TORC_UNSANITIZED TORC_API int __ppoll_chk(struct pollfd *descriptors, nfds_t count,
    const struct timespec *timeout, const sigset_t *set, size_t size)
{
    sigset_t changed;
    find_first();
    return next_ppoll_chk(descriptors, count, timeout, without_faults(&changed, SIG_SETMASK, set), size);
}

TORC_UNSANITIZED TORC_API int pselect(int count, fd_set *to_read, fd_set *to_write, fd_set *exceptional,
    const struct timespec *timeout, const sigset_t *set)
{
    sigset_t changed;
    find_first();
    return next_pselect(
        count, to_read, to_write, exceptional, timeout, without_faults(&changed, SIG_SETMASK, set));
}

TORC_UNSANITIZED TORC_API int epoll_pwait(
    int epoll, struct epoll_event *events, int most, int timeout, const sigset_t *set)
{
    sigset_t changed;
    find_first();
    return next_epoll_pwait(epoll, events, most, timeout, without_faults(&changed, SIG_SETMASK, set));
}

TORC_UNSANITIZED TORC_API int epoll_pwait2(
    int epoll, struct epoll_event *events, int most, const struct timespec *timeout, const sigset_t *set)
{
    sigset_t changed;
    find_first();
    if (!next_epoll_pwait2) { /* a libc before 2.35 */
        errno = ENOSYS;
        return -1;
    }
    return next_epoll_pwait2(epoll, events, most, timeout, without_faults(&changed, SIG_SETMASK, set));
}
