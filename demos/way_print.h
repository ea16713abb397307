/* way_print.h: a path as a person or a program reads it: "gimp -> libgimp2.0 -> libc6". */
#ifndef TORC_WAY_PRINT_H
#define TORC_WAY_PRINT_H

#include "graph.h"
#include "json_writer.h"

/* way[0 .. length-1] from the last vertex to the first, as following predecessors gives it. Of long ways the
 * text has both ends. */
void torc_way_print(const torc_graph *graph, const uint64_t *way, uint64_t length);
void torc_way_to_json(torc_json *json, const torc_graph *graph, const uint64_t *way, uint64_t length);

#endif
