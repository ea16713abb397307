/* floor.h: the bytes that a product must move, whatever the kernel: what no kernel of its kind is faster than
 * the bandwidth for.
 *
 * compulsory: A, B and C each once. gather: a row of B for every entry of A, as without any reuse. */
#ifndef TORC_FLOOR_H
#define TORC_FLOOR_H

#include "problem.h"

typedef struct torc_floor {
    double compulsory, gather; /* bytes */
} torc_floor;

torc_floor torc_floor_of(const torc_problem *problem);

#endif
