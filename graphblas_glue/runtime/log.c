#include "log.h"
#include "process.h"
#include "setting.h"
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

/* Programs go to other folders. */
static void read_pattern(void)
{
    char folder[PATH_MAX] = "";
    const char *asked = torc_setting("TORC_LOG");
    if (asked && (*asked == '/' || getcwd(folder, sizeof folder))) {
        int length = snprintf(pattern, sizeof pattern, "%s%s%s", folder, *folder ? "/" : "", asked);
        pattern[length < (int)sizeof pattern ? length : 0] = '\0';
    }
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
        return false;
    }
    path[length] = '\0';
    return true;
}

static bool write_to_file(const char *lines)
{
    char path[PATH_MAX];
    size_t length = strlen(lines);
    int file = expand(path) ? open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY, 0666) : -1;
    bool is_written = file >= 0 && write(file, lines, length) == (ssize_t)length;
    if (file >= 0) {
        close(file);
    }
    return is_written;
}

void torc_log_write(const char *lines)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    static atomic_flag is_said = ATOMIC_FLAG_INIT;
    int error = errno;
    pthread_once(&once, read_pattern);
    bool has_file = *pattern && torc_process_is_ours();
    if (has_file && write_to_file(lines)) {
        errno = error;
        return;
    }
    if (has_file && !atomic_flag_test_and_set(&is_said)) {
        fprintf(stderr, "torc: TORC_LOG=%s cannot be written: %s\n", pattern, strerror(errno));
    }
    fwrite(lines, 1, strlen(lines), stderr);
    errno = error;
}
