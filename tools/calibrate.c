/* calibrate.c: torc calibrate: measure this machine, for the choice between CPU and GPU. */
#include "tool.h"

#include "calibrate.h"

#include <stdlib.h>

/* The rates are those of the machine: libgomp, which comes with GraphBLAS, is to use all processors. */
int torc_tool_calibrate(void)
{
    unsetenv("OMP_NUM_THREADS");
    if (!torc_load_graphblas()) {
        fprintf(stderr, "torc: no GraphBLAS on the loader's path\n");
        return TORC_EXIT_FAILED;
    }
    return torc_calibrate(stdout) == 0 ? 0 : TORC_EXIT_FAILED;
}
