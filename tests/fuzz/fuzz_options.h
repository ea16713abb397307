/* fuzz_options.h: what the command line of a fuzzer says. */
#ifndef TORC_FUZZ_OPTIONS_H
#define TORC_FUZZ_OPTIONS_H

#include "fuzz_pool.h"

/* Changes what the plan says by default; `calls` is the name of the option that says how many. false: the
 * line is wrong, as standard error says. */
bool torc_fuzz_options_read(fuzz_plan *plan, const char *calls, int argc, char **argv);

#endif
