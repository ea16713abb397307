/* test_user_kernel.c: a semiring that `paths` is given as text, through the run-time compiler for GPUs. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <torc/torc.h>

#include "algebra_text.h"
#include "compile.h"
#include "kernel_source.h"

enum { ARCHITECTURE = 90, PATH_BYTES = 16 };

Test(user_kernel, the_lexicographic_text_is_device_code_too)
{
    char error[TORC_ALGEBRA_ERROR], definitions[4096], log[TORC_LOG_SIZE];
    static char source[TORC_SOURCE_SIZE];
    torc_algebra_text text;
    cr_assert(torc_algebra_text_read(&text, TORC_LEXICOGRAPHIC, error), "%s", error);
    snprintf(definitions, sizeof definitions, "%s\n%s\n%s\n", text.type, text.add, text.multiply);
    torc_user_type path = {torc_opaque_type(PATH_BYTES), "path"};
    torc_definition definition = {.source = definitions,
        .add = "path_add",
        .multiply = "path_multiply",
        .x = path,
        .y = path,
        .z = path};
    torc_spmm_kernel kernel = {.semiring = {TORC_USER_MONOID, TORC_USER, .definition = &definition},
        .a_type = path.type,
        .b_type = path.type,
        .a_access = TORC_ACCESS_ARRAY,
        .b_access = TORC_ACCESS_ARRAY,
        .shape = {8, 1}};
    torc_image image;
    cr_assert_eq(torc_spmm_source(source, &kernel), TORC_SUCCESS);
    torc_status status = torc_compile(&image, log, source, ARCHITECTURE);
    cr_expect(status == TORC_SUCCESS, "%s: %s", torc_status_text(status), log);
    torc_image_release(&image);
    torc_algebra_text_release(&text);
}
