/* panel_cut.h: columns of C cut into panels, which travel one after another. */
#ifndef TORC_PANEL_CUT_H
#define TORC_PANEL_CUT_H

#include "stream.h"

enum {
    TORC_MAX_VECTOR = 4
}; /* columns that a thread may take at once: panels that wide begin at multiples of it */

/* The columns from `first` on are cut into `all` panels, as equal as vectors allow. This share computes
 * `count` of them, after the first `skipped`; its panels are numbered from 0. */
typedef struct torc_panel_cut {
    int64_t first, columns, all, skipped, count;
} torc_panel_cut;

int64_t torc_panel_begin(const torc_panel_cut *p, int64_t panel);
int64_t torc_panel_width(const torc_panel_cut *p, int64_t panel);

/* The width of the widest of all panels: so a panel's place in its buffer is the same whoever computes it. */
int64_t torc_widest_panel(const torc_panel_cut *p);

/* Cut columns first .. end-1. */
torc_panel_cut torc_cut_panels(int64_t first, int64_t end, int64_t width);

/* Cut all columns, and take the share's panels. */
torc_panel_cut torc_cut_share(int64_t ncols, int64_t width, const torc_host_share *share);

#endif
