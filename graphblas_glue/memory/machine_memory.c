#include "machine_memory.h"
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PATH = 4096 };

static size_t lesser(size_t x, size_t y)
{
    return x < y ? x : y;
}

/* SIZE_MAX where there is no number: "max", or no file. */
static size_t read_limit(const char *path)
{
    char text[32] = "";
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = file < 0 ? -1 : read(file, text, sizeof text - 1);
    if (file >= 0) {
        close(file);
    }
    return length > 0 && text[0] >= '0' && text[0] <= '9' ? strtoull(text, NULL, 10) : SIZE_MAX;
}

/* The least limit of the group and of those around it. In a container the path may be the host's: then only
 * its end, or nothing of it, lies below `root`. */
static size_t least_limit(const char *root, const char *group, const char *name)
{
    char path[PATH + 64];
    size_t least = SIZE_MAX;
    int length = snprintf(path, PATH, "%s%s", root, group);
    if (length >= PATH) {
        return least;
    }
    for (char *end = path + length; end; end = strrchr(path + strlen(root), '/')) {
        snprintf(end, (size_t)(path + sizeof path - end), "/%s", name);
        least = lesser(least, read_limit(path));
        *end = '\0';
    }
    return least;
}

/* Is it one of those that are separated by commas? */
static bool has_controller(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (; *list; list += strcspn(list, ","), list += *list == ',') {
        if (strcspn(list, ",") == length && strncmp(list, name, length) == 0) {
            return true;
        }
    }
    return false;
}

/* Lines are NUMBER:CONTROLLERS:PATH, and 0::PATH for all controllers of version 2. */
size_t torc_cgroup_memory(const char *groups, const char *mount)
{
    char line[PATH], root[256];
    size_t least = SIZE_MAX;
    FILE *file = fopen(groups, "re");
    snprintf(root, sizeof root, "%s/memory", mount);
    while (file && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        char *controllers = strchr(line, ':'), *path = controllers ? strchr(++controllers, ':') : NULL;
        if (path) {
            *path++ = '\0';
            least = lesser(least, !*controllers ? least_limit(mount, path, "memory.max")
                                  : has_controller(controllers, "memory")
                                      ? least_limit(root, path, "memory.limit_in_bytes")
                                      : SIZE_MAX);
        }
    }
    if (file) {
        fclose(file);
    }
    return least;
}

size_t torc_machine_memory(void)
{
    size_t machine = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
    return lesser(machine, torc_cgroup_memory("/proc/self/cgroup", "/sys/fs/cgroup"));
}

/* Without access at first: what is locked would be made as soon as it may be written. */
bool torc_memory_is_rationed(size_t much)
{
    void *room = mmap(NULL, much, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED) {
        return true;
    }
    bool is_locked = madvise(room, (size_t)sysconf(_SC_PAGESIZE), MADV_DONTNEED) != 0;
    bool is_rationed = is_locked || mprotect(room, much, PROT_READ | PROT_WRITE) != 0;
    munmap(room, much);
    return is_rationed;
}
