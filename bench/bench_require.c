#include "bench_require.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

void bench_require(bool condition, const char *what, const char *why)
{
    if (!condition) {
        fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, what, why);
        exit(EXIT_FAILURE);
    }
}

void *bench_allocate(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    bench_require(memory, "calloc", "out of memory");
    return memory;
}
