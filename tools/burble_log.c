#include "burble_log.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char PREFIX[] = "torc: ";

/* One more place at the end of an array; NULL: no memory, and *array stays. */
static void *extend(void *array, size_t count, size_t size)
{
    bool is_full = (count & (count - 1)) == 0; /* 0, 1, 2, 4, ... */
    return is_full ? realloc(array, (count > 0 ? 2 * count : 1) * size) : array;
}

/* ---- A line ------------------------------------------------------------------------------------------- */

/* What a line says first: "cuda, REASON; GrB_mxm ..." of a product, "device; GrB_apply; ..." of another
 * operation. */
static bool read_side(torc_logged_call *call, const char *text)
{
    static const struct {
        const char *begin;
        torc_lane lane;
    } sides[] = {{"cuda, ", TORC_LANE_PRODUCT}, {"reference, ", TORC_LANE_PRODUCT}, {"cpu, ", TORC_LANE_CPU},
        {"device", TORC_LANE_OTHER}};
    const char *end = strstr(text, "; ");
    for (size_t i = 0; end && i < sizeof sides / sizeof *sides; i++) {
        size_t length = strlen(sides[i].begin);
        if (strncmp(text, sides[i].begin, length) == 0) {
            const char *name = end + 2, *why = text + length;
            call->lane = sides[i].lane;
            call->why = strndup(why, (size_t)(end - why));
            call->name = strndup(name, strcspn(name, " ;"));
            return true;
        }
    }
    return false;
}

/* The file may be anybody's. In seconds or MB: four months, and more than a machine has. */
static bool is_plausible(double amount)
{
    return amount >= 0 && amount < 1e7;
}

/* The numbers, field by field. A line of a version without the time at its end follows the one before. */
static bool read_numbers(torc_logged_call *call, const char *text, double previous_end)
{
    bool has_time = false;
    call->end = -1;
    for (const char *field = text; field; field = strstr(field, "; ") ? strstr(field, "; ") + 2 : NULL) {
        double value, in, out, spared;
        char unit[3] = "";
        if (sscanf(field, "%lf MB to the device, %lf MB back, %lf MB spared", &in, &out, &spared) == 3) {
            call->in = in;
            call->out = out;
            call->spared = spared;
        } else if (sscanf(field, "at %lf s", &value) == 1) {
            call->end = value;
        } else if (sscanf(field, "%lf %2s", &value, unit) == 2 && strcmp(unit, "ms") == 0) {
            call->seconds = 1e-3 * value;
            has_time = true;
        } else if (strncmp(field, "result stays", strlen("result stays")) == 0) {
            call->stays = true;
        }
    }
    call->end = call->end < 0 ? previous_end + call->seconds : call->end;
    return has_time && is_plausible(call->seconds) && is_plausible(call->end) && is_plausible(call->in) &&
           is_plausible(call->out) && is_plausible(call->spared);
}

static void free_call(torc_logged_call *call)
{
    free(call->text);
    free(call->name);
    free(call->why);
}

/* false: no memory. */
static bool add_line(torc_burble_log *log, const char *text)
{
    torc_logged_call call = {0};
    double previous_end = log->ncalls > 0 ? log->calls[log->ncalls - 1].end : 0;
    bool is_call = read_side(&call, text) && read_numbers(&call, text, previous_end);
    if (!is_call) {
        free_call(&call);
        char **notes = extend(log->notes, log->nnotes, sizeof *notes), *copy = strdup(text);
        if (notes) {
            log->notes = notes;
        }
        if (!notes || !copy) {
            free(copy);
            return false;
        }
        notes[log->nnotes++] = copy;
        return true;
    }
    torc_logged_call *calls = extend(log->calls, log->ncalls, sizeof *calls);
    call.text = strdup(text);
    if (calls) {
        log->calls = calls;
    }
    if (!calls || !call.text || !call.name || !call.why) {
        free_call(&call);
        return false;
    }
    calls[log->ncalls++] = call;
    return true;
}

/* ---- The file ----------------------------------------------------------------------------------------- */

static int compare_starts(const void *x, const void *y)
{
    const torc_logged_call *a = x, *b = y;
    double start_a = a->end - a->seconds, start_b = b->end - b->seconds;
    return (start_a > start_b) - (start_a < start_b);
}

bool torc_burble_log_read(torc_burble_log *log, const char *path)
{
    *log = (torc_burble_log){0};
    char *line = NULL;
    size_t size = 0;
    ssize_t length;
    FILE *file = fopen(path, "re");
    bool is_good = file;
    while (is_good && (length = getline(&line, &size, file)) >= 0) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, PREFIX, strlen(PREFIX)) == 0) {
            is_good = add_line(log, line + strlen(PREFIX));
        }
    }
    is_good = is_good && !ferror(file);
    free(line);
    if (file) {
        fclose(file);
    }
    if (log->ncalls > 0) {
        qsort(log->calls, log->ncalls, sizeof *log->calls, compare_starts);
    }
    return is_good;
}

void torc_burble_log_free(torc_burble_log *log)
{
    for (size_t i = 0; i < log->ncalls; i++) {
        free_call(&log->calls[i]);
    }
    for (size_t i = 0; i < log->nnotes; i++) {
        free(log->notes[i]);
    }
    free(log->calls);
    free(log->notes);
    *log = (torc_burble_log){0};
}
