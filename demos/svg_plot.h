/* svg_plot.h: charts of one series each, below one another in an SVG file that stands alone. */
#ifndef TORC_SVG_PLOT_H
#define TORC_SVG_PLOT_H

#include <stdbool.h>

typedef struct torc_plot {
    const char *title, *x_title, *y_title;
    const double *x, *y; /* ascending x; on a logarithmic axis values ≤ 0 are left out */
    int count;
    bool is_x_log, is_y_log; /* an axis that is not logarithmic begins at 0, or below */
    bool has_bars;           /* else a line */
} torc_plot;

/* false, with errno, where the file cannot be written. */
bool torc_plot_write(const char *path, const torc_plot *plots, int count);

#endif
