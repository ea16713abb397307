/* tuner.h: one search for the fastest kernel of one product. The files of this room share it. */
#ifndef TORC_TUNER_H
#define TORC_TUNER_H

#include "host_matrix.h"
#include "selected.h"

typedef struct torc_tuner {
    torc_sparse *A; /* or its transpose, in the order of rows that products take */
    torc_semiring semiring;
    torc_dense B, C;
    torc_problem problem;
    torc_tuning *tuning;
    torc_choice fastest;     /* of all so far, and its program */
    torc_host_matrix matrix; /* A, if it is small enough */
} torc_tuner;

/* Is there no such kernel, while another one may be there? */
static inline bool torc_tuner_lacks(torc_status status)
{
    return status == TORC_UNSUPPORTED || status == TORC_COMPILE_ERROR || status == TORC_NO_COMPILER;
}

/* time_kernels.c: B and C, in device memory, B with values. */
torc_status torc_tuner_make_operands(torc_tuner *t, int64_t ncols);
/* Time the product as `choice` says, whose program is the tuner's from here on: that of the slower one goes
 * back. */
torc_status torc_tuner_try(torc_tuner *t, torc_choice choice, const char *name, double predicted);
/* The kernel that selection takes, and the next by prediction, if they can be had. */
torc_status torc_tuner_time_general(torc_tuner *t);

/* compiled_in.c: may A be in a kernel's text, as far as the operand says? The executor knows which semirings
 * and values may. */
bool torc_tuner_may_compile_in(const torc_tuner *t);
/* The best schedules by prediction that may gain. */
torc_status torc_tuner_time_compiled_in(torc_tuner *t);
/* NULL where it cannot be had: another schedule may. */
torc_status torc_tuner_load(
    torc_constant_program **program, const torc_tuner *t, const torc_schedule *schedule);

/* known_choice.c: keep what is the fastest for later processes; is something known, and can be had? Then it
 * is the fastest. */
void torc_tuner_remember(const torc_tuner *t);
bool torc_tuner_recall(torc_tuner *t);

#endif
