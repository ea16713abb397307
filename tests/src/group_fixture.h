/* group_fixture.h: groups of reference devices. */
#ifndef TORC_GROUP_FIXTURE_H
#define TORC_GROUP_FIXTURE_H

#include <criterion/criterion.h>
#include <torc/group.h>

static const char *const group_devices[] = {"0", "0,1", "0,1,2", "0,1,2,3,4"};
enum { GROUPS = sizeof group_devices / sizeof group_devices[0] };

static inline torc_group *open_group(const char *devices)
{
    torc_group_options options = TORC_GROUP_OPTIONS_INIT;
    options.each.backend = TORC_BACKEND_REFERENCE;
    options.devices = devices;
    torc_group *group;
    cr_assert(torc_group_create(&group, &options) == TORC_SUCCESS);
    return group;
}

#endif
