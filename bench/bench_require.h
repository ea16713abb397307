/* bench_require.h: the bench goes on only where all is well: a figure from a failed call would be worse than
 * none. */
#ifndef BENCH_REQUIRE_H
#define BENCH_REQUIRE_H

#include <stdbool.h>
#include <stddef.h>

/* End the program with a line that names what failed, unless the condition holds. */
void bench_require(bool condition, const char *what, const char *why);

/* calloc, required. */
void *bench_allocate(size_t count, size_t size);

#endif
