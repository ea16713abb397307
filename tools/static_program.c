/* static_program.c: is a program linked statically? Then it names no loader (PT_INTERP), and LD_PRELOAD is in
 * vain. */
#include "tool.h"

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* -1: no such program. As execvp looks for it. */
static int open_program(const char *name)
{
    const char *folders = getenv("PATH");
    if (strchr(name, '/') || !folders) {
        return open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    }
    for (const char *folder = folders;; folder++) {
        char path[PATH_MAX];
        int length = (int)strcspn(folder, ":");
        snprintf(path, sizeof path, "%.*s%s%s", length, folder, length ? "/" : "", name);
        int file = access(path, X_OK) == 0 ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
        folder += length;
        if (file >= 0 || !*folder) {
            return file;
        }
    }
}

bool torc_is_static(const char *program)
{
    int file = open_program(program);
    Elf64_Ehdr header;
    bool is_program = file >= 0 && pread(file, &header, sizeof header, 0) == sizeof header &&
                      memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 && header.e_ident[EI_CLASS] == ELFCLASS64;
    bool has_loader = false;
    for (int i = 0; is_program && i < header.e_phnum; i++) {
        Elf64_Phdr segment;
        off_t at = (off_t)(header.e_phoff + (uint64_t)i * sizeof segment);
        is_program = pread(file, &segment, sizeof segment, at) == sizeof segment;
        has_loader = has_loader || (is_program && segment.p_type == PT_INTERP);
    }
    if (file >= 0) {
        close(file);
    }
    return is_program && !has_loader;
}
