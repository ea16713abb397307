/* joined_walk.h: a random walk through what a context does with dense matrices that stay on its device: the
 * same walk on one device and on several ends with the same bits. */
#ifndef TORC_JOINED_WALK_H
#define TORC_JOINED_WALK_H

#include <stdbool.h>
#include <stdint.h>
#include <torc/elementwise.h>

typedef struct joined_walk {
    uint64_t seed;
    int64_t n, columns; /* A is n x n, the dense matrices n x columns */
    int64_t row;        /* entries of each row of A, but of those that have none */
    int steps;
    torc_type type;
    torc_order order;
    int64_t padding; /* of lines */
    bool has_bitmap;
} joined_walk;

/* A checksum of all that the walk leaves and all that it read on the way. Fails the test on an error. */
uint64_t joined_walk_take(torc_context *context, const joined_walk *walk);

#endif
