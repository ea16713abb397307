/* test_experience.c: times of like calls replace predictions, on the CPU's side never below its bound. */
#include "experience.h"
#include <criterion/criterion.h>

static torc_call_kind kind_of(int64_t nvals, int64_t dense_entries, double allowed)
{
    static torc_view S, D, C;
    static torc_epilogue epilogue;
    S.nrows = S.ncols = 1000;
    S.nvals = nvals;
    S.format = TORC_SPARSE;
    D.nvals = dense_entries;
    D.format = C.format = TORC_FULL;
    epilogue.C = &C;
    torc_product product = {.semiring = {TORC_PLUS_MONOID, TORC_TIMES, TORC_FP64}, .sparse = &S, .dense = &D};
    product.result_view.ncols = 64;
    torc_circumstances circumstances = {.cpu.allowed = allowed};
    return torc_experience_kind(&product, &epilogue, &circumstances);
}

static torc_cost applied(torc_call_kind kind)
{
    torc_cost cost = {.cpu = 1, .gpu = 2};
    torc_experience_apply(&cost, &kind);
    return cost;
}

Test(experience, the_least_of_two_calls_on_the_cpu_counts_from_then_on)
{
    torc_call_kind kind = kind_of(5000, 64000, 1);
    torc_experience_note(&kind, false, 7);
    cr_expect_eq(applied(kind).cpu, 1, "one call may have paid for something else");
    torc_experience_note(&kind, false, 3);
    cr_expect_eq(applied(kind).cpu, 3);
    torc_experience_note(&kind, false, 0.9);
    cr_expect_eq(applied(kind).cpu, 1, "three calls do not show that it takes less than predicted");
    cr_expect_eq(applied(kind).gpu, 2);
    torc_experience_note(&kind, false, 0.5);
    cr_expect_eq(applied(kind).cpu, 0.5, "of four calls it counts where it is less than predicted, too");
    torc_experience_note(&kind, true, 0.5);
    torc_cost cost = {0};
    cr_expect_eq(torc_experience_apply(&cost, &kind), 4, "calls on the device are no calls on the CPU");
}

Test(experience, the_first_call_on_the_device_does_not_count_and_the_better_of_the_last_two_does)
{
    torc_call_kind kind = kind_of(5000, 64000, 1);
    torc_experience_note(&kind, true, 3);
    cr_expect_eq(applied(kind).gpu, 2);
    torc_experience_note(&kind, true, 4);
    cr_expect_eq(applied(kind).gpu, 2, "one call may have been disturbed");
    torc_experience_note(&kind, true, 50);
    cr_expect_eq(applied(kind).gpu, 4);
    torc_experience_note(&kind, true, 6);
    cr_expect_eq(applied(kind).gpu, 6);
    torc_experience_note(&kind, true, 7);
    cr_expect_eq(applied(kind).gpu, 6);
    cr_expect_eq(applied(kind).cpu, 1);
}

/* One round of a search is easy for the CPU, and the next ones are not. */
Test(experience, what_the_cpu_took_long_ago_does_not_count)
{
    torc_call_kind kind = kind_of(5000, 64000, 1);
    for (int i = 0; i < 4; i++) {
        torc_experience_note(&kind, false, 0.1);
    }
    cr_expect_eq(applied(kind).cpu, 0.1);
    torc_experience_note(&kind, false, 5);
    torc_experience_note(&kind, false, 6);
    cr_expect_eq(applied(kind).cpu, 5);
}

/* Else it would never be worth sending them for the calls to come. */
Test(experience, what_calls_took_that_sent_their_operands_is_mostly_sending)
{
    torc_call_kind kind = kind_of(5000, 64000, 1);
    for (int i = 0; i < 3; i++) {
        torc_experience_note(&kind, true, 61);
    }
    torc_cost cost = {.cpu = 20, .gpu = 70, .upfront = 60}, less = {.cpu = 20, .gpu = 70, .upfront = 65};
    torc_experience_apply(&cost, &kind);
    cr_expect_eq(cost.gpu, 61);
    cr_expect_eq(cost.upfront, 60);
    torc_experience_apply(&less, &kind);
    cr_expect_eq(less.upfront, 61, "all of it at most");
}

Test(experience, is_of_like_calls_only)
{
    torc_call_kind kind = kind_of(5000, 64000, 1), alike = kind_of(5000, 60000, 0.9);
    torc_call_kind sparser = kind_of(4999, 64000, 1), thinner = kind_of(5000, 30000, 1),
                   masked = kind_of(5000, 64000, 0.2), user = kind;
    user.multiply = TORC_USER;
    for (int i = 0; i < 3; i++) {
        torc_experience_note(&kind, true, 4);
        torc_experience_note(&user, true, 6);
    }
    cr_expect_neq(applied(alike).gpu, applied(kind).gpu, "0.9 is less than 1 by a doubling");
    alike = kind_of(5000, 60000, 1);
    cr_expect_eq(applied(alike).gpu, 4);
    cr_expect_eq(applied(sparser).gpu, 2);
    cr_expect_eq(applied(thinner).gpu, 2);
    cr_expect_eq(applied(masked).gpu, 2);
    cr_expect_eq(applied(user).gpu, 2);
}

Test(experience, is_of_calls_for_which_the_same_travels)
{
    torc_call_kind kind = kind_of(5000, 64000, 1), staying = kind, sending = kind;
    staying.result_stays = 1;
    sending.operands_there = 1;
    for (int i = 0; i < 3; i++) {
        torc_experience_note(&kind, true, 4);
    }
    cr_expect_eq(applied(kind).gpu, 4);
    cr_expect_eq(applied(staying).gpu, 2, "what came back does not travel");
    cr_expect_eq(applied(sending).gpu, 2);
    cr_expect_eq(torc_experience_number(&kind), torc_experience_number(&staying));
    cr_expect_eq(torc_experience_number(&kind), torc_experience_number(&sending));
}

/* A program of many kinds of calls comes back to each of them. */
Test(experience, a_hundred_kinds_are_remembered)
{
    int remembered = 0;
    for (int round = 0; round < 3; round++) {
        for (int64_t nvals = 1; nvals <= 100; nvals++) {
            torc_call_kind kind = kind_of(nvals, 64000, 1);
            torc_experience_note(&kind, true, 9);
        }
    }
    for (int64_t nvals = 1; nvals <= 100; nvals++) {
        remembered += applied(kind_of(nvals, 64000, 1)).gpu == 9;
    }
    cr_expect_geq(remembered, 95, "sets fill unevenly");
}
