/* failing_mprotect.h: mprotect in place of libc's, which a test can have fail. For one file of a program. */
#ifndef TORC_FAILING_MPROTECT_H
#define TORC_FAILING_MPROTECT_H

#include <errno.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_bool protects_nothing;

int mprotect(void *pages, size_t size, int protection)
{
    if (atomic_load(&protects_nothing)) {
        errno = ENOMEM;
        return -1;
    }
    return (int)syscall(SYS_mprotect, pages, size, protection);
}

#endif
