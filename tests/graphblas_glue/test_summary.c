/* The table of TORC_BURBLE=summary: calls of an operation on a side are one row, with what they took and
 * saved. */
#include "summary.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static char *table(void)
{
    char *text = NULL;
    size_t length;
    FILE *to = open_memstream(&text, &length);
    cr_assert_not_null(to);
    torc_summary_print(to);
    fclose(to);
    return text;
}

Test(summary, of_nothing_is_empty)
{
    char *text = table();
    cr_expect_str_empty(text);
    free(text);
}

Test(summary, has_a_row_for_each_operation_and_side)
{
    const torc_traffic traffic = {2e6, 1e6, 5e5};
    const double cpu = 3;
    char other[] = "GrB_mxm"; /* another string, the same name */
    torc_summary_add(&(torc_summary_call){
        .name = "GrB_mxm", .is_on_device = true, .seconds = 1, .traffic = &traffic, .predicted_cpu = &cpu});
    torc_summary_add(&(torc_summary_call){
        .name = other, .is_on_device = true, .seconds = .5, .traffic = &traffic, .predicted_cpu = &cpu});
    torc_summary_add(&(torc_summary_call){.name = "GrB_mxm", .seconds = .25});
    torc_summary_add(&(torc_summary_call){.name = "GrB_apply", .is_on_device = true, .seconds = 2});
    char *text = table(), *line = strtok(text, "\n");
    const char *expected[] = {"torc: operation where calls time to device back spared saved about",
        "torc: GrB_apply device 1 2.000 s - - - -",
        "torc: GrB_mxm device 2 1.500 s 4.0 MB 2.0 MB 1.0 MB 4.500 s",
        "torc: GrB_mxm processor 1 0.250 s - - - -"};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++, line = strtok(NULL, "\n")) {
        char squeezed[256] = "";
        cr_assert_not_null(line);
        for (size_t from = 0, to = 0; line[from] && to < sizeof squeezed - 1; from++) {
            if (line[from] != ' ' || line[from + 1] != ' ') {
                squeezed[to++] = line[from];
            }
        }
        cr_expect_str_eq(squeezed, expected[i]);
    }
    cr_expect_null(line);
    free(text);
}

Test(summary, of_more_operations_than_it_has_places_keeps_the_first)
{
    static char names[200][8];
    for (int i = 0; i < 200; i++) {
        snprintf(names[i], sizeof names[i], "op%d", i);
        torc_summary_add(&(torc_summary_call){.name = names[i], .seconds = 1});
    }
    char *text = table();
    cr_expect_not_null(strstr(text, "op0 "));
    cr_expect_not_null(strstr(text, "op95 "));
    cr_expect_null(strstr(text, "op96 "));
    free(text);
}
