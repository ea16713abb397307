#include "burble.h"
#include "c_locale.h"
#include "log.h"
#include "match.h"
#include "session.h"
#include <stdio.h>

enum { LINE = 1024, OPERAND = 160 };

static const char *format_name(torc_format format)
{
    switch (format) {
    case TORC_HYPERSPARSE:
        return "hypersparse";
    case TORC_SPARSE:
        return "sparse";
    case TORC_BITMAP:
        return "bitmap";
    default:
        return "full";
    }
}

static void describe(char *text, const char *name, const torc_view *view, bool is_transposed)
{
    torc_type type;
    if (!view || view->nvec < 0) {
        snprintf(text, OPERAND, "%s unread", name);
        return;
    }
    bool has_type = torc_match_type(&type, view->type);
    snprintf(text, OPERAND, "%s%s %lldx%lld %s by %s%s %s, %lld entries", name, is_transposed ? "'" : "",
        (long long)view->nrows, (long long)view->ncols, format_name(view->format),
        view->by_col ? "column" : "row", view->iso ? " iso" : "",
        has_type ? torc_type_name(type) : "other type", (long long)view->nvals);
}

void torc_burble(const torc_report *report)
{
    char a[OPERAND], b[OPERAND], semiring[64] = "other semiring", times[160] = "", traffic[160] = "",
                                 line[LINE];
    torc_c_locale locale = torc_c_locale_begin();
    describe(a, "A", report->A, report->transpose_a);
    describe(b, "B", report->B, report->transpose_b);
    if (report->semiring) {
        torc_semiring s = *report->semiring;
        snprintf(semiring, sizeof semiring, "%s_%s %s",
            s.add == TORC_USER_MONOID ? s.definition->add : torc_monoid_name(s.add),
            s.multiply == TORC_USER ? s.definition->multiply : torc_multiply_name(s.multiply),
            torc_type_name(torc_semiring_traits(s).x_type));
    }
    if (report->times) {
        const torc_times *t = report->times;
        snprintf(times, sizeof times, " (upload %.3f, multiply %.3f, finish %.3f)", 1e3 * t->upload,
            1e3 * t->multiply, 1e3 * t->finish);
    }
    if (report->traffic) {
        const torc_traffic *bytes = report->traffic;
        snprintf(traffic, sizeof traffic, "; %.3f MB to the device, %.3f MB back, %.3f MB spared%s",
            1e-6 * bytes->in, 1e-6 * bytes->out, 1e-6 * bytes->spared, report->stays ? "; result stays" : "");
    }
    snprintf(line, sizeof line, "torc: %s, %s; %s %s; %s; %s%s%s; %.3f ms%s%s; at %.6f s\n", report->where,
        report->why, report->name, semiring, a, b, report->has_mask ? "; mask" : "",
        report->has_accum ? "; accum" : "", 1e3 * report->seconds, times, traffic, torc_clock_age());
    torc_c_locale_end(locale);
    torc_log_write(line);
}

void torc_burble_dense(const char *name, double seconds)
{
    char line[LINE];
    torc_c_locale locale = torc_c_locale_begin();
    snprintf(
        line, sizeof line, "torc: device; %s; %.3f ms; at %.6f s\n", name, 1e3 * seconds, torc_clock_age());
    torc_c_locale_end(locale);
    torc_log_write(line);
}

void torc_burble_note(const char *text)
{
    if (torc_session_settings()->burble > TORC_LOG_NOTHING) {
        char line[LINE];
        snprintf(line, sizeof line, "torc: %s\n", text);
        torc_log_write(line);
    }
}
