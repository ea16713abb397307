/* Selection takes the least predicted time, or of those close to it what ranks first; and the papers' rules
 * take the class that they name. */
#include "plain_problem.h"
#include "prediction.h"
#include "selection.h"
#include "tile_family.h"
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

/* As measured on an H200: bench/results/2026-11-22-h200-tensor.csv; and as is predicted of taller windows. */
Test(selection, takes_bricks_where_rows_of_a_window_share_columns)
{
    static const struct {
        torc_statistics rows;
        bool takes_bricks;
    } cases[] = {
        {{201600, 201600, 12119652, 0, 81, 60.12, 9.82, .1556, .06, .2743, .2606, .1985}, true},
        {{262144, 262144, 14298315, 0, 64, 54.54, 2.47, .0632, .0211, .4299, .4146, .4146}, false},
        {{262144, 262144, 14298315, 0, 64, 54.54, 2.47, .0632, .0211, .4299, .4146, .2283}, true},
        {{1048576, 1048576, 16777110, 0, 16, 16, .01, .998, .9695, .9999, .9995, .9995}, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        torc_problem problem = plus_of(TORC_TIMES, TORC_FP32, 128, &cases[i].rows);
        problem.precision = TORC_PRECISION_FP32;
        cr_expect_eq(
            torc_select_kernel(&problem, "").family == TORC_BRICKS, cases[i].takes_bricks, "case %zu", i);
    }
}

Test(selection, knows_when_every_column_of_the_result_is_the_same)
{
    torc_statistics rows = rows_of(16, 4);
    static const struct {
        torc_monoid add;
        torc_multiply multiply;
        bool is_uniform;
    } cases[] = {{TORC_PLUS_MONOID, TORC_FIRST, true}, {TORC_ANY_MONOID, TORC_PAIR, true},
        {TORC_MIN_MONOID, TORC_SECONDI, true}, {TORC_MIN_MONOID, TORC_SECONDJ, false},
        {TORC_MIN_MONOID, TORC_SECONDJ1, false}, {TORC_PLUS_MONOID, TORC_TIMES, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        torc_problem problem = problem_of(cases[i].add, cases[i].multiply, 8, &rows);
        cr_expect_eq(
            torc_select_kernel(&problem, "").family == TORC_UNIFORM, cases[i].is_uniform, "case %zu", i);
        problem.is_everywhere = false;
        cr_expect_neq(torc_select_kernel(&problem, "").family, TORC_UNIFORM, "case %zu, not plain", i);
    }
}

/* A product that the ranking model knows. */
static torc_problem real_plus_times(int64_t ncols, const torc_statistics *rows)
{
    torc_problem problem = plus_times(ncols, rows);
    problem.kernel.semiring.type = problem.kernel.a_type = problem.kernel.b_type = TORC_FP32;
    return problem;
}

static torc_problem on_an_h100(torc_problem problem)
{
    problem.device = torc_device_complete((torc_device_facts){.compute_capability = 90,
        .multiprocessors = 132,
        .threads = 2048,
        .block_shared = 232448,
        .multiprocessor_shared = 233472,
        .l2_bytes = 52428800,
        .clock = 1.98e9,
        .bandwidth = 3.35232e12});
    return problem;
}

/* The chosen kernel's predicted seconds over the least. */
static double longer_than_the_least(const torc_problem *problem)
{
    torc_spmm_kernel list[TORC_MAX_CANDIDATES], chosen = torc_select_kernel(problem, "");
    int count = torc_list_candidates(list, problem);
    double seconds = torc_predict(&chosen, problem, &torc_measured_rates).seconds, least = INFINITY;
    for (int i = 0; i < count; i++) {
        least = fmin(least, torc_predict(&list[i], problem, &torc_measured_rates).seconds);
    }
    cr_assert(isfinite(seconds) && least > 0);
    return seconds / least;
}

Test(selection, takes_the_least_predicted_time_where_nothing_is_ranked)
{
    for (int64_t mean = 0; mean <= 300; mean += 7) {
        for (int64_t n = 1; n <= 300; n += 13) {
            torc_statistics rows = rows_of(mean, (double)mean);
            torc_problem problem = plus_times(n, &rows);
            cr_assert_eq(longer_than_the_least(&problem), 1, "mean %d, n %d", (int)mean, (int)n);
        }
    }
}

Test(selection, takes_a_time_close_to_the_least_where_kernels_are_ranked)
{
    int others = 0;
    for (int64_t mean = 0; mean <= 300; mean += 7) {
        for (int64_t n = 1; n <= 300; n += 13) {
            torc_statistics rows = rows_of(mean, (double)mean);
            torc_problem problem = real_plus_times(n, &rows);
            double longer = longer_than_the_least(&problem);
            cr_assert(longer <= 2, "mean %d, n %d: %g", (int)mean, (int)n, longer);
            others += longer > 1;
        }
    }
    cr_expect_gt(others, 0, "the ranking says what the prediction does");
}

Test(selection, leaves_kernels_that_need_a_plan_to_the_prediction)
{
    torc_statistics rows = rows_of(500, 22);
    rows.nrows = 200000;
    rows.ncols = 50000;
    rows.empty_rows = 0;
    rows.nnz = INT64_C(200000) * 500;
    rows.near_footprint = .96;
    rows.far_footprint = .56;
    rows.sector_footprint = 1;
    torc_problem problem = real_plus_times(128, &rows);
    torc_spmm_kernel list[TORC_MAX_CANDIDATES], best = {.family = TORC_ROWS};
    int count = torc_list_candidates(list, &problem);
    double least = INFINITY;
    for (int i = 0; i < count; i++) {
        double seconds = torc_predict(&list[i], &problem, &torc_measured_rates).seconds;
        best = seconds < least ? list[i] : best;
        least = fmin(least, seconds);
    }
    cr_assert_eq(best.family, TORC_TILES);
    cr_expect_eq(torc_select_kernel(&problem, "").family, TORC_TILES);
}

Test(selection, ignores_a_rule_that_no_candidate_obeys)
{
    torc_statistics rows = rows_of(16, 4);
    torc_problem problem = plus_times(5, &rows);
    char own[TORC_KERNEL_NAME], other[TORC_KERNEL_NAME];
    torc_spmm_kernel chosen = torc_select_kernel(&problem, "");
    torc_kernel_name(own, &chosen);
    static const char *const rules[] = {"rows/sequential/v4x8", "nonsense", "yan"};
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        chosen = torc_select_kernel(&problem, rules[i]);
        torc_kernel_name(other, &chosen);
        cr_expect_str_eq(other, own, "%s", rules[i]);
    }
}

static torc_spmm_kernel by_rule(const char *rule, int64_t ncols, int64_t mean_row, double deviation)
{
    torc_statistics rows = rows_of(mean_row, deviation);
    torc_problem problem = plus_times(ncols, &rows);
    return torc_select_kernel(&problem, rule);
}

static torc_cut cut_by(const char *rule, int64_t ncols, int64_t mean_row, double deviation)
{
    return torc_families[by_rule(rule, ncols, mean_row, deviation).family].cut;
}

static bool combines_in_parallel(const char *rule, int64_t ncols, int64_t mean_row, double deviation)
{
    torc_spmm_kernel kernel = by_rule(rule, ncols, mean_row, deviation);
    return torc_ways(&kernel) > 1;
}

Test(selection, follows_yang_in_what_to_split)
{
    for (int64_t n = 1; n <= 128; n++) {
        cr_expect_eq(cut_by("yang", n, 9, 4), TORC_CUT_SLICES, "n %ld", (long)n);
        cr_expect_eq(cut_by("yang", n, 10, 4), TORC_CUT_SEGMENTS, "n %ld", (long)n);
    }
}

Test(selection, follows_huang_in_how_to_reduce_and_to_split)
{
    for (int64_t n = 1; n <= 64; n++) {
        bool is_narrow = n <= 4;
        cr_expect_eq(combines_in_parallel("huang", n, 64, 4), is_narrow, "n %ld", (long)n);
        cr_expect_eq(cut_by("huang", n, 4, 4), is_narrow ? TORC_CUT_SLICES : TORC_CUT_SEGMENTS);
        cr_expect_eq(cut_by("huang", n, 64, 300), is_narrow ? TORC_CUT_SEGMENTS : TORC_CUT_SLICES);
    }
}

static void expect_ranked(torc_problem problem)
{
    torc_spmm_kernel list[TORC_MAX_CANDIDATES], all[TORC_MAX_CANDIDATES],
        chosen = torc_select_kernel(&problem, "");
    int count = torc_rank_kernels(list, &problem);
    cr_assert_eq(count, torc_list_candidates(all, &problem));
    cr_expect_eq(memcmp(&list[0].shape, &chosen.shape, sizeof chosen.shape), 0);
    cr_expect_eq(list[0].family, chosen.family);
    double before = 0, sum = 0, sum_of_all = 0, least = INFINITY;
    for (int i = 0; i < count; i++) {
        double seconds = torc_predict(&list[i], &problem, &torc_measured_rates).seconds;
        least = list[i].family == TORC_TILES ? least : fmin(least, seconds);
    }
    for (int i = 0; i < count; i++) {
        double seconds = torc_predict(&list[i], &problem, &torc_measured_rates).seconds;
        bool is_close = i == 0 || (seconds <= 2 * least && list[i].family != TORC_TILES);
        cr_expect(
            is_close ? before == 0 : seconds >= before, "those that are close come first, then by time");
        before = is_close ? 0 : seconds;
        sum += seconds;
        sum_of_all += torc_predict(&all[i], &problem, &torc_measured_rates).seconds;
    }
    cr_expect_float_eq(sum, sum_of_all, 1e-12);
}

/* Of molecules' many candidates, most are left behind by the first trees. */
Test(selection, ranks_every_candidate_once_the_chosen_one_first)
{
    static const torc_statistics molecules = {
        3100000, 3100000, 6546466, 0, 6, 2.11, .67, .474, .4731, .1005, .6149, .6149};
    expect_ranked(real_plus_times(32, &few_columns));
    expect_ranked(real_plus_times(128, &molecules));
}

/* Where rows of B are shorter than a sector and long rows of A read them again and again, blocks keep them;
 * not where rows of A are short, and B is read for each block in vain. */
Test(selection, keeps_panels_of_b_where_rows_are_long)
{
    torc_statistics few_entries = few_columns;
    few_entries.nnz = 3200000;
    few_entries.max_row = 30;
    few_entries.mean_row = 16;
    torc_problem often = plus_times(1, &few_columns), seldom = plus_times(1, &few_entries);
    cr_expect_eq(torc_select_kernel(&often, "").family, TORC_PANELS);
    cr_expect_neq(torc_select_kernel(&seldom, "").family, TORC_PANELS);
}

/* A step of a traversal on R-MAT of scale 20, whose rows differ much. */
Test(selection, balances_products_with_masks_and_bitmaps_too)
{
    torc_statistics skewed = {.nrows = 1 << 20,
        .ncols = 1 << 20,
        .nnz = 16086700,
        .empty_rows = 501618,
        .max_row = 39563,
        .mean_row = 15.34,
        .deviation_row = 140.45,
        .near_footprint = .9,
        .far_footprint = .56,
        .sector_footprint = 1};
    for (int64_t n = 4; n <= 64; n *= 4) {
        torc_problem problem = plus_times(n, &skewed);
        problem.is_everywhere = false;
        problem.kernel.b_is_bitmap = problem.kernel.c_is_bitmap = problem.kernel.has_mask = true;
        cr_expect_eq(
            torc_families[torc_select_kernel(&problem, "").family].cut, TORC_CUT_SLICES, "N = %ld", (long)n);
    }
}

/* Where many rows of a block name the same rows of B, and C is wide enough, these are shared. */
Test(selection, shares_tiles_of_b_where_rows_name_the_same)
{
    torc_statistics many_columns = few_columns, few_entries = few_columns;
    many_columns.ncols = 1 << 20;
    many_columns.far_footprint = .96;
    few_entries.nrows = 2000;
    few_entries.nnz = 995000;
    torc_problem shared = plus_times(128, &few_columns), scattered = plus_times(128, &many_columns);
    torc_problem small = plus_times(32, &few_entries), narrow = plus_times(16, &few_columns);
    torc_problem panel = shared, adding = shared, of_words = narrow; /* 16 columns of 8 bytes are a line */
    of_words.kernel.semiring.type = of_words.kernel.a_type = of_words.kernel.b_type = TORC_INT64;
    of_words.b_size = of_words.c_size = 8;
    panel.lacks[TORC_CUT_TILES] = true;
    adding.kernel.has_accum = true;
    cr_expect_eq(torc_select_kernel(&shared, "").family, TORC_TILES);
    cr_expect_eq(torc_select_kernel(&of_words, "").family, TORC_TILES);
    cr_expect_neq(torc_select_kernel(&scattered, "").family, TORC_TILES);
    cr_expect_neq(torc_select_kernel(&small, "").family, TORC_TILES);
    cr_expect_neq(torc_select_kernel(&narrow, "").family, TORC_TILES);
    cr_expect_neq(torc_select_kernel(&panel, "").family, TORC_TILES);
    cr_expect_neq(torc_select_kernel(&adding, "").family, TORC_TILES);
    torc_spmm_kernel of_paper = torc_select_kernel(&shared, "yang");
    cr_expect_eq(torc_families[of_paper.family].cut, TORC_CUT_SEGMENTS);
}

/* Weights of 8192 rows of which 80 % were pruned at random: rows drift apart by more than L1 keeps. Their
 * rows have parts, so that one line of B is enough. A plan takes as long as some products, so not for those
 * that are over soon. */
Test(selection, shares_tiles_of_b_where_rows_drift_apart)
{
    torc_statistics weights = {.nrows = 8192,
        .ncols = 8192,
        .nnz = 13419370,
        .max_row = 1765,
        .mean_row = 1638.11,
        .deviation_row = 36.2,
        .near_footprint = .8489,
        .far_footprint = .125,
        .sector_footprint = .5352};
    torc_statistics few = weights;
    few.nrows = 64;
    few.nnz = 104839;
    torc_problem wide = real_plus_times(128, &weights), narrow = real_plus_times(32, &weights);
    torc_problem small = real_plus_times(128, &few);
    cr_expect_eq(torc_select_kernel(&wide, "").family, TORC_TILES);
    cr_expect_eq(torc_select_kernel(&narrow, "").family, TORC_TILES);
    cr_expect_neq(torc_select_kernel(&small, "").family, TORC_TILES);
}

/* Two of 2026-11-27-h100-unseen-third.csv.xz, which nothing was trained on: tiles took 1.06 ms and the
 * fastest other kernel 1.22, predicted 1.24 and 1.00; and .065 and .056, predicted .061 and .073. */
Test(selection, takes_tiles_where_they_are_faster_than_predicted_alone)
{
    torc_statistics random = {.nrows = 118345,
        .ncols = 118345,
        .nnz = 35419286,
        .max_row = 85139,
        .mean_row = 299.288,
        .deviation_row = 789.751,
        .near_footprint = .98746,
        .far_footprint = .77232,
        .sector_footprint = .9512};
    torc_statistics even = {.nrows = 12275,
        .ncols = 12275,
        .nnz = 1487263,
        .max_row = 122,
        .mean_row = 121.162,
        .deviation_row = .36841,
        .near_footprint = .85392,
        .far_footprint = .18641,
        .sector_footprint = .96681};
    torc_problem slower = on_an_h100(real_plus_times(64, &random));
    torc_problem faster = on_an_h100(real_plus_times(128, &even));
    cr_expect_eq(torc_select_kernel(&slower, "").family, TORC_TILES);
    cr_expect_neq(torc_select_kernel(&faster, "").family, TORC_TILES);
}

/* Whole lines, and what is left over where it is most of one. */
Test(selection, leaves_few_columns_to_gathers)
{
    static const int64_t widths[][2] = {{32, 32}, {36, 32}, {48, 32}, {52, 52}, {100, 96}, {128, 128}};
    torc_spmm_kernel lines_of_32 = {.shape = {8, 4}};
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
        cr_expect_eq(
            torc_tiled_columns(&lines_of_32, widths[i][0]), widths[i][1], "N = %ld", (long)widths[i][0]);
    }
}

/* Rows of two or three entries are walked together where rows of B are lines, or more. */
Test(selection, bundles_short_rows)
{
    torc_statistics uneven = road;
    uneven.max_row = 100;
    torc_problem narrow = plus_times(8, &road), masked, long_ones = plus_times(128, &uneven);
    for (int64_t n = 32; n <= 512; n *= 2) {
        torc_problem wide = plus_times(n, &road);
        cr_expect_eq(torc_select_kernel(&wide, "").family, TORC_BUNDLES, "N = %ld", (long)n);
        masked = wide;
    }
    masked.is_everywhere = false;
    masked.kernel.has_mask = true;
    cr_expect_neq(torc_select_kernel(&narrow, "").family, TORC_BUNDLES);
    cr_expect_neq(torc_select_kernel(&masked, "").family, TORC_BUNDLES);
    cr_expect_neq(torc_select_kernel(&long_ones, "").family, TORC_BUNDLES);
}

/* A wide C of columns at random is computed in panels that L2 keeps more of, one of a band is not. */
Test(selection, cuts_panels_where_l2_would_keep_more_of_b)
{
    torc_statistics random = {.nrows = 1 << 20,
        .ncols = 1 << 20,
        .nnz = 16 << 20,
        .max_row = 16,
        .mean_row = 16,
        .near_footprint = .998,
        .far_footprint = .969};
    torc_statistics band = random;
    band.near_footprint = .06;
    band.far_footprint = .06;
    torc_problem scattered = plus_times(128, &random), local = plus_times(128, &band);
    torc_spmm_kernel panels = torc_select_kernel(&scattered, ""), whole = torc_select_kernel(&local, "");
    cr_expect_lt(panels.shape.lanes * panels.shape.vector, 128);
    cr_expect_eq(whole.shape.lanes * whole.shape.vector, 128);
}

/* ---- What torc_spmm hands to its executor -------------------------------------------------------------- */

static torc_spmm_kernel seen;

static torc_status spy(torc_device *device, const torc_spmm_kernel *kernel, const torc_spmm_args *args)
{
    seen = *kernel;
    return torc_executor_reference()->spmm(device, kernel, args);
}

/* The name of the kernel of a 1 × 1 times 1 × 8 product. */
static const char *kernel_under(const char *rule)
{
    static char name[TORC_KERNEL_NAME];
    static const int32_t row_ptr[] = {0, 1}, col_idx[] = {0};
    static const float value = 2;
    torc_options options = TORC_OPTIONS_INIT;
    options.backend = TORC_BACKEND_REFERENCE;
    options.kernel = rule;
    torc_context *context;
    torc_sparse *A;
    void *b, *c;
    torc_csr csr = {.nrows = 1,
        .ncols = 1,
        .row_ptr = row_ptr,
        .col_idx = col_idx,
        .values = &value,
        .row_ptr_bits = 32,
        .col_idx_bits = 32,
        .type = TORC_FP32};
    cr_assert_eq(torc_context_create(&context, &options), TORC_SUCCESS);
    torc_executor executor = *context->executor;
    executor.spmm = spy;
    context->executor = &executor;
    cr_assert_eq(torc_sparse_create(&A, context, &csr), TORC_SUCCESS);
    cr_assert_eq(torc_memory_allocate(&b, context, 8 * sizeof value), TORC_SUCCESS);
    cr_assert_eq(torc_memory_allocate(&c, context, 8 * sizeof value), TORC_SUCCESS);
    torc_dense B = {1, 8, 8, TORC_ROW_MAJOR, TORC_FP32, false, b, NULL}, C = B;
    C.data = c;
    torc_semiring semiring = {TORC_PLUS_MONOID, TORC_TIMES, TORC_FP32, NULL, false};
    cr_assert_eq(torc_spmm(&C, semiring, A, false, &B, NULL), TORC_SUCCESS);
    torc_kernel_name(name, &seen);
    torc_memory_release(context, b);
    torc_memory_release(context, c);
    torc_sparse_destroy(A);
    torc_context_destroy(context);
    return name;
}

Test(selection, is_told_by_the_options_of_the_context)
{
    cr_expect_str_eq(kernel_under("rows/sequential/v2x4"), "rows/sequential/v2x4");
    cr_expect_str_eq(kernel_under("rows/parallel4/v4x2"), "rows/parallel4/v4x2");
    char own[TORC_KERNEL_NAME];
    strcpy(own, kernel_under(NULL));
    cr_expect_str_eq(kernel_under("a name that is much longer than that of any kernel could ever be"), own);
}
