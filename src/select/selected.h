/* selected.h: selection with a memory: what was chosen for a product is kept with its sparse operand. */
#ifndef TORC_SELECTED_H
#define TORC_SELECTED_H

#include "selection.h"

/* The kernel that torc_select_kernel gives, and how long it is predicted to take. `problem` is about A; its
 * semiring may be user-defined, which is never remembered: a definition's address says nothing of what it
 * holds. */
torc_choice torc_selected(torc_sparse *A, const torc_problem *problem, const char *rule);

#endif
