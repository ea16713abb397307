/* A device that loses has to be predicted two, then four times as fast, until it gains again. */
#include "trial.h"
#include <criterion/criterion.h>

/* So many windows in each of which the CPU would take `times` as long as the device. */
static void pass_windows(torc_trial *trial, int count, double times)
{
    for (int i = 0; i < 4 * count; i++) {
        torc_trial_add(trial, times * TORC_TRIAL_WINDOW / 4, TORC_TRIAL_WINDOW / 4);
    }
}

Test(trial, two_lost_windows_say_nothing)
{
    torc_trial trial = {.hurdle = 1};
    pass_windows(&trial, 2, 0.5);
    pass_windows(&trial, 1, 2);
    pass_windows(&trial, 2, 0.5);
    cr_assert_eq(trial.hurdle, 1);
}

Test(trial, each_window_lost_after_that_doubles_the_hurdle_up_to_64)
{
    torc_trial trial = {.hurdle = 1};
    pass_windows(&trial, 3, 1.4);
    cr_assert_eq(trial.hurdle, 2);
    pass_windows(&trial, 1, 1.4);
    cr_assert_eq(trial.hurdle, 4);
    pass_windows(&trial, 10, 1.4);
    cr_assert_eq(trial.hurdle, 64);
}

Test(trial, windows_that_gain_much_lower_it_and_those_that_gain_little_do_not)
{
    torc_trial trial = {.hurdle = 1};
    pass_windows(&trial, 4, 1);
    pass_windows(&trial, 5, 2);
    cr_assert_eq(trial.hurdle, 4);
    pass_windows(&trial, 1, 3.5);
    cr_assert_lt(trial.hurdle, 4);
    pass_windows(&trial, 9, 3.5);
    cr_assert_eq(trial.hurdle, 1);
}

/* By what the device gains where it is predicted three times as fast. */
Test(trial, calls_that_are_refused_lower_it_once_they_would_have_gained_enough)
{
    torc_trial trial = {.hurdle = 1};
    pass_windows(&trial, 4, 1);
    cr_assert_eq(trial.hurdle, 4);
    int refused = 0;
    while (!torc_trial_lets(&trial, 0.003, 0.001)) {
        refused++;
    }
    cr_assert_eq(trial.hurdle, 2);
    cr_assert_geq(refused * 0.002, 4 * 2 * TORC_TRIAL_WINDOW);
    for (int i = 0; i < 1000; i++) {
        cr_assert(torc_trial_lets(&trial, 0.003, 0.001));
        cr_assert_not(torc_trial_lets(&trial, 0.001, 0.001), "the device is no faster");
    }
    cr_assert_eq(trial.hurdle, 2, "what is let through, or would gain nothing, tells nothing");
}

/* A second each, and predicted to take a third of that on the device, where they take half as long again. */
Test(trial, what_was_lost_has_to_be_gained_twice_before_the_device_is_tried_again)
{
    enum { CALLS = 200 };
    torc_trial trial = {.hurdle = 1};
    int lost = 0;
    for (int i = 0; i < CALLS; i++) {
        if (torc_trial_lets(&trial, 1, 1 / 3.)) {
            torc_trial_add(&trial, 1, 1.5);
            lost++;
        }
    }
    cr_expect(lost < CALLS / 8, "%d calls of %d", lost, CALLS);
    cr_expect_gt(lost, 4, "it is tried again");
}

Test(trial, calls_that_the_device_hardly_notices_count_as_gain)
{
    torc_trial trial = {.hurdle = 1};
    pass_windows(&trial, 4, 1);
    for (int i = 0; i < 100; i++) {
        torc_trial_add(&trial, TORC_TRIAL_WINDOW, 0);
    }
    cr_assert_eq(trial.hurdle, 1);
}

/* One long call is one window, however long: kernels that are compiled once do not end the trial. */
Test(trial, one_long_call_is_one_window)
{
    torc_trial trial = {.hurdle = 1};
    torc_trial_add(&trial, 0.001, 60);
    torc_trial_add(&trial, 0.001, 60);
    cr_assert_eq(trial.hurdle, 1);
}
