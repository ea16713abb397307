/* random_graph.c: the last fifth of the vertices has no out-edge, the first fifth no in-edge. */
#include "random_graph.h"

#include <criterion/criterion.h>
#include <stdlib.h>

torc_graph torc_random_graph(uint64_t n, uint64_t nedges, int least, int most, bool is_dag)
{
    torc_graph graph = {.nvertices = n, .has_weights = true};
    for (uint64_t e = 0; e < nedges; e++) {
        uint64_t source = (uint64_t)rand() % (n - n / 5), target = n / 5 + (uint64_t)rand() % (n - n / 5);
        int weight = least + rand() % (most - least + 1);
        if (!is_dag || source < target) {
            for (int times = rand() % 8 == 0 ? 2 : 1; times > 0; times--) {
                cr_assert(torc_graph_add_weighted_edge(&graph, source, target, weight));
            }
        }
    }
    return graph;
}
