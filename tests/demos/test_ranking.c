/* test_ranking.c: order, ties and what is left out. */
#include <criterion/criterion.h>

#include "ranking.h"

Test(ranking, the_highest_come_first_and_ties_go_to_the_smaller_vertex)
{
    const double score[] = {0.1, 0.5, 0.1, 0.9, 0.5, 0};
    torc_rank top[4];
    cr_assert_eq(torc_ranking_top(top, 4, score, 6, 99), 4);
    const uint64_t expected[] = {3, 1, 4, 0};
    for (int i = 0; i < 4; i++) {
        cr_expect_eq(top[i].vertex, expected[i], "place %d", i);
    }
    cr_expect_eq(top[0].score, 900000000);
}

Test(ranking, the_exception_and_scores_that_round_to_nothing_are_left_out)
{
    const double score[] = {0.1, 0.5, 0, -1, 4e-10};
    torc_rank top[5];
    cr_assert_eq(torc_ranking_top(top, 5, score, 5, 1), 1);
    cr_expect_eq(top[0].vertex, 0);
}

Test(ranking, a_difference_of_rounding_does_not_change_the_order)
{
    const double score[] = {0.3, 0.1 + 0.2};
    torc_rank top[2];
    cr_assert(score[1] > score[0]);
    cr_assert_eq(torc_ranking_top(top, 2, score, 2, 99), 2);
    cr_expect_eq(top[0].vertex, 0);
}
