/* Programs that gained are remembered, the newest first, as many as there is room for. */
#include "cache_file.h"
#include "profit.h"
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
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
    cr_assert(torc_profit_remember(folder, 7, true));
    cr_assert(torc_profit_remember(folder, UINT64_MAX, true));
    cr_assert(torc_profit_remember(folder, 7, true));
    expect_recalled(7, TORC_PROFIT_SOME);
    expect_recalled(UINT64_MAX, TORC_PROFIT_SOME);
    expect_recalled(8, TORC_PROFIT_UNKNOWN);
    cr_assert(torc_profit_remember(folder, 7, false));
    expect_recalled(7, TORC_PROFIT_NONE);
    expect_recalled(UINT64_MAX, TORC_PROFIT_SOME);
}

Test(profit, the_oldest_program_makes_room)
{
    off_t size = 0;
    for (uint64_t program = 1; program <= 300; program++) {
        cr_assert(torc_profit_remember(folder, program, program % 2));
        expect_recalled(program, program % 2 ? TORC_PROFIT_SOME : TORC_PROFIT_NONE);
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
