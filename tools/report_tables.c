/* report_tables.c: the numbers of a log: the whole, by operation, by reason, and the calls that took longest.
 */
#include "report_page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 15 };

/* Calls that have something in common. */
typedef struct group {
    const char *key;
    torc_lane lane;
    size_t calls, stay;
    double seconds, in, out, spared;
} group;

static void add(group *g, const torc_logged_call *call)
{
    g->calls++;
    g->stay += call->stays;
    g->seconds += call->seconds;
    g->in += call->in;
    g->out += call->out;
    g->spared += call->spared;
}

static int compare_seconds(const void *x, const void *y)
{
    double a = ((const group *)x)->seconds, b = ((const group *)y)->seconds;
    return (a < b) - (a > b);
}

/* ---- The whole ---------------------------------------------------------------------------------------- */

static void print_calls(const char *what, const group *g)
{
    printf("<div class=\"card\"><b>%zu</b><span>%s, %.3f s</span></div>\n", g->calls, what, g->seconds);
}

static void print_bytes(const char *what, double amount)
{
    printf("<div class=\"card\"><b>%.1f MB</b><span>%s</span></div>\n", amount, what);
}

void torc_report_cards(const torc_burble_log *log)
{
    group lanes[TORC_LANES] = {0};
    for (size_t i = 0; i < log->ncalls; i++) {
        add(&lanes[log->calls[i].lane], &log->calls[i]);
    }
    const group *products = &lanes[TORC_LANE_PRODUCT];
    printf("<div class=\"cards\">\n");
    print_calls("products on the device", products);
    print_calls("products on the CPU", &lanes[TORC_LANE_CPU]);
    print_calls("other operations on the device", &lanes[TORC_LANE_OTHER]);
    print_bytes("sent to the device", products->in);
    print_bytes("fetched back", products->out);
    print_bytes("spared", products->spared);
    printf("<div class=\"card\"><b>%zu</b><span>results of products stayed there</span></div>\n</div>\n",
        products->stay);
}

/* ---- Tables ------------------------------------------------------------------------------------------- */

static void print_group(const group *g)
{
    printf("<tr><td class=\"t\">");
    torc_report_text(g->key);
    printf("</td><td class=\"t\">%s</td><td>%zu</td><td>%.3f</td>", torc_lane_names[g->lane], g->calls,
        1e3 * g->seconds);
    if (g->lane == TORC_LANE_PRODUCT) {
        printf(
            "<td>%.1f</td><td>%.1f</td><td>%.1f</td><td>%zu</td></tr>\n", g->in, g->out, g->spared, g->stay);
    } else {
        printf("<td></td><td></td><td></td><td></td></tr>\n"); /* nothing moved, or nobody counted */
    }
}

static const char *name_of(const torc_logged_call *call)
{
    return call->name;
}

static const char *why_of(const torc_logged_call *call)
{
    return call->why;
}

/* By what a call is called or says, and by lane: those that took longest first. Without a key a call is in no
 * group. */
static void print_groups(
    const torc_burble_log *log, const char *title, const char *(*key_of)(const torc_logged_call *))
{
    group *groups = calloc(log->ncalls + 1, sizeof *groups);
    size_t count = 0;
    for (size_t i = 0; groups && i < log->ncalls; i++) {
        const torc_logged_call *call = &log->calls[i];
        size_t place = 0;
        while (place < count &&
               (groups[place].lane != call->lane || strcmp(groups[place].key, key_of(call)) != 0)) {
            place++;
        }
        if (place == count && *key_of(call)) {
            groups[count++] = (group){.key = key_of(call), .lane = call->lane};
        }
        if (place < count) {
            add(&groups[place], call);
        }
    }
    if (count > 0) {
        qsort(groups, count, sizeof *groups, compare_seconds);
        printf("<h2>%s</h2>\n<table>\n<tr><th class=\"t\"></th><th "
               "class=\"t\">where</th><th>calls</th><th>ms</th>"
               "<th>MB sent</th><th>MB back</th><th>MB spared</th><th>results that stayed</th></tr>\n",
            title);
    }
    for (size_t i = 0; i < count; i++) {
        print_group(&groups[i]);
    }
    if (count > 0) {
        printf("</table>\n");
    }
    free(groups);
}

static int compare_calls(const void *x, const void *y)
{
    double a = ((const torc_logged_call *)x)->seconds, b = ((const torc_logged_call *)y)->seconds;
    return (a < b) - (a > b);
}

static void print_longest(const torc_burble_log *log)
{
    torc_logged_call *sorted = log->ncalls > 0 ? malloc(log->ncalls * sizeof *sorted) : NULL;
    if (!sorted) {
        return;
    }
    memcpy(sorted, log->calls, log->ncalls * sizeof *sorted);
    qsort(sorted, log->ncalls, sizeof *sorted, compare_calls);
    printf("<h2>The calls that took longest</h2>\n<table>\n<tr><th>ms</th><th class=\"t\">line</th></tr>\n");
    for (size_t i = 0; i < log->ncalls && i < LONGEST; i++) {
        printf("<tr><td>%.3f</td><td class=\"t\"><code>", 1e3 * sorted[i].seconds);
        torc_report_text(sorted[i].text);
        printf("</code></td></tr>\n");
    }
    printf("</table>\n");
    free(sorted);
}

void torc_report_tables(const torc_burble_log *log)
{
    print_groups(log, "By operation", name_of);
    print_groups(log, "Why products ran where they did", why_of);
    print_longest(log);
    if (log->nnotes > 0) {
        printf("<h2>Totals and notes</h2>\n<pre>");
        for (size_t i = 0; i < log->nnotes; i++) {
            torc_report_text(log->notes[i]);
            putchar('\n');
        }
        printf("</pre>\n");
    }
}
