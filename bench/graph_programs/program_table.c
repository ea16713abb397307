/* program_table.c: every program in one place. */
#include "graph_program.h"

#include <string.h>

enum {
    A = BENCH_NEEDS_A,
    AT = BENCH_NEEDS_AT,
    S = BENCH_NEEDS_S,
    WEIGHTS = BENCH_NEEDS_WEIGHTS,
    FEATURES = BENCH_NEEDS_FEATURES,
    CENTRES = BENCH_NEEDS_CENTRES,
    LABELS = BENCH_NEEDS_LABELS
};

const bench_program bench_programs[] = {{"pagerank-64", bench_pagerank_seeds, 64, AT},
    {"pagerank", bench_pagerank_vector, 1, A | AT}, {"bfs-64-levels", bench_search_levels, 64, A},
    {"bfs-64-parents", bench_search_parents, 64, A}, {"bfs", bench_search, 1, A | AT},
    {"paths-64", bench_shortest_paths, 64, WEIGHTS}, {"betweenness-4", bench_betweenness, 4, A | AT},
    {"betweenness-64", bench_betweenness, 64, A | AT}, {"components", bench_components, 1, S},
    {"label-propagation", bench_label_propagation, BENCH_CLASSES, S | LABELS},
    {"graph-network", bench_graph_network, BENCH_FEATURES, S | FEATURES},
    {"centre-distances", bench_centre_distances, BENCH_CENTRES, A | CENTRES},
    {"chained-products", bench_chained_products, 64, A}, {"mxv-plus-second", bench_mxv_plus_second, 50, AT},
    {"mxv-min-second", bench_mxv_min_second, 50, S}, {"mxv-any-secondi", bench_mxv_any_secondi, 50, AT},
    {NULL, NULL, 0, 0}};

const bench_program *bench_program_find(const char *name)
{
    const bench_program *program = bench_programs;
    while (program->name && strcmp(program->name, name) != 0) {
        program++;
    }
    return program->name ? program : NULL;
}
