/* user_semiring.h: semirings with user-defined parts, as the engine takes them.
 *
 * GraphBLAS keeps the C source that a program gives with GxB_Type_new and GxB_BinaryOp_new, and prints it
 * with the object: that is read, at each call that is not too small, since a handle may by now be another
 * object. So a call costs some 10 microseconds, and nothing can be stale. Every version prints; only later
 * ones have another way to ask. What came without source is not taken, nor is a monoid of a built-in operator
 * that makes no built-in monoid. Of built-in multiplies those of operator_source.h come this way too. */
#ifndef TORC_USER_SEMIRING_H
#define TORC_USER_SEMIRING_H

#include "view.h"

enum { TORC_USER_NAME = 128 };

/* May not be moved: it points into itself. */
typedef struct torc_user_semiring {
    torc_semiring semiring;
    torc_definition definition;
    GrB_Type x_type, y_type, z_type; /* handles: of multiply, and of add */
    char x_name[TORC_USER_NAME], y_name[TORC_USER_NAME], z_name[TORC_USER_NAME];
    char add_name[TORC_USER_NAME], multiply_name[TORC_USER_NAME];
    char *source;
} torc_user_semiring;

/* false: not one that the engine can have; *reason says why, a static string. Nothing is to be released then.
 */
bool torc_user_semiring_read(
    torc_user_semiring *user, const char **reason, const torc_binding *graphblas, GrB_Semiring handle);
void torc_user_semiring_release(torc_user_semiring *user);

/* User-defined types are compatible only with themselves. */
bool torc_user_semiring_fits(
    const torc_user_semiring *user, const torc_view *A, const torc_view *B, const torc_view *C);

/* The source does not compile: read refuses it from now on. */
void torc_user_semiring_refuse(const torc_user_semiring *user);

#endif
