/* Every candidate keeps every promise of backend.h, has a name of its own, and is reached by it. */
#include "plain_problem.h"
#include "selection.h"
#include <criterion/criterion.h>
#include <string.h>

enum { MAX_COLUMNS = 1030 };

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
    int64_t at_once = (int64_t)shape.lanes * shape.vector;
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
    if (family == TORC_TILES && (shape.lanes != TORC_TILE_LANES || shape.vector * problem->b_size != 16 ||
                                    shape.vector * problem->c_size != 16 || problem->lacks[TORC_CUT_TILES] ||
                                    kernel->has_accum || kernel->wide_offsets || at_once > problem->ncols)) {
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
static torc_statistics alike_neighbours(void)
{
    torc_statistics rows = rows_of(64, 4);
    rows.near_footprint = rows.far_footprint = rows.brick_footprint = rows.tall_brick_footprint = .15;
    rows.sector_footprint = .3;
    return rows;
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
    torc_statistics rows = alike_neighbours();
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
            other.brick_height = 2;
            cr_expect_eq(products_of_bricks(&other), cases[i].type == TORC_FP64 ? 0 : cases[i].products[p],
                "case %zu, precision %d, an A whose bricks have 16 rows", i, p);
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
    for (int which = 0; which < 4; which++) {
        int height = 1 + which / 2;
        torc_statistics rows = alike_neighbours();
        rows.tall_brick_footprint = .15 / height;
        torc_problem problem = plus_of(TORC_TIMES, TORC_FP32, 128, &rows);
        torc_spmm_kernel list[TORC_MAX_CANDIDATES];
        problem.precision = which % 2 == 0 ? TORC_PRECISION_FP32 : TORC_PRECISION_TF32;
        int count = torc_list_candidates(list, &problem);
        for (int i = 0; i < count; i++) {
            cr_expect(list[i].height == (list[i].family == TORC_BRICKS ? height : 0));
            char name[TORC_KERNEL_NAME];
            torc_kernel_name(name, &list[i]);
            cr_assert(torc_kernel_is_named(name), "%s", name);
            torc_spmm_kernel forced = torc_select_kernel(&problem, name);
            cr_expect(is_same(&forced, &list[i]), "%s is the name of two kernels", name);
        }
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

Test(candidates, of_short_rows_keep_every_constraint)
{
    for (int64_t n = 1; n <= 160; n++) {
        torc_problem problem = plus_times(n, &road);
        check_candidates(&problem);
    }
}

/* Tiles take instructions of Hopper, and more shared memory than consumer GPUs give a block. */
Test(candidates, have_tiles_only_where_the_device_can_run_them)
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
Test(candidates, have_panels_by_the_shared_memory_of_the_device)
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

Test(candidates, of_few_rows_have_several_groups_each_in_several_spans_that_fill_lines)
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
    cr_expect(is_listed(&wide, "rows/parallel4/v4x8"), "16 spans");
    for (int64_t n = 1; n <= MAX_COLUMNS; n++) {
        torc_problem problem = plus_times(n, &few);
        is_listed(&problem, "");
    }
}
