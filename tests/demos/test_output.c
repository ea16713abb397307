/* test_output.c: what the demos write for programs: JSON and SVG; and the options that they read. */
#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "json_writer.h"
#include "option_table.h"
#include "svg_plot.h"
#include "way_print.h"
#include "written_file.h"

Test(json, commas_indentation_and_escapes, .init = cr_redirect_stdout)
{
    torc_json json = {0};
    torc_json_open(&json, NULL, '{');
    torc_json_number(&json, "a", 0.5);
    torc_json_open(&json, "list", '[');
    torc_json_close(&json, ']');
    torc_json_open(&json, "b", '[');
    torc_json_string(&json, NULL, "quote \" back \\ tab \t \xe9");
    torc_json_number(&json, NULL, INFINITY);
    torc_json_close(&json, ']');
    torc_json_close(&json, '}');
    fflush(stdout);
    cr_assert_stdout_eq_str("{\n  \"a\": 0.5,\n  \"list\": [],\n  \"b\": [\n"
                            "    \"quote \\\" back \\\\ tab \\u0009 \\u00e9\",\n    null\n  ]\n}\n");
}

/* Each beside bytes that are nearly the same: cut short, too long a form, a surrogate, beyond the last. */
Test(json, utf8_stays_as_it_is_and_other_bytes_are_escaped, .init = cr_redirect_stdout)
{
    static const char *const texts[] = {"M\xc3\xbcller \xe4\xb8\xad \xf0\x9f\x90\xa7", "\xc3", "\xc0\xaf",
        "\xe4\xb8", "\xe0\x9f\xbf", "\xed\xa0\x80", "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf0\x9f\x90",
        "\xbf\xc3\xa9"};
    torc_json json = {0};
    torc_json_open(&json, NULL, '[');
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        torc_json_string(&json, NULL, texts[i]);
    }
    torc_json_close(&json, ']');
    fflush(stdout);
    cr_assert_stdout_eq_str("[\n  \"M\xc3\xbcller \xe4\xb8\xad \xf0\x9f\x90\xa7\",\n  \"\\u00c3\",\n"
                            "  \"\\u00c0\\u00af\",\n  \"\\u00e4\\u00b8\",\n  \"\\u00e0\\u009f\\u00bf\",\n"
                            "  \"\\u00ed\\u00a0\\u0080\",\n  \"\\u00f0\\u008f\\u00bf\\u00bf\",\n"
                            "  \"\\u00f4\\u0090\\u0080\\u0080\",\n  \"\\u00f0\\u009f\\u0090\",\n"
                            "  \"\\u00bf\xc3\xa9\"\n]\n");
}

Test(way, long_ways_are_shown_by_their_ends, .init = cr_redirect_stdout)
{
    torc_graph graph = {.nvertices = 12};
    uint64_t way[] = {11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0};
    torc_way_print(&graph, way + 3, 9);
    printf("\n");
    torc_way_print(&graph, way, 12);
    fflush(stdout);
    cr_assert_stdout_eq_str("1 -> 2 -> 3 -> 4 -> 5 -> 6 -> 7 -> 8 -> 9\n"
                            "1 -> 2 -> 3 -> 4 -> (4 more) -> 9 -> 10 -> 11 -> 12");
}

static int count(const char *text, const char *word)
{
    int found = 0;
    for (; (text = strstr(text, word)); text += strlen(word)) {
        found++;
    }
    return found;
}

Test(plot, bars_lines_and_values_that_a_logarithm_cannot_show)
{
    const double x[] = {0, 1, 2, 3}, y[] = {5, 0, 100, NAN};
    torc_plot plots[] = {
        {.title = "a < b & c", .x_title = "x", .y_title = "y", .x = x, .y = y, .count = 4, .has_bars = true},
        {.title = "log", .x_title = "x", .y_title = "y", .x = x, .y = y, .count = 4, .is_y_log = true},
        {.title = "empty", .x_title = "x", .y_title = "y"}};
    torc_written_file file = torc_file_write(".svg", "");
    cr_assert(torc_plot_write(file.path, plots, 3));
    static char text[65536];
    FILE *stream = fopen(file.path, "r");
    text[fread(text, 1, sizeof text - 1, stream)] = '\0';
    fclose(stream);
    torc_file_remove(&file);
    cr_expect_eq(count(text, "class=\"bar\""), 3);
    const char *line = strstr(text, "points=\"");
    cr_assert(line);
    int commas = 0;
    for (line += strlen("points=\""); *line != '"'; line++) {
        commas += *line == ',';
    }
    cr_expect_eq(commas, 2, "points of the line: %d", commas);
    cr_expect(strstr(text, "a &lt; b &amp; c"));
    cr_expect(!strstr(text, "nan") && !strstr(text, "inf"));
    cr_expect_eq(count(text, "<g "), count(text, "</g>"));
    cr_expect(!torc_plot_write("/nonexistent/plot.svg", plots, 1));
}

Test(options, values_are_read_and_bad_ones_refused, .init = cr_redirect_stderr)
{
    bool flag;
    long integer;
    double real;
    const char *text;
    const torc_option own[] = {{"flag", NULL, "", .flag = &flag},
        {"integer", "N", "", .integer = &integer, .least = 1, .most = 9}, {0}};
    const torc_option common[] = {
        {"real", "X", "", .real = &real, .least = 0, .most = 1}, {"text", "T", "", .text = &text}, {0}};
    const struct {
        const char *first, *second;
        int result;
    } cases[] = {{"--integer=7", "FILE", 2}, {"--flag", "FILE", 2}, {"--real=0.25", "--text=a", 3},
        {"--help", "FILE", 0}, {"--integer=0", "FILE", -1}, {"--integer=10", "FILE", -1},
        {"--integer=7x", "FILE", -1}, {"--real=nan", "FILE", -1}, {"--real=", "FILE", -1},
        {"--flag=1", "FILE", -1}, {"--unknown", "FILE", -1}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        char first[32], second[32];
        snprintf(first, sizeof first, "%s", cases[c].first);
        snprintf(second, sizeof second, "%s", cases[c].second);
        char *argv[] = {"demo", first, second, NULL};
        flag = false;
        integer = 5;
        real = 0.5;
        text = NULL;
        optind = 0; /* getopt begins again */
        int result = torc_options_parse(own, common, 3, argv);
        cr_expect_eq(result, cases[c].result, "%s %s: %d", cases[c].first, cases[c].second, result);
        cr_expect(c != 0 || integer == 7);
        cr_expect(c != 1 || flag);
        cr_expect(c != 2 || (real == 0.25 && strcmp(text, "a") == 0));
    }
}
