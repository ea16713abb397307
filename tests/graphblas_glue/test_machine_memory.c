/* Limits of control groups, in files as Linux has them, of both versions. */
#include "machine_memory.h"
#include <criterion/criterion.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char root[] = "/tmp/test_machine_memory-XXXXXX";

static void make_root(void)
{
    cr_assert_not_null(mkdtemp(root));
}

static void remove_root(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -r '%s'", root);
    cr_assert_eq(system(command), 0);
}

TestSuite(cgroup, .init = make_root, .fini = remove_root);

/* With the folders that it is in. */
static void write_file(const char *name, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", root, name);
    for (char *slash = strchr(path + strlen(root) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0700);
        *slash = '/';
    }
    FILE *file = fopen(path, "w");
    cr_assert(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

static size_t limit_of(const char *groups)
{
    char path[256];
    write_file("groups", groups);
    snprintf(path, sizeof path, "%s/groups", root);
    return torc_cgroup_memory(path, root);
}

Test(cgroup, of_version_2_is_held_to_the_least_around_it)
{
    write_file("memory.max", "max\n");
    write_file("slurm/memory.max", "3000000\n");
    write_file("slurm/job/memory.max", "4000000\n");
    write_file("slurm/job/step/memory.max", "max\n");
    write_file("other/memory.max", "7\n");
    cr_expect_eq(limit_of("0::/slurm/job/step\n"), 3000000);
    cr_expect_eq(limit_of("0::/slurm\n"), 3000000);
    cr_expect_eq(limit_of("0::/\n"), SIZE_MAX);
    cr_expect_eq(limit_of(""), SIZE_MAX);
}

/* In a container its own group is where the mount is, whatever the host calls it. */
Test(cgroup, of_version_1_may_have_a_path_that_is_not_mounted)
{
    write_file("memory/memory.limit_in_bytes", "5000000\n");
    write_file("cpu/memory.limit_in_bytes", "7\n");
    cr_expect_eq(limit_of("5:cpu,cpuacct:/docker/1\n4:hugetlb,memory:/docker/1\n0::/\n"), 5000000);
    cr_expect_eq(limit_of("5:cpu,cpuacct:/\n1:name=memory:/\n"), SIZE_MAX);
    cr_expect_eq(limit_of("1:cpu,memory_of_another_kind:/\n"), SIZE_MAX);
    write_file("memory/memory.limit_in_bytes", "9223372036854771712\n");
    cr_expect_eq(limit_of("4:memory:/\n"), 9223372036854771712u, "no limit, as version 1 says it");
}

Test(machine_memory, is_no_more_than_the_machine_has)
{
    size_t bytes = torc_machine_memory();
    cr_expect_gt(bytes, 1 << 20);
    cr_expect_leq(bytes, (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE));
    cr_expect_eq(torc_cgroup_memory("/nonexistent", "/nonexistent"), SIZE_MAX);
}
