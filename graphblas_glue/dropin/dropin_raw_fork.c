/* dropin_raw_fork.c: _Fork of the whole process, which calls no handlers of fork. In its child torc does
 * nothing (process.h) and the device cannot be asked, so all content comes home before, in the format that
 * the program asked for.
 */
#include "put_off.h"
#include "residency.h"
#include <dlfcn.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

TORC_API pid_t _Fork(void)
{
    pid_t (*next)(void);
    void *address = dlsym(RTLD_NEXT, "_Fork");
    memcpy(&next, &address, sizeof next); /* ISO C knows no cast to a function pointer */
    if (!next) {
        errno = ENOSYS;
        return -1;
    }
    torc_put_off_settle_every();
    torc_residency_return_all();
    return next();
}
