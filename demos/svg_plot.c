/* svg_plot.c: a frame, round ticks on both axes, and a line or bars inside.
 *
 *     +--------- title ---------+
 *   y |                         |  left, top, right and bottom are the margins around the frame
 *     +--------- x -------------+
 */
#include "svg_plot.h"

#include <math.h>
#include <stdio.h>

enum { WIDTH = 720, HEIGHT = 360, LEFT = 80, RIGHT = 20, TOP = 40, BOTTOM = 50, TICKS = 6 };

typedef struct axis {
    double low, high; /* logarithms on a logarithmic axis */
    double step;      /* between ticks */
    double from, to;  /* where low and high lie in the picture */
    bool is_log;
} axis;

/* 1, 2 or 5 times a power of ten: at most TICKS of them in the range. */
static double round_step(double range)
{
    double step = pow(10, floor(log10(range / TICKS)));
    static const double factors[] = {1, 2, 5, 10};
    int f = 0;
    while (range / (step * factors[f]) > TICKS && f < 3) {
        f++;
    }
    return step * factors[f];
}

static axis axis_of(const double *values, int count, bool is_log, double from, double to)
{
    axis a = {.low = is_log ? INFINITY : 0, .high = is_log ? -INFINITY : 0, .is_log = is_log};
    for (int i = 0; i < count; i++) {
        if (isfinite(values[i]) && (!is_log || values[i] > 0)) {
            double value = is_log ? log10(values[i]) : values[i];
            a.low = fmin(a.low, value);
            a.high = fmax(a.high, value);
        }
    }
    if (is_log) {
        a.low = isfinite(a.low) ? floor(a.low) : 0;
        a.high = isfinite(a.high) ? ceil(a.high) : 1;
    }
    a.high = a.high > a.low ? a.high : a.low + 1;
    a.step = is_log ? ceil((a.high - a.low) / TICKS) : round_step(a.high - a.low);
    a.high = a.low + a.step * ceil((a.high - a.low) / a.step);
    a.from = from;
    a.to = to;
    return a;
}

static double place(const axis *a, double value)
{
    return a->from + (value - a->low) / (a->high - a->low) * (a->to - a->from);
}

/* Where a value goes; false where it cannot be shown. */
static bool place_value(double *at, const axis *a, double value)
{
    bool is_shown = isfinite(value) && (!a->is_log || value > 0);
    *at = is_shown ? place(a, a->is_log ? log10(value) : value) : 0;
    return is_shown;
}

static void write_text(FILE *file, double x, double y, const char *style, const char *text)
{
    fprintf(file, "<text x=\"%.1f\" y=\"%.1f\" %s>", x, y, style);
    for (; *text; text++) {
        switch (*text) {
        case '<':
            fputs("&lt;", file);
            break;
        case '&':
            fputs("&amp;", file);
            break;
        default:
            fputc(*text, file);
        }
    }
    fputs("</text>\n", file);
}

static void write_ticks(FILE *file, const axis *a, bool is_horizontal)
{
    int count = (int)lround((a->high - a->low) / a->step);
    for (int t = 0; t <= count; t++) {
        double value = a->low + t * a->step, at = place(a, value);
        char label[32];
        snprintf(label, sizeof label, a->is_log ? "1e%g" : "%g", value);
        if (is_horizontal) {
            fprintf(file, "<path d=\"M%.1f %dV%d\" class=\"grid\"/>\n", at, TOP, HEIGHT - BOTTOM);
            write_text(file, at, HEIGHT - BOTTOM + 16, "text-anchor=\"middle\"", label);
        } else {
            fprintf(file, "<path d=\"M%d %.1fH%d\" class=\"grid\"/>\n", LEFT, at, WIDTH - RIGHT);
            write_text(file, LEFT - 6, at + 4, "text-anchor=\"end\"", label);
        }
    }
}

static void write_bars(FILE *file, const torc_plot *plot, const axis *x, const axis *y)
{
    double width = fmax(0.8 * (WIDTH - LEFT - RIGHT) / (plot->count + 1), 0.5);
    for (int i = 0; i < plot->count; i++) {
        double at, top;
        if (place_value(&at, x, plot->x[i]) && place_value(&top, y, plot->y[i])) {
            fprintf(file, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" class=\"bar\"/>\n",
                at - width / 2, top, width, HEIGHT - BOTTOM - top);
        }
    }
}

static void write_line(FILE *file, const torc_plot *plot, const axis *x, const axis *y)
{
    fputs("<polyline class=\"line\" points=\"", file);
    for (int i = 0; i < plot->count; i++) {
        double at, height;
        if (place_value(&at, x, plot->x[i]) && place_value(&height, y, plot->y[i])) {
            fprintf(file, "%.1f,%.1f ", at, height);
        }
    }
    fputs("\"/>\n", file);
}

static void write_plot(FILE *file, const torc_plot *plot)
{
    axis x = axis_of(plot->x, plot->count, plot->is_x_log, LEFT, WIDTH - RIGHT);
    axis y = axis_of(plot->y, plot->count, plot->is_y_log, HEIGHT - BOTTOM, TOP);
    if (plot->has_bars && !plot->is_x_log) { /* room for half a bar on both sides */
        x.low -= 0.5;
        x.high = fmax(x.high, plot->count ? plot->x[plot->count - 1] + 0.5 : 1);
    }
    write_text(file, (LEFT + WIDTH - RIGHT) / 2.0, 24, "text-anchor=\"middle\" class=\"title\"", plot->title);
    write_text(file, (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 12, "text-anchor=\"middle\"", plot->x_title);
    write_text(file, -(TOP + HEIGHT - BOTTOM) / 2.0, 18, "text-anchor=\"middle\" transform=\"rotate(-90)\"",
        plot->y_title);
    axis x_ticks = x;
    if (plot->has_bars && !plot->is_x_log) {
        x_ticks.low += 0.5;
        x_ticks.from = place(&x, x_ticks.low);
        x_ticks.high = x_ticks.low + x.step * floor((x.high - x_ticks.low) / x.step);
        x_ticks.to = place(&x, x_ticks.high);
    }
    write_ticks(file, &x_ticks, true);
    write_ticks(file, &y, false);
    if (plot->has_bars) {
        write_bars(file, plot, &x, &y);
    } else {
        write_line(file, plot, &x, &y);
    }
}

bool torc_plot_write(const char *path, const torc_plot *plots, int count)
{
    FILE *file = fopen(path, "w");
    if (!file) {
        return false;
    }
    fprintf(file,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\">\n"
        "<style>text{font:12px sans-serif;fill:#333}.title{font-size:15px}.grid{stroke:#ddd;fill:none}"
        ".bar{fill:#3b7dd8}.line{stroke:#3b7dd8;stroke-width:2;fill:none}</style>\n"
        "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
        WIDTH, count * HEIGHT, WIDTH, count * HEIGHT);
    for (int p = 0; p < count; p++) {
        fprintf(file, "<g transform=\"translate(0 %d)\">\n", p * HEIGHT);
        write_plot(file, &plots[p]);
        fputs("</g>\n", file);
    }
    fputs("</svg>\n", file);
    bool is_written = !ferror(file);
    return fclose(file) == 0 && is_written;
}
