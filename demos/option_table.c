/* option_table.c: getopt_long does the reading; an entry's place in the two tables is its code. */
#include "option_table.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_OPTIONS = 32, FIRST_CODE = 256, HELP = 'h', VERSION };

static bool parse_integer(const torc_option *entry, const char *text)
{
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    *entry->integer = value;
    return errno == 0 && end != text && *end == '\0' && (double)value >= entry->least &&
           (double)value <= entry->most;
}

static bool parse_real(const torc_option *entry, const char *text)
{
    char *end;
    double value = strtod(text, &end);
    *entry->real = value;
    return end != text && *end == '\0' && value >= entry->least && value <= entry->most;
}

static bool take(const torc_option *entry, const char *text)
{
    if (entry->flag) {
        *entry->flag = true;
    } else if (entry->text) {
        *entry->text = text;
    } else {
        return entry->integer ? parse_integer(entry, text) : parse_real(entry, text);
    }
    return true;
}

int torc_options_parse(const torc_option *own, const torc_option *common, int argc, char **argv)
{
    struct option options[MOST_OPTIONS + 3] = {
        {"help", no_argument, NULL, HELP}, {"version", no_argument, NULL, VERSION}};
    const torc_option *entries[MOST_OPTIONS];
    int count = 0;
    for (int t = 0; t < 2; t++) {
        for (const torc_option *entry = t == 0 ? own : common; entry->name && count < MOST_OPTIONS; entry++) {
            options[count + 2] = (struct option){
                entry->name, entry->flag ? no_argument : required_argument, NULL, FIRST_CODE + count};
            entries[count++] = entry;
        }
    }
    for (int code; (code = getopt_long(argc, argv, "h", options, NULL)) != -1;) {
        if (code == HELP) {
            return TORC_OPTIONS_HELP;
        }
        if (code == VERSION) {
            return TORC_OPTIONS_VERSION;
        }
        if (code == '?') {
            return TORC_OPTIONS_WRONG; /* getopt_long has said why */
        }
        if (!take(entries[code - FIRST_CODE], optarg)) {
            fprintf(stderr, "%s: --%s %s: the value must be a number from %.10g to %.10g\n", argv[0],
                entries[code - FIRST_CODE]->name, optarg, entries[code - FIRST_CODE]->least,
                entries[code - FIRST_CODE]->most);
            return TORC_OPTIONS_WRONG;
        }
    }
    return optind;
}

void torc_options_print_version(void)
{
    printf("%s of torc " TORC_DEMO_VERSION "\n", program_invocation_short_name);
}

void torc_options_print(const torc_option *table)
{
    for (; table->name; table++) {
        int width = printf(
            "  --%s%s%s", table->name, table->argument ? " " : "", table->argument ? table->argument : "");
        printf("%*s%s", width < 20 ? 20 - width : 1, "", table->help);
        if (table->integer && *table->integer) {
            printf(" (%ld)", *table->integer);
        } else if (table->real) {
            printf(" (%g)", *table->real);
        }
        printf("\n");
    }
}
