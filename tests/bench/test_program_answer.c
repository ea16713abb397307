/* test_program_answer.c: what a checksum takes for the same answer, and what not. */
#include <criterion/criterion.h>

#include "bench_graphblas.h"
#include "program_answer.h"
#include "program_check.h"

enum { SIZE = 5 };

TestSuite(program_answer, .init = begin_graphblas, .fini = end_graphblas);

static bench_checksum checksum_of(const double value[SIZE], bench_kind kind, double bound)
{
    bench_answer answer = {.steps = 0};
    GrB_Vector vector;
    TRY(GrB_Vector_new(&vector, GrB_FP64, SIZE));
    for (GrB_Index v = 0; v < SIZE; v++) {
        if (value[v] >= 0) {
            TRY(GrB_Vector_setElement_FP64(vector, value[v], v));
        }
    }
    bench_answer_vector(&answer, &vector, kind)->bound = bound;
    bench_checksum checksum = bench_answer_checksum(&answer);
    bench_answer_free(&answer);
    return checksum;
}

static const double vector[SIZE] = {3, 1, 4, 1, -1}; /* -1: no entry */

Test(program_answer, exact_answers_have_the_same_values_in_the_same_places)
{
    const double other_value[SIZE] = {3, 1, 4.000001, 1, -1}, exchanged[SIZE] = {3, 4, 1, 1, -1};
    const double moved[SIZE] = {3, 1, 4, -1, 1};
    uint64_t exact = checksum_of(vector, BENCH_EXACT, 0).exact;
    cr_expect_eq(exact, checksum_of(vector, BENCH_EXACT, 0).exact);
    cr_expect_neq(exact, checksum_of(other_value, BENCH_EXACT, 0).exact);
    cr_expect_neq(exact, checksum_of(exchanged, BENCH_EXACT, 0).exact);
    cr_expect_neq(exact, checksum_of(moved, BENCH_EXACT, 0).exact);
}

Test(program_answer, structure_is_places_alone)
{
    const double other_value[SIZE] = {0, 9, 0, 2, -1}, moved[SIZE] = {3, 1, 4, -1, 1};
    uint64_t exact = checksum_of(vector, BENCH_STRUCTURE, 0).exact;
    cr_expect_eq(exact, checksum_of(other_value, BENCH_STRUCTURE, 0).exact);
    cr_expect_neq(exact, checksum_of(moved, BENCH_STRUCTURE, 0).exact);
}

/* A root 0; 1 and 2 below it, 3 below either of them. */
Test(program_answer, parents_are_the_same_where_depths_are)
{
    const double by_one[SIZE] = {0, 0, 0, 1, -1}, by_two[SIZE] = {0, 0, 0, 2, -1};
    const double deeper[SIZE] = {0, 0, 1, 2, -1}, in_a_circle[SIZE] = {0, 0, 3, 2, -1};
    const double nowhere[SIZE] = {0, 4, 0, 1, -1}; /* 4 was not reached */
    uint64_t exact = checksum_of(by_one, BENCH_PARENTS, 0).exact;
    cr_expect_eq(exact, checksum_of(by_two, BENCH_PARENTS, 0).exact);
    cr_expect_neq(exact, checksum_of(deeper, BENCH_PARENTS, 0).exact);
    cr_expect_neq(exact, checksum_of(in_a_circle, BENCH_PARENTS, 0).exact);
    cr_expect_neq(exact, checksum_of(nowhere, BENCH_PARENTS, 0).exact);
}

Test(program_answer, rounded_sums_agree_within_their_bound)
{
    const double bound = bench_sum_bound(0x1p-24, 1, 4), less = bound / 4, more = bound * 16;
    const double near[SIZE] = {3 * (1 + less), 1, 4 * (1 - less), 1, -1},
                 far[SIZE] = {3, 1, 4 * (1 + more), 1, -1};
    const double moved[SIZE] = {3, 1, 4, -1, 1};
    bench_checksum expected = checksum_of(vector, BENCH_ROUNDED, bound);
    cr_expect_float_eq(expected.sum, checksum_of(near, BENCH_ROUNDED, bound).sum, expected.bound);
    cr_expect_eq(expected.exact, checksum_of(near, BENCH_ROUNDED, bound).exact);
    cr_expect(!(checksum_of(far, BENCH_ROUNDED, bound).sum - expected.sum <= expected.bound));
    cr_expect_neq(expected.exact, checksum_of(moved, BENCH_ROUNDED, bound).exact);
}
