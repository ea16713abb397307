/* written_file.c: files in /tmp; a test that cannot write them fails. */
#include "written_file.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

static torc_written_file create(const char *suffix)
{
    torc_written_file file;
    snprintf(file.path, sizeof file.path, "/tmp/torc-test-XXXXXX%s", suffix);
    int descriptor = mkstemps(file.path, (int)strlen(suffix));
    cr_assert(descriptor >= 0, "%s cannot be created", file.path);
    close(descriptor);
    return file;
}

torc_written_file torc_file_write_bytes(const char *suffix, const void *bytes, size_t size)
{
    torc_written_file file = create(suffix);
    FILE *stream = fopen(file.path, "w");
    cr_assert(stream && fwrite(bytes, 1, size, stream) == size && fclose(stream) == 0);
    return file;
}

torc_written_file torc_file_write(const char *suffix, const char *text)
{
    return torc_file_write_bytes(suffix, text, strlen(text));
}

torc_written_file torc_file_write_gz(const char *suffix, const char *text, size_t cut)
{
    torc_written_file file = create(suffix);
    gzFile stream = gzopen(file.path, "wb");
    cr_assert(stream && gzputs(stream, text) >= 0 && gzclose(stream) == Z_OK);
    struct stat status;
    cr_assert(stat(file.path, &status) == 0);
    cr_assert(truncate(file.path, status.st_size - (off_t)cut) == 0);
    return file;
}

void torc_file_go_far(char path[TORC_FAR_PATH], const torc_written_file *file)
{
    *path = '\0';
    for (int i = 0; i < 40; i++) {
        strcat(path, "/tmp/..");
    }
    strcat(path, file->path);
}

void torc_file_remove(const torc_written_file *file)
{
    unlink(file->path);
}
