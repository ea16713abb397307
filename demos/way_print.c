/* way_print.c: from the back of the array to its front. */
#include "way_print.h"

#include <stdio.h>

enum { END = 4 }; /* vertices shown at either end of a long way */

void torc_way_print(const torc_graph *graph, const uint64_t *way, uint64_t length)
{
    char number[TORC_VERTEX_NUMBER];
    bool is_long = length > 2 * END + 1;
    for (uint64_t i = 0; i < length; i++) {
        if (is_long && i == END) {
            printf(" -> (%llu more)", (unsigned long long)(length - 2 * (uint64_t)END));
            i = length - END - 1;
        } else {
            printf("%s%s", i > 0 ? " -> " : "", torc_graph_name(graph, way[length - 1 - i], number));
        }
    }
}

void torc_way_to_json(torc_json *json, const torc_graph *graph, const uint64_t *way, uint64_t length)
{
    char number[TORC_VERTEX_NUMBER];
    torc_json_open(json, "path", '[');
    for (uint64_t i = length; i > 0; i--) {
        torc_json_string(json, NULL, torc_graph_name(graph, way[i - 1], number));
    }
    torc_json_close(json, ']');
}
