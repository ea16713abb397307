/* report.c: torc report FILE: the log of a run as a page. */
#include "tool.h"

#include "report_page.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

const char *const torc_lane_names[TORC_LANES] = {"products, device", "other, device", "products, CPU"};

static const char style[] =
    "body{font:15px/1.5 system-ui,sans-serif;color:#222;background:#fff;max-width:1090px;margin:2em "
    "auto;padding:0 1em}"
    "h1{font-size:1.5em;margin-bottom:0}h2{font-size:1.15em;margin:2em 0 .3em}p{margin:.2em 0 "
    ".8em;color:#555}"
    ".cards{display:flex;flex-wrap:wrap;gap:.8em;margin:1.2em 0}"
    ".card{border:1px solid #ddd;border-radius:6px;padding:.5em .9em;min-width:8em}"
    ".card b{display:block;font-size:1.35em}.card span{color:#555;font-size:.9em}"
    "svg{width:100%;height:auto;display:block}svg text{font:12px system-ui,sans-serif;fill:#333}"
    "svg .tick{text-anchor:middle;fill:#666}svg .name,svg .most{text-anchor:end}svg .most{fill:#666}"
    ".grid{stroke:#e6e6e6}.base{stroke:#999}"
    ".lane0,.strip0{fill:#1f6f9c}.lane1{fill:#6bb0d0}.lane2{fill:#c8602a}.strip1{fill:#8757a3}.strip2{fill:#"
    "5a9a5a}"
    "table{border-collapse:collapse;width:100%;font-size:.93em}th,td{padding:.25em .6em;text-align:right;"
    "border-bottom:1px solid #eee;font-variant-numeric:tabular-nums}th{border-color:#bbb;font-weight:600}"
    "th.t,td.t{text-align:left}code,pre{font-size:.88em;white-space:pre-wrap;overflow-wrap:anywhere}";

void torc_report_text(const char *text)
{
    for (; *text; text++) {
        switch (*text) {
        case '&':
            fputs("&amp;", stdout);
            break;
        case '<':
            fputs("&lt;", stdout);
            break;
        case '>':
            fputs("&gt;", stdout);
            break;
        case '"':
            fputs("&quot;", stdout);
            break;
        default:
            putchar(*text >= ' ' && *text < 127 ? *text : '?');
        }
    }
}

static void print_page(const torc_burble_log *log, const char *title)
{
    printf("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
           "<meta name=\"viewport\" content=\"width=device-width\">\n<title>torc report: ");
    torc_report_text(title);
    printf("</title>\n<style>%s</style>\n</head>\n<body>\n<h1>torc report</h1>\n<p>", style);
    torc_report_text(title);
    printf("</p>\n");
    if (log->ncalls > 0) {
        torc_report_cards(log);
        torc_report_charts(log);
    }
    torc_report_tables(log);
    printf("</body>\n</html>\n");
}

int torc_report(const char *path)
{
    torc_burble_log log;
    int status = 0;
    if (!torc_burble_log_read(&log, path)) {
        fprintf(stderr, "torc report: %s: %s\n", path, strerror(errno));
        status = TORC_EXIT_FAILED;
    } else if (log.ncalls == 0 && log.nnotes == 0) {
        fprintf(
            stderr, "torc report: %s: no line of torc; TORC_LOG=FILE torc run PROGRAM writes them\n", path);
        status = TORC_EXIT_FAILED;
    } else {
        print_page(&log, path);
    }
    torc_burble_log_free(&log);
    return status;
}
