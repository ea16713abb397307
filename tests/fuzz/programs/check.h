/* check.h: a program run on both sides and compared. */
#ifndef TORC_FUZZ_CHECK_H
#define TORC_FUZZ_CHECK_H

#include "program.h"

typedef struct program_check {
    bool is_same;
    bool is_abandoned; /* SuiteSparse itself made an object invalid in failed_step: there is nothing to
                          compare */
    int failed_step;   /* nsteps: at the end */
    char difference[400];
    int nrun, nskipped, formats; /* steps; objects in another format or iso at the end */
} program_check;

/* `is_left_out` names steps that are not run; NULL: none. */
void torc_program_check(program_check *check, const program *p, const bool *is_left_out);

#endif
