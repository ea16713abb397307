/* selected.h: selection with a memory: what was chosen for a product is kept with its sparse operand. */
#ifndef TORC_SELECTED_H
#define TORC_SELECTED_H

#include "selection.h"

/* The fastest kernel, if the rule is "" and tuning has measured it, unless it needs a plan that the problem
 * lacks, or the problem is a part; else the one that torc_select_kernel gives, with its predicted time.
 * `problem` is about A. A choice for a user-defined semiring is not remembered, since the address of a
 * definition does not tell its content. */
torc_choice torc_selected(torc_sparse *A, const torc_problem *problem, const char *rule);

/* Compute that product by this choice from now on, whatever other plans A comes to have or to lack: by its
 * program, if it has one and B and C have no gaps, else by its kernel. No choice may be set for the product
 * yet. A owns the program then, except on error. If A has TORC_CHOICES already, the oldest is dropped.
 * TORC_OUT_OF_MEMORY: nothing was changed. */
torc_status torc_selected_set(torc_sparse *A, const torc_problem *problem, const torc_choice *choice);

/* Take back what was set for the product: the choice and its program are the caller's. false: there is none.
 */
bool torc_selected_take(torc_choice *choice, torc_sparse *A, const torc_problem *problem);

/* Release a program of A's context, once none of its work is queued. NULL is allowed. */
void torc_program_release(const torc_sparse *A, torc_constant_program *program);

#endif
