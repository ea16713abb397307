/* floor.h: the bytes that a product must move, whatever the kernel. Over the bandwidth, they are a lower
 * bound of its time.
 *
 *     compulsory    A, B and C each once
 *     gather        A and C once, and a row of B for every entry of A: the bound where nothing of B is used
 *                   again
 */
#ifndef TORC_FLOOR_H
#define TORC_FLOOR_H

#include "problem.h"

typedef struct torc_floor {
    double compulsory, gather; /* bytes */
} torc_floor;

torc_floor torc_floor_of(const torc_problem *problem);

#endif
