/* Every candidate has a predicted time, which knows what makes a product slow and on what device it runs; and
 * no product takes less than its bytes. */
#include "floor.h"
#include "plain_problem.h"
#include "prediction.h"
#include "selection.h"
#include <criterion/criterion.h>
#include <math.h>

Test(prediction, knows_what_makes_a_product_slow)
{
    torc_statistics few = rows_of(4, 0), many = rows_of(64, 0), uneven = rows_of(64, 500);
    torc_problem narrow = plus_times(4, &few), wide = plus_times(64, &few), longer = plus_times(4, &many),
                 skewed = plus_times(4, &uneven);
    torc_spmm_kernel kernel = torc_select_kernel(&narrow, "rows/sequential/v4x1");
    const torc_rates *rates = &torc_measured_rates;
    double seconds = torc_predict(&kernel, &narrow, rates).seconds;
    cr_expect_gt(torc_predict(&kernel, &wide, rates).seconds, 4 * seconds);
    cr_expect_gt(torc_predict(&kernel, &longer, rates).seconds, 4 * seconds);
    cr_expect_gt(
        torc_predict(&kernel, &skewed, rates).threads, torc_predict(&kernel, &longer, rates).threads);
}

/* Small products take little else. */
Test(prediction, counts_the_launch_that_combines_partials)
{
    torc_statistics whole = rows_of(8, 2), cut = whole;
    whole.max_row = TORC_SEGMENT_NNZ;
    cut.max_row = TORC_SEGMENT_NNZ + 1;
    torc_problem of_whole = plus_times(8, &whole), of_cut = plus_times(8, &cut);
    torc_spmm_kernel kernel = torc_select_kernel(&of_whole, "rows/parallel4/v4x2");
    const torc_rates *rates = &torc_measured_rates;
    double more =
        torc_predict(&kernel, &of_cut, rates).seconds - torc_predict(&kernel, &of_whole, rates).seconds;
    cr_expect(more > .9 * rates->combine && more < 1.2 * rates->combine, "%g s", more);
    kernel = torc_select_kernel(&of_whole, "nonzeros/sequential/v4x4");
    more = torc_predict(&kernel, &of_cut, rates).seconds - torc_predict(&kernel, &of_whole, rates).seconds;
    cr_expect_eq(more, 0, "slices have partials in any case: %g s", more);
}

/* Whatever the statistics, every candidate takes a time, which is no less than its largest term. */
Test(prediction, is_finite_and_positive_for_every_matrix)
{
    static const int64_t means[] = {0, 1, 16, 5000}, widths[] = {1, 2, 3, 32, 100, 1000};
    static const double shares[] = {0, .02, 1};
    for (int i = 0; i < 4 * 6 * 3 * 3; i++) {
        int64_t mean = means[i % 4];
        torc_statistics rows = rows_of(mean, i % 5 == 0 ? 0 : 3 * (double)mean);
        rows.near_footprint = shares[i / 24 % 3];
        rows.far_footprint = shares[i / 72];
        rows.sector_footprint = shares[i / 2 % 3];
        torc_problem problem = plus_times(widths[i / 4 % 6], &rows);
        problem.b_alignment = problem.c_alignment = 4 * (uint64_t)problem.ncols;
        torc_spmm_kernel list[TORC_MAX_CANDIDATES];
        int count = torc_list_candidates(list, &problem);
        for (int k = 0; k < count; k++) {
            torc_prediction t = torc_predict(&list[k], &problem, &torc_measured_rates);
            double sum = 0;
#define X(term, text)                                                                                        \
    sum += t.term;                                                                                           \
    cr_assert(t.term >= 0 && t.term <= t.seconds * (1 + 1e-9), "case %d, candidate %d: " #term, i, k);
            TORC_TERM_MAP(X)
#undef X
            cr_assert(isfinite(t.seconds) && t.seconds > 0 && t.seconds <= sum * (1 + 1e-9),
                "case %d, candidate %d: %g s", i, k, t.seconds);
        }
    }
}

/* Of matrices that differ in their columns only, the one that names fewer is no slower, and no term of it is
 * larger. */
Test(prediction, falls_with_the_footprints)
{
    static const double shares[] = {1, .7, .4, .2, .1, .05, .02, .01};
    for (int64_t n = 1; n <= 512; n *= 2) {
        torc_statistics rows = rows_of(16, 4);
        torc_problem problem = plus_times(n, &rows);
        torc_spmm_kernel list[TORC_MAX_CANDIDATES];
        int count = torc_list_candidates(list, &problem);
        for (int k = 0; k < count; k++) {
            double before = INFINITY;
            for (size_t i = 0; i < sizeof shares / sizeof shares[0]; i++) {
                rows.near_footprint = rows.far_footprint = rows.sector_footprint = shares[i];
                double seconds = torc_predict(&list[k], &problem, &torc_measured_rates).seconds;
                cr_assert(seconds <= before * (1 + 1e-9),
                    "N = %ld, candidate %d, footprint %g: %g s after %g s", (long)n, k, shares[i], seconds,
                    before);
                before = seconds;
            }
        }
    }
}

/* What is known of an H200 is what rates were measured on; what is unknown is taken to be so. */
Test(prediction, is_by_the_bandwidth_cache_and_clock_of_each_device)
{
    torc_problem here = on(90, plus_times(128, &few_columns)), unknown = plus_times(128, &few_columns);
    torc_spmm_kernel kernel = torc_select_kernel(&here, "rows/sequential/v4x32");
    torc_prediction t = torc_predict(&kernel, &here, &torc_measured_rates);
    cr_expect_eq(torc_predict(&kernel, &unknown, &torc_measured_rates).seconds, t.seconds);
    torc_problem narrow = here, small = here, slow = here, few = here;
    narrow.device.bandwidth /= 2;
    small.device.l2_bytes /= 8;
    slow.device.clock /= 2;
    few.device.multiprocessors /= 2;
    cr_expect_float_eq(torc_predict(&kernel, &narrow, &torc_measured_rates).memory, 2 * t.memory, 1e-9);
    cr_expect_gt(torc_predict(&kernel, &small, &torc_measured_rates).memory, t.memory);
    cr_expect_float_eq(torc_predict(&kernel, &slow, &torc_measured_rates).lines, 2 * t.lines, 1e-9);
    cr_expect_float_eq(torc_predict(&kernel, &slow, &torc_measured_rates).threads, 2 * t.threads, 1e-9);
    cr_expect_float_eq(torc_predict(&kernel, &few, &torc_measured_rates).lines, 2 * t.lines, 1e-9);
}

/* Fewer threads on a multiprocessor hide less: those of Turing are half of Ampere's. */
Test(prediction, knows_how_many_threads_a_multiprocessor_holds)
{
    torc_problem turing = on(90, plus_times(8, &few_columns)), hopper = turing;
    turing.device.threads = 1024;
    torc_spmm_kernel kernel = torc_select_kernel(&hopper, "rows/sequential/v1x8");
    cr_expect_gt(torc_predict(&kernel, &turing, &torc_measured_rates).threads,
        torc_predict(&kernel, &hopper, &torc_measured_rates).threads);
}

Test(floor, counts_the_bytes_by_hand)
{
    torc_statistics rows = {.nrows = 4, .ncols = 6, .nnz = 6};
    torc_problem problem = problem_of(TORC_PLUS_MONOID, TORC_TIMES, 10, &rows);
    torc_floor bytes = torc_floor_of(&problem);
    cr_expect_eq(bytes.compulsory, 4 * 5 + 6 * 8 + 4 * 40 + 6 * 40);
    cr_expect_eq(bytes.gather, 4 * 5 + 6 * 8 + 4 * 40 + 6 * 40);
    problem.rows = &(torc_statistics){.nrows = 4, .ncols = 5, .nnz = 6};
    cr_expect_eq(torc_floor_of(&problem).compulsory, bytes.compulsory - 40);
    problem.b_size = 0;
    problem.kernel.a_access = TORC_ACCESS_NONE;
    cr_expect_eq(torc_floor_of(&problem).gather, 4 * 5 + 6 * 4 + 4 * 40);
}
