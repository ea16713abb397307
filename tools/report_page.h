/* report_page.h: the parts of the page of a log: HTML on standard output, without scripts and outside
 * resources. */
#ifndef TORC_REPORT_PAGE_H
#define TORC_REPORT_PAGE_H

#include "burble_log.h"

/* Text in HTML: no character of it is markup; bytes that are no ASCII are shown as ?. */
void torc_report_text(const char *text);

/* The names of lanes. */
extern const char *const torc_lane_names[TORC_LANES];

/* The whole in a few numbers; what there is by operation and by reason, the longest calls, totals. */
void torc_report_cards(const torc_burble_log *log);
void torc_report_tables(const torc_burble_log *log);

/* The charts: each call as a bar on its lane, and below what moved meanwhile. */
void torc_report_charts(const torc_burble_log *log);

#endif
