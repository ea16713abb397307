/* members.h: the devices of a group, and work that is done on all of them at once. */
#ifndef TORC_MEMBERS_H
#define TORC_MEMBERS_H

#include "context.h"
#include <torc/group.h>

enum { TORC_GROUP_TEXT = 256, TORC_GROUP_DEVICES = 64 };

typedef struct torc_member {
    torc_context *context;
    int ordinal;
    bool is_lost;
    int slot; /* its number among those that are not lost */
} torc_member;

struct torc_group {
    int count;      /* of members, lost ones too */
    int active;     /* those that are not */
    int generation; /* how many were lost: dense operands of another one are too */
    torc_member members[TORC_GROUP_DEVICES];
    char text[TORC_GROUP_TEXT];
};

/* What is done for a member, on a thread of its own. */
typedef torc_status torc_member_task(torc_group *group, int member, void *argument);

/* Do the task on all members that are not lost, at once, for one of them in the calling thread, and
 * torc_group_note each status. Returns the first that is not TORC_SUCCESS. statuses: of each member, or NULL.
 */
torc_status torc_group_each(torc_status *statuses, torc_group *group, torc_member_task *task, void *argument);

/* A member returned that status: keep its text, and count it as lost if it cannot recover. Returns the
 * status. */
torc_status torc_group_note(torc_group *group, int member, torc_status status);

/* Say why an argument is refused. */
torc_status torc_group_refuse(torc_group *group, torc_status status, const char *reason);

/* The first member that is not lost; -1: there is none. */
int torc_group_first(const torc_group *group);

#endif
