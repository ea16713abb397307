/* semiring_handles.h: the semirings of the loaded GraphBLAS, found by making up every name. */
#ifndef TORC_SEMIRING_HANDLES_H
#define TORC_SEMIRING_HANDLES_H

#include <torc/graphblas.h>

typedef struct semiring_handle {
    char name[64];
    GrB_Semiring handle;
    bool is_standard; /* GrB_, not GxB_ */
    bool is_own;      /* made by GrB_Semiring_new, to be freed */
} semiring_handle;

typedef struct semiring_handles {
    semiring_handle *list;
    int count;
} semiring_handles;

/* All that are built in. */
semiring_handles torc_handles_built_in(void);

/* All that a program can make of a built-in monoid and a built-in operator that torc has, and that are not
 * built in. */
semiring_handles torc_handles_own(void);

void torc_handles_free(semiring_handles *handles);

#endif
