/* user_semiring.h: semirings with user-defined parts, as the engine takes them; and a user-defined monoid or
 * operator alone.
 *
 * Their source is read at each call that is not too small (user_source.h). Operators without source are
 * refused, and so is a monoid made of a built-in operator that is no built-in monoid's. The built-in
 * multiplies of operator_source.h are handled here too. */
#ifndef TORC_USER_SEMIRING_H
#define TORC_USER_SEMIRING_H

#include "user_source.h"
#include "view.h"

/* May not be moved: it points into itself. */
typedef struct torc_user_semiring {
    torc_semiring semiring;
    torc_definition definition;
    GrB_Type x_type, y_type, z_type; /* handles: of multiply, and of add */
    char x_name[TORC_USER_NAME], y_name[TORC_USER_NAME], z_name[TORC_USER_NAME];
    char add_name[TORC_USER_NAME], multiply_name[TORC_USER_NAME];
    char *source;
} torc_user_semiring;

/* false: the engine cannot have it; *reason, a static string, says why. Then nothing is to be released. */
bool torc_user_semiring_read(
    torc_user_semiring *user, const char **reason, const torc_binding *graphblas, GrB_Semiring handle);

/* The same for one operator alone, a monoid's or a binary one. The other is NULL, and is TORC_USER_MONOID or
 * TORC_USER in the semiring. */
bool torc_user_operators_read(torc_user_semiring *user, const char **reason, const torc_binding *graphblas,
    GrB_BinaryOp add, GrB_BinaryOp multiply);
void torc_user_semiring_release(torc_user_semiring *user);

/* User-defined types are compatible only with themselves. */
bool torc_user_semiring_fits(
    const torc_user_semiring *user, const torc_view *A, const torc_view *B, const torc_view *C);

#endif
