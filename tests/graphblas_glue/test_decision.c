/* The cost model says what is plain without a measurement: more work costs more, and a device is opened only
 * for calls that would have paid for it. */
#include "decision.h"
#include <criterion/criterion.h>

typedef struct sizes {
    int64_t nrows, inner, ncols, nnz;
    int processors;
    torc_semiring semiring;
    torc_circumstances circumstances;
    bool is_by_column;
} sizes;

static torc_workload work_of(const sizes *s)
{
    torc_view S = {.nrows = s->nrows,
        .ncols = s->inner,
        .nvals = s->nnz,
        .format = TORC_SPARSE,
        .nvec = s->nrows,
        .veclen = s->inner};
    torc_view D = {.nrows = s->inner, .ncols = s->ncols, .format = TORC_FULL};
    torc_order order = s->is_by_column ? TORC_COL_MAJOR : TORC_ROW_MAJOR;
    torc_product product = {.semiring = s->semiring,
        .sparse = &S,
        .dense = &D,
        .sparse_type = TORC_FP32,
        .dense_type = TORC_FP32,
        .dense_view = {s->inner, s->ncols, s->ncols, order, TORC_FP32, false, NULL},
        .result_view = {s->nrows, s->ncols, s->ncols, order, TORC_FP32, false, NULL},
        .side_bytes = 1000};
    return torc_decision_workload(&product, &s->circumstances);
}

static torc_cost cost_of(const sizes *s)
{
    torc_workload work = work_of(s);
    torc_machine_rates rates;
    torc_rates_default(&rates, s->processors);
    return torc_decision_cost(&work, &rates);
}

#define SEMIRING(add, multiply)                                                                              \
    {                                                                                                        \
        add, multiply, TORC_FP32                                                                             \
    }
static const sizes usual = {
    100000, 100000, 32, 3000000, 16, SEMIRING(TORC_PLUS_MONOID, TORC_TIMES), {.cpu.allowed = 1}};

static void expect_dearer(const char *what, sizes more)
{
    torc_cost before = cost_of(&usual), after = cost_of(&more);
    cr_assert_geq(after.cpu, before.cpu, "%s", what);
    cr_assert_gt(after.gpu, before.gpu, "%s", what);
}

Test(decision, more_work_costs_more)
{
    sizes rows = usual, inner = usual, columns = usual, entries = usual;
    rows.nrows *= 2;
    inner.inner *= 2;
    columns.ncols *= 2;
    entries.nnz *= 2;
    expect_dearer("rows", rows);
    expect_dearer("inner dimension", inner);
    expect_dearer("columns", columns);
    expect_dearer("entries", entries);
    cr_assert_gt(cost_of(&entries).cpu, cost_of(&usual).cpu);
    cr_assert_gt(cost_of(&columns).cpu, cost_of(&usual).cpu);
}

/* Components of 10^6 vertices, a new A of 2·10^6 entries in each round: .9 ms on the CPU, and as long to
 * send. */
Test(decision, a_small_product_with_a_new_matrix_stays_on_the_cpu)
{
    sizes round = usual, same = usual;
    round.nrows = round.inner = 1 << 20;
    round.ncols = 1;
    round.semiring = (torc_semiring){.add = TORC_MIN_MONOID, .multiply = TORC_SECOND, .type = TORC_FP32};
    round.circumstances.cpu.result_is_recycled = round.circumstances.cpu.has_accum = true;
    round.nnz = 1961781;
    round.circumstances.result_stays = true;
    same = round;
    same.circumstances.sparse.is_on_device = true;
    cr_assert_lt(cost_of(&round).cpu, cost_of(&round).gpu);
    cr_assert_gt(cost_of(&same).cpu, cost_of(&same).gpu);
}

Test(decision, a_copy_on_the_device_and_more_processors_help)
{
    sizes held = usual, alone = usual;
    held.circumstances.sparse.is_on_device = true;
    alone.processors = 1;
    cr_assert_lt(cost_of(&held).gpu, cost_of(&usual).gpu);
    cr_assert_eq(cost_of(&held).cpu, cost_of(&usual).cpu);
    cr_assert_gt(cost_of(&alone).cpu, cost_of(&usual).cpu);
}

static double moved_in(const torc_workload *work)
{
    return work->in_pinned + work->in_staged + work->spared;
}

Test(decision, every_operand_travels_once_the_way_of_its_place)
{
    sizes placed = usual;
    torc_workload plain = work_of(&usual);
    cr_assert_eq(plain.in_pinned, 0);
    cr_assert_eq(plain.spared, 0);
    cr_assert_eq(plain.fresh, plain.out_staged);
    double S = 8. * 100000 + 8. * 3000000, D = 4. * 100000 * 32;
    cr_assert_eq(plain.in_staged, S + D + 1000);
    cr_assert_eq(plain.out_staged, D, "the result is as large as D here");
    placed.circumstances.sparse.is_on_device = true;
    placed.circumstances.dense.is_pinned = true;
    placed.circumstances.result_is_pinned = placed.circumstances.cpu.result_is_recycled = true;
    torc_workload work = work_of(&placed);
    cr_assert_eq(work.spared, S);
    cr_assert_eq(work.in_pinned, D);
    cr_assert_eq(work.in_staged, 1000);
    cr_assert_eq(moved_in(&work), moved_in(&plain));
    cr_assert_eq(work.out_pinned, D);
    cr_assert_eq(work.out_staged + work.fresh, 0);
    cr_assert_lt(cost_of(&placed).gpu, cost_of(&usual).gpu);
}

Test(decision, what_stays_on_the_device_is_what_later_calls_need_not_pay)
{
    sizes first = usual, later = usual;
    cr_assert_eq(cost_of(&usual).upfront, 0);
    first.circumstances.sparse.would_stay = first.circumstances.dense.would_stay = true;
    later.circumstances.sparse = later.circumstances.dense = (torc_place){.is_on_device = true};
    for (int is_pinned = 0; is_pinned < 2; is_pinned++) {
        first.circumstances.sparse.is_pinned = first.circumstances.dense.is_pinned = is_pinned;
        torc_cost cost = cost_of(&first), rest = cost_of(&later);
        cr_assert_float_eq(cost.gpu - cost.upfront, rest.gpu, 1e-9 * cost.gpu);
        cr_assert_eq(rest.upfront, 0);
    }
}

Test(decision, both_ways_at_once_take_less_than_one_after_the_other)
{
    sizes wide = usual, narrow = usual, there = usual;
    wide.ncols = 64;
    narrow.ncols = 63;
    there.circumstances.dense.is_on_device = true;
    sizes *pinned[] = {&wide, &narrow, &there};
    for (int i = 0; i < 3; i++) {
        pinned[i]->circumstances.dense.is_pinned = pinned[i]->circumstances.result_is_pinned = true;
    }
    cr_assert_eq(work_of(&wide).overlapped, 4. * 100000 * 64 / 2);
    cr_assert_lt(cost_of(&wide).gpu, cost_of(&narrow).gpu, "one panel waits for its result to be computed");
    cr_assert_eq(work_of(&narrow).overlapped, 0);
    narrow.is_by_column = true;
    narrow.ncols = 32;
    cr_assert_eq(work_of(&narrow).overlapped, 4. * 100000 * 32 / 2);
    narrow.ncols = 31;
    cr_assert_eq(work_of(&narrow).overlapped, 0);
    there.ncols = 64;
    cr_assert_eq(work_of(&there).overlapped, 0);
    wide.circumstances.result_is_pinned = false;
    cr_assert_eq(work_of(&wide).overlapped, 0);
}

/* From the cheapest for SuiteSparse to the dearest. */
Test(decision, kinds_of_semirings_cost_the_cpu_differently)
{
    sizes any = usual, accumulated = usual, other = usual, cast = usual, masked = usual, recycled = usual;
    any.semiring = (torc_semiring)SEMIRING(TORC_ANY_MONOID, TORC_SECOND);
    accumulated.circumstances.cpu.is_accumulated = true;
    other.semiring = (torc_semiring)SEMIRING(TORC_MIN_MONOID, TORC_PLUS);
    cast.semiring.type = TORC_FP64;
    masked.circumstances.cpu.is_masked = true;
    masked.circumstances.cpu.allowed = 0.25;
    sizes *all[] = {&any, &accumulated, &other, &cast, &masked, &recycled};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) { /* or pages would tell them apart */
        all[i]->circumstances.cpu.result_is_recycled = true;
    }
    const sizes *ascending[] = {&any, &accumulated, &recycled, &other, &cast};
    for (size_t i = 1; i < sizeof ascending / sizeof *ascending; i++) {
        cr_assert_lt(cost_of(ascending[i - 1]).cpu, cost_of(ascending[i]).cpu, "number %zu", i);
    }
    cr_assert_lt(cost_of(&masked).cpu, cost_of(&recycled).cpu);
    cr_assert_eq(work_of(&any).cpu.work, 100000. * 32);
    any.semiring.multiply = TORC_PAIR;
    cr_assert_eq(work_of(&any).cpu.work, 3000000., "one value for all");
    any.semiring.add = TORC_PLUS_MONOID;
    cr_assert_eq(work_of(&any).cpu.work, 100000. * 32, "lengths of rows");
    cr_assert_eq(work_of(&usual).cpu.work, 3000000. * 32);
}

Test(decision, small_products_stay_on_the_cpu_and_large_ones_do_not)
{
    sizes small = {20, 20, 4, 60, 1, usual.semiring, {.sparse.is_on_device = true, .cpu.allowed = 1}},
          large = {200000, 50000, 100, 99500000, 16, usual.semiring, {.cpu.allowed = 1}};
    cr_assert_lt(cost_of(&small).cpu, cost_of(&small).gpu);
    cr_assert_gt(cost_of(&large).cpu, cost_of(&large).gpu);
}

/* Whatever is too small is predicted to be slower on the device, by every kind of semiring. */
Test(decision, what_is_too_small_would_have_stayed_on_the_cpu)
{
    static const torc_semiring kinds[] = {SEMIRING(TORC_PLUS_MONOID, TORC_TIMES),
        SEMIRING(TORC_MIN_MONOID, TORC_PLUS), SEMIRING(TORC_ANY_MONOID, TORC_SECOND)};
    int nsmall = 0, nlarge = 0;
    for (int64_t nnz = 10; nnz < 10000000; nnz *= 3) {
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
            sizes s = usual;
            s.nnz = nnz;
            s.semiring = kinds[k];
            s.circumstances.sparse.is_on_device = s.circumstances.dense.is_on_device = true;
            torc_machine_rates rates;
            torc_rates_default(&rates, s.processors);
            bool is_too_small = torc_decision_is_too_small((double)nnz * (double)s.ncols, &rates);
            cr_assert(!is_too_small || cost_of(&s).cpu < cost_of(&s).gpu, "%lld", (long long)nnz);
            nsmall += is_too_small;
            nlarge += !is_too_small;
        }
    }
    cr_assert(nsmall > 0 && nlarge > 0);
}

#define START 0.25

/* Seconds lost on the CPU before a device is opened, by calls of different kinds that gain `gain` as
 * predicted, and take `longer` than that. */
static double lost_before_opening(double gain, double longer)
{
    torc_cost cost = {.cpu = 1 + gain, .gpu = 1};
    torc_prospect prospect = {.start = START, .processors = 16};
    for (int calls = 1; !torc_decision_is_worth_opening(cost, &prospect); calls++) {
        cr_assert_lt(calls, 1000000);
        prospect.lost += torc_decision_loss(cost, cost.cpu + longer);
    }
    return prospect.lost;
}

Test(decision, a_device_is_opened_once_the_loss_is_what_opening_costs)
{
    const double gains[] = {0.001, 0.01, 0.1, 0.2};
    for (size_t i = 0; i < sizeof gains / sizeof *gains; i++) {
        double lost = lost_before_opening(gains[i], 0);
        cr_assert_leq(lost, START, "%g", gains[i]);
        cr_assert_gt(lost + gains[i], START - 1e-9, "%g", gains[i]);
    }
    cr_assert_eq(lost_before_opening(100, 0), 0, "a call that would lose a minute had to wait");
    cr_assert_float_eq(lost_before_opening(0.001, 0.199), 0.4, 1e-9, "what calls took does not count");
}

/* Like calls, each of which would gain that much, before a device is opened for them. */
static int like_calls_before_opening(double gain, int processors)
{
    torc_cost cost = {.cpu = 1 + gain, .gpu = 1};
    torc_prospect prospect = {.start = START, .processors = processors};
    while (!torc_decision_is_worth_opening(cost, &prospect)) {
        cr_assert_lt(prospect.like_calls++, 1000000);
    }
    return prospect.like_calls;
}

Test(decision, a_loop_is_worth_opening_once_what_it_gained_so_far_pays_for_a_processor)
{
    cr_assert_eq(like_calls_before_opening(0.03, 16), 2, "two calls are no loop");
    cr_assert_eq(like_calls_before_opening(0.004, 16), 4);
    cr_assert_eq(like_calls_before_opening(0.03, 2), 5);
    cr_assert_eq(like_calls_before_opening(0.03, 1), 9);
    cr_assert_eq(like_calls_before_opening(0.3, 16), 0, "one call gains more than opening takes");
}

/* The first call of a program that has gone on for so long. */
static bool opens_at_once(double gain, double age)
{
    torc_prospect prospect = {.start = START, .processors = 16, .age = age};
    return torc_decision_is_worth_opening((torc_cost){.cpu = 1 + gain, .gpu = 1}, &prospect);
}

Test(decision, a_large_call_is_worth_opening_at_once_in_a_program_that_is_not_short)
{
    cr_assert(opens_at_once(0.26 * START, 4.1 * START));
    cr_assert_not(opens_at_once(0.24 * START, 1000), "its like have to come");
    cr_assert_not(
        opens_at_once(0.26 * START, 3.9 * START), "the program may be over before the device is open");
    cr_assert_not(opens_at_once(0.26 * START, 0), "nobody saw it begin");
}

Test(decision, a_call_gains_twice_as_much_by_a_device_that_is_being_opened)
{
    torc_cost cheaper = {.cpu = 5, .gpu = 1}, dearer = {.cpu = 1, .gpu = 3};
    torc_prospect loop = {.start = START, .processors = 16, .lost = 100, .like_calls = 100};
    cr_assert_eq(torc_decision_gain(cheaper, false), 4);
    cr_assert_eq(torc_decision_gain(cheaper, true), 9);
    cr_assert_eq(torc_decision_gain(dearer, false), -2);
    cr_assert_not(torc_decision_is_worth_opening(dearer, &loop));
    cr_assert_eq(torc_decision_loss(dearer, 5), 0, "no loss where the device would not have been chosen");
    cr_assert_eq(torc_decision_loss((torc_cost){.cpu = 3, .gpu = 2}, 1), 0);
}
