/* bfs_report.h: how many vertices are how many steps away, a line a source; the check; the chart. */
#ifndef TORC_BFS_REPORT_H
#define TORC_BFS_REPORT_H

#include "bfs_algorithm.h"
#include "demo.h"

/* Of the first sources (of all in JSON): vertices at each level, and where P is not NULL the way to one of
 * the farthest. Returns what GraphBLAS returned. */
GrB_Info torc_bfs_print(torc_demo *demo, const torc_bfs_report *report, GrB_Matrix L, GrB_Matrix P);

/* Edges that all searches together have followed: the out-edges of every vertex reached, A's own. */
GrB_Info torc_bfs_count_edges(double *edges, GrB_Matrix L, GrB_Matrix A);

/* Every source beside a search with a queue; a difference is a failure of the demo. */
GrB_Info torc_bfs_check(torc_demo *demo, GrB_Matrix L, GrB_Matrix P);

/* The frontier's size at each level, where a chart is asked for. */
GrB_Info torc_bfs_plot(torc_demo *demo, const torc_bfs_report *report);

#endif
