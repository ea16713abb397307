/* arena_blocks.h: what tests of the arena ask of blocks and of the process. Each test has a process of its
 * own, so that it finds the arena fresh. */
#ifndef TORC_ARENA_BLOCKS_H
#define TORC_ARENA_BLOCKS_H

#include "arena.h"
#include <torc/graphblas.h>

#include <criterion/criterion.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const size_t MIB = (size_t)1 << 20, GIB = (size_t)1 << 30;

static inline bool is_zero(const char *memory, size_t size)
{
    return size == 0 || (memory[0] == 0 && memcmp(memory, memory + 1, size - 1) == 0);
}

static inline size_t status_bytes(const char *name)
{
    char line[256];
    size_t value = 0;
    FILE *lines = fopen("/proc/self/status", "r");
    cr_assert_not_null(lines);
    while (fgets(line, sizeof line, lines)) {
        if (strncmp(line, name, strlen(name)) == 0) {
            value = strtoul(line + strlen(name), NULL, 10);
        }
    }
    fclose(lines);
    return value << 10;
}

/* Sanitizers have addresses and an allocator of their own, and lock nothing. */
static inline void skip_under_a_sanitizer(void)
{
    if (dlsym(RTLD_DEFAULT, "__asan_init") || dlsym(RTLD_DEFAULT, "__tsan_init")) {
        cr_skip_test("a sanitizer is in the way");
    }
}

static inline void *take_and_touch(size_t size)
{
    char *memory = torc_malloc(size);
    cr_assert_not_null(memory);
    memset(memory, 1, size);
    return memory;
}

static inline torc_context *open_reference(void)
{
    torc_options options = TORC_OPTIONS_INIT;
    options.backend = TORC_BACKEND_REFERENCE;
    torc_context *context;
    cr_assert_eq(torc_context_create(&context, &options), TORC_SUCCESS);
    return context;
}

#endif
