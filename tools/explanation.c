#include "explanation.h"

#include "json_writer.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name, *text;
    size_t place;
} terms[] = {
#define X(term, text) {#term, text, offsetof(torc_prediction, term)},
    TORC_TERM_MAP(X)
#undef X
};
enum { TERMS = sizeof terms / sizeof terms[0] };

static double term_of(const torc_prediction *time, int term)
{
    double value;
    memcpy(&value, (const char *)time + terms[term].place, sizeof value);
    return value;
}

static const torc_candidate *find(const torc_explanation *e, const char *name)
{
    int i = 0;
    while (strcmp(e->candidates[i].name, name) != 0) {
        i++;
    }
    return &e->candidates[i];
}

static int largest_term(const torc_prediction *time)
{
    int largest = 0;
    for (int term = 1; term < TERMS; term++) {
        largest = term_of(time, term) > term_of(time, largest) ? term : largest;
    }
    return largest;
}

static bool takes_the_least(const torc_explanation *e, const torc_candidate *chosen)
{
    for (int i = 0; i < e->count; i++) {
        if (e->candidates[i].time.seconds < chosen->time.seconds) {
            return false;
        }
    }
    return true;
}

/* Or did it allow none of the candidates? */
static bool obeys_rule(const torc_explanation *e, const torc_candidate *chosen)
{
    return torc_kernel_is_named(e->rule) ? strcmp(e->rule, chosen->name) == 0
                                         : torc_families[chosen->kernel.family].is_of_papers;
}

/* Why the chosen one. */
static void reason(char *text, size_t size, const torc_explanation *e)
{
    const torc_candidate *chosen = find(e, e->chosen);
    int term = largest_term(&chosen->time);
    int share = (int)(100 * term_of(&chosen->time, term) / chosen->time.seconds + .5);
    if (e->rule[0] && obeys_rule(e, chosen)) {
        snprintf(text, size, "TORC_KERNEL=%s", e->rule);
        return;
    }
    int written = e->rule[0] ? snprintf(text, size, "TORC_KERNEL=%s cannot compute this; ", e->rule) : 0;
    snprintf(text + written, size - (size_t)written, "%s; %d %% of its time %s",
        takes_the_least(e, chosen) ? "the least predicted time"
                                   : "ranks first of those predicted close to the least",
        share, terms[term].text);
}

/* What `torc tune` would compile, and what it would not. */
static void print_schedules(const torc_explanation *e)
{
    if (e->nschedules == 0) {
        return;
    }
    printf("\ncompiled in, which torc tune times: %d schedules\n", e->nschedules);
    for (int v = 0; v < TORC_VERDICT_COUNT; v++) {
        printf("%10d  %s\n", e->verdicts[v], torc_verdict_text((torc_verdict)v));
    }
    for (int i = 0; i < TORC_SHOWN_SCHEDULES && i < e->nkept; i++) {
        char name[TORC_SCHEDULE_NAME];
        torc_schedule_name(name, &e->schedules[i].schedule);
        printf("%-28s %12.2f  %d registers, %lld blocks\n", name, 1e6 * e->schedules[i].seconds,
            e->schedules[i].registers, (long long)e->schedules[i].blocks);
    }
}

void torc_explanation_print(const torc_explanation *e)
{
    char why[256];
    reason(why, sizeof why, e);
    printf("matrix   %s: %lld x %lld, %lld entries\n", e->path, (long long)e->rows.nrows,
        (long long)e->rows.ncols, (long long)e->rows.nnz);
    printf("rows     mean %.2f, standard deviation %.2f, longest %lld, %lld empty\n", e->rows.mean_row,
        e->rows.deviation_row, (long long)e->rows.max_row, (long long)e->rows.empty_rows);
    printf("columns  %.3f different ones an entry among %d consecutive entries, %.3f among %d; %.3f groups "
           "of %d "
           "among %d\n",
        e->rows.near_footprint, TORC_NEAR_WINDOW, e->rows.far_footprint, TORC_FAR_WINDOW,
        e->rows.sector_footprint, TORC_SECTOR_COLUMNS, TORC_RUN);
    printf("product  %s, N = %lld%s\n", e->semiring, (long long)e->ncols,
        e->is_packed ? ", 64 columns a word" : "");
    printf("device   %s%s, %d multiprocessors\n", e->is_assumed ? "none here; assumed: " : "", e->device,
        e->problem.device.multiprocessors);
    printf("floors   %.2f us if every byte moves once, %.2f us if every entry fetches a row of B, at %.1f "
           "TB/s\n",
        1e6 * e->compulsory, 1e6 * e->gather, 1e-12 * e->bandwidth);
    printf("\n%-28s %12s", "kernel", "predicted us");
    for (int term = 0; term < TERMS; term++) {
        printf(" %9s", terms[term].name);
    }
    printf("\n");
    for (int i = 0; i < e->count; i++) {
        const torc_candidate *candidate = &e->candidates[i];
        printf("%-28s %12.2f", candidate->name, 1e6 * candidate->time.seconds);
        for (int term = 0; term < TERMS; term++) {
            printf(" %9.2f", 1e6 * term_of(&candidate->time, term));
        }
        printf("\n");
    }
    print_schedules(e);
    printf("\nchosen   %s: %s\nyang     %s\nhuang    %s\n", e->chosen, why, e->yang, e->huang);
}

static void print_schedules_json(torc_json *json, const torc_explanation *e)
{
    torc_json_number(json, "schedules", e->nschedules);
    torc_json_number(json, "kept_schedules", e->nkept);
    torc_json_open(json, "compiled_in", '[');
    for (int i = 0; i < TORC_SHOWN_SCHEDULES && i < e->nkept; i++) {
        char name[TORC_SCHEDULE_NAME];
        torc_schedule_name(name, &e->schedules[i].schedule);
        torc_json_open(json, NULL, '{');
        torc_json_string(json, "kernel", name);
        torc_json_number(json, "predicted_us", 1e6 * e->schedules[i].seconds);
        torc_json_close(json, '}');
    }
    torc_json_close(json, ']');
}

void torc_explanation_print_json(const torc_explanation *e)
{
    char why[256];
    torc_json json = {0};
    reason(why, sizeof why, e);
    torc_json_open(&json, NULL, '{');
    torc_json_string(&json, "matrix", e->path);
    torc_json_number(&json, "rows", (double)e->rows.nrows);
    torc_json_number(&json, "columns", (double)e->rows.ncols);
    torc_json_number(&json, "entries", (double)e->rows.nnz);
    torc_json_number(&json, "mean_row", e->rows.mean_row);
    torc_json_number(&json, "deviation_row", e->rows.deviation_row);
    torc_json_number(&json, "longest_row", (double)e->rows.max_row);
    torc_json_number(&json, "empty_rows", (double)e->rows.empty_rows);
    torc_json_number(&json, "near_footprint", e->rows.near_footprint);
    torc_json_number(&json, "far_footprint", e->rows.far_footprint);
    torc_json_number(&json, "sector_footprint", e->rows.sector_footprint);
    torc_json_number(&json, "brick_footprint", e->rows.brick_footprint);
    torc_json_string(&json, "semiring", e->semiring);
    torc_json_number(&json, "n", (double)e->ncols);
    torc_json_string(&json, e->is_assumed ? "assumed_device" : "device", e->device);
    torc_json_number(&json, "multiprocessors", e->problem.device.multiprocessors);
    torc_json_number(&json, "compulsory_us", 1e6 * e->compulsory);
    torc_json_number(&json, "gather_us", 1e6 * e->gather);
    torc_json_open(&json, "candidates", '[');
    for (int i = 0; i < e->count; i++) {
        torc_json_open(&json, NULL, '{');
        torc_json_string(&json, "kernel", e->candidates[i].name);
        torc_json_number(&json, "predicted_us", 1e6 * e->candidates[i].time.seconds);
        for (int term = 0; term < TERMS; term++) {
            torc_json_number(&json, terms[term].name, 1e6 * term_of(&e->candidates[i].time, term));
        }
        torc_json_close(&json, '}');
    }
    torc_json_close(&json, ']');
    print_schedules_json(&json, e);
    torc_json_string(&json, "chosen", e->chosen);
    torc_json_string(&json, "reason", why);
    torc_json_string(&json, "yang", e->yang);
    torc_json_string(&json, "huang", e->huang);
    torc_json_close(&json, '}');
}
