/* globals.h: options that tell what new objects are like. GraphBLAS has one set of them for both sides. */
#ifndef TORC_FUZZ_GLOBALS_H
#define TORC_FUZZ_GLOBALS_H

#include <GraphBLAS.h>

/* Of matrices of any shape. */
GrB_Info torc_globals_set_bitmap_switch(double value);

/* As they were when this was first called. */
void torc_globals_restore(void);

#endif
