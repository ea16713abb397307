/* user_algebra.h: an algebra of paths that the user gives as text (algebra_text.h): compiled for the CPU, and
 * handed to GraphBLAS with its source, from which a GPU's code can be made. */
#ifndef TORC_USER_ALGEBRA_H
#define TORC_USER_ALGEBRA_H

#include "algebra_text.h"
#include "path_algebra.h"

typedef struct torc_user_algebra {
    torc_algebra algebra;
    torc_algebra_text text;
    GrB_BinaryOp multiply;
    GrB_Monoid monoid;
    void *library; /* of dlopen */
} torc_user_algebra;

/* After GrB_init. false, with one line in error, where the text is none, or is not
 * accepted; release is due in both cases. */
bool torc_user_algebra_open(torc_user_algebra *user, const char *argument, char error[TORC_ALGEBRA_ERROR]);
void torc_user_algebra_release(torc_user_algebra *user);

#endif
