/* option_table.h: the long options of a program as a table, from which both parsing and --help follow.
 *
 * The table ends with an entry without a name. Exactly one of the four pointers of an entry is set; what it
 * points to holds the default and receives the value.
 */
#ifndef TORC_OPTION_TABLE_H
#define TORC_OPTION_TABLE_H

#include <stdbool.h>

typedef struct torc_option {
    const char *name, *argument; /* --name argument */
    const char *help;
    bool *flag;
    long *integer;
    double *real;
    const char **text;
    double least, most; /* of integer and real */
} torc_option;

/* What there is to do instead of going on. */
enum { TORC_OPTIONS_HELP = 0, TORC_OPTIONS_WRONG = -1, TORC_OPTIONS_VERSION = -2 };

/* Read argv with the entries of both tables. Returns the index of the first argument that is no option, or
 * one of these: --help, --version, or a wrong option, of which one line on standard error has told. */
int torc_options_parse(const torc_option *own, const torc_option *common, int argc, char **argv);

/* The answer to --version. */
void torc_options_print_version(void);

/* A line or two an entry. */
void torc_options_print(const torc_option *table);

#endif
