/* dropin_signals.c: the drop-in's sigaction and its kin. Content that is away comes home by a handler of
 * SIGSEGV (away.h), which must stay in force whatever the program does with that signal. So the program's own
 * action is only noted: torc tells it when it is asked, and follows it for all faults that are not torc's.
 *
 * The kernel would end a thread that faults with SIGSEGV blocked. So nobody blocks it, not even the handlers
 * of other signals. Before torc has a handler, all calls go to libc.
 */
#include "away.h"
#include "dropin_signals.h"
#include "arena_range.h"
#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

typedef int (*mask_function)(int, const sigset_t *, sigset_t *);
typedef void (*handler_function)(int);

static torc_sigaction next_sigaction;
static handler_function (*next_signal)(int, handler_function), (*next_sysv_signal)(int, handler_function);
static mask_function next_sigprocmask, next_sigmask;

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
    find(&next_sigmask, "pthread_sigmask");
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
