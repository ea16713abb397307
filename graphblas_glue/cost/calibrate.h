/* calibrate.h: `torc calibrate`: measures all rates of this machine, on both sides, and keeps them. */
#ifndef TORC_CALIBRATE_H
#define TORC_CALIBRATE_H

#include <stdio.h>
#include <torc/graphblas.h>

/* GraphBLAS is initialised. Takes some seconds on an idle machine: other work would make SuiteSparse look
 * slow. Prints a table; where there is no device, a line that says so. Says too if the rates could not be
 * kept. 0: measured and kept. */
int torc_calibrate(FILE *table);

#endif
