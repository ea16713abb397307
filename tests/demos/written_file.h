/* written_file.h: a temporary file with a given content, for the tests of readers. */
#ifndef TORC_WRITTEN_FILE_H
#define TORC_WRITTEN_FILE_H

#include <stddef.h>

typedef struct torc_written_file {
    char path[64];
} torc_written_file;

torc_written_file torc_file_write_bytes(const char *suffix, const void *bytes, size_t size);
torc_written_file torc_file_write(const char *suffix, const char *text);

/* The gzipped text without its last `cut` bytes. */
torc_written_file torc_file_write_gz(const char *suffix, const char *text, size_t cut);

/* Another path to the same file, longer than a message. */
enum { TORC_FAR_PATH = 512 };
void torc_file_go_far(char path[TORC_FAR_PATH], const torc_written_file *file);

void torc_file_remove(const torc_written_file *file);

#endif
