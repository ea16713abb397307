/* Threads with stacks that GraphBLAS alone can do with can call torc too: whatever takes more room has a
 * thread of its own, or memory from the heap. Sanitizers make every frame larger. NVIDIA's driver takes more
 * than such a stack has in its own calls: there the test is skipped, and docs/guide.md says so. */
#include "large_product.h"
#include "session.h"
#include <pthread.h>
#include <string.h>

/* CUDA's runtime, which is linked to tests, has 8 KiB of thread-local storage, aligned to pages, which glibc
 * takes from each stack. Programs load it (test_dropin_small_stack). */
enum { STACK = 48 << 10 };

static void start(void)
{
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
    cr_skip_test("sanitized");
#endif
    large_product_start();
    const char *reason;
    torc_context *context = torc_session_acquire(&reason, TORC_FOREVER);
    torc_device_info device = {.backend = ""};
    if (context) {
        torc_context_info(&device, context);
        torc_session_release();
    }
    if (strcmp(device.backend, "cuda") == 0) {
        cr_skip_test("the driver's own frames");
    }
    torc_session_close(); /* the first call is to open it */
}

static void *multiply(void *info)
{
    *(GrB_Info *)info = large_product_multiply();
    return NULL;
}

static void *end(void *unused)
{
    torc_session_close();
    return unused;
}

static void run_on(size_t stack, void *(*function)(void *), void *argument)
{
    pthread_t thread;
    pthread_attr_t attributes;
    cr_assert_eq(pthread_attr_init(&attributes), 0);
    cr_assert_eq(pthread_attr_setstacksize(&attributes, stack), 0);
    cr_assert_eq(pthread_create(&thread, &attributes, function, argument), 0);
    pthread_join(thread, NULL);
}

/* The first call, a later one, and the end. */
Test(small_stack, suffices_from_the_first_call_to_the_last, .init = start, .fini = large_product_finish)
{
    for (int i = 0; i < 2; i++) {
        GrB_Info info = GrB_PANIC;
        run_on(STACK, multiply, &info);
        cr_expect_eq(info, GrB_SUCCESS);
        cr_expect_eq(large_product_sum(), SUM);
    }
    run_on(STACK, end, NULL);
}
