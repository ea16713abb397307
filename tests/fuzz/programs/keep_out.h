/* keep_out.h: steps that are not to run, because SuiteSparse:GraphBLAS 7.4.0 itself answers wrongly or dies,
 * because two right answers would differ, or because they would take too long. */
#ifndef TORC_FUZZ_KEEP_OUT_H
#define TORC_FUZZ_KEEP_OUT_H

#include "objects.h"

bool torc_is_kept_out(const program *p, const program_state *state, const program_step *s);

/* May the step's answer, and what it writes, differ in values though both are right? */
bool torc_has_unsure_values(const program_state *state, const program_step *s);

#endif
