/* doctor_machine.c: what torc doctor says of the folder of compiled kernels, of the operating system, and of
 * limits of memory. */
#include "finding.h"

#include "cache_file.h"
#include "machine_memory.h"
#include "write_tracking.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <torc/torc.h>
#include <unistd.h>

static const char NAME_FOLDER[] =
    "name a folder that is yours alone by TORC_CACHE_DIR; without one kernels are "
    "compiled in every process anew";

static torc_finding measure_cache(const char *folder, DIR *entries)
{
    size_t count = 0;
    double bytes = 0;
    for (struct dirent *entry; (entry = readdir(entries));) {
        struct stat status;
        if (fstatat(dirfd(entries), entry->d_name, &status, 0) == 0 && S_ISREG(status.st_mode)) {
            count++;
            bytes += (double)status.st_size;
        }
    }
    return torc_found("%s, writable, %zu files, %.1f MB", folder, count, 1e-6 * bytes);
}

/* The folder, or what is there of the way to it. */
static bool can_be_made(const char *folder)
{
    char path[TORC_CACHE_FOLDER];
    char *slash = path;
    snprintf(path, sizeof path, "%s", folder);
    while (access(path, F_OK) != 0 && errno == ENOENT && slash) {
        slash = strrchr(path, '/');
        if (slash > path) {
            *slash = '\0';
        } else { /* in the root, or in the folder at hand */
            snprintf(path, sizeof path, slash ? "/" : ".");
        }
    }
    return access(path, W_OK | X_OK) == 0;
}

/* As the engine opens it: nobody else may write there. */
torc_finding torc_find_cache(void)
{
    char folder[TORC_CACHE_FOLDER];
    struct stat status;
    if (!torc_cache_folder(folder)) {
        return torc_missing(NAME_FOLDER,
            "TORC_CACHE_DIR, XDG_CACHE_HOME and HOME are not set, have 512 bytes or more, or (the last two) "
            "do not begin with /");
    }
    if (stat(folder, &status) != 0) {
        return can_be_made(folder) ? torc_found("%s, to be made when it is needed", folder)
                                   : torc_missing(NAME_FOLDER, "%s cannot be made", folder);
    }
    if (!S_ISDIR(status.st_mode) || access(folder, W_OK | X_OK) != 0) {
        return torc_missing(NAME_FOLDER, "%s cannot be written to", folder);
    }
    if (status.st_uid != geteuid() || (status.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
        return torc_missing(NAME_FOLDER, "%s: others may write to it, so torc does not trust it", folder);
    }
    DIR *entries = opendir(folder);
    if (!entries) {
        return torc_missing(NAME_FOLDER, "%s cannot be read", folder);
    }
    torc_finding finding = measure_cache(folder, entries);
    closedir(entries);
    return finding;
}

torc_finding torc_find_write_tracking(void)
{
    struct utsname kernel;
    uname(&kernel);
    if (torc_tracking_is_available()) {
        return torc_found("%s %s tells who writes to memory, so matrices stay on the GPU from call to call",
            kernel.sysname, kernel.release);
    }
    int major = 0, minor = 0;
    sscanf(kernel.release, "%d.%d", &major, &minor);
    return major > 6 || (major == 6 && minor >= 7)
               ? torc_missing("allow userfaultfd (containers: its seccomp profile), or hold matrices with "
                              "torc_matrix_hold",
                     "%s %s could, but this process may not use userfaultfd", kernel.sysname, kernel.release)
               : torc_missing(
                     "use Linux 6.7 or later, or hold matrices with torc_matrix_hold; without either, large "
                     "matrices are sent to the GPU in every call",
                     "%s %s cannot tell who writes to memory", kernel.sysname, kernel.release);
}

static bool is_limited(int resource)
{
    struct rlimit limit;
    return getrlimit((__rlimit_resource_t)resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

torc_finding torc_find_limits(void)
{
    torc_options options;
    torc_options_from_environment(&options);
    const char *limited = is_limited(RLIMIT_AS)     ? "RLIMIT_AS (ulimit -v)"
                          : is_limited(RLIMIT_DATA) ? "RLIMIT_DATA (ulimit -d)"
                                                    : NULL;
    if (limited) {
        return torc_missing(
            "lift the limit; under it torc's allocator keeps nothing, so copies to the GPU are slow",
            "%s bounds this process", limited);
    }
    if (torc_memory_is_rationed((size_t)1 << 44)) {
        return torc_missing(
            "set vm.overcommit_memory to 0 or 1; until then torc's allocator keeps nothing, so copies to "
            "the GPU are slow",
            "this kernel promises no more memory than there is");
    }
    char device[80] = "all there is";
    if (options.memory_limit > 0) {
        snprintf(device, sizeof device, "%zu MiB (TORC_MEMORY_LIMIT)", options.memory_limit >> 20);
    }
    return torc_found(
        "%zu MiB of memory for this process; of the GPU's, %s", torc_machine_memory() >> 20, device);
}
