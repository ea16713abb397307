/* run.c: torc run PROGRAM: put the drop-in first in LD_PRELOAD and become the program. */
#include "tool.h"

#include "log.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* TORC_DROPIN is the drop-in's place seen from the folder of this executable. */
static bool find_dropin(char path[PATH_MAX])
{
    char tool[PATH_MAX], wanted[2 * PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", tool, sizeof tool - 1);
    if (length < 0) {
        return false;
    }
    tool[length] = '\0';
    *strrchr(tool, '/') = '\0';
    snprintf(wanted, sizeof wanted, "%s/%s", tool, TORC_DROPIN);
    return realpath(wanted, path);
}

static int fail(int status, const char *problem, const char *subject)
{
    fprintf(stderr, "torc: %s: %s\n", subject, problem);
    return status;
}

/* As TORC_BURBLE asks: a program without a loader of libraries is not to be intercepted, and looks as if torc
 * did nothing. */
static void tell_if_static(const char *program)
{
    if (torc_log_asked(NULL) > TORC_LOG_NOTHING && torc_is_static(program)) {
        char line[PATH_MAX + 64];
        snprintf(
            line, sizeof line, "torc: not loaded into %.*s, which is linked statically\n", PATH_MAX, program);
        torc_log_write(line);
    }
}

int torc_run(char **argv)
{
    char dropin[PATH_MAX];
    if (!find_dropin(dropin)) {
        return fail(TORC_EXIT_FAILED, "not found beside this tool", TORC_DROPIN);
    }
    if (strpbrk(dropin, ": ")) {
        return fail(TORC_EXIT_FAILED, "LD_PRELOAD cannot hold a path with a space or a colon", dropin);
    }

    const char *preload = getenv("LD_PRELOAD");
    size_t size = strlen(dropin) + (preload ? strlen(preload) : 0) + 2;
    char *value = malloc(size);
    if (!value) {
        return fail(TORC_EXIT_FAILED, strerror(ENOMEM), argv[0]);
    }
    snprintf(value, size, "%s%s%s", dropin, preload && *preload ? ":" : "", preload ? preload : "");
    int failed = setenv("LD_PRELOAD", value, 1);
    free(value);
    if (failed) {
        return fail(TORC_EXIT_FAILED, strerror(errno), argv[0]);
    }

    tell_if_static(argv[0]);
    execvp(argv[0], argv);
    return fail(errno == ENOENT ? TORC_EXIT_NOT_FOUND : TORC_EXIT_NOT_EXECUTABLE, strerror(errno), argv[0]);
}
