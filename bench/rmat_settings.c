#include "rmat_settings.h"
#include "bench_number.h"
#include <getopt.h>
#include <string.h>

static bool parse_int(int *number, const char *text, int most)
{
    int64_t value;
    bool is_good = bench_number_parse(&value, text, most);
    *number = is_good ? (int)value : 0;
    return is_good;
}

static bool parse_widths(rmat_settings *settings, char *list)
{
    bool is_good = true;
    settings->nwidths = 0;
    for (char *width; is_good && (width = strsep(&list, ","));) {
        is_good = settings->nwidths < RMAT_MOST_WIDTHS &&
                  bench_number_parse(&settings->widths[settings->nwidths++], width, INT32_MAX);
    }
    return is_good;
}

bool rmat_settings_parse(rmat_settings *settings, int most_scale, int argc, char **argv)
{
    static const struct option names[] = {{"scale", required_argument, NULL, 's'},
        {"columns", required_argument, NULL, 'n'}, {"repeats", required_argument, NULL, 'r'},
        {"csv", required_argument, NULL, 'c'}, {0}};
    bool is_good = true;
    for (int name; is_good && (name = getopt_long(argc, argv, "", names, NULL)) != -1;) {
        switch (name) {
        case 's':
            is_good = parse_int(&settings->scale, optarg, most_scale);
            break;
        case 'r':
            is_good = parse_int(&settings->repeats, optarg, RMAT_MOST_REPEATS);
            break;
        case 'c':
            settings->csv = optarg;
            break;
        case 'n':
            is_good = parse_widths(settings, optarg);
            break;
        default:
            is_good = false;
        }
    }
    return is_good && optind == argc;
}
