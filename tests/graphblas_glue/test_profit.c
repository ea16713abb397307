/* Programs that gained are remembered, the newest first, as many as there is room for. */
#include "profit.h"
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/torc-programs-XXXXXX";

static void start(void)
{
    cr_assert_not_null(mkdtemp(folder));
}

static off_t size_of_list(void)
{
    char path[64];
    struct stat status;
    snprintf(path, sizeof path, "%s/programs", folder);
    return stat(path, &status) == 0 ? status.st_size : -1;
}

static void finish(void)
{
    char path[64];
    snprintf(path, sizeof path, "%s/programs", folder);
    unlink(path);
    rmdir(folder);
}

TestSuite(profit, .init = start, .fini = finish);

static void expect_recalled(uint64_t program, torc_profit expected)
{
    cr_expect_eq(torc_profit_recall(folder, program), expected);
}

Test(profit, the_last_run_of_a_program_counts)
{
    expect_recalled(7, TORC_PROFIT_UNKNOWN);
    cr_assert(torc_profit_remember(folder, 7, TORC_PROFIT_SOME));
    cr_assert(torc_profit_remember(folder, UINT64_MAX, TORC_PROFIT_SOME));
    cr_assert(torc_profit_remember(folder, 7, TORC_PROFIT_SOME));
    expect_recalled(7, TORC_PROFIT_SOME);
    expect_recalled(UINT64_MAX, TORC_PROFIT_SOME);
    expect_recalled(8, TORC_PROFIT_UNKNOWN);
    cr_assert(torc_profit_remember(folder, 7, TORC_PROFIT_NONE));
    expect_recalled(7, TORC_PROFIT_NONE);
    cr_assert(torc_profit_remember(folder, 7, TORC_PROFIT_LOSS));
    expect_recalled(7, TORC_PROFIT_LOSS);
    expect_recalled(UINT64_MAX, TORC_PROFIT_SOME);
}

Test(profit, a_file_that_may_not_grow_ends_no_program)
{
    struct rlimit before, none;
    cr_assert_eq(getrlimit(RLIMIT_FSIZE, &before), 0);
    none = (struct rlimit){0, before.rlim_max};
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &none), 0);
    bool is_written = torc_profit_remember(folder, 7, TORC_PROFIT_SOME);
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &before), 0);
    cr_expect_not(is_written);
    expect_recalled(7, TORC_PROFIT_UNKNOWN);
}

Test(profit, the_oldest_program_makes_room)
{
    off_t size = 0;
    for (uint64_t program = 1; program <= 300; program++) {
        torc_profit known = program % 2 ? TORC_PROFIT_SOME : TORC_PROFIT_NONE;
        cr_assert(torc_profit_remember(folder, program, known));
        expect_recalled(program, known);
        size = program == 200 ? size_of_list() : size;
    }
    cr_expect_eq(size_of_list(), size);
    expect_recalled(101, TORC_PROFIT_SOME);
    expect_recalled(100, TORC_PROFIT_UNKNOWN);
}

Test(profit, this_program_is_the_same_each_time)
{
    cr_expect_neq(torc_profit_program(), 0);
    cr_expect_eq(torc_profit_program(), torc_profit_program());
}

/* Opening takes 0.32 s, 0.02 on all processors. */
static torc_profit judge(torc_profit last_time, double gained, double hurdle)
{
    return torc_profit_judge(last_time, gained, hurdle, 0.32, 16);
}

Test(profit, more_than_all_processors_lose_by_opening_is_a_gain)
{
    for (torc_profit last = TORC_PROFIT_UNKNOWN; last <= TORC_PROFIT_SOME; last++) {
        cr_expect_eq(judge(last, 0.33, 1), TORC_PROFIT_SOME);
        cr_expect_eq(judge(last, 0.33, 2), TORC_PROFIT_LOSS);
        cr_expect_eq(judge(last, -1, 4), TORC_PROFIT_LOSS);
    }
    cr_expect_eq(judge(TORC_PROFIT_UNKNOWN, 0.019, 1), TORC_PROFIT_NONE);
    cr_expect_eq(judge(TORC_PROFIT_UNKNOWN, 0.021, 1), TORC_PROFIT_SOME);
    cr_expect_eq(judge(TORC_PROFIT_NONE, 0.021, 1), TORC_PROFIT_SOME);
    cr_expect_eq(judge(TORC_PROFIT_SOME, 0.019, 1), TORC_PROFIT_NONE);
}

Test(profit, a_program_that_lost_has_to_gain_as_much_as_opening_takes)
{
    cr_expect_eq(judge(TORC_PROFIT_LOSS, 0.31, 1), TORC_PROFIT_LOSS);
    cr_expect_eq(judge(TORC_PROFIT_LOSS, 0, 1), TORC_PROFIT_LOSS);
}
