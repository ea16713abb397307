/* compile_ahead.h: the device's cache filled on all processors with what a walk asks for one by one. */
#ifndef TORC_COMPILE_AHEAD_H
#define TORC_COMPILE_AHEAD_H

#include "kernel_cases.h"

void torc_compile_ahead(torc_device *device, const torc_kernel_cases *cases);

#endif
