/* machine_memory.h: how much memory this process may use: the machine's, or less where it runs in a control
 * group that is held to less, as in a container or under a batch system. */
#ifndef TORC_MACHINE_MEMORY_H
#define TORC_MACHINE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes. */
size_t torc_machine_memory(void);

/* Does mapped memory count for this process before it is touched: by a limit (RLIMIT_AS, RLIMIT_DATA),
 * because the kernel promises no more than there is (overcommit_memory = 2), or because it locks what is
 * mapped (mlockall)? It is asked for `much`, which should be more than any such limit, and touches none of
 * it. By system calls that malloc makes too, so that it may be asked in a sandbox. */
bool torc_memory_is_rationed(size_t much);

/* The least limit that the groups in a file like /proc/self/cgroup are held to, they and those around them,
 * by the files below `mount`, where version 1 has a folder `memory` and version 2 has none. SIZE_MAX: none
 * is. */
size_t torc_cgroup_memory(const char *groups, const char *mount);

#endif
