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

Test(profit, programs_are_remembered_until_they_gain_nothing)
{
    cr_expect_not(torc_profit_is_remembered(folder, 7));
    cr_assert(torc_profit_remember(folder, 7, true));
    cr_assert(torc_profit_remember(folder, UINT64_MAX, true));
    cr_assert(torc_profit_remember(folder, 7, true));
    cr_expect(torc_profit_is_remembered(folder, 7));
    cr_expect(torc_profit_is_remembered(folder, UINT64_MAX));
    cr_expect_not(torc_profit_is_remembered(folder, 8));
    cr_assert(torc_profit_remember(folder, 7, false));
    cr_expect_not(torc_profit_is_remembered(folder, 7));
    cr_expect(torc_profit_is_remembered(folder, UINT64_MAX));
}

Test(profit, the_oldest_program_makes_room)
{
    off_t size = 0;
    for (uint64_t program = 1; program <= 300; program++) {
        cr_assert(torc_profit_remember(folder, program, true));
        cr_assert(torc_profit_is_remembered(folder, program));
        size = program == 200 ? size_of_list() : size;
    }
    cr_expect_eq(size_of_list(), size);
    cr_expect(torc_profit_is_remembered(folder, 101));
    cr_expect_not(torc_profit_is_remembered(folder, 100));
}

Test(profit, this_program_is_the_same_each_time)
{
    cr_expect_neq(torc_profit_program(), 0);
    cr_expect_eq(torc_profit_program(), torc_profit_program());
}
