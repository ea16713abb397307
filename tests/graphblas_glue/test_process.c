/* Whose process it is, in children of every kind. Each child tells by its exit status. */
#include "process.h"
#include <criterion/criterion.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int status_of(pid_t child)
{
    int status;
    cr_assert_gt(child, 0);
    cr_assert_eq(waitpid(child, &status, 0), child);
    return status;
}

Test(process, is_ours_in_a_child_of_fork_and_its_child)
{
    cr_assert(torc_process_is_ours());
    pid_t child = fork();
    if (child == 0) {
        bool is_ours = torc_process_is_ours();
        pid_t grandchild = fork();
        if (grandchild == 0) {
            _exit(!torc_process_is_ours());
        }
        int status;
        waitpid(grandchild, &status, 0);
        _exit(!is_ours || status != 0);
    }
    cr_expect_eq(status_of(child), 0);
    cr_expect(torc_process_is_ours());
}

Test(process, is_not_ours_in_a_child_of_raw_fork_nor_in_its_child)
{
    cr_assert(torc_process_is_ours());
    pid_t child = _Fork();
    if (child == 0) {
        bool is_ours = torc_process_is_ours();
        pid_t grandchild = fork();
        if (grandchild == 0) {
            _exit(torc_process_is_ours());
        }
        int status;
        waitpid(grandchild, &status, 0);
        _exit(is_ours || status != 0);
    }
    cr_expect_eq(status_of(child), 0);
    cr_expect(torc_process_is_ours());
}

/* Memory is the parent's in a child of vfork; a child of raw fork has nothing to leave. */
Test(process, is_left_by_itself_alone)
{
    cr_assert(torc_process_is_ours());
    pid_t child = vfork();
    if (child == 0) {
        _exit(torc_process_abandon());
    }
    cr_expect_eq(status_of(child), 0);
    cr_expect(torc_process_is_ours());
    child = _Fork();
    if (child == 0) {
        _exit(torc_process_abandon());
    }
    cr_expect_eq(status_of(child), 0);
    cr_expect(torc_process_abandon());
    cr_expect_not(torc_process_is_ours());
}

Test(process, is_ours_where_the_child_is_the_first_to_ask)
{
    pid_t child = _Fork();
    if (child == 0) {
        _exit(!torc_process_is_ours());
    }
    cr_expect_eq(status_of(child), 0);
}

static char calls[64];

static void note(const char *what)
{
    strcat(calls, what);
}

static void prepare_first(void)
{
    note("p1 ");
}

static void parent_first(void)
{
    note("q1 ");
}

static void child_first(void)
{
    note("c1 ");
}

static void prepare_second(void)
{
    note("p2 ");
}

static void child_second(void)
{
    note(torc_process_is_ours() ? "c2 " : "? ");
}

static const torc_fork_handlers first = {prepare_first, parent_first, child_first},
                                second = {.prepare = prepare_second, .child = child_second};

Test(process, handlers_are_called_as_those_of_pthreads_and_once)
{
    torc_process_at_fork(&first);
    torc_process_at_fork(&second);
    torc_process_at_fork(&first);
    pid_t child = fork();
    if (child == 0) {
        _exit(strcmp(calls, "p2 p1 c1 c2 ") != 0);
    }
    cr_expect_eq(status_of(child), 0);
    cr_expect_str_eq(calls, "p2 p1 q1 ");
}

Test(process, handlers_are_not_called_where_it_is_not_ours)
{
    torc_process_at_fork(&first);
    pid_t child = _Fork();
    if (child == 0) {
        pid_t grandchild = fork();
        if (grandchild == 0) {
            _exit(calls[0] != '\0');
        }
        int status;
        waitpid(grandchild, &status, 0);
        _exit(status != 0 || calls[0] != '\0');
    }
    cr_expect_eq(status_of(child), 0);
}
