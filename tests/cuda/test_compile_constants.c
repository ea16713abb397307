/* test_compile_constants.c: the run-time compiler takes products with their sparse matrix in their text,
 * without spills, and what cannot be in a text is refused. Without a GPU. */
#include "compile.h"
#include "constant_cases.h"
#include "constant_source.h"
#include <criterion/criterion.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ARCHITECTURE = 90 };

Test(compile_constants, every_case_compiles_without_warnings_or_spills)
{
    for (int which = 0; which < TORC_CONSTANT_CASES; which++) {
        torc_constant_kernel kernel = torc_constant_case(which);
        char *source, log[TORC_LOG_SIZE];
        torc_image image;
        cr_assert_eq(torc_constant_source(&source, &kernel), TORC_SUCCESS);
        cr_expect_eq(torc_compile(&image, log, source, ARCHITECTURE), TORC_SUCCESS, "case %d", which);
        cr_expect_str_eq(log, "", "case %d: %s", which, log);
        torc_image_release(&image);
        free(source);
    }
}

Test(compile_constants, texts_differ_by_structure_value_width_and_schedule)
{
    torc_constant_kernel kernel = torc_constant_case(1);
    char *source, *other;
    cr_assert_eq(torc_constant_source(&source, &kernel), TORC_SUCCESS);
    cr_assert_eq(torc_constant_source(&other, &kernel), TORC_SUCCESS);
    cr_expect_str_eq(source, other);
    free(other);
    float *values = (float *)kernel.values, before = values[20];
    values[20] = nextafterf(before, INFINITY);
    cr_assert_eq(torc_constant_source(&other, &kernel), TORC_SUCCESS);
    cr_expect_str_neq(source, other, "a value that differs in its last bit");
    free(other);
    values[20] = before;
    kernel.ncols++;
    cr_assert_eq(torc_constant_source(&other, &kernel), TORC_SUCCESS);
    cr_expect_str_neq(source, other);
    free(other);
    free(source);
}

Test(compile_constants, a_text_is_the_same_in_every_locale)
{
    torc_constant_kernel kernel = torc_constant_case(1);
    char *source, *other;
    cr_assert_eq(torc_constant_source(&source, &kernel), TORC_SUCCESS);
    if (!setlocale(LC_ALL, "de_DE.UTF-8") && !setlocale(LC_ALL, "fr_FR.UTF-8")) {
        cr_skip_test("no locale that writes 1,5");
    }
    cr_assert_eq(torc_constant_source(&other, &kernel), TORC_SUCCESS);
    cr_expect_str_eq(source, other);
    free(other);
    free(source);
}

Test(compile_constants, what_a_text_cannot_have_is_refused)
{
    char *source;
    torc_constant_kernel kernel = torc_constant_case(0);
    float *values = (float *)kernel.values, before = values[5];
    values[5] = INFINITY;
    cr_expect_eq(torc_constant_source(&source, &kernel), TORC_UNSUPPORTED);
    cr_expect_null(source);
    values[5] = NAN;
    cr_expect_eq(torc_constant_source(&source, &kernel), TORC_UNSUPPORTED);
    values[5] = before;
    int64_t ncols = kernel.ncols;
    kernel.ncols = INT64_C(65535) * kernel.threads; /* as many as a grid has blocks for */
    cr_expect_eq(torc_constant_source(&source, &kernel), TORC_SUCCESS);
    free(source);
    kernel.ncols++;
    cr_expect_eq(torc_constant_source(&source, &kernel), TORC_UNSUPPORTED);
    kernel.ncols = ncols;
    const torc_semiring refused[] = {{TORC_PLUS_MONOID, TORC_TIMES, TORC_INT32},
        {TORC_ANY_MONOID, TORC_TIMES, TORC_FP32}, {TORC_PLUS_MONOID, TORC_SECOND, TORC_FP32},
        {TORC_LOR_MONOID, TORC_GT, TORC_FP32}};
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        kernel.semiring = refused[i];
        cr_expect_eq(torc_constant_source(&source, &kernel), TORC_UNSUPPORTED, "semiring %zu", i);
    }
}
