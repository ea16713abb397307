/* Every candidate keeps every promise of backend.h, has a name of its own, and is reached by it; selection
 * takes the least predicted time, and the papers' rules the class that they name. */
#include "floor.h"
#include "prediction.h"
#include "selection.h"
#include "tile_family.h"
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

enum { MAX_COLUMNS = 1030, MAX_ALIGNMENT = 256 };

/* 3 million rows, a third of them empty. */
static torc_statistics rows_of(int64_t mean_row, double deviation)
{
    return (torc_statistics){.nrows = 3000000,
        .ncols = 3000000,
        .empty_rows = 1000000,
        .nnz = 2000000 * mean_row,
        .max_row = mean_row + (int64_t)deviation,
        .mean_row = (double)mean_row,
        .deviation_row = deviation};
}

static torc_problem problem_of(
    torc_monoid add, torc_multiply multiply, int64_t ncols, const torc_statistics *rows)
{
    bool reads_b = multiply == TORC_TIMES;
    return (torc_problem){
        .kernel = {.semiring = {add, multiply, TORC_INT32},
            .a_type = TORC_INT32,
            .b_type = TORC_INT32,
            .a_access = TORC_ACCESS_ARRAY,
            .b_access = reads_b ? TORC_ACCESS_ARRAY : TORC_ACCESS_NONE},
        .ncols = ncols,
        .b_size = reads_b ? 4 : 0,
        .c_size = 4,
        .b_alignment = MAX_ALIGNMENT,
        .c_alignment = MAX_ALIGNMENT,
        .is_everywhere = true,
        .rows = rows,
    };
}

static torc_problem plus_times(int64_t ncols, const torc_statistics *rows)
{
    return problem_of(TORC_PLUS_MONOID, TORC_TIMES, ncols, rows);
}

static bool is_power_of_two(int x, int most)
{
    return x >= 1 && x <= most && (x & (x - 1)) == 0;
}

/* A vector of `size`-byte values can be read at every place that `alignment` divides. */
static bool may_load(int vector, size_t size, uint64_t alignment)
{
    return vector == 1 || ((size_t)vector * size <= 16 && alignment % ((size_t)vector * size) == 0);
}

static const char *why_wrong(const torc_spmm_kernel *kernel, const torc_problem *problem)
{
    torc_shape shape = kernel->shape;
    torc_family family = kernel->family;
    bool is_uniform = family == TORC_UNIFORM;
    int ways = torc_ways(kernel);
    if (!is_power_of_two(shape.lanes, 32) || !is_power_of_two(shape.vector, is_uniform ? 16 : 4)) {
        return "no such shape";
    }
    if (!is_power_of_two(ways, 32) || ways * shape.lanes > 32) {
        return "the group is no part of a warp";
    }
    if ((family == TORC_PARALLEL_ROWS || family == TORC_PARALLEL_SLICES) && ways == 1) {
        return "one way is not several";
    }
    if (problem->ncols % shape.vector != 0) {
        return "the vector does not divide the columns";
    }
    if (!may_load(shape.vector, problem->c_size, problem->c_alignment) ||
        (problem->b_size > 0 && !may_load(shape.vector, problem->b_size, problem->b_alignment))) {
        return "the vector is too wide or not aligned";
    }
    int64_t at_once = shape.lanes * shape.vector;
    if (is_uniform && ways < 32 && ways * at_once < problem->ncols &&
        (size_t)(ways * at_once) * problem->c_size < 128) {
        return "its stores are neither a line nor a row";
    }
    bool takes_one = kernel->semiring.add == TORC_ANY_MONOID && !kernel->b_is_bitmap;
    if (takes_one && family != TORC_ROWS && family != TORC_CACHED_ROWS && !is_uniform) {
        return "a reduction that no kernel has";
    }
    if (!problem->is_everywhere &&
        (is_uniform || family == TORC_STREAMED || family == TORC_PANELS || family == TORC_BUNDLES ||
            family == TORC_TILES || family == TORC_BRICKS)) {
        return "a mask or a bitmap where no kernel has one";
    }
    if (family == TORC_STREAMED &&
        (shape.lanes != 1 || ways != 32 || !is_power_of_two(shape.vector * (int)problem->c_size, 16))) {
        return "streams what cannot be streamed";
    }
    if (family == TORC_PANELS &&
        (shape.lanes != 1 || ways == 1 || shape.vector != problem->ncols || problem->b_size == 0 ||
            kernel->wide_offsets || shape.vector * problem->b_size > 8 ||
            shape.vector * problem->c_size > 8)) {
        return "panels of what has no room in them";
    }
    if (family == TORC_BUNDLES &&
        (shape.lanes < TORC_CACHING_LANES || kernel->semiring.definition || problem->rows->max_row > 32 ||
            at_once * problem->b_size < 128 || problem->ncols * (int64_t)problem->b_size < 128)) {
        return "bundles of what no group walks";
    }
    if (family == TORC_BRICKS &&
        (shape.lanes != TORC_BRICK_LANES || kernel->products == 0 || problem->lacks[TORC_CUT_BRICKS] ||
            kernel->wide_offsets || at_once > problem->ncols || problem->precision == TORC_PRECISION_EXACT)) {
        return "bricks of what no tensor core multiplies";
    }
    if (family == TORC_TILES &&
        (shape.lanes != TORC_TILE_LANES || shape.vector * problem->b_size != 16 ||
            shape.vector * problem->c_size != 16 || problem->lacks[TORC_CUT_TILES] || kernel->has_accum ||
            kernel->wide_offsets || shape.lanes * shape.vector > problem->ncols)) {
        return "tiles of what has no place in them";
    }
    return NULL;
}

static void check_candidates(const torc_problem *problem)
{
    torc_spmm_kernel list[TORC_MAX_CANDIDATES];
    int count = torc_list_candidates(list, problem);
    cr_assert(count >= 1 && count < TORC_MAX_CANDIDATES, "%d candidates", count);
    for (int i = 0; i < count; i++) {
        const char *why = why_wrong(&list[i], problem);
        char name[TORC_KERNEL_NAME];
        torc_kernel_name(name, &list[i]);
        if (why) {
            cr_assert_fail("n %ld, sizes %zu %zu, alignments %lu %lu: %s: %s", (long)problem->ncols,
                problem->b_size, problem->c_size, (unsigned long)problem->b_alignment,
                (unsigned long)problem->c_alignment, name, why);
        }
    }
}

Test(candidates, keep_every_constraint)
{
    static const size_t b_sizes[] = {0, 1, 2, 4, 8, 16}, c_sizes[] = {1, 2, 4, 8, 16};
    torc_statistics short_rows = rows_of(16, 4), long_rows = rows_of(500, 4);
    long_rows.ncols = 50000;
    for (int64_t n = 1; n <= MAX_COLUMNS; n = n < 70 ? n + 1 : n + 37) {
        for (int t = 0; t < 30; t++) {
            for (uint64_t b = 1; b <= MAX_ALIGNMENT; b *= 4) {
                for (uint64_t c = 1; c <= MAX_ALIGNMENT; c *= 4) {
                    torc_problem problem = plus_times(n, t % 2 ? &short_rows : &long_rows);
                    problem.kernel.wide_offsets = t % 3 == 0;
                    problem.b_size = b_sizes[t % 6];
                    problem.c_size = c_sizes[t / 6];
                    problem.b_alignment = b;
                    problem.c_alignment = c;
                    check_candidates(&problem);
                    problem.is_everywhere = false;
                    problem.kernel.b_is_bitmap = t % 4 < 2;
                    check_candidates(&problem);
                    problem.kernel.semiring.add = TORC_ANY_MONOID;
                    check_candidates(&problem);
                }
            }
        }
    }
}

static bool is_same(const torc_spmm_kernel *x, const torc_spmm_kernel *y)
{
    return x->family == y->family && x->shape.lanes == y->shape.lanes && x->shape.vector == y->shape.vector &&
           x->number == y->number;
}

Test(candidates, have_names_by_which_they_are_forced)
{
    torc_statistics rows = rows_of(500, 4);
    rows.ncols = 50000;
    for (int64_t n = 1; n <= 256; n *= 2) {
        torc_problem problem = plus_times(n, &rows);
        torc_spmm_kernel list[TORC_MAX_CANDIDATES];
        int count = torc_list_candidates(list, &problem);
        for (int i = 0; i < count; i++) {
            char name[TORC_KERNEL_NAME], found[TORC_KERNEL_NAME];
            torc_kernel_name(name, &list[i]);
            cr_assert(torc_kernel_is_named(name), "%s", name);
            torc_spmm_kernel forced = torc_select_kernel(&problem, name);
            torc_kernel_name(found, &forced);
            cr_expect_str_eq(found, name);
            cr_expect(is_same(&forced, &list[i]), "%s is the name of two kernels", name);
        }
    }
}

/* Rows of 64 in which 8 neighbours share most columns. */
static torc_statistics dense_windows(void)
{
    torc_statistics rows = rows_of(64, 4);
    rows.near_footprint = rows.far_footprint = rows.brick_footprint = .15;
    rows.sector_footprint = .3;
    return rows;
}

static torc_problem plus_of(
    torc_multiply multiply, torc_type type, int64_t ncols, const torc_statistics *rows)
{
    torc_problem problem = plus_times(ncols, rows);
    problem.kernel.semiring = (torc_semiring){TORC_PLUS_MONOID, multiply, type};
    problem.kernel.a_type = problem.kernel.b_type = type;
    problem.kernel.a_access = multiply == TORC_SECOND ? TORC_ACCESS_NONE : TORC_ACCESS_ARRAY;
    problem.b_size = problem.c_size = torc_type_size(type);
    return problem;
}

/* Products of the candidates with bricks, none of which differ; 0: there are none. */
static int products_of_bricks(const torc_problem *problem)
{
    torc_spmm_kernel list[TORC_MAX_CANDIDATES];
    int count = torc_list_candidates(list, problem), products = 0;
    for (int i = 0; i < count; i++) {
        if (list[i].family == TORC_BRICKS) {
            cr_expect(products == 0 || list[i].products == products);
            products = list[i].products;
        }
    }
    check_candidates(problem);
    return products;
}

Test(candidates, have_bricks_only_where_less_than_exact_is_asked_for)
{
    static const struct {
        torc_multiply multiply;
        torc_type type;
        int products[3]; /* by precision */
    } cases[] = {
        {TORC_TIMES, TORC_FP32, {0, 3, 1}},
        {TORC_SECOND, TORC_FP32, {0, 3, 1}},
        {TORC_TIMES, TORC_FP64, {0, 1, 1}},
        {TORC_MINUS, TORC_FP32, {0, 0, 0}},
        {TORC_TIMES, TORC_INT32, {0, 0, 0}},
    };
    torc_statistics rows = dense_windows();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (int p = TORC_PRECISION_EXACT; p <= TORC_PRECISION_TF32; p++) {
            torc_problem problem = plus_of(cases[i].multiply, cases[i].type, 128, &rows), other;
            problem.precision = (torc_precision)p;
            cr_expect_eq(products_of_bricks(&problem), cases[i].products[p], "case %zu, precision %d", i, p);
            other = problem;
            other.is_everywhere = false;
            cr_expect_eq(products_of_bricks(&other), 0, "case %zu with a mask", i);
            other = problem;
            other.lacks[TORC_CUT_BRICKS] = true;
            cr_expect_eq(products_of_bricks(&other), 0, "case %zu without a plan", i);
            other = problem;
            other.ncols = TORC_BRICK_LANES - 1;
            cr_expect_eq(products_of_bricks(&other), 0, "case %zu, a narrow C", i);
            other = problem;
            other.kernel.wide_offsets = true;
            cr_expect_eq(products_of_bricks(&other), 0, "case %zu, wide offsets", i);
            other = problem;
            other.device.compute_capability = 75;
            cr_expect_eq(products_of_bricks(&other), 0, "case %zu, Turing", i);
            other = problem;
            other.kernel.b_type = TORC_INT8;
            cr_expect_eq(products_of_bricks(&other), 0, "case %zu, another type of B", i);
        }
    }
}

Test(candidates, with_bricks_have_names_by_which_they_are_forced)
{
    torc_statistics rows = dense_windows();
    for (int p = TORC_PRECISION_FP32; p <= TORC_PRECISION_TF32; p++) {
        torc_problem problem = plus_of(TORC_TIMES, TORC_FP32, 128, &rows);
        torc_spmm_kernel list[TORC_MAX_CANDIDATES];
        problem.precision = (torc_precision)p;
        int count = torc_list_candidates(list, &problem);
        for (int i = 0; i < count; i++) {
            char name[TORC_KERNEL_NAME];
            torc_kernel_name(name, &list[i]);
            cr_assert(torc_kernel_is_named(name), "%s", name);
            torc_spmm_kernel forced = torc_select_kernel(&problem, name);
            cr_expect(is_same(&forced, &list[i]), "%s is the name of two kernels", name);
        }
    }
}

/* As measured on an H200: bench/results/2026-11-22-h200-tensor.csv. */
Test(selection, takes_bricks_where_windows_are_dense)
{
    static const struct {
        torc_statistics rows;
        bool takes_bricks;
    } cases[] = {
        {{201600, 201600, 12119652, 0, 81, 60.12, 9.82, .1556, .06, .2743, .2606}, true},
        {{262144, 262144, 14298315, 0, 64, 54.54, 2.47, .0632, .0211, .4299, .4146}, false},
        {{1048576, 1048576, 16777110, 0, 16, 16, .01, .998, .9695, .9999, .9995}, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        torc_problem problem = plus_of(TORC_TIMES, TORC_FP32, 128, &cases[i].rows);
        problem.precision = TORC_PRECISION_FP32;
        cr_expect_eq(
            torc_select_kernel(&problem, "").family == TORC_BRICKS, cases[i].takes_bricks, "case %zu", i);
    }
}

Test(candidates, know_when_every_column_of_the_result_is_the_same)
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

Test(candidates, of_equal_columns_store_whole_lines_or_rows)
{
    static const size_t c_sizes[] = {1, 2, 4, 8, 16};
    torc_statistics rows = rows_of(16, 4);
    for (int64_t n = 1; n <= MAX_COLUMNS; n = n < 70 ? n + 1 : n + 37) {
        for (int t = 0; t < 5; t++) {
            for (uint64_t alignment = 1; alignment <= MAX_ALIGNMENT; alignment *= 4) {
                torc_problem problem = problem_of(TORC_PLUS_MONOID, TORC_FIRST, n, &rows);
                problem.c_size = c_sizes[t];
                problem.c_alignment = alignment;
                check_candidates(&problem);
            }
        }
    }
}

/* A product that the ranking model knows. */
static torc_problem real_plus_times(int64_t ncols, const torc_statistics *rows)
{
    torc_problem problem = plus_times(ncols, rows);
    problem.kernel.semiring.type = problem.kernel.a_type = problem.kernel.b_type = TORC_FP32;
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

/* Rows of some 500 entries in few columns. */
static const torc_statistics few_columns = {.nrows = 200000,
    .ncols = 50000,
    .nnz = 99500000,
    .max_row = 600,
    .mean_row = 497.5,
    .deviation_row = 22,
    .near_footprint = .96,
    .far_footprint = .56,
    .sector_footprint = 1};

static torc_problem on(int capability, torc_problem problem)
{
    problem.device = torc_device_complete((torc_device_facts){.compute_capability = capability});
    return problem;
}

/* Tiles take instructions of Hopper, and more shared memory than consumer GPUs give a block. */
Test(selection, has_tiles_only_where_the_device_can_run_them)
{
    static const struct {
        int capability;
        bool has_tiles;
    } devices[] = {{75, false}, {80, false}, {86, false}, {89, false}, {90, true}, {100, true}, {120, false}};
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) {
        torc_spmm_kernel list[TORC_MAX_CANDIDATES];
        torc_problem problem = on(devices[i].capability, plus_times(128, &few_columns));
        int count = torc_list_candidates(list, &problem);
        bool has_tiles = false;
        for (int k = 0; k < count; k++) {
            has_tiles = has_tiles || list[k].family == TORC_TILES;
        }
        cr_expect_eq(has_tiles, devices[i].has_tiles, "sm_%d", devices[i].capability);
    }
}

/* A panel of B takes what shared memory a block has: half as much makes rows of A half as long worth it. */
Test(selection, keeps_panels_by_the_shared_memory_of_the_device)
{
    torc_statistics rows = few_columns;
    rows.mean_row = 1.5;
    rows.nnz = 300000;
    for (int capability = 86; capability <= 90; capability += 4) {
        torc_spmm_kernel list[TORC_MAX_CANDIDATES];
        torc_problem problem = on(capability, plus_times(1, &rows));
        bool has_panels = false;
        for (int k = torc_list_candidates(list, &problem); k-- > 0;) {
            has_panels = has_panels || list[k].family == TORC_PANELS;
        }
        cr_expect_eq(has_panels, capability == 90, "sm_%d", capability);
    }
}

/* What is known of an H200 is what rates were measured on; what is unknown is taken to be so. */
Test(selection, predicts_each_device_by_its_own_bandwidth_cache_and_clock)
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
Test(selection, knows_how_many_threads_a_multiprocessor_holds)
{
    torc_problem turing = on(90, plus_times(8, &few_columns)), hopper = turing;
    turing.device.threads = 1024;
    torc_spmm_kernel kernel = torc_select_kernel(&hopper, "rows/sequential/v1x8");
    cr_expect_gt(torc_predict(&kernel, &turing, &torc_measured_rates).threads,
        torc_predict(&kernel, &hopper, &torc_measured_rates).threads);
}

Test(selection, ranks_every_candidate_once_the_chosen_one_first)
{
    torc_problem problem = real_plus_times(32, &few_columns);
    torc_spmm_kernel list[TORC_MAX_CANDIDATES], all[TORC_MAX_CANDIDATES],
        chosen = torc_select_kernel(&problem, "");
    int count = torc_rank_kernels(list, &problem);
    cr_assert_eq(count, torc_list_candidates(all, &problem));
    cr_expect_eq(memcmp(&list[0].shape, &chosen.shape, sizeof chosen.shape), 0);
    cr_expect_eq(list[0].family, chosen.family);
    double before = 0, sum = 0, sum_of_all = 0, least = INFINITY;
    for (int i = 0; i < count; i++) {
        least = fmin(least, torc_predict(&list[i], &problem, &torc_measured_rates).seconds);
    }
    for (int i = 0; i < count; i++) {
        double seconds = torc_predict(&list[i], &problem, &torc_measured_rates).seconds;
        bool is_close = seconds <= 2 * least;
        cr_expect(
            is_close ? before == 0 : seconds >= before, "those that are close come first, then by time");
        before = is_close ? 0 : seconds;
        sum += seconds;
        sum_of_all += torc_predict(&all[i], &problem, &torc_measured_rates).seconds;
    }
    cr_expect_float_eq(sum, sum_of_all, 1e-12);
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
    few_entries.nrows = 20000;
    few_entries.nnz = 9950000;
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
    torc_statistics road = {.nrows = 1960000,
        .ncols = 1960000,
        .nnz = 5484248,
        .empty_rows = 15876,
        .max_row = 4,
        .mean_row = 2.8,
        .deviation_row = .92,
        .near_footprint = .8,
        .far_footprint = .38,
        .sector_footprint = .21};
    torc_statistics uneven = road;
    uneven.max_row = 100;
    torc_problem narrow = plus_times(8, &road), masked, long_ones = plus_times(128, &uneven);
    for (int64_t n = 1; n <= 160; n++) {
        torc_problem any = plus_times(n, &road);
        check_candidates(&any);
    }
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

static bool is_listed(const torc_problem *problem, const char *name)
{
    torc_spmm_kernel list[TORC_MAX_CANDIDATES];
    int count = torc_list_candidates(list, problem);
    cr_assert_lt(count, TORC_MAX_CANDIDATES, "some may have been left out");
    for (int i = 0; i < count; i++) {
        char own[TORC_KERNEL_NAME];
        torc_kernel_name(own, &list[i]);
        if (strcmp(own, name) == 0) {
            return true;
        }
    }
    return false;
}

Test(selection, few_rows_have_several_groups_each_in_several_panels_that_fill_lines)
{
    torc_statistics few = {.nrows = 1024,
        .ncols = 1024,
        .nnz = 104858,
        .max_row = 140,
        .mean_row = 102.4,
        .deviation_row = 10,
        .near_footprint = .25,
        .far_footprint = .02,
        .sector_footprint = .9};
    torc_statistics many = few;
    many.nrows *= 4096;
    many.nnz *= 4096;
    torc_problem idle = plus_times(128, &few), busy = plus_times(128, &many), wide = plus_times(512, &few);
    cr_expect(is_listed(&idle, "rows/parallel4/v4x8"));
    cr_expect_not(is_listed(&idle, "rows/parallel8/v4x4"), "half a line");
    cr_expect_not(is_listed(&busy, "rows/parallel4/v4x8"), "threads enough");
    cr_expect(is_listed(&wide, "rows/parallel4/v4x8"), "16 panels");
    for (int64_t n = 1; n <= MAX_COLUMNS; n++) {
        torc_problem problem = plus_times(n, &few);
        is_listed(&problem, "");
    }
}
