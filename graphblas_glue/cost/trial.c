#include "trial.h"
#include "brief_lock.h"
#include "burble.h"
#include "c_locale.h"
#include "session.h"
#include <math.h>
#include <stdio.h>

enum { PATIENCE = 3, HIGHEST = 64 };

static torc_trial trial = {.hurdle = 1};
static double last_homecoming;

static void end_window(torc_trial *t)
{
    t->lost_in_a_row = 3 * t->device > 2 * t->cpu ? t->lost_in_a_row + 1 : 0;
    t->lost = t->lost_in_a_row > 0 ? t->lost + fmax(t->device - t->cpu, 0) : 0;
    if (t->lost_in_a_row >= PATIENCE) {
        t->hurdle = fmin(2 * t->hurdle, HIGHEST);
    } else if (3 * t->device < t->cpu) {
        t->hurdle = fmax(t->hurdle / 2, 1);
    }
    t->cpu = t->device = 0;
}

void torc_trial_add(torc_trial *t, double cpu, double device)
{
    t->cpu += cpu;
    t->device += device;
    if (t->device >= TORC_TRIAL_WINDOW || t->cpu >= 3 * TORC_TRIAL_WINDOW) {
        end_window(t);
    }
}

bool torc_trial_lets(torc_trial *t, double cpu, double device)
{
    bool lets = t->hurdle * device < cpu;
    if (!lets && device < cpu) {
        t->refused += cpu - device;
    }
    if (t->refused >= fmax(t->hurdle * 3 * TORC_TRIAL_WINDOW, 2 * t->lost)) {
        t->refused = 0;
        t->hurdle = fmax(t->hurdle / 2, 1);
    }
    return lets;
}

static void tell(const char *what, double hurdle)
{
    char text[100];
    torc_c_locale locale = torc_c_locale_begin();
    snprintf(text, sizeof text, "the device %s: calls run there if predicted %g times as fast", what, hurdle);
    torc_c_locale_end(locale);
    torc_burble_note(text);
}

/* The reference executor stands for a device, but is none: what it takes tells nothing. */
void torc_trial_note(double cpu, double device, double homecoming)
{
    if (torc_session_settings()->options.backend == TORC_BACKEND_REFERENCE) {
        return;
    }
    torc_brief_lock();
    double before = trial.hurdle;
    torc_trial_add(&trial, cpu, device + homecoming - last_homecoming);
    double hurdle = trial.hurdle;
    last_homecoming = homecoming;
    torc_brief_unlock();
    if (hurdle != before) {
        tell(hurdle > before ? "took too long" : "gains", hurdle);
    }
}

bool torc_trial_allows(double cpu, double device)
{
    torc_brief_lock();
    double before = trial.hurdle;
    bool allows = torc_trial_lets(&trial, cpu, device);
    double hurdle = trial.hurdle;
    torc_brief_unlock();
    if (hurdle != before) {
        tell("is tried again", hurdle);
    }
    return allows;
}

double torc_trial_hurdle(void)
{
    torc_brief_lock();
    double hurdle = trial.hurdle;
    torc_brief_unlock();
    return hurdle;
}
