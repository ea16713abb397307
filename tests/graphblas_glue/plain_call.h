/* plain_call.h: a call without surprises, which a test makes its own by changing what it is about. */
#ifndef TORC_PLAIN_CALL_H
#define TORC_PLAIN_CALL_H

#include "call_operands.h"

/* C = A ⊕.⊗ B: A m×k sparse, B k×n full, C empty, all by row and of the semiring's type, with values whose
 * sums are exact; a built-in semiring; no mask, accumulator or descriptor. The mask's recipe is there to be
 * used. Nothing has to be freed. */
random_call torc_plain_call(torc_semiring semiring, GrB_Index m, GrB_Index k, GrB_Index n);

#endif
