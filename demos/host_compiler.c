/* host_compiler.c: a folder for source, library and messages, gone again once the library is loaded. */
#include "host_compiler.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { SOURCE, LIBRARY, MESSAGES, FILES };
typedef char paths[FILES][256];

static bool make_folder(char folder[128], paths path)
{
    static const char *const names[FILES] = {"path.c", "path.so", "messages"};
    const char *parent = getenv("TMPDIR");
    int length = snprintf(folder, 128, "%s/paths-XXXXXX", parent && *parent ? parent : "/tmp");
    if (length >= 128) {
        errno = ENAMETOOLONG;
        return false;
    }
    if (!mkdtemp(folder)) {
        return false;
    }
    for (int f = 0; f < FILES; f++) {
        snprintf(path[f], sizeof path[f], "%s/%s", folder, names[f]);
    }
    return true;
}

static bool write_file(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");
    bool is_written = file && fputs(text, file) >= 0;
    return file && fclose(file) == 0 && is_written;
}

/* Whether it compiled; errno, or 0 where the compiler has said why not. */
static bool run_compiler(paths path)
{
    char *arguments[] = {"cc", "-std=gnu11", "-Werror=implicit-function-declaration", "-O2", "-shared",
        "-fPIC", "-o", path[LIBRARY], path[SOURCE], "-lm", NULL};
    posix_spawn_file_actions_t actions;
    pid_t child;
    int status = 0;
    errno = posix_spawn_file_actions_init(&actions);
    if (errno) {
        return false;
    }
    unsetenv("LD_PRELOAD"); /* what is put before this program's libraries is not meant for the compiler */
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, path[MESSAGES], O_WRONLY | O_CREAT, 0600);
    errno = posix_spawnp(&child, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    return errno == 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* The first line that tells of an error, or the last line of all. */
static void read_message(char *error, size_t size, const char *name)
{
    FILE *file = fopen(name, "r");
    snprintf(error, size, "%s", "cc failed");
    while (file && fgets(error, (int)size, file) && !strstr(error, "error")) {
    }
    if (file) {
        fclose(file);
    }
    error[strcspn(error, "\n")] = '\0';
}

void *torc_host_compile(const char *source, char *error, size_t size)
{
    char folder[128];
    paths path;
    void *library = NULL;
    if (!make_folder(folder, path)) {
        snprintf(error, size, "no folder for temporary files: %s", strerror(errno));
        return NULL;
    }
    if (!write_file(path[SOURCE], source)) {
        snprintf(error, size, "%s: %s", path[SOURCE], strerror(errno));
    } else if (run_compiler(path)) {
        library = dlopen(path[LIBRARY], RTLD_NOW | RTLD_LOCAL);
        if (!library) {
            snprintf(error, size, "%s", dlerror());
        }
    } else if (errno) {
        snprintf(error, size, "this needs a C compiler, and there is no cc: %s", strerror(errno));
    } else {
        read_message(error, size, path[MESSAGES]);
    }
    for (int f = 0; f < FILES; f++) {
        unlink(path[f]);
    }
    rmdir(folder);
    return library;
}
