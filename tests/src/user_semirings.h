/* user_semirings.h: user-defined semirings that the tests walk: the same text is source and functions of the
 * host. All are exact on the values made here, whatever the order, so that every executor must give the same
 * bits. */
#ifndef TORC_TEST_USER_SEMIRINGS_H
#define TORC_TEST_USER_SEMIRINGS_H

#include <torc/torc.h>

typedef struct torc_user_case {
    const char *name;
    torc_semiring semiring;
    torc_type a_type, b_type; /* what A and B hold */
    void (*fill_a)(void *value, uint64_t *seed);
    void (*fill_b)(void *value, uint64_t *seed);
} torc_user_case;

enum { TORC_USER_CASES = 8 };
extern const torc_user_case torc_user_cases[TORC_USER_CASES];

/* `count` values. The caller frees them. */
void *torc_user_values(
    uint64_t *seed, torc_type type, void (*fill)(void *value, uint64_t *seed), size_t count);

#endif
