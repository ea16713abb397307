/* test_deferred_kernel.c: a kernel goes to the thread that compiles it and comes back once, as do its errors.
 * No GPU. */
#include "compile.h"
#include "cuda_device.h"
#include <criterion/criterion.h>
#include <pthread.h>
#include <string.h>

static const char good[] = "extern \"C\" __global__ void one() {}", bad[] = "no C++",
                  other[] = "extern \"C\" __global__ void other() {}";

static torc_device device;

static void start(void)
{
    if (torc_compiler_version() == 0) {
        cr_skip_test("no NVRTC");
    }
    device = (torc_device){.info.compute_capability = 90, .cache.folder = -1, .installed.folder = -1};
    torc_deferred_open(&device);
}

static void finish(void)
{
    torc_deferred_close(&device);
}

TestSuite(deferred_kernel, .init = start, .fini = finish, .timeout = 300);

static torc_status take(const char *source)
{
    torc_image image = {NULL, 0};
    torc_status status = torc_deferred_take(&image, &device, source);
    cr_expect_eq(status == TORC_SUCCESS, image.size > 0);
    torc_image_release(&image);
    return status;
}

static void *compile(void *status)
{
    *(torc_status *)status = torc_cuda_compile(&device);
    return NULL;
}

static torc_status compile_in_a_thread(void)
{
    pthread_t thread;
    torc_status status;
    cr_assert_eq(pthread_create(&thread, NULL, compile, &status), 0);
    pthread_join(thread, NULL);
    return status;
}

Test(deferred_kernel, is_taken_once_when_it_is_compiled)
{
    cr_expect_eq(compile_in_a_thread(), TORC_SUCCESS, "nothing to compile");
    torc_deferred_ask(&device, good);
    cr_expect_eq(take(good), TORC_NOT_COMPILED);
    cr_expect_eq(compile_in_a_thread(), TORC_SUCCESS);
    cr_expect_eq(take(other), TORC_NOT_COMPILED);
    cr_expect_eq(take(good), TORC_SUCCESS);
    cr_expect_eq(take(good), TORC_NOT_COMPILED);
}

Test(deferred_kernel, keeps_its_place_until_it_is_compiled)
{
    torc_deferred_ask(&device, good);
    torc_deferred_ask(&device, other);
    cr_expect_eq(compile_in_a_thread(), TORC_SUCCESS);
    cr_expect_eq(take(other), TORC_NOT_COMPILED);
    torc_deferred_ask(&device, other);
    cr_expect_eq(take(good), TORC_NOT_COMPILED, "the next one has its place");
    cr_expect_eq(compile_in_a_thread(), TORC_SUCCESS);
    cr_expect_eq(take(other), TORC_SUCCESS);
}

Test(deferred_kernel, that_does_not_compile_fails_where_it_is_taken)
{
    torc_deferred_ask(&device, bad);
    cr_expect_eq(compile_in_a_thread(), TORC_COMPILE_ERROR);
    cr_expect_str_empty(device.error, "the error belongs to the thread that has the device");
    cr_expect_eq(take(bad), TORC_COMPILE_ERROR);
    cr_expect_not_null(strstr(device.error, "NVRTC"), "%s", device.error);
    cr_expect_eq(take(bad), TORC_NOT_COMPILED);
}
