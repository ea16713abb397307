/* user_operations.h: element-wise operations with user-defined operators that the tests walk: the same text
 * is source and functions of the host, and exact. */
#ifndef TORC_TEST_USER_OPERATIONS_H
#define TORC_TEST_USER_OPERATIONS_H

#include <torc/elementwise.h>

enum { TORC_USER_OPERATIONS = 8, TORC_USER_SCALE = 7 /* x 2^y, on fp64 */ };
extern const torc_operation torc_user_operations[TORC_USER_OPERATIONS];

/* A monoid on values of so many bytes that shared memory has no room for a block's. */
extern const torc_reduction torc_large_reduction;

#endif
