/* calibrate.h: torc calibrate: measure all rates of this machine, both sides, and keep them. */
#ifndef TORC_CALIBRATE_H
#define TORC_CALIBRATE_H

#include <stdio.h>
#include <torc/graphblas.h>

/* Takes some seconds, on a machine that does nothing else: others' work would make SuiteSparse look slow.
 * GraphBLAS is initialised. Prints a table, or where there is no device, that alone, at once; and says where
 * the rates could not be kept. 0: measured and kept. */
int torc_calibrate(FILE *table);

#endif
