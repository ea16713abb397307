/* machine_memory.h: how much memory this process may use: the machine's, or less if its control group has a
 * limit, as in a container or under a batch system. */
#ifndef TORC_MACHINE_MEMORY_H
#define TORC_MACHINE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes that this process may use. */
size_t torc_machine_memory(void);

/* Does mapped memory count for this process before it is touched? It does under a limit (RLIMIT_AS,
 * RLIMIT_DATA), where the kernel promises no more than there is (overcommit_memory = 2), or where it locks
 * what is mapped (mlockall). To find out, `much` bytes are mapped, which should be more than any such limit,
 * and not touched. Only system calls that malloc makes too are used, so a sandbox allows them. */
bool torc_memory_is_rationed(size_t much);

/* The least limit of the control groups that a file like /proc/self/cgroup names, and of the groups around
 * them. Limits are in files below `mount`, where version 1 has a folder `memory` and version 2 has none.
 * SIZE_MAX: there is no limit. */
size_t torc_cgroup_memory(const char *groups, const char *mount);

#endif
