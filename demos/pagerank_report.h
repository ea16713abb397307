/* pagerank_report.h: the ranking as a table or a JSON object, one a seed; and the charts. */
#ifndef TORC_PAGERANK_REPORT_H
#define TORC_PAGERANK_REPORT_H

#include "demo.h"

/* For each of the first TORC_SHOWN_SOURCES of the K seeds s (each of them in JSON), two lists of vertices v
 * with their share R(v,s) of the walker's time: those with the highest share, and those with the highest
 * score R(v,s) · p², p = R(v,s) / Σ R(v,:) being the part of all that v gets that comes from this seed. The
 * second list tells the seeds apart where the same vertices head every column, as libc6 does among packages;
 * the square keeps those out of it. Without seeds, one list: the highest shares. Returns what GraphBLAS
 * returned.
 */
GrB_Info torc_pagerank_print(GrB_Matrix R, torc_demo *demo);

/* Charts, where they are asked for: the residual of each step, and the shares of all vertices, summed over
 * the columns, from the highest down. */
GrB_Info torc_pagerank_plot(GrB_Matrix R, torc_demo *demo, const double *residuals, int steps);

#endif
