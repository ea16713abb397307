/* shrink_program.c: see shrink_program.h. Each trial runs in a process of its own, since it may die there.
 * Runs of steps are left out, long ones first, then single ones until none can be spared. */
#include "shrink_program.h"
#include "check.h"
#include "print.h"
#include "program_work.h"
#include <string.h>

typedef struct trial {
    program program;
    bool is_left_out[MAX_STEPS];
    program_check check;
} trial;

static bool run_trial(void *data)
{
    trial *t = data;
    torc_program_check(&t->check, &t->program, t->is_left_out);
    return t->check.is_same;
}

/* Operators' handles are GraphBLAS's, which does not outlive a fork: it is drawn where it is begun. */
static bool draw_trial(void *data)
{
    trial *t = data;
    torc_program_draw(&t->program, t->program.seed);
    return true;
}

static bool fails_without(trial *t, int first, int count, fuzz_verdict verdict)
{
    bool kept[MAX_STEPS];
    memcpy(kept, t->is_left_out, sizeof kept);
    bool is_change = false;
    for (int i = first; i < first + count && i < t->program.nsteps; i++) {
        is_change |= !t->is_left_out[i];
        t->is_left_out[i] = true;
    }
    if (is_change && torc_fuzz_apart(&torc_program_work, run_trial, t, true) == verdict) {
        return true;
    }
    memcpy(t->is_left_out, kept, sizeof kept);
    return false;
}

static bool shrink_once(trial *t, int count, fuzz_verdict verdict)
{
    bool is_smaller = false;
    for (int last = t->program.nsteps; last > 0; last -= count) {
        is_smaller |= fails_without(t, last > count ? last - count : 0, last > count ? count : last, verdict);
    }
    return is_smaller;
}

void torc_shrink_program(fuzz_failure failure)
{
    trial *t = torc_fuzz_shared(sizeof *t);
    t->program.seed = failure.seed;
    torc_fuzz_apart(&torc_program_work, draw_trial, t, true);
    if (torc_fuzz_apart(&torc_program_work, run_trial, t, true) != failure.verdict) {
        printf("seed %llu alone does not fail\n", (unsigned long long)failure.seed);
        return;
    }
    if (failure.verdict != FUZZ_HUNG) {
        for (int count = t->program.nsteps / 2; count > 1; count /= 2) {
            shrink_once(t, count, failure.verdict);
        }
        while (shrink_once(t, 1, failure.verdict)) {
        }
    }
    torc_fuzz_apart(&torc_program_work, run_trial, t, true);
    printf("/* seed %llu, made smaller: %s */\n", (unsigned long long)failure.seed,
        failure.verdict == FUZZ_DIFFERENT ? t->check.difference
        : failure.verdict == FUZZ_DIED    ? "the process dies"
                                          : "it hangs");
    torc_program_print(stdout, &t->program, t->is_left_out);
}
