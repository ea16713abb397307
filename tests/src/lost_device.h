/* lost_device.h: a reference device that has failed for good. */
#ifndef TORC_LOST_DEVICE_H
#define TORC_LOST_DEVICE_H

#include "members.h"
#include "reference.h"

static torc_status fail_copy(torc_device *device, const torc_lines *lines)
{
    (void)device;
    (void)lines;
    return TORC_DEVICE_ERROR;
}

static torc_status fail_wait(torc_device *device)
{
    (void)device;
    return TORC_DEVICE_ERROR;
}

static torc_status fail_spmm(torc_device *device, const torc_spmm_kernel *kernel, const torc_spmm_args *args)
{
    (void)device;
    (void)kernel;
    (void)args;
    return TORC_DEVICE_ERROR;
}

/* From now on. */
static inline void lose(torc_group *group, int member)
{
    static torc_executor lost;
    lost = *torc_executor_reference();
    lost.send = lost.fetch = fail_copy;
    lost.wait = fail_wait;
    lost.spmm = fail_spmm;
    group->members[member].context->executor = &lost;
}

#endif
