#include "log.h"
#include "process.h"
#include "setting.h"
#include "writing.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

torc_log_level torc_log_asked(const char **refused)
{
    static const char *const names[] = {[TORC_LOG_NOTHING] = "0",
        [TORC_LOG_SUMMARY] = "summary",
        [TORC_LOG_CALLS] = "1",
        [TORC_LOG_PROGRAM] = "program"};
    const char *burble = torc_setting("TORC_BURBLE");
    for (int level = 0; burble && level < (int)(sizeof names / sizeof *names); level++) {
        if (strcmp(burble, names[level]) == 0) {
            burble = NULL;
            if (refused) {
                *refused = NULL;
            }
            return (torc_log_level)level;
        }
    }
    if (refused) {
        *refused = burble;
    }
    return torc_setting("TORC_LOG") ? TORC_LOG_CALLS : TORC_LOG_NOTHING;
}

/* ---- The file ----------------------------------------------------------------------------------------- */

static char pattern[PATH_MAX]; /* absolute; empty: standard error */
static int refused;            /* errno of why there is none though one was asked for */

/* Programs go to other folders. */
static void read_pattern(void)
{
    char folder[PATH_MAX] = "";
    const char *asked = torc_setting("TORC_LOG");
    if (!asked) {
        return;
    }
    if (*asked != '/' && !getcwd(folder, sizeof folder)) {
        refused = errno;
        return;
    }
    int length = snprintf(pattern, sizeof pattern, "%s%s%s", folder, *folder ? "/" : "", asked);
    refused = length < (int)sizeof pattern ? 0 : ENAMETOOLONG;
}

/* %p is the number of the process. false: the name is too long. */
static bool expand(char path[PATH_MAX])
{
    size_t length = 0;
    for (const char *from = pattern; *from && length < PATH_MAX; from++) {
        if (from[0] == '%' && from[1] == 'p') {
            length += (size_t)snprintf(path + length, PATH_MAX - length, "%ld", (long)getpid());
            from++;
        } else {
            path[length++] = *from;
        }
    }
    if (length >= PATH_MAX) {
        errno = ENAMETOOLONG;
        return false;
    }
    path[length] = '\0';
    return true;
}

/* Nobody may be there to read from a pipe: open fails then, and does not wait. */
static int open_file(void)
{
    char path[PATH_MAX];
    int flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
    int file = expand(path) ? open(path, flags, 0666) : -1;
    if (file >= 0) {
        fcntl(file, F_SETFL, O_APPEND);
    }
    return file;
}

/* false, with errno: not all of them. */
static bool write_to_file(const char *lines)
{
    errno = refused;
    int file = refused == 0 ? open_file() : -1;
    if (file < 0) {
        return false;
    }
    size_t left = strlen(lines);
    for (ssize_t written; left > 0 && (written = write(file, lines, left)) > 0; lines += written) {
        left -= (size_t)written;
    }
    int error = errno;
    close(file);
    errno = error;
    return left == 0;
}

static void write_somewhere(const char *lines)
{
    static atomic_flag is_said = ATOMIC_FLAG_INIT;
    bool has_file = (*pattern || refused != 0) && torc_process_is_ours();
    if (has_file && write_to_file(lines)) {
        return;
    }
    if (has_file && !atomic_flag_test_and_set(&is_said)) {
        fprintf(stderr, "torc: TORC_LOG=%s cannot be written: %s\n", pattern, strerror(errno));
    }
    fwrite(lines, 1, strlen(lines), stderr);
}

void torc_log_write(const char *lines)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    int error = errno;
    pthread_once(&once, read_pattern);
    torc_writing writing = torc_writing_begin();
    write_somewhere(lines);
    torc_writing_end(&writing);
    errno = error;
}
