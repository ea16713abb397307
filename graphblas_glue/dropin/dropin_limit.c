/* dropin_limit.c: setrlimit and its kin of the whole process. The kernel counts pages that may be written to
 * against RLIMIT_DATA, and those of content that is away may not be touched: under a limit that has come
 * meanwhile they might never be touched again. So before such a limit content comes home, and then it stays.
 * Sanitizers set limits before they have started.
 */
#include "arena_range.h"
#include "away.h"
#include "process.h"
#include "residency.h"
#include <dlfcn.h>
#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

typedef int (*prlimit_function)(
    pid_t, __rlimit_resource_t, const struct rlimit *new_limit, struct rlimit *old_limit);

TORC_UNSANITIZED static int pass_on(
    pid_t process, __rlimit_resource_t resource, const struct rlimit *new_limit, struct rlimit *old_limit)
{
    prlimit_function next;
    void *address = dlsym(RTLD_NEXT, "prlimit");
    memcpy(&next, &address, sizeof next); /* ISO C knows no cast to a function pointer */
    if (!next) {
        errno = ENOSYS;
        return -1;
    }
    return next(process, resource, new_limit, old_limit);
}

/* Not by a child that borrows this process's memory, as that of vfork does: the limit is the child's. */
TORC_UNSANITIZED static bool concerns_memory(
    pid_t process, __rlimit_resource_t resource, const struct rlimit *new_limit)
{
    return resource == RLIMIT_DATA && new_limit && (process == 0 || process == getpid()) &&
           torc_process_is_ours() && !torc_process_is_borrowed();
}

TORC_UNSANITIZED TORC_API int prlimit(
    pid_t process, __rlimit_resource_t resource, const struct rlimit *new_limit, struct rlimit *old_limit)
{
    if (!concerns_memory(process, resource, new_limit)) {
        return pass_on(process, resource, new_limit, old_limit);
    }
    torc_away_limit(true);
    if (new_limit->rlim_cur != RLIM_INFINITY) {
        torc_residency_return_all();
    }
    int status = pass_on(process, resource, new_limit, old_limit), saved_errno = errno;
    struct rlimit now;
    torc_away_limit(pass_on(0, RLIMIT_DATA, NULL, &now) != 0 || now.rlim_cur != RLIM_INFINITY);
    errno = saved_errno;
    return status;
}

TORC_UNSANITIZED TORC_API int setrlimit(__rlimit_resource_t resource, const struct rlimit *new_limit)
{
    return prlimit(0, resource, new_limit, NULL);
}

/* On 64 bits the limits are the same. */
_Static_assert(sizeof(struct rlimit) == sizeof(struct rlimit64), "limits of 64 bits");

TORC_UNSANITIZED TORC_API int prlimit64(
    pid_t process, __rlimit_resource_t resource, const struct rlimit64 *new_limit, struct rlimit64 *old_limit)
{
    return prlimit(process, resource, (const struct rlimit *)(const void *)new_limit,
        (struct rlimit *)(void *)old_limit);
}

TORC_UNSANITIZED TORC_API int setrlimit64(__rlimit_resource_t resource, const struct rlimit64 *new_limit)
{
    return prlimit(0, resource, (const struct rlimit *)(const void *)new_limit, NULL);
}
