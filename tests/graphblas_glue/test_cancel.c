/* A thread that is cancelled while it is in torc leaves the call done, and every lock free. Cancellation is
 * pending when the thread calls, so that any point where threads are cancelled would do. */
#include "large_product.h"
#include <pthread.h>

TestSuite(cancel, .init = large_product_start, .fini = large_product_finish);

static void multiply(void)
{
    large_product_multiply();
}

static void release(void)
{
    torc_matrix_release(A);
}

static void *do_it_when_cancelled(void *data)
{
    void (*const *what)(void) = data;
    pthread_cancel(pthread_self());
    (*what)();
    pthread_testcancel();
    return NULL;
}

static void do_cancelled(void (*what)(void))
{
    pthread_t thread;
    void *result;
    cr_assert_eq(pthread_create(&thread, NULL, do_it_when_cancelled, &what), 0);
    pthread_join(thread, &result);
    cr_expect_eq(result, PTHREAD_CANCELED);
}

static void expect_done_and_done_again(void)
{
    cr_expect_eq(large_product_sum(), SUM);
    OK(GrB_Matrix_clear(C));
    OK(large_product_multiply());
    cr_expect_eq(large_product_sum(), SUM);
}

Test(cancel, amid_the_first_call_leaves_it_done)
{
    do_cancelled(multiply);
    expect_done_and_done_again();
}

Test(cancel, amid_a_later_call_leaves_it_done)
{
    OK(large_product_multiply());
    for (int i = 0; i < 3; i++) {
        OK(GrB_Matrix_clear(C));
        do_cancelled(multiply);
        expect_done_and_done_again();
    }
}

Test(cancel, amid_the_end_of_a_promise_and_of_the_session_leaves_no_lock)
{
    OK(torc_matrix_hold(A));
    OK(large_product_multiply());
    do_cancelled(release);
    do_cancelled(torc_session_close);
    expect_done_and_done_again();
}
