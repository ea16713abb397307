/* A child that no handler of fork has told torc of multiplies as GraphBLAS alone, and its parent notices
 * nothing. */
#include "large_product.h"
#include "require.h"
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHANGED = SUM + 1000 };

TestSuite(raw_fork, .init = large_product_start, .fini = large_product_finish);

static double product(void)
{
    OK(large_product_multiply());
    return large_product_sum();
}

static void change(void)
{
    OK(GrB_Matrix_setElement_FP64(B, 1001, 0, 0));
    OK(GrB_Matrix_wait(B, GrB_MATERIALIZE));
}

static void expect_success(pid_t child)
{
    int status;
    cr_assert_gt(child, 0);
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_expect_eq(status, 0, "the child ends with %x", (unsigned)status);
}

Test(raw_fork, child_sees_what_it_writes)
{
    cr_assert_eq(product(), SUM);
    cr_assert_eq(product(), SUM);
    pid_t child = _Fork();
    if (child == 0) {
        alarm(TORC_HANGING);
        change();
        _exit(product() != CHANGED);
    }
    expect_success(child);
    cr_expect_eq(product(), SUM);
}

Test(raw_fork, child_hides_no_write_from_its_parent)
{
    cr_assert_eq(product(), SUM);
    cr_assert_eq(product(), SUM);
    change();
    pid_t child = _Fork();
    if (child == 0) {
        alarm(TORC_HANGING);
        _exit(product() != CHANGED);
    }
    expect_success(child);
    cr_expect_eq(product(), CHANGED);
}

Test(raw_fork, child_of_the_child_multiplies)
{
    cr_assert_eq(product(), SUM);
    pid_t child = _Fork();
    if (child == 0) {
        alarm(TORC_HANGING);
        pid_t grandchild = fork();
        if (grandchild == 0) {
            alarm(TORC_HANGING);
            _exit(product() != SUM);
        }
        int status = 1;
        waitpid(grandchild, &status, 0);
        _exit(status != 0);
    }
    expect_success(child);
}

static pthread_barrier_t step;

static void *have_the_locks(void *data)
{
    torc_session_lock();
    pthread_barrier_wait(&step);
    pthread_barrier_wait(&step);
    torc_session_release();
    return data;
}

/* Everything that a program may call. */
static void use_all_of_torc(void)
{
    torc_mxm_statistics statistics = TORC_MXM_STATISTICS_INIT;
    OK(torc_matrix_hold(A));
    cr_assert_eq(product(), SUM);
    OK(torc_matrix_release(A));
    OK(torc_mxm_statistics_get(&statistics));
    torc_free(torc_realloc(torc_malloc(4 << 20), 8 << 20));
    large_product_finish();
}

Test(raw_fork, child_waits_for_no_thread_of_its_parent)
{
    pthread_t thread;
    cr_assert_eq(product(), SUM);
    cr_assert_eq(pthread_barrier_init(&step, NULL, 2), 0);
    cr_assert_eq(pthread_create(&thread, NULL, have_the_locks, NULL), 0);
    pthread_barrier_wait(&step);
    pid_t child = _Fork();
    if (child == 0) {
        alarm(TORC_HANGING);
        use_all_of_torc();
        _exit(0);
    }
    expect_success(child);
    pthread_barrier_wait(&step);
    pthread_join(thread, NULL);
    cr_expect_eq(product(), SUM);
}
