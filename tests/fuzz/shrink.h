/* shrink.h: a smaller and plainer call that fails as a given one does, printed so that a person can type it
 * in.
 *
 * Plainer is less of anything: no mask, no accumulator, no flags of the descriptor, one dimension halved or
 * less by one, entries by row, not iso, not jumbled, no settings, small values, empty C. One change is tried
 * after another, each with a few fresh draws of the entries, and kept where the call still fails the same
 * way, until none is left that does. */
#ifndef TORC_SHRINK_H
#define TORC_SHRINK_H

#include "fuzz_pool.h"

void torc_shrink(fuzz_failure failure);

#endif
