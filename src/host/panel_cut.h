/* panel_cut.h: columns of C cut into panels, which travel one after another. */
#ifndef TORC_PANEL_CUT_H
#define TORC_PANEL_CUT_H

#include "stream.h"

enum {
    TORC_MAX_VECTOR = 4
}; /* columns that a thread may take at once: panels of as many begin at multiples */

/* `all` panels of the columns from `first` on, as equal as vectors allow; of them `count` from the one on
 * that is number 0. */
typedef struct torc_panel_cut {
    int64_t first, columns, all, skipped, count;
} torc_panel_cut;

int64_t torc_panel_begin(const torc_panel_cut *p, int64_t panel);
int64_t torc_panel_width(const torc_panel_cut *p, int64_t panel);

/* Of all: where a panel lies in its buffer does not depend on who computes the others. */
int64_t torc_widest_panel(const torc_panel_cut *p);

/* Columns first .. end-1. */
torc_panel_cut torc_cut_panels(int64_t first, int64_t end, int64_t width);

/* The share's of the panels that all columns have. */
torc_panel_cut torc_cut_share(int64_t ncols, int64_t width, const torc_host_share *share);

#endif
