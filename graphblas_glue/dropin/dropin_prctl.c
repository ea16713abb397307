/* dropin_prctl.c: prctl of the whole process. A program that shuts itself in a sandbox (seccomp) allows the
 * system calls that it knows of, and the kernel kills it at any other. torc's files, threads and ioctls are
 * such others, and asking whether they are allowed may be forbidden too. But before a program without
 * privileges enters a sandbox, it must give up gaining any (libseccomp does so for it). Whoever does that
 * goes on without torc, with its objects in the formats that it asked for.
 */
#include "put_off.h"
#include "session.h"
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/prctl.h>

typedef int (*prctl_function)(int, ...);

TORC_API int prctl(int option, ...)
{
    unsigned long arguments[4];
    va_list list;
    va_start(list, option);
    for (int i = 0; i < 4; i++) {
        arguments[i] = va_arg(list, unsigned long); /* as libc's takes them, given or not */
    }
    va_end(list);
    prctl_function next;
    void *address = dlsym(RTLD_NEXT, "prctl");
    memcpy(&next, &address, sizeof next); /* ISO C knows no cast to a function pointer */
    if (!next) {
        errno = ENOSYS;
        return -1;
    }
    if (option == PR_SET_NO_NEW_PRIVS || option == PR_SET_SECCOMP) {
        torc_put_off_settle_every();
        torc_session_retire();
    }
    return next(option, arguments[0], arguments[1], arguments[2], arguments[3]);
}
