/* test_compile_absent.c: a machine without CUDA's run-time compiler. dlopen here finds no libnvrtc. */
#include "backend.h"
#include "compile.h"
#include <criterion/criterion.h>
#include <dlfcn.h>
#include <string.h>

static int refusals;

void *dlopen(const char *file, int flags)
{
    void *(*real)(const char *, int);
    void *address = dlsym(RTLD_NEXT, "dlopen");
    memcpy(&real, &address, sizeof address);
    bool is_nvrtc = file && strstr(file, "libnvrtc");
    refusals += is_nvrtc;
    return is_nvrtc ? NULL : real(file, flags);
}

Test(compile_absent, nothing_is_compiled_and_the_status_says_why)
{
    torc_image image;
    char log[TORC_LOG_SIZE];
    cr_expect_eq(torc_compile(&image, log, "", 90), TORC_NO_COMPILER);
    cr_expect_null(image.data);
    cr_expect_eq(torc_compiler_version(), 0);
    cr_expect_gt(refusals, 0, "nobody looked for libnvrtc through this dlopen");
}

Test(compile_absent, no_device_is_opened)
{
    torc_options options = TORC_OPTIONS_INIT;
    torc_device *device;
    torc_status status = torc_executor_cuda()->open(&device, &options);
    cr_expect_null(device);
    if (status == TORC_NO_DEVICE) {
        cr_skip_test("no GPU");
    }
    cr_expect_eq(status, TORC_NO_COMPILER);
}
