#include "cache_file.h"
#include "session.h"
#include "writing.h"
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH = TORC_CACHE_FOLDER + 64, SUM = 32 /* characters of the last line, at most */ };

bool torc_cache_folder(char folder[TORC_CACHE_FOLDER])
{
    const char *asked = torc_session_settings()->options.cache_dir;
    const char *cache_home = secure_getenv("XDG_CACHE_HOME"), *home = secure_getenv("HOME");
    int length = asked ? snprintf(folder, TORC_CACHE_FOLDER, "%s", asked)
                 : cache_home && *cache_home == '/'
                     ? snprintf(folder, TORC_CACHE_FOLDER, "%s/torc", cache_home)
                 : home && *home == '/' ? snprintf(folder, TORC_CACHE_FOLDER, "%s/.cache/torc", home)
                                        : -1;
    return length > 0 && length < TORC_CACHE_FOLDER;
}

uint64_t torc_cache_sum(const char *text)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (; *text; text++) {
        hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    }
    return hash;
}

void torc_cache_seal(char text[TORC_CACHE_FILE])
{
    size_t length = strlen(text);
    snprintf(text + length, TORC_CACHE_FILE - length, "sum %016" PRIx64 "\n", torc_cache_sum(text));
}

static bool is_sealed(char text[TORC_CACHE_FILE])
{
    char expected[SUM];
    char *line = strstr(text, "\nsum ");
    if (!line) {
        return false;
    }
    char first = line[1];
    line[1] = '\0';
    snprintf(expected, sizeof expected, "sum %016" PRIx64 "\n", torc_cache_sum(text));
    line[1] = first;
    return strcmp(line + 1, expected) == 0;
}

bool torc_cache_read(char text[TORC_CACHE_FILE], const char *folder, const char *name)
{
    char path[PATH];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    ssize_t size = file < 0 ? -1 : read(file, text, TORC_CACHE_FILE - 1);
    if (file >= 0) {
        close(file);
    }
    if (size < 0) {
        return false;
    }
    text[size] = '\0';
    return is_sealed(text);
}

static bool write_file(const char *folder, const char *name, const char *text)
{
    char path[PATH], temporary[PATH];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    snprintf(temporary, sizeof temporary, "%s/.%ld.new", folder, (long)getpid());
    unlink(temporary); /* of a process that died before it renamed it */
    int file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file < 0) {
        return false;
    }
    bool is_written = write(file, text, strlen(text)) == (ssize_t)strlen(text);
    is_written = close(file) == 0 && is_written;
    if (!is_written || rename(temporary, path) != 0) {
        unlink(temporary);
        return false;
    }
    return true;
}

bool torc_cache_write(const char *folder, const char *name, const char *text)
{
    torc_writing writing = torc_writing_begin();
    bool is_written = write_file(folder, name, text);
    torc_writing_end(&writing);
    return is_written;
}
