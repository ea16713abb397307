/* TORC_BURBLE=program tells, before the line of each call, where its operands are. */
#include "away_fixture.h"
#include "operations.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[] = "/tmp/torc-placement-XXXXXX";

static void start_telling(void)
{
    int file = mkstemp(path);
    cr_assert(file >= 0);
    close(file);
    setenv("TORC_LOG", path, 1);
    start();
    setenv("TORC_BURBLE", "program", 1);
}

static void finish(void)
{
    torc_glue_finish();
    unlink(path);
}

TestSuite(placement_line, .init = start_telling, .fini = finish);

/* The next lines of the log that are about calls, which the caller reads in order. */
static const char *next_line(FILE *log)
{
    static char line[1024];
    do {
        cr_assert_not_null(fgets(line, sizeof line, log));
    } while (!strstr(line, "; GrB_"));
    return line;
}

static void expect_placed(FILE *log, const char *operands)
{
    const char *line = next_line(log);
    char begin[200];
    int length = snprintf(begin, sizeof begin, "torc: placed; GrB_Vector_eWiseAdd; %s; predicted ", operands);
    cr_expect_eq(strncmp(line, begin, (size_t)length), 0, "%s, not %s", line, begin);
    cr_expect(strstr(line, " ms on the device, ") && strstr(line, " ms on the CPU\n"), "%s", line);
    line = next_line(log);
    cr_expect_eq(strncmp(line, "torc: device; GrB_Vector_eWiseAdd; ", 35), 0, "%s", line);
}

Test(placement_line, says_where_operands_were_before_the_call)
{
    GrB_Vector u = new_vector(1), v = new_vector(2), w = new_vector(3);
    GrB_Matrix A = (GrB_Matrix)u, B = (GrB_Matrix)v;
    torc_target target = {.name = "GrB_Vector_eWiseAdd", .C = (GrB_Matrix)w};
    torc_target sum = {.name = "GrB_Vector_eWiseAdd", .C = B, .accum = GrB_PLUS_FP64};
    cr_assert(torc_try_ewise(&target, TORC_EWISE_ADD, GrB_PLUS_FP64, A, B));
    cr_assert(torc_try_ewise(&target, TORC_EWISE_ADD, GrB_PLUS_FP64, A, (GrB_Matrix)w));
    cr_assert(torc_try_ewise(&sum, TORC_EWISE_ADD, GrB_PLUS_FP64, A, (GrB_Matrix)w));
    FILE *log = fopen(path, "r");
    cr_assert_not_null(log);
    expect_placed(log, "A home, 1.600 MB to send; B home, 1.600 MB to send");
    expect_placed(log, "A home, with a copy on the device; B away");
    expect_placed(log, "A home, with a copy on the device; B away; C home, with a copy on the device");
    fclose(log);
    GrB_Vector_free(&u);
    GrB_Vector_free(&v);
    GrB_Vector_free(&w);
}

Test(placement_line, tells_of_products_what_would_travel)
{
    GrB_Matrix A;
    GrB_Vector u = new_vector(1), w = new_vector(2);
    cr_assert_eq(GrB_Matrix_new(&A, GrB_FP64, SIZE, SIZE), GrB_SUCCESS);
    cr_assert_eq(GrB_Matrix_setElement_FP64(A, 2, 7, 9), GrB_SUCCESS);
    cr_assert_eq(torc_mxv(w, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, A, u, NULL), GrB_SUCCESS);
    FILE *log = fopen(path, "r");
    cr_assert_not_null(log);
    const char *line = next_line(log);
    const char *told[] = {"torc: placed; GrB_mxv; A sparse; B home, 1.600 MB to send; ", " MB back, ",
        " MB there; predicted ", " ms on the CPU\n"};
    for (size_t i = 0; i < sizeof told / sizeof *told; i++) {
        cr_expect(strstr(line, told[i]), "no %s in %s", told[i], line);
    }
    cr_expect(strstr(next_line(log), "; GrB_mxv plus_times fp64; "));
    fclose(log);
    GrB_Matrix_free(&A);
    GrB_Vector_free(&u);
    GrB_Vector_free(&w);
}

static double predicted_on_the_device(FILE *log)
{
    const char *line = next_line(log), *predicted = strstr(line, "; predicted ");
    cr_assert_not_null(predicted, "%s", line);
    next_line(log);
    return atof(predicted + strlen("; predicted "));
}

/* As is a square by eWiseMult. */
Test(placement_line, counts_an_operand_that_is_both_inputs_once)
{
    GrB_Vector u = new_vector(1), v = new_vector(2), w = new_vector(3), x = new_vector(4);
    torc_target target = {.name = "GrB_Vector_eWiseMult", .C = (GrB_Matrix)x};
    cr_assert(torc_try_ewise(&target, TORC_EWISE_MULT, GrB_TIMES_FP64, (GrB_Matrix)u, (GrB_Matrix)v));
    cr_assert(torc_try_ewise(&target, TORC_EWISE_MULT, GrB_TIMES_FP64, (GrB_Matrix)w, (GrB_Matrix)w));
    FILE *log = fopen(path, "r");
    cr_assert_not_null(log);
    double of_two = predicted_on_the_device(log), of_one = predicted_on_the_device(log);
    cr_expect_lt(of_one, .7 * of_two, "%g and %g ms", of_one, of_two);
    fclose(log);
    GrB_Vector_free(&u);
    GrB_Vector_free(&v);
    GrB_Vector_free(&w);
    GrB_Vector_free(&x);
}

static double predicted_on_the_cpu(FILE *log)
{
    const char *line = next_line(log), *predicted = strstr(line, " ms on the device, ");
    cr_assert_not_null(predicted, "%s", line);
    next_line(log);
    return atof(predicted + strlen(" ms on the device, "));
}

static GrB_Vector new_list(GrB_Index size)
{
    GrB_Vector list;
    cr_assert_eq(GrB_Vector_new(&list, GrB_FP64, size), GrB_SUCCESS);
    for (GrB_Index i = 0; i < 10; i++) {
        cr_assert_eq(GrB_Vector_setElement_FP64(list, (double)i, 100 * i), GrB_SUCCESS);
    }
    cr_assert_eq(GrB_Vector_wait(list, GrB_MATERIALIZE), GrB_SUCCESS);
    return list;
}

/* Two are multiplied where both have entries. What a call takes whatever it does is in each prediction, and
 * may be half of it on a machine with many processors. */
Test(placement_line, expects_the_cpu_to_walk_a_list)
{
    GrB_Vector u = new_vector(1), v = new_vector(2), w = new_vector(3), x = new_vector(4),
               list = new_list(SIZE);
    GrB_Matrix full = (GrB_Matrix)u, other = (GrB_Matrix)v, few = (GrB_Matrix)list;
    torc_target target = {.name = "GrB_Vector_eWiseMult", .C = (GrB_Matrix)w};
    torc_target sum = {.name = "GrB_Vector_eWiseMult", .C = (GrB_Matrix)x, .accum = GrB_PLUS_FP64};
    cr_assert(torc_try_ewise(&target, TORC_EWISE_MULT, GrB_TIMES_FP64, full, other));
    cr_assert(torc_try_ewise(&target, TORC_EWISE_MULT, GrB_TIMES_FP64, few, full));
    cr_assert(torc_try_ewise(&target, TORC_EWISE_MULT, GrB_TIMES_FP64, full, few));
    cr_assert(torc_try_ewise(&sum, TORC_EWISE_MULT, GrB_TIMES_FP64, full, few));
    cr_assert(torc_try_ewise(&target, TORC_EWISE_ADD, GrB_PLUS_FP64, full, few));
    FILE *log = fopen(path, "r");
    cr_assert_not_null(log);
    double of_all = predicted_on_the_cpu(log), of_list = 0;
    for (int i = 0; i < 3; i++) {
        double of_few = predicted_on_the_cpu(log);
        cr_expect_lt(of_few, of_all, "%d: %g and %g ms", i, of_few, of_all);
        of_list = fmax(of_list, of_few);
    }
    double of_union = predicted_on_the_cpu(log);
    cr_expect_gt(of_union, of_list, "%g and %g ms", of_union, of_list);
    fclose(log);
    GrB_Vector_free(&u);
    GrB_Vector_free(&v);
    GrB_Vector_free(&w);
    GrB_Vector_free(&x);
    GrB_Vector_free(&list);
}

/* A list beside a huge vector of one value. */
Test(placement_line, is_not_written_of_results_that_have_no_room)
{
    enum { HUGE_BITS = 40 };
    const GrB_Index size = (GrB_Index)1 << HUGE_BITS;
    GrB_Vector list = new_list(size), one, w;
    cr_assert_eq(GrB_Vector_new(&one, GrB_FP64, size), GrB_SUCCESS);
    cr_assert_eq(GrB_Vector_new(&w, GrB_FP64, size), GrB_SUCCESS);
    cr_assert_eq(GrB_Vector_assign_FP64(one, NULL, NULL, 3, GrB_ALL, size, NULL), GrB_SUCCESS);
    torc_target target = {.name = "GrB_Vector_eWiseMult", .C = (GrB_Matrix)w};
    cr_expect_not(
        torc_try_ewise(&target, TORC_EWISE_MULT, GrB_TIMES_FP64, (GrB_Matrix)list, (GrB_Matrix)one));
    FILE *log = fopen(path, "r");
    char line[1024];
    cr_assert_not_null(log);
    cr_expect_null(fgets(line, sizeof line, log), "%s", line);
    fclose(log);
    GrB_Vector_free(&list);
    GrB_Vector_free(&one);
    GrB_Vector_free(&w);
}
