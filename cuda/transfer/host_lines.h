/* host_lines.h: lines of host memory packed without gaps, and back, by several threads (torc_threads_loop).
 *
 * Packed position x is byte x % width of line x / width.
 */
#ifndef TORC_HOST_LINES_H
#define TORC_HOST_LINES_H

#include <stddef.h>
#include <stdint.h>

/* Bytes begin .. begin+size-1 of the packed lines. */
void torc_lines_pack(char *packed, const char *lines, size_t pitch, size_t width, size_t begin, size_t size);

/* The other way, by stores that go past the caches: memory is written and not read before. */
void torc_lines_unpack(
    char *lines, size_t pitch, size_t width, const char *packed, size_t begin, size_t size);

/* The lower halves of integers of 64 bits. */
void torc_narrow(uint32_t *to, const int64_t *from, size_t count);

#endif
