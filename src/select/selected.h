/* selected.h: selection with a memory: what was chosen for a product is kept with its sparse operand. */
#ifndef TORC_SELECTED_H
#define TORC_SELECTED_H

#include "selection.h"

/* What was found to be the fastest, where the rule is "" and that was measured; else the kernel that
 * torc_select_kernel gives, and how long it is predicted to take. `problem` is about A; its semiring may be
 * user-defined, which is never remembered: a definition's address says nothing of what it holds. */
torc_choice torc_selected(torc_sparse *A, const torc_problem *problem, const char *rule);

/* Have that product computed so from now on: by the program, where there is one and B and C have no gaps,
 * else by the kernel. It must not be known already. A has the program then, except on error; of TORC_CHOICES
 * the oldest gives way.
 *  TORC_OUT_OF_MEMORY: nothing was changed. */
torc_status torc_selected_set(torc_sparse *A, const torc_problem *problem, const torc_choice *choice);

/* Forget what was set for the product. The choice, and its program, are the caller's; false: there is none.
 */
bool torc_selected_take(torc_choice *choice, torc_sparse *A, const torc_problem *problem);

/* Give a program of A's context back, once nothing of it is queued. NULL is allowed. */
void torc_program_release(const torc_sparse *A, torc_constant_program *program);

#endif
