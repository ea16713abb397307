#include "rmat_rows.h"
#include <stdio.h>
#include <stdlib.h>

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

static void *need(size_t count, size_t size)
{
    void *memory = calloc(count + 1, size);
    if (!memory) {
        fputs("ranks_pagerank: no memory\n", stderr);
        exit(1);
    }
    return memory;
}

static int compare(const void *a, const void *b)
{
    const edge *x = a, *y = b;
    return x->to != y->to ? (x->to > y->to) - (x->to < y->to) : (x->from > y->from) - (x->from < y->from);
}

/* The rank's edges, ordered. */
static edge *own_edges(int64_t *count, rmat_rows *rows, int scale)
{
    int64_t all = (int64_t)EDGES_A_VERTEX << scale, room = 1024;
    edge *own = need((size_t)room, sizeof *own);
    *count = 0;
    for (int64_t number = 0; number < all; number++) {
        edge e = draw(number, scale);
        if (e.from >= rows->begin && e.from < rows->end) {
            rows->out_degree[e.from - rows->begin]++;
        }
        if (e.to < rows->begin || e.to >= rows->end) {
            continue;
        }
        if (*count == room) {
            room *= 2;
            own = realloc(own, (size_t)room * sizeof *own);
            if (!own) {
                fputs("ranks_pagerank: no memory\n", stderr);
                exit(1);
            }
        }
        own[(*count)++] = e;
    }
    qsort(own, (size_t)*count, sizeof *own, compare);
    return own;
}

rmat_rows rmat_rows_make(int scale, int64_t begin, int64_t end)
{
    rmat_rows rows = {.begin = begin, .end = end};
    int64_t n = end - begin, count, entries = 0;
    rows.row_ptr = need((size_t)n + 1, sizeof *rows.row_ptr);
    rows.out_degree = need((size_t)n, sizeof *rows.out_degree);
    edge *own = own_edges(&count, &rows, scale);
    rows.from = need((size_t)count, sizeof *rows.from);
    rows.count = need((size_t)count, sizeof *rows.count);
    for (int64_t e = 0; e < count; e++) {
        if (e == 0 || compare(&own[e], &own[e - 1]) != 0) {
            rows.from[entries++] = own[e].from;
            rows.row_ptr[own[e].to - begin + 1]++;
        }
        rows.count[entries - 1]++;
    }
    for (int64_t i = 0; i < n; i++) {
        rows.row_ptr[i + 1] += rows.row_ptr[i];
    }
    free(own);
    return rows;
}

void rmat_rows_free(rmat_rows *rows)
{
    free(rows->row_ptr);
    free(rows->from);
    free(rows->count);
    free(rows->out_degree);
}
