/* known_choice.c: what was found to be the fastest, kept beside compiled kernels by the content of A:
 *
 *     rows/parallel4/v4x8 constant/4x128/dealt
 *     rows/parallel4/v4x8 -
 *
 * First the fastest kernel that reads A; then the one that has A in its text, if that is faster.
 */
#include "tuner.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ABOUT_SIZE = 512, LINE_SIZE = 128 };

/* The key of a remembered choice: all that the choice depends on. */
static void write_about(char about[ABOUT_SIZE], const torc_tuner *t)
{
    uint64_t hash[2];
    torc_device_info info = {.name = ""};
    torc_context_info(&info, t->A->context);
    torc_host_matrix_hash(hash, &t->matrix, t->A);
    snprintf(about, ABOUT_SIZE,
        "the fastest of A %016llx %016llx, %s_%s on %s, N = %lld, precision %d, on %s",
        (unsigned long long)hash[0], (unsigned long long)hash[1], torc_monoid_name(t->semiring.add),
        torc_multiply_name(t->semiring.multiply), torc_type_name(t->semiring.type), (long long)t->C.ncols,
        (int)t->problem.precision, info.name);
}

void torc_tuner_remember(const torc_tuner *t)
{
    char about[ABOUT_SIZE], line[LINE_SIZE], general[TORC_KERNEL_NAME];
    write_about(about, t);
    torc_kernel_name(general, &t->fastest.kernel);
    snprintf(line, sizeof line, "%s %s", general,
        t->fastest.program ? t->tuning->timings[t->tuning->chosen].kernel : "-");
    t->A->context->executor->remember(t->A->context->device, about, line);
}

/* The candidate of that name. */
static bool find_kernel(torc_spmm_kernel *kernel, const torc_problem *problem, const char *name)
{
    torc_spmm_kernel *list = malloc(TORC_MAX_CANDIDATES * sizeof *list);
    int count = list ? torc_list_candidates(list, problem) : 0;
    bool is_found = false;
    for (int i = 0; i < count && !is_found; i++) {
        char own[TORC_KERNEL_NAME];
        torc_kernel_name(own, &list[i]);
        is_found = strcmp(own, name) == 0;
        *kernel = list[i];
    }
    free(list);
    return is_found;
}

bool torc_tuner_recall(torc_tuner *t)
{
    char about[ABOUT_SIZE], line[LINE_SIZE], general[LINE_SIZE], constant[LINE_SIZE];
    torc_schedule schedule;
    write_about(about, t);
    if (!t->A->context->executor->recall(line, sizeof line, t->A->context->device, about) ||
        sscanf(line, "%127s %127s", general, constant) != 2 ||
        !find_kernel(&t->fastest.kernel, &t->problem, general)) {
        return false;
    }
    if (strcmp(constant, "-") == 0) {
        return true;
    }
    return torc_schedule_parse(&schedule, constant) && torc_tuner_may_compile_in(t) &&
           torc_tuner_load(&t->fastest.program, t, &schedule) == TORC_SUCCESS && t->fastest.program;
}
