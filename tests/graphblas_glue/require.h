/* require.h: what generators and models cannot go on without. They serve programs too, which have no
 * Criterion; a test in which it fails has crashed. */
#ifndef TORC_REQUIRE_H
#define TORC_REQUIRE_H

#include <stdio.h>
#include <stdlib.h>

/* Seconds for alarm() in a child that could wait for ever: no busy machine makes one so slow. */
enum { TORC_HANGING = 600 };

#define TORC_REQUIRE(condition)                                                                              \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition);                    \
            abort();                                                                                         \
        }                                                                                                    \
    } while (0)

#endif
