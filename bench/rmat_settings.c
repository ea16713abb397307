#include "rmat_settings.h"
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

static void parse_widths(rmat_settings *settings, char *list)
{
    settings->nwidths = 0;
    for (char *width = strtok(list, ","); width && settings->nwidths < RMAT_MOST_WIDTHS;
         width = strtok(NULL, ",")) {
        settings->widths[settings->nwidths++] = atoll(width);
    }
}

bool rmat_settings_parse(rmat_settings *settings, int most_scale, int argc, char **argv)
{
    static const struct option names[] = {{"scale", required_argument, NULL, 's'},
        {"columns", required_argument, NULL, 'n'}, {"repeats", required_argument, NULL, 'r'},
        {"csv", required_argument, NULL, 'c'}, {0}};
    for (int name; (name = getopt_long(argc, argv, "", names, NULL)) != -1;) {
        switch (name) {
        case 's':
            settings->scale = atoi(optarg);
            break;
        case 'r':
            settings->repeats = atoi(optarg);
            break;
        case 'c':
            settings->csv = optarg;
            break;
        case 'n':
            parse_widths(settings, optarg);
            break;
        default:
            return false;
        }
    }
    bool is_good = settings->scale >= 1 && settings->scale <= most_scale && settings->repeats >= 1 &&
                   settings->repeats <= RMAT_MOST_REPEATS && settings->nwidths > 0 && optind == argc;
    for (int i = 0; i < settings->nwidths; i++) {
        is_good = is_good && settings->widths[i] >= 1;
    }
    return is_good;
}
