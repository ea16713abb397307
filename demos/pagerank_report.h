/* pagerank_report.h: the ranking as a table, one a seed. */
#ifndef TORC_PAGERANK_REPORT_H
#define TORC_PAGERANK_REPORT_H

#include <GraphBLAS.h>

#include "graph.h"

/* For each of the first `shown` of the K seeds s, two lists of vertices v with their share R(v,s) of the
 * walker's time: those with the highest share, and those with the highest R(v,s) · p², p = R(v,s) / Σ R(v,:)
 * being the part of all that v gets that comes from this seed. The second list tells the seeds apart where
 * the same vertices head every column, as libc6 does among packages; the square keeps those out of it. Prints
 * to standard output; returns what GraphBLAS returned. */
GrB_Info torc_pagerank_print(
    GrB_Matrix R, const torc_graph *graph, const uint64_t *seeds, uint64_t K, uint64_t shown, int top);

/* The name of a vertex, or its number counted from 1: valid until the next call. */
const char *torc_vertex_name(const torc_graph *graph, uint64_t v);

#endif
