/* test_compile_absent.c: without CUDA's run-time compiler nothing is compiled, and without kernels installed
 * beside this program no device is opened. */
#include "backend.h"
#include "compile.h"
#include "no_nvrtc.h"
#include <criterion/criterion.h>

Test(compile_absent, nothing_is_compiled_and_the_status_says_why)
{
    torc_image image;
    char log[TORC_LOG_SIZE];
    cr_expect_eq(torc_compile(&image, log, "", 90), TORC_NO_COMPILER);
    cr_expect_null(image.data);
    cr_expect_eq(torc_compiler_version(), 0);
    cr_expect_gt(refused_libraries, 0, "nobody looked for libnvrtc through this dlopen");
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
