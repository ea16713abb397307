/* group.c: several devices opened as one, a thread for each, and what happens to devices that fail. */
#include "members.h"
#include "own_thread.h"
#include "setting.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Which devices ------------------------------------------------------------------------------------ */

void torc_group_options_from_environment(torc_group_options *options)
{
    *options = (torc_group_options)TORC_GROUP_OPTIONS_INIT;
    torc_options_from_environment(&options->each);
    options->devices = torc_setting("TORC_DEVICES");
}

static bool is_all(const char *devices)
{
    return !devices || strcmp(devices, "all") == 0;
}

/* Ordinal number `number` of the list; -1: there are no more, or the list is none. */
static int ordinal_at(const char *devices, int number, bool *is_list)
{
    const char *at = devices;
    for (int i = 0;; i++) {
        char *rest;
        bool is_digit = *at >= '0' && *at <= '9';
        long ordinal = strtol(at, &rest, 10);
        *is_list = is_digit && ordinal <= INT_MAX && (*rest == '\0' || *rest == ',');
        if (!*is_list || i == number) {
            return *is_list ? (int)ordinal : -1;
        }
        if (*rest == '\0') {
            return -1;
        }
        at = rest + 1;
    }
}

/* ---- Opening ------------------------------------------------------------------------------------------ */

static void note_text(torc_group *group, int ordinal, const char *text)
{
    snprintf(group->text, sizeof group->text, "device %d: %s", ordinal, text);
}

static torc_status open_member(torc_group *group, const torc_options *each, int ordinal)
{
    torc_options options = *each;
    options.device = ordinal;
    if (group->count == TORC_GROUP_DEVICES) {
        return TORC_NO_DEVICE;
    }
    torc_member *member = &group->members[group->count];
    *member = (torc_member){.ordinal = ordinal, .slot = group->active};
    torc_status status = torc_context_create(&member->context, &options);
    if (status == TORC_SUCCESS) {
        group->count++;
        group->active++;
    }
    return status;
}

static torc_status open_all(torc_group *group, const torc_options *each)
{
    bool has_any_number = each->backend == TORC_BACKEND_REFERENCE;
    torc_status status = TORC_SUCCESS;
    for (int ordinal = 0; status == TORC_SUCCESS && !(has_any_number && ordinal == 1); ordinal++) {
        status = open_member(group, each, ordinal);
        if (status != TORC_SUCCESS && status != TORC_NO_DEVICE) {
            note_text(group, ordinal, torc_status_text(status));
        }
    }
    return status;
}

static torc_status open_listed(torc_group *group, const torc_group_options *options)
{
    bool is_list;
    torc_status first = TORC_SUCCESS;
    for (int i = 0, ordinal; (ordinal = ordinal_at(options->devices, i, &is_list)) >= 0; i++) {
        torc_status status = open_member(group, &options->each, ordinal);
        if (status != TORC_SUCCESS) {
            note_text(group, ordinal, torc_status_text(status));
            first = first == TORC_SUCCESS ? status : first;
        }
    }
    return is_list ? first : TORC_INVALID_VALUE;
}

torc_status torc_group_create(torc_group **group, const torc_group_options *options)
{
    const torc_group_options defaults = TORC_GROUP_OPTIONS_INIT;
    if (!group) {
        return TORC_NULL_POINTER;
    }
    *group = NULL;
    options = options ? options : &defaults;
    torc_group *opened = calloc(1, sizeof *opened);
    if (!opened) {
        return TORC_OUT_OF_MEMORY;
    }
    torc_status status =
        is_all(options->devices) ? open_all(opened, &options->each) : open_listed(opened, options);
    if (opened->count == 0 || status == TORC_INVALID_VALUE) {
        torc_group_destroy(opened);
        return status;
    }
    *group = opened;
    return TORC_SUCCESS;
}

void torc_group_destroy(torc_group *group)
{
    for (int m = 0; group && m < group->count; m++) {
        torc_context_destroy(group->members[m].context);
    }
    free(group);
}

/* ---- All at once -------------------------------------------------------------------------------------- */

typedef struct errand {
    torc_group *group;
    int member;
    torc_member_task *task;
    void *argument;
    torc_status status;
    pthread_t thread;
    bool has_thread;
} errand;

static void *run_errand(void *argument)
{
    errand *e = argument;
    e->status = e->task(e->group, e->member, e->argument);
    return NULL;
}

torc_status torc_group_each(torc_status *statuses, torc_group *group, torc_member_task *task, void *argument)
{
    int first = torc_group_first(group);
    torc_status failed = first < 0 ? TORC_DEVICE_ERROR : TORC_SUCCESS;
    errand *errands = calloc((size_t)(unsigned)group->count, sizeof *errands);
    if (!errands) {
        return TORC_OUT_OF_MEMORY;
    }
    for (int m = 0; m < group->count; m++) {
        errand *e = &errands[m];
        *e = (errand){.group = group, .member = m, .task = task, .argument = argument};
        if (m != first && !group->members[m].is_lost) {
            e->has_thread = torc_own_thread(&e->thread, TORC_LARGE_STACK, run_errand, e);
        }
    }
    for (int m = 0; m < group->count; m++) { /* also for those that the system has no thread for */
        if (!errands[m].has_thread && !group->members[m].is_lost) {
            run_errand(&errands[m]);
        }
    }
    for (int m = 0; m < group->count; m++) {
        if (errands[m].has_thread) {
            pthread_join(errands[m].thread, NULL);
        }
    }
    for (int m = 0; m < group->count; m++) {
        torc_status status = torc_group_note(group, m, errands[m].status);
        failed = failed == TORC_SUCCESS ? status : failed;
        if (statuses) {
            statuses[m] = status;
        }
    }
    free(errands);
    return failed;
}

torc_status torc_group_note(torc_group *group, int number, torc_status status)
{
    torc_member *member = &group->members[number];
    if (status == TORC_SUCCESS || member->is_lost) {
        return status;
    }
    const char *text = torc_context_error(member->context);
    note_text(group, member->ordinal, *text ? text : torc_status_text(status));
    if (status == TORC_DEVICE_ERROR && torc_context_wait(member->context) != TORC_SUCCESS) {
        member->is_lost = true;
        group->generation++;
        group->active = 0;
        for (int m = 0; m < group->count; m++) {
            group->members[m].slot = group->active;
            group->active += !group->members[m].is_lost;
        }
    }
    return status;
}

torc_status torc_group_refuse(torc_group *group, torc_status status, const char *reason)
{
    snprintf(group->text, sizeof group->text, "%s", reason);
    return status;
}

int torc_group_first(const torc_group *group)
{
    for (int m = 0; m < group->count; m++) {
        if (!group->members[m].is_lost) {
            return m;
        }
    }
    return -1;
}

/* ---- What is asked of a group ------------------------------------------------------------------------- */

int torc_group_size(const torc_group *group)
{
    return group ? group->active : 0;
}

torc_status torc_group_info(torc_device_info *info, torc_group *group, int number)
{
    if (!info || !group) {
        return TORC_NULL_POINTER;
    }
    for (int m = 0; m < group->count; m++) {
        if (!group->members[m].is_lost && group->members[m].slot == number) {
            return torc_group_note(group, m, torc_context_info(info, group->members[m].context));
        }
    }
    return TORC_INVALID_VALUE;
}

torc_status torc_group_wait(torc_group *group)
{
    torc_status failed = TORC_SUCCESS;
    for (int m = 0; group && m < group->count; m++) {
        if (!group->members[m].is_lost) {
            torc_status status = torc_group_note(group, m, torc_context_wait(group->members[m].context));
            failed = failed == TORC_SUCCESS ? status : failed;
        }
    }
    return group ? failed : TORC_NULL_POINTER;
}

const char *torc_group_error(const torc_group *group)
{
    return group ? group->text : "";
}
