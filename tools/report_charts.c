/* report_charts.c: the timeline of a log, and the bytes that moved, as SVG. */
#include "report_page.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { LEFT = 130, WIDTH = 940, RIGHT = 20, LANE = 34, BAR = 22, STRIP = 70, AXIS = 36, BINS = 235 };

/* From the first call's beginning to the last one's end. */
typedef struct time_span {
    double begin, end;
} time_span;

static time_span span_of(const torc_burble_log *log)
{
    time_span span = {INFINITY, -INFINITY};
    for (size_t i = 0; i < log->ncalls; i++) {
        span.begin = fmin(span.begin, log->calls[i].end - log->calls[i].seconds);
        span.end = fmax(span.end, log->calls[i].end);
    }
    span.end = fmax(span.end, span.begin + 1e-6);
    return span;
}

static double place(const time_span *span, double time)
{
    return LEFT + WIDTH * (time - span->begin) / (span->end - span->begin);
}

/* 1, 2 or 5 times a power of ten, about an eighth of the span. */
static double tick_of(const time_span *span)
{
    double rough = (span->end - span->begin) / 8, power = pow(10, floor(log10(rough))), times = rough / power;
    return power * (times < 1.5 ? 1 : times < 3.5 ? 2 : times < 7.5 ? 5 : 10);
}

/* Lines over the whole height, with their times below. */
static void draw_axis(const time_span *span, int height)
{
    double tick = tick_of(span);
    bool is_milli = span->end < 1;
    for (double time = ceil(span->begin / tick) * tick; time <= span->end; time += tick) {
        double x = place(span, time);
        printf("<line class=\"grid\" x1=\"%.1f\" y1=\"0\" x2=\"%.1f\" y2=\"%d\"/>"
               "<text class=\"tick\" x=\"%.1f\" y=\"%d\">%.6g</text>\n",
            x, x, height, x, height + 15, is_milli ? 1e3 * time : time);
    }
    printf("<text class=\"tick\" x=\"%d\" y=\"%d\">%s since torc was loaded</text>\n", LEFT + WIDTH / 2,
        height + 31, is_milli ? "milliseconds" : "seconds");
}

static void open_chart(const char *label, int height)
{
    printf("<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">\n", LEFT + WIDTH + RIGHT,
        height + AXIS, label);
}

/* ---- The timeline ------------------------------------------------------------------------------------- */

/* Calls that follow each other within a pixel are one bar. */
typedef struct bar {
    double x, width;
    size_t count;
    const torc_logged_call *first;
} bar;

static void draw_bar(const bar *b, int y)
{
    if (b->count == 0) {
        return;
    }
    printf("<rect class=\"lane%d\" x=\"%.2f\" y=\"%d\" width=\"%.2f\" height=\"%d\"><title>",
        (int)b->first->lane, b->x, y, fmax(b->width, .5), BAR);
    if (b->count > 1) {
        printf("%zu calls, the first: ", b->count);
    }
    torc_report_text(b->first->text);
    printf("</title></rect>\n");
}

static void draw_lane(const torc_burble_log *log, const time_span *span, torc_lane lane)
{
    bar current = {0};
    int y = (int)lane * LANE + (LANE - BAR) / 2;
    printf("<text class=\"name\" x=\"%d\" y=\"%d\">%s</text>\n", LEFT - 10, y + BAR / 2 + 4,
        torc_lane_names[lane]);
    for (size_t i = 0; i < log->ncalls; i++) {
        const torc_logged_call *call = &log->calls[i];
        if (call->lane != lane) {
            continue;
        }
        double x = place(span, call->end - call->seconds), end = place(span, call->end);
        if (current.count > 0 && end - current.x < 1) {
            current.width = fmax(current.width, end - current.x);
            current.count++;
        } else {
            draw_bar(&current, y);
            current = (bar){x, end - x, 1, call};
        }
    }
    draw_bar(&current, y);
}

static void draw_timeline(const torc_burble_log *log, const time_span *span)
{
    printf("<h2>Calls</h2>\n<p>A bar is a call, as long as the program waited for it. Point at it to read "
           "its line."
           "</p>\n");
    open_chart("Timeline of calls", TORC_LANES * LANE);
    draw_axis(span, TORC_LANES * LANE);
    for (int lane = 0; lane < TORC_LANES; lane++) {
        draw_lane(log, span, (torc_lane)lane);
    }
    printf("</svg>\n");
}

/* ---- Bytes -------------------------------------------------------------------------------------------- */

typedef struct strip {
    const char *name;
    double bins[BINS]; /* MB of calls that ended then */
    double most;
} strip;

static void add(strip *s, int bin, double amount)
{
    s->bins[bin] += amount;
    s->most = fmax(s->most, s->bins[bin]);
}

static void draw_strip(const strip *s, int number, const time_span *span)
{
    int bottom = (number + 1) * STRIP - 8, height = STRIP - 16;
    printf("<text class=\"name\" x=\"%d\" y=\"%d\">%s</text><text class=\"most\" x=\"%d\" y=\"%d\">up to "
           "%.3g MB</text>"
           "<line class=\"base\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>\n",
        LEFT - 10, bottom - height / 2, s->name, LEFT - 10, bottom - height / 2 + 15, s->most, LEFT, bottom,
        LEFT + WIDTH, bottom);
    double width = (double)WIDTH / BINS, step = (span->end - span->begin) / BINS;
    for (int i = 0; i < BINS; i++) {
        if (s->bins[i] > 0) {
            double tall = fmax(height * s->bins[i] / s->most, .5);
            printf("<rect class=\"strip%d\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"><title>%.3f "
                   "MB from %.6f "
                   "to %.6f s</title></rect>\n",
                number, LEFT + i * width, bottom - tall, .9 * width, tall, s->bins[i], span->begin + i * step,
                span->begin + (i + 1) * step);
        }
    }
}

static void draw_bytes(const torc_burble_log *log, const time_span *span)
{
    strip strips[] = {{.name = "to the device"}, {.name = "back"}, {.name = "spared"}};
    enum { STRIPS = sizeof strips / sizeof *strips };
    for (size_t i = 0; i < log->ncalls; i++) {
        const torc_logged_call *call = &log->calls[i];
        int bin = (int)(BINS * (call->end - span->begin) / (span->end - span->begin));
        bin = bin < BINS ? bin : BINS - 1;
        add(&strips[0], bin, call->in);
        add(&strips[1], bin, call->out);
        add(&strips[2], bin, call->spared);
    }
    printf("<h2>Bytes of products on the device</h2>\n<p>Each bar is %.3g ms. Spared are bytes that a call "
           "needed and "
           "that were on the device already.</p>\n",
        1e3 * (span->end - span->begin) / BINS);
    open_chart("Bytes that moved", STRIPS * STRIP);
    draw_axis(span, STRIPS * STRIP);
    for (int i = 0; i < STRIPS; i++) {
        draw_strip(&strips[i], i, span);
    }
    printf("</svg>\n");
}

void torc_report_charts(const torc_burble_log *log)
{
    time_span span = span_of(log);
    bool has_products = false;
    for (size_t i = 0; i < log->ncalls; i++) {
        has_products = has_products || log->calls[i].lane == TORC_LANE_PRODUCT;
    }
    draw_timeline(log, &span);
    if (has_products) {
        draw_bytes(log, &span);
    }
}
