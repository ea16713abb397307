/* panel_cut.h: columns of C cut into panels, which travel one after another, or several at a time. */
#ifndef TORC_PANEL_CUT_H
#define TORC_PANEL_CUT_H

#include <stdint.h>

enum {
    TORC_MAX_VECTOR = 4
}; /* columns that a thread may take at once: panels that wide begin at multiples of it */

/* The columns from `first` on are cut into panels, as equal as vectors allow. `abreast` of them travel at a
 * time, one of each part of the columns: so each device of several has columns side by side. */
typedef struct torc_panel_cut {
    int64_t first, columns, count, abreast;
} torc_panel_cut;

int64_t torc_panel_begin(const torc_panel_cut *p, int64_t panel);
int64_t torc_panel_width(const torc_panel_cut *p, int64_t panel);
int64_t torc_widest_panel(const torc_panel_cut *p);

/* Cut columns first .. end-1, for panels one after another. */
torc_panel_cut torc_cut_panels(int64_t first, int64_t end, int64_t width);

/* How many steps all panels take; panel number `number` of those that travel in a step, -1: there is none;
 * and where in the order of all a panel's turn is. */
int64_t torc_panel_steps(const torc_panel_cut *p);
int64_t torc_panel_of(const torc_panel_cut *p, int64_t step, int64_t number);
int64_t torc_panel_turn(const torc_panel_cut *p, int64_t panel);

#endif
