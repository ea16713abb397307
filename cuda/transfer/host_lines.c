#include "host_lines.h"
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { SLICE = 256 << 10, FEWEST_SLICES = 4 };

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

#ifdef __SSE2__
static void store(char *to, const char *from, size_t size)
{
    size_t at = smaller(-(uintptr_t)to % sizeof(__m128i), size);
    memcpy(to, from, at);
    for (; at + sizeof(__m128i) <= size; at += sizeof(__m128i)) {
        __m128i word = _mm_loadu_si128((const __m128i *)(const void *)(from + at));
        _mm_stream_si128((__m128i *)(void *)(to + at), word);
    }
    memcpy(to + at, from + at, size - at);
}

/* Other threads see the stores only after this. */
static void finish_stores(void)
{
    _mm_sfence();
}
#else
static void store(char *to, const char *from, size_t size)
{
    memcpy(to, from, size);
}

static void finish_stores(void)
{
}
#endif

static void pack_slice(char *packed, const char *lines, size_t pitch, size_t width, size_t begin, size_t size)
{
    for (size_t done = 0; done < size;) {
        size_t column = (begin + done) % width, piece = smaller(width - column, size - done);
        memcpy(packed + done, lines + (begin + done) / width * pitch + column, piece);
        done += piece;
    }
}

static void unpack_slice(
    char *lines, size_t pitch, size_t width, const char *packed, size_t begin, size_t size)
{
    for (size_t done = 0; done < size;) {
        size_t column = (begin + done) % width, piece = smaller(width - column, size - done);
        store(lines + (begin + done) / width * pitch + column, packed + done, piece);
        done += piece;
    }
    finish_stores();
}

void torc_lines_pack(char *packed, const char *lines, size_t pitch, size_t width, size_t begin, size_t size)
{
    int64_t slices = (int64_t)((size + SLICE - 1) / SLICE);
#pragma omp parallel for schedule(static) if (slices >= FEWEST_SLICES)
    for (int64_t slice = 0; slice < slices; slice++) {
        size_t at = (size_t)slice * SLICE;
        pack_slice(packed + at, lines, pitch, width, begin + at, smaller(SLICE, size - at));
    }
}

void torc_lines_unpack(char *lines, size_t pitch, size_t width, const char *packed, size_t begin, size_t size)
{
    int64_t slices = (int64_t)((size + SLICE - 1) / SLICE);
#pragma omp parallel for schedule(static) if (slices >= FEWEST_SLICES)
    for (int64_t slice = 0; slice < slices; slice++) {
        size_t at = (size_t)slice * SLICE;
        unpack_slice(lines, pitch, width, packed + at, begin + at, smaller(SLICE, size - at));
    }
}

void torc_narrow(uint32_t *to, const int64_t *from, size_t count)
{
#pragma omp parallel for schedule(static) if (count >= FEWEST_SLICES * SLICE / sizeof *to)
    for (int64_t i = 0; i < (int64_t)count; i++) {
        to[i] = (uint32_t)from[i];
    }
}
