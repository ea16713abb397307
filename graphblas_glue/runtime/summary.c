#include "summary.h"
#include "brief_lock.h"
#include "process.h"
#include <stdlib.h>
#include <string.h>

enum { ROWS = 96 /* operations that torc computes, twice */ };

typedef struct summary_row {
    const char *name;
    bool is_on_device, has_traffic, has_saved;
    unsigned long long calls;
    double seconds, saved;
    torc_traffic traffic;
} summary_row;

static summary_row rows[ROWS]; /* under the brief lock */
static int nrows;

/* NULL: there is no place for another one. */
static summary_row *find_row(const char *name, bool is_on_device)
{
    for (int i = 0; i < nrows; i++) {
        if (rows[i].is_on_device == is_on_device && strcmp(rows[i].name, name) == 0) {
            return &rows[i];
        }
    }
    if (nrows == ROWS) {
        return NULL;
    }
    rows[nrows] = (summary_row){.name = name, .is_on_device = is_on_device};
    return &rows[nrows++];
}

static void add(summary_row *row, const torc_summary_call *call)
{
    row->calls++;
    row->seconds += call->seconds;
    if (call->traffic) {
        row->has_traffic = true;
        row->traffic.in += call->traffic->in;
        row->traffic.out += call->traffic->out;
        row->traffic.spared += call->traffic->spared;
    }
    if (call->predicted_cpu) {
        row->has_saved = true;
        row->saved += *call->predicted_cpu - call->seconds;
    }
}

void torc_summary_add(const torc_summary_call *call)
{
    if (!torc_process_is_ours()) {
        return;
    }
    torc_brief_lock();
    summary_row *row = find_row(call->name, call->is_on_device);
    if (row) {
        add(row, call);
    }
    torc_brief_unlock();
}

/* ---- The table ---------------------------------------------------------------------------------------- */

static int compare_times(const void *x, const void *y)
{
    double a = ((const summary_row *)x)->seconds, b = ((const summary_row *)y)->seconds;
    return (a < b) - (a > b);
}

static void print_row(FILE *to, const summary_row *row)
{
    char in[32] = "-", out[32] = "-", spared[32] = "-", saved[32] = "-";
    if (row->has_traffic) {
        snprintf(in, sizeof in, "%.1f MB", 1e-6 * row->traffic.in);
        snprintf(out, sizeof out, "%.1f MB", 1e-6 * row->traffic.out);
        snprintf(spared, sizeof spared, "%.1f MB", 1e-6 * row->traffic.spared);
    }
    if (row->has_saved) {
        snprintf(saved, sizeof saved, "%.3f s", row->saved);
    }
    fprintf(to, "torc: %-33s %-9s %9llu %11.3f s %12s %12s %12s %13s\n", row->name,
        row->is_on_device ? "device" : "processor", row->calls, row->seconds, in, out, spared, saved);
}

void torc_summary_print(FILE *to)
{
    summary_row sorted[ROWS];
    torc_brief_lock();
    int count = nrows;
    memcpy(sorted, rows, sizeof rows);
    torc_brief_unlock();
    qsort(sorted, (size_t)count, sizeof *sorted, compare_times);
    if (count > 0) {
        fprintf(to, "torc: %-33s %-9s %9s %13s %12s %12s %12s %13s\n", "operation", "where", "calls", "time",
            "to device", "back", "spared", "saved about");
    }
    for (int i = 0; i < count; i++) {
        print_row(to, &sorted[i]);
    }
}
