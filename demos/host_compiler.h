/* host_compiler.h: C compiled by the cc of this machine, and loaded. */
#ifndef TORC_HOST_COMPILER_H
#define TORC_HOST_COMPILER_H

#include <stddef.h>

/* A handle of dlopen; or NULL, with one line in `error`: no compiler, or the first thing that it says. */
void *torc_host_compile(const char *source, char *error, size_t size);

#endif
