/* Dense calls that are predicted to be faster on the device wait for products that are on the CPU yet. */
#include "dense_cost.h"
#include <criterion/criterion.h>

/* A loop's dense calls stay with its products, a phase without products does not. */
Test(dense_cost, calls_wait_for_products_until_none_has_come_for_64_of_them)
{
    const torc_dense_cost cost = {.seconds = {.gpu = .001, .cpu = 1}},
                          away = {.seconds = {.gpu = .001, .cpu = 1}, .fetch = .5};
    const torc_dense_plan plan = {.ncols = 1};
    cr_assert(torc_dense_is_worth_it(&cost, &plan));
    for (int product = 0; product < 3; product++) {
        torc_dense_expect_products(true);
        for (int i = 0; i < 64; i++) {
            cr_assert(torc_dense_is_worth_it(&away, &plan));
            cr_assert_not(torc_dense_is_worth_it(&cost, &plan));
        }
    }
    cr_assert(torc_dense_is_worth_it(&cost, &plan));
    torc_dense_expect_products(true);
    torc_dense_expect_products(false);
    cr_assert(torc_dense_is_worth_it(&cost, &plan));
}
