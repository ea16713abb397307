/* test_compile_kernels.c: the run-time compiler takes every kernel, without a GPU. */
#include "compile.h"
#include "kernel_cases.h"
#include "kernel_source.h"
#include "policy_cases.h"
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ARCHITECTURE = 90 };

/* Says what is wrong, if anything. */
static bool compiles(const torc_spmm_kernel *kernel)
{
    char source[TORC_SOURCE_SIZE], log[TORC_LOG_SIZE] = "", name[128];
    torc_image image = {NULL, 0};
    torc_status status = torc_kernel_source(source, kernel);
    if (status == TORC_SUCCESS) {
        status = torc_compile(&image, log, source, ARCHITECTURE);
    }
    bool is_good = status == TORC_SUCCESS && image.size > 4 && memcmp(image.data, "\177ELF", 4) == 0 &&
                   log[0] == '\0'; /* no warning: of spilled registers neither */
    if (!is_good) {
        torc_kernel_describe(name, kernel);
        fprintf(stderr, "%s: %s: %s\n", name, torc_status_text(status), log);
    }
    torc_image_release(&image);
    return is_good;
}

static void check_cases(torc_kernel_cases cases)
{
    int workers = (int)sysconf(_SC_NPROCESSORS_ONLN);
    for (int worker = 0; worker < workers; worker++) {
        if (fork() == 0) {
            int failures = 0;
            for (int i = worker; i < cases.count; i += workers) {
                failures += !compiles(&cases.kernels[i]);
            }
            _exit(failures != 0);
        }
    }
    for (int worker = 0; worker < workers; worker++) {
        int status;
        wait(&status);
        cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 0, "a worker met kernels that fail");
    }
    free(cases.kernels);
}

Test(compile_kernels, every_kernel_compiles_without_warnings_or_spills, .timeout = 600)
{
    torc_kernel_cases cases = torc_kernel_cases_build();
    cr_assert_gt(cases.count, 300);
    check_cases(cases);
}

Test(compile_kernels, every_policy_compiles_without_warnings_or_spills, .timeout = 600)
{
    check_cases(torc_policy_cases_build());
    check_cases(torc_packed_cases_build());
}

Test(compile_kernels, a_bad_source_is_a_compile_error_with_a_log)
{
    torc_image image;
    char log[TORC_LOG_SIZE];
    cr_expect_eq(torc_compile(&image, log, "no such thing", ARCHITECTURE), TORC_COMPILE_ERROR);
    cr_expect_null(image.data);
    cr_expect_neq(log[0], '\0');
    cr_expect_eq(torc_compile(&image, log, "", 1), TORC_COMPILE_ERROR, "no such architecture");
    cr_expect_neq(log[0], '\0');
}

Test(compile_kernels, a_value_that_the_kernel_lacks_is_a_compile_error)
{
    char source[TORC_SOURCE_SIZE], log[TORC_LOG_SIZE];
    torc_image image;
    torc_spmm_kernel kernel = {.semiring = {TORC_PLUS_MONOID, TORC_TIMES, TORC_FP32},
        .a_type = TORC_FP32,
        .b_type = TORC_FP32,
        .a_access = TORC_ACCESS_NONE,
        .b_access = TORC_ACCESS_ARRAY,
        .shape = {8, 4}};
    cr_assert_eq(torc_kernel_source(source, &kernel), TORC_SUCCESS);
    cr_expect_eq(torc_compile(&image, log, source, ARCHITECTURE), TORC_COMPILE_ERROR);
    kernel.semiring.type = TORC_TYPE_COUNT;
    cr_expect_eq(torc_kernel_source(source, &kernel), TORC_UNSUPPORTED);
}

Test(compile_kernels, keys_differ_by_source_and_architecture)
{
    char key[TORC_KEY_SIZE], other[TORC_KEY_SIZE];
    cr_assert(torc_compile_key(key, "a", 90));
    cr_assert(torc_compile_key(other, "a", 90));
    cr_expect_str_eq(key, other);
    cr_assert(torc_compile_key(other, "b", 90));
    cr_expect_str_neq(key, other);
    cr_assert(torc_compile_key(other, "a", 80));
    cr_expect_str_neq(key, other);
    cr_expect_geq(torc_compiler_version(), 1200);
}
