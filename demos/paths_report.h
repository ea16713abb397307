/* paths_report.h: the values worth showing and the paths to them, the check, and the chart. */
#ifndef TORC_PATHS_REPORT_H
#define TORC_PATHS_REPORT_H

#include "demo.h"
#include "paths_algorithm.h"

/* For each of the first sources (for each of them in JSON) a table of `ntargets` targets with value and path;
 * targets NULL: the most extreme values there are. Returns what GraphBLAS returned. */
GrB_Info torc_paths_print(torc_demo *demo, GrB_Matrix X, const torc_paths_problem *problem,
    const uint64_t *targets, uint64_t ntargets);

/* The whole of X, a row a source, for graphs so small that it fits a screen. */
GrB_Info torc_paths_print_all(GrB_Matrix X, const torc_paths_problem *problem);
enum { TORC_MOST_PRINTED = 16 }; /* vertices of such a graph */

/* The value of every vertex that a source reaches, where --output asks for it. */
GrB_Info torc_paths_table(torc_demo *demo, GrB_Matrix X, const torc_paths_problem *problem);

/* Every source beside a plain algorithm; a difference is a failure of the demo. */
GrB_Info torc_paths_check(torc_demo *demo, GrB_Matrix X, const torc_paths_problem *problem);

/* How many values each round changed, where a chart is asked for. */
GrB_Info torc_paths_plot(torc_demo *demo, const torc_paths_report *report);

#endif
