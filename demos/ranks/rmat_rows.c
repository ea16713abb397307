#include "rmat_rows.h"
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <torc/torc.h>

enum { EDGES_A_VERTEX = 16, LEVEL_BITS = 16, LEVELS_A_WORD = 4, A = 37356, AB = 49807, ABC = 62259 };

typedef struct edge {
    int64_t to, from;
} edge;

/* SplitMix64 (Steele, Lea, Flood), of a number. */
static uint64_t mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* A permutation of the vertices: steps that can be undone within `scale` bits. */
static int64_t shuffled(int64_t vertex, int scale)
{
    uint64_t mask = (UINT64_C(1) << scale) - 1, v = (uint64_t)vertex;
    for (int round = 0; round < 3; round++) {
        v = (v * 0x9e3779b97f4a7c15u + 0x632be59bd9b4e019u) & mask;
        v ^= v >> (scale + 1) / 2;
    }
    return (int64_t)v;
}

static edge draw(int64_t number, int scale)
{
    edge e = {0, 0};
    uint64_t word = 0;
    for (int level = 0; level < scale; level++) {
        uint64_t at = (uint64_t)number * 16 + (uint64_t)(level / LEVELS_A_WORD) + 1;
        word = level % LEVELS_A_WORD == 0 ? mix(at * 0x9e3779b97f4a7c15u) : word >> LEVEL_BITS;
        int part = (int)(word & 0xffff);
        e.to = 2 * e.to + (part >= AB);
        e.from = 2 * e.from + (part >= ABC || (part >= A && part < AB));
    }
    return (edge){shuffled(e.to, scale), shuffled(e.from, scale)};
}

static void *need(int64_t count, size_t size)
{
    void *memory = calloc((size_t)count + 1, size);
    if (!memory) {
        fputs("rmat_rows: no memory\n", stderr);
        exit(1);
    }
    return memory;
}

/* ---- All edges, twice --------------------------------------------------------------------------------- */

/* First they are counted, then each goes to its row, in any order. Threads share both. */
typedef struct drawing {
    rmat_rows *rows;
    int scale;
    _Atomic int64_t *entering,
        *leaving; /* of the rank's vertices: edges; then where the next entering one goes
                   */
} drawing;

static bool has(const rmat_rows *rows, int64_t vertex)
{
    return vertex >= rows->begin && vertex < rows->end;
}

static void count_edges(void *argument, int64_t begin, int64_t end)
{
    const drawing *d = argument;
    for (int64_t number = begin; number < end; number++) {
        edge e = draw(number, d->scale);
        if (has(d->rows, e.to)) {
            atomic_fetch_add_explicit(&d->entering[e.to - d->rows->begin], 1, memory_order_relaxed);
        }
        if (has(d->rows, e.from)) {
            atomic_fetch_add_explicit(&d->leaving[e.from - d->rows->begin], 1, memory_order_relaxed);
        }
    }
}

static void place_edges(void *argument, int64_t begin, int64_t end)
{
    const drawing *d = argument;
    for (int64_t number = begin; number < end; number++) {
        edge e = draw(number, d->scale);
        if (has(d->rows, e.to)) {
            _Atomic int64_t *next = &d->entering[e.to - d->rows->begin];
            d->rows->from[atomic_fetch_add_explicit(next, 1, memory_order_relaxed)] = e.from;
        }
    }
}

/* ---- Rows --------------------------------------------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Each row ordered, repeated entries counted, where they lie; `entering` has how many remain. */
static void order_rows(void *argument, int64_t begin, int64_t end)
{
    const drawing *d = argument;
    for (int64_t i = begin; i < end; i++) {
        int64_t first = d->rows->row_ptr[i], count = d->rows->row_ptr[i + 1] - first, last = -1;
        int64_t *from = d->rows->from + first;
        double *times = d->rows->count + first;
        qsort(from, (size_t)count, sizeof *from, compare);
        for (int64_t e = 0; e < count; e++) {
            if (e == 0 || from[e] != from[last]) {
                from[++last] = from[e];
                times[last] = 0;
            }
            times[last]++;
        }
        d->entering[i] = last + 1;
    }
}

/* Rows one after another again. */
static void close_gaps(drawing *d)
{
    rmat_rows *rows = d->rows;
    int64_t to = 0;
    for (int64_t i = 0; i < rows->end - rows->begin; i++) {
        int64_t first = rows->row_ptr[i], count = d->entering[i];
        memmove(rows->from + to, rows->from + first, (size_t)count * sizeof *rows->from);
        memmove(rows->count + to, rows->count + first, (size_t)count * sizeof *rows->count);
        rows->row_ptr[i] = to;
        to += count;
    }
    rows->row_ptr[rows->end - rows->begin] = to;
}

rmat_rows rmat_rows_make(int scale, int64_t begin, int64_t end)
{
    rmat_rows rows = {.begin = begin, .end = end};
    int64_t n = end - begin, edges = (int64_t)EDGES_A_VERTEX << scale;
    drawing d = {&rows, scale, need(n, sizeof *d.entering), need(n, sizeof *d.leaving)};
    rows.row_ptr = need(n + 1, sizeof *rows.row_ptr);
    rows.out_degree = need(n, sizeof *rows.out_degree);
    torc_threads_loop(edges, sizeof(edge), count_edges, &d);
    for (int64_t i = 0; i < n; i++) {
        rows.out_degree[i] = (double)d.leaving[i];
        rows.row_ptr[i + 1] = rows.row_ptr[i] + d.entering[i];
        d.entering[i] = rows.row_ptr[i];
    }
    rows.from = need(rows.row_ptr[n], sizeof *rows.from);
    rows.count = need(rows.row_ptr[n], sizeof *rows.count);
    torc_threads_loop(edges, sizeof(edge), place_edges, &d);
    torc_threads_loop(n, EDGES_A_VERTEX * sizeof(edge), order_rows, &d);
    close_gaps(&d);
    free(d.entering);
    free(d.leaving);
    return rows;
}

void rmat_rows_free(rmat_rows *rows)
{
    free(rows->row_ptr);
    free(rows->from);
    free(rows->count);
    free(rows->out_degree);
}
