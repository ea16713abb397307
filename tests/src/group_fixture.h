/* group_fixture.h: groups of reference devices. */
#ifndef TORC_GROUP_FIXTURE_H
#define TORC_GROUP_FIXTURE_H

#include <criterion/criterion.h>
#include <torc/group.h>

static const char *const group_devices[] = {"0", "0,1", "0,1,2", "0,1,2,3,4"};
enum { GROUPS = sizeof group_devices / sizeof group_devices[0] };

/* limit: bytes that each device has; 0: as many as it wants. */
static inline torc_group *open_limited_group(const char *devices, size_t limit)
{
    torc_group_options options = TORC_GROUP_OPTIONS_INIT;
    options.each.backend = TORC_BACKEND_REFERENCE;
    options.each.memory_limit = limit;
    options.devices = devices;
    torc_group *group;
    cr_assert(torc_group_create(&group, &options) == TORC_SUCCESS);
    return group;
}

static inline torc_group *open_group(const char *devices)
{
    return open_limited_group(devices, 0);
}

#endif
