#include "host_lines.h"
#include <string.h>
#include <torc/torc.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

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

typedef struct move {
    char *to;
    const char *from;
    size_t pitch, width, begin;
} move;

static void pack_part(void *argument, int64_t begin, int64_t end)
{
    const move *m = argument;
    for (size_t done = (size_t)begin, piece; done < (size_t)end; done += piece) {
        size_t at = m->begin + done, column = at % m->width;
        piece = smaller(m->width - column, (size_t)end - done);
        memcpy(m->to + done, m->from + at / m->width * m->pitch + column, piece);
    }
}

static void unpack_part(void *argument, int64_t begin, int64_t end)
{
    const move *m = argument;
    for (size_t done = (size_t)begin, piece; done < (size_t)end; done += piece) {
        size_t at = m->begin + done, column = at % m->width;
        piece = smaller(m->width - column, (size_t)end - done);
        store(m->to + at / m->width * m->pitch + column, m->from + done, piece);
    }
    finish_stores();
}

void torc_lines_pack(char *packed, const char *lines, size_t pitch, size_t width, size_t begin, size_t size)
{
    move m = {packed, lines, pitch, width, begin};
    torc_threads_loop((int64_t)size, 1, pack_part, &m);
}

void torc_lines_unpack(char *lines, size_t pitch, size_t width, const char *packed, size_t begin, size_t size)
{
    move m = {lines, packed, pitch, width, begin};
    torc_threads_loop((int64_t)size, 1, unpack_part, &m);
}

typedef struct narrowing {
    uint32_t *to;
    const int64_t *from;
} narrowing;

static void narrow_part(void *argument, int64_t begin, int64_t end)
{
    const narrowing *n = argument;
    for (int64_t i = begin; i < end; i++) {
        n->to[i] = (uint32_t)n->from[i];
    }
}

void torc_narrow(uint32_t *to, const int64_t *from, size_t count)
{
    narrowing n = {to, from};
    torc_threads_loop((int64_t)count, sizeof *to, narrow_part, &n);
}
