/* members.c: members are opened, closed, waited for and described; the joined executor's table. */
#include "joined_executor.h"
#include "joined.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What pays on GPUs: bench/results/2026-11-26-h100-x2-devices.csv, -bus.txt. A narrow product shared out by
 * rows is exchanged if it is the next one's operand: R-MAT 20 with 8 columns, 129M entries times columns, is
 * .89 times as fast then, R-MAT 24 with one, 263M, 1.84 times. Two GPUs that write to the same lines of host
 * memory, 16 and 32 bytes at a time, do so at .1 and 5 GB/s. */
enum { LEAST_COLUMNS = 8, LEAST_WORK = 1 << 27, LEAST_COPY = 1 << 20, LEAST_LINE = 128 };

/* ---- Which devices ------------------------------------------------------------------------------------ */

static bool is_all(const char *devices)
{
    return strcmp(devices, "all") == 0;
}

/* The list's next ordinal; *at goes on behind it. -1: it is no list of ordinals. */
static int next_ordinal(const char **at)
{
    char *rest;
    bool is_digit = **at >= '0' && **at <= '9';
    long ordinal = strtol(*at, &rest, 10);
    bool is_last = *rest == '\0';
    if (!is_digit || ordinal > INT_MAX || !(is_last || *rest == ',')) {
        return -1;
    }
    *at = is_last ? rest : rest + 1;
    return is_last || **at != '\0' ? (int)ordinal : -1;
}

bool torc_joined_is_list(const char *devices)
{
    bool is_list = *devices != '\0';
    if (is_all(devices)) {
        return true;
    }
    for (int count = 0; is_list && *devices != '\0'; count++) {
        is_list = count < TORC_JOINED_MEMBERS && next_ordinal(&devices) >= 0;
    }
    return is_list;
}

/* ---- Opening ------------------------------------------------------------------------------------------ */

static torc_status open_member(torc_joined *joined, const torc_options *options, int ordinal)
{
    torc_options own = *options;
    own.device = ordinal;
    torc_status status = joined->each->open(&joined->members[joined->count], &own);
    joined->count += status == TORC_SUCCESS;
    return status;
}

/* Those that can be opened: at least one. The reference executor has as many as anybody asks for: one. */
static torc_status open_all(torc_joined *joined, const torc_options *options)
{
    int most = options->backend == TORC_BACKEND_REFERENCE ? 1 : TORC_JOINED_MEMBERS;
    torc_status failed = TORC_NO_DEVICE;
    for (int ordinal = 0; ordinal < most; ordinal++) {
        torc_status status = open_member(joined, options, ordinal);
        failed = status == TORC_SUCCESS || status == TORC_NO_DEVICE ? failed : status;
    }
    return joined->count > 0 ? TORC_SUCCESS : failed;
}

static torc_status open_listed(torc_joined *joined, const torc_options *options)
{
    torc_status status = TORC_SUCCESS;
    for (const char *at = options->devices; *at != '\0' && status == TORC_SUCCESS;) {
        status = open_member(joined, options, next_ordinal(&at));
    }
    return status;
}

static void joined_close(torc_device *device)
{
    torc_joined *joined = torc_joined_of(device);
    for (int m = 0; m < joined->count; m++) {
        joined->each->close(joined->members[m]);
    }
    for (size_t b = 0; b < joined->nblocks; b++) {
        free(joined->blocks[b].spread);
    }
    free(joined->blocks);
    free(joined);
}

/* ---- All members -------------------------------------------------------------------------------------- */

torc_status torc_joined_note(torc_joined *joined, int member, torc_status status)
{
    if (status != TORC_SUCCESS) {
        snprintf(joined->text, sizeof joined->text, "%s", joined->each->error(joined->members[member]));
    }
    return status;
}

torc_status torc_joined_wait(torc_device *device)
{
    torc_joined *joined = torc_joined_of(device);
    torc_status status = TORC_SUCCESS;
    for (int m = 0; m < joined->count; m++) {
        torc_status finished = torc_joined_note(joined, m, joined->each->wait(joined->members[m]));
        status = status == TORC_SUCCESS ? finished : status;
    }
    return status;
}

static bool may_try_again(torc_status status)
{
    return status == TORC_NOT_COMPILED || status == TORC_COMPILE_ERROR || status == TORC_NO_COMPILER ||
           status == TORC_OUT_OF_MEMORY || status == TORC_UNSUPPORTED;
}

/* It waits for its kernel, which is on disk by then: what is done in part cannot be done again. */
torc_status torc_joined_launch_late(
    torc_joined *joined, int member, torc_joined_launch *launch, const void *argument)
{
    joined->each->defer_kernels(joined->members[member], false);
    torc_status status = torc_joined_note(joined, member, launch(joined, member, argument));
    joined->each->defer_kernels(joined->members[member], joined->defers_kernels);
    if (status != TORC_SUCCESS) {
        torc_joined_tear(joined);
    }
    return may_try_again(status) ? TORC_DEVICE_ERROR : status;
}

torc_status torc_joined_launch_first(
    torc_joined *joined, int member, torc_joined_launch *launch, const void *argument)
{
    torc_status status = torc_joined_note(joined, member, launch(joined, member, argument));
    return torc_joined_restore_on_error(joined, status);
}

torc_status torc_joined_launch_all(
    torc_joined *joined, const torc_joined_cut *cut, torc_joined_launch *launch, const void *argument)
{
    torc_status status = TORC_SUCCESS;
    bool is_first = true;
    for (int m = 0; m < joined->count && status == TORC_SUCCESS; m++) {
        if (cut && cut->at[m] == cut->at[m + 1]) {
            continue;
        }
        if (!is_first) {
            status = torc_joined_launch_late(joined, m, launch, argument);
        } else {
            status = torc_joined_launch_first(joined, m, launch, argument);
            is_first = false;
        }
    }
    return status;
}

/* The first member's, but for its name, which tells their number, and the least memory. */
static torc_status joined_info(torc_device_info *info, torc_device *device)
{
    torc_joined *joined = torc_joined_of(device);
    torc_device_info first;
    torc_status status = torc_joined_note(joined, 0, joined->each->info(&first, joined->members[0]));
    if (status == TORC_SUCCESS) {
        *info = first;
        snprintf(info->name, sizeof info->name, "%d x %.100s", joined->count, first.name);
    }
    for (int m = 1; m < joined->count && status == TORC_SUCCESS; m++) {
        torc_device_info own;
        status = torc_joined_note(joined, m, joined->each->info(&own, joined->members[m]));
        bool has_less = status == TORC_SUCCESS && own.memory_available < info->memory_available;
        info->memory_available = has_less ? own.memory_available : info->memory_available;
    }
    return status;
}

static const char *joined_error(torc_device *device)
{
    return torc_joined_of(device)->text;
}

static void joined_explain(torc_device *device, const char *text)
{
    torc_joined *joined = torc_joined_of(device);
    snprintf(joined->text, sizeof joined->text, "%s", text);
}

static void joined_defer_kernels(torc_device *device, bool defers)
{
    torc_joined *joined = torc_joined_of(device);
    joined->defers_kernels = defers;
    for (int m = 0; m < joined->count; m++) {
        joined->each->defer_kernels(joined->members[m], defers);
    }
}

/* The first member that has a part is the one that lacks a kernel: any may be. No text is kept: another
 * thread may use the device. */
static torc_status joined_compile(torc_device *device)
{
    torc_joined *joined = torc_joined_of(device);
    torc_status status = TORC_SUCCESS;
    for (int m = 0; m < joined->count && status == TORC_SUCCESS; m++) {
        status = joined->each->compile(joined->members[m]);
    }
    return status;
}

/* Memory that one member has pinned all can use. */
static torc_status joined_pin(torc_device *device, void *host, size_t size)
{
    torc_joined *joined = torc_joined_of(device);
    return joined->each->pin(joined->members[0], host, size);
}

static void joined_unpin(torc_device *device, void *host, size_t size)
{
    torc_joined *joined = torc_joined_of(device);
    joined->each->unpin(joined->members[0], host, size);
}

static bool joined_has_choice(torc_device *device)
{
    const torc_joined *joined = torc_joined_of(device);
    return joined->each->has_choice && joined->each->has_choice(joined->members[0]);
}

static void joined_remember(torc_device *device, const char *about, const char *text)
{
    torc_joined *joined = torc_joined_of(device);
    joined->each->remember(joined->members[0], about, text);
}

static bool joined_recall(char *text, size_t size, torc_device *device, const char *about)
{
    torc_joined *joined = torc_joined_of(device);
    return joined->each->recall(text, size, joined->members[0], about);
}

static const torc_executor joined_executor = {
    .name = "joined",
    .close = joined_close,
    .wait = torc_joined_wait,
    .info = joined_info,
    .error = joined_error,
    .explain = joined_explain,
    .defer_kernels = joined_defer_kernels,
    .compile = joined_compile,
    .allocate = torc_joined_allocate,
    .keep_on = torc_joined_keep_on,
    .release = torc_joined_release,
    .renew = torc_joined_renew,
    .pin = joined_pin,
    .unpin = joined_unpin,
    .upload = torc_joined_upload,
    .download = torc_joined_download,
    .gather = torc_joined_gather,
    .scatter = torc_joined_scatter,
    .upload_narrow = torc_joined_upload_narrow,
    .send = torc_joined_send,
    .set = torc_joined_set,
    .fetch = torc_joined_fetch,
    .fence = torc_joined_fence,
    .measure = torc_joined_measure,
    .cut_rows = torc_joined_cut_rows,
    .list_columns = torc_joined_list_columns,
    .transpose_csr = torc_joined_transpose_csr,
    .transpose_dense = torc_joined_transpose_dense,
    .pack_bits = torc_joined_pack_bits,
    .unpack_bits = torc_joined_unpack_bits,
    .mask_bits = torc_joined_mask_bits,
    .plan_tiles = torc_joined_plan_tiles,
    .plan_bricks = torc_joined_plan_bricks,
    .load = torc_joined_load,
    .spmm = torc_joined_spmm,
    .devices = torc_joined_devices,
    .shares = torc_joined_shares,
    .spmm_share = torc_joined_spmm_share,
    .has_choice = joined_has_choice,
    .constant_load = torc_joined_constant_load,
    .constant_multiply = torc_joined_constant_multiply,
    .constant_unload = torc_joined_constant_unload,
    .remember = joined_remember,
    .recall = joined_recall,
    .elementwise = torc_joined_elementwise,
    .reduce = torc_joined_reduce,
    .count = torc_joined_count,
    .build = torc_joined_build,
};

torc_status torc_joined_open(
    torc_device **device, const torc_executor **executor, const torc_options *options)
{
    *device = NULL;
    if (!torc_joined_is_list(options->devices)) {
        return TORC_INVALID_VALUE;
    }
    torc_joined *joined = calloc(1, sizeof *joined);
    if (!joined) {
        return TORC_OUT_OF_MEMORY;
    }
    bool is_for_tests = options->backend == TORC_BACKEND_REFERENCE; /* which share out what they can */
    joined->each = *executor;
    joined->only = -1;
    joined->least_columns = is_for_tests ? 1 : LEAST_COLUMNS;
    joined->least_work = is_for_tests ? 1 : LEAST_WORK;
    joined->least_line = is_for_tests ? 1 : LEAST_LINE;
    joined->least_copy = is_for_tests ? 1 : LEAST_COPY;
    torc_status status = is_all(options->devices) ? open_all(joined, options) : open_listed(joined, options);
    if (status != TORC_SUCCESS) {
        joined_close((torc_device *)(void *)joined);
        return status;
    }
    if (joined->count == 1) {
        *device = joined->members[0];
        free(joined);
        return TORC_SUCCESS;
    }
    *device = (torc_device *)(void *)joined;
    *executor = &joined_executor;
    return TORC_SUCCESS;
}
