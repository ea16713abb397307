/* reproducer.h: a call as statements of C, its semiring and operators by name. */
#ifndef TORC_REPRODUCER_H
#define TORC_REPRODUCER_H

#include "random_call.h"

void torc_reproducer_print(const random_call *call);

#endif
