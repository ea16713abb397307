/* print.h: a program as statements, which a person can turn into C. */
#ifndef TORC_FUZZ_PRINT_H
#define TORC_FUZZ_PRINT_H

#include "program.h"
#include <stdio.h>

void torc_step_print(FILE *out, int number, const program_step *s);
void torc_program_print(FILE *out, const program *p, const bool *is_left_out);

#endif
