/* shrink_program.h: a failing program without the steps that it fails without, printed. */
#ifndef TORC_SHRINK_PROGRAM_H
#define TORC_SHRINK_PROGRAM_H

#include "fuzz_pool.h"

void torc_shrink_program(fuzz_failure failure);

#endif
