#include "bench_random.h"
#include "bench_require.h"
#include "matrix_generators.h"
#include "matrix_rows.h"
#include <math.h>
#include <stdlib.h>

/* A vertex has one lot for each so many of its degree: drawing a lot is drawing in proportion to degree. */
enum { DEGREE_A_LOT = 32 };

typedef struct lots {
    int32_t *vertex; /* of each lot, community after community */
    int64_t *first;  /* of each community, and the end */
} lots;

int64_t bench_lomax(uint64_t *state, double mean, int64_t cap)
{
    double u = ((double)(bench_random(state) >> 11) + 1) * 0x1p-53;
    double degree = 1 + (mean - 1) * (1 / sqrt(u) - 1);
    return degree < (double)cap ? (int64_t)(degree + 0.5) : cap;
}

/* The vertices, community after community: as numbered, or in random order. */
static int32_t *order_vertices(const bench_communities *model, uint64_t *state)
{
    int32_t *order = bench_allocate((size_t)model->n, sizeof *order);
    for (int64_t v = 0; v < model->n; v++) {
        int64_t w = model->is_scattered ? bench_random_below(state, v + 1) : v;
        order[v] = order[w];
        order[w] = (int32_t)v;
    }
    return order;
}

static lots hand_out(const bench_communities *model, const int32_t *order, const int32_t *degree)
{
    int64_t ncommunities = (model->n + model->community - 1) / model->community, nlots = 0;
    for (int64_t v = 0; v < model->n; v++) {
        nlots += degree[v] / DEGREE_A_LOT + 1;
    }
    lots made = {bench_allocate((size_t)nlots, sizeof(int32_t)),
        bench_allocate((size_t)ncommunities + 1, sizeof(int64_t))};
    nlots = 0;
    for (int64_t k = 0; k < model->n; k++) {
        if (k % model->community == 0) {
            made.first[k / model->community] = nlots;
        }
        for (int lot = 0; lot <= degree[order[k]] / DEGREE_A_LOT; lot++) {
            made.vertex[nlots++] = order[k];
        }
    }
    made.first[ncommunities] = nlots;
    return made;
}

bench_matrix bench_make_communities(const bench_communities *model)
{
    int64_t n = model->n, ncommunities = (n + model->community - 1) / model->community, nnz = 0;
    uint64_t state = 5;
    int32_t *order = order_vertices(model, &state), *degree = bench_allocate((size_t)n, sizeof *degree);
    int32_t *community = bench_allocate((size_t)n, sizeof *community);
    for (int64_t k = 0; k < n; k++) {
        community[order[k]] = (int32_t)(k / model->community);
        degree[k] = (int32_t)bench_lomax(&state, model->mean, model->cap);
        nnz += degree[k];
    }
    lots all = hand_out(model, order, degree);
    bench_rows rows;
    bench_rows_begin(&rows, n, n, nnz);
    for (int64_t i = 0; i < n; i++) {
        const int64_t *own = &all.first[community[i]];
        while (bench_rows_length(&rows) < degree[i]) {
            bool is_inside = bench_random_chance(&state, model->inside);
            int64_t lot = is_inside ? own[0] + bench_random_below(&state, own[1] - own[0])
                                    : bench_random_below(&state, all.first[ncommunities]);
            bench_rows_add(&rows, all.vertex[lot]);
        }
        bench_rows_close(&rows);
    }
    free(order);
    free(degree);
    free(community);
    free(all.vertex);
    free(all.first);
    return bench_rows_end(&rows);
}
