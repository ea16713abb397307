/* What SuiteSparse is predicted to take is what it took, within a factor of 2: on every shape of call that
 * was measured, on two machines. */
#include "cpu_time.h"
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef enum form { A_TIMES_D, D_TIMES_A, D_TIMES_AT } form;

typedef struct call {
    form form;
    int64_t nrows, ncols, nnz, n; /* A; columns of D, or rows */
    torc_semiring semiring;       /* as the caller gives it */
    double present, allowed;      /* shares of D's elements, of C's; 1: full, no mask */
    bool has_accum, is_recycled;
    torc_locality locality; /* all is 0: anywhere */
} call;

/* Multiply's arguments exchanged. */
static torc_multiply flipped(torc_multiply multiply)
{
    switch (multiply) {
    case TORC_FIRST:
        return TORC_SECOND;
    case TORC_SECONDI:
        return TORC_FIRSTJ;
    default:
        return multiply;
    }
}

static double seconds_of(const call *c, const torc_machine_rates *rates)
{
    static uint8_t some_bitmap[1];
    bool is_right = c->form == A_TIMES_D, has_bitmap = c->present < 1;
    torc_semiring semiring = c->semiring;
    semiring.multiply = is_right ? semiring.multiply : flipped(semiring.multiply);
    torc_traits traits = torc_semiring_traits(semiring);
    bool transposes = c->form == D_TIMES_A;
    int64_t k = transposes ? c->nrows : c->ncols, m = transposes ? c->ncols : c->nrows;
    torc_order order = is_right ? TORC_ROW_MAJOR : TORC_COL_MAJOR;
    torc_view S = {.nrows = c->nrows,
        .ncols = c->ncols,
        .nvals = c->nnz,
        .format = TORC_SPARSE,
        .nvec = c->nrows,
        .veclen = c->ncols};
    torc_view D = {.nrows = k,
        .ncols = c->n,
        .nvals = (int64_t)(c->present * (double)(k * c->n)),
        .format = has_bitmap ? TORC_BITMAP : TORC_FULL};
    torc_product product = {.semiring = semiring,
        .sparse = &S,
        .dense = &D,
        .transpose_sparse = transposes,
        .is_flipped = !is_right,
        .sparse_type = traits.x_type,
        .dense_type = traits.y_type,
        .dense_view = {k, c->n, is_right ? c->n : k, order, traits.y_type, false, NULL,
            has_bitmap ? some_bitmap : NULL},
        .result_view = {m, c->n, is_right ? c->n : m, order, traits.z_type, false, NULL, NULL}};
    torc_cpu_circumstances circumstances = {.has_accum = c->has_accum,
        .is_accumulated = c->has_accum && semiring.add == TORC_PLUS_MONOID,
        .is_masked = c->allowed < 1,
        .allowed = c->allowed,
        .result_is_recycled = c->is_recycled};
    torc_cpu_work work = torc_cpu_work_of(&product, &circumstances);
    if (c->locality.all > 0) {
        work.locality = c->locality;
    }
    return torc_cpu_seconds(&work, rates);
}

static void expect_within_a_factor_of_2(double predicted, double measured, const char *name)
{
    cr_expect(predicted < 2 * measured && measured < 2 * predicted, "%s: predicted %.2f ms, measured %.2f ms",
        name, 1e3 * predicted, 1e3 * measured);
}

/* ---- 16 processors beside an H200 --------------------------------------------------------------------- */

#define SEMIRING(add, multiply, type)                                                                        \
    {                                                                                                        \
        TORC_##add##_MONOID, TORC_##multiply, TORC_##type, NULL, false                                       \
    }
#define RMAT(scale) .nrows = INT64_C(1) << scale, .ncols = INT64_C(1) << scale
#define RMAT_20 RMAT(20), .nnz = 16086700, .locality = {{4096, 65536}, {.9028 * 4096, .5636 * 65536}, 1 << 20}
#define UNIFORM RMAT(20), .nnz = 16777110
#define BAND                                                                                                 \
    .nrows = 262144, .ncols = 262144, .nnz = 14298315, .locality = {{4096, 65536}, {140, 1270}, 262144}
#define RECTANGULAR .nrows = 200000, .ncols = 50000, .nnz = 99502918
#define PLAIN .present = 1, .allowed = 1
#define SUM32 .semiring = SEMIRING(PLUS, TIMES, FP32), PLAIN
#define SUM64 .semiring = SEMIRING(PLUS, TIMES, FP64), PLAIN

/* Its caches are taken to be those of a Sapphire Rapids: the virtual machine does not name it. */
static torc_machine_rates rates_beside_an_h200(void)
{
    torc_machine_rates rates;
    torc_rates_default(&rates, 16);
    rates.of[TORC_RATE_CACHE_OF_ONE] = 2 << 20;
    rates.of[TORC_RATE_CACHE_OF_ALL] = 105 << 20;
    return rates;
}

/* The means of bench/results/2026-11-21-h200-mxm-1c69f1b.csv, and of -suitesparse.csv. */
Test(cpu_time, is_predicted_on_the_shapes_of_the_bench)
{
    static const struct {
        const char *name;
        double ms;
        call call;
    } cases[] = {
        {"plus_times_held", 178.2, {.n = 128, SUM32, RMAT_20}},
        {"accumulated_held", 53.3, {.n = 128, SUM32, RMAT_20, .has_accum = true}},
        {"narrow_held", 56.6, {.n = 32, SUM64, RMAT_20}},
        {"narrow_accumulated_held", 27.4, {.n = 32, SUM64, RMAT_20, .has_accum = true}},
        {"min_plus_held", 367.9, {.n = 128, .semiring = SEMIRING(MIN, PLUS, FP32), PLAIN, RMAT_20}},
        {"plus_times_first", 205.7, {.n = 128, SUM32, RMAT_20}},
        {"uniform_held", 177.7, {.n = 128, SUM32, UNIFORM}},
        {"rectangular_first", 373.2, {.n = 100, SUM64, RECTANGULAR, .has_accum = true}},
        {"rectangular_held", 311.3, {.n = 100, SUM64, RECTANGULAR, .has_accum = true}},
        {"right_4", 5.59, {.n = 4, SUM64, RMAT_20}},
        {"right_16", 17.2, {.n = 16, SUM64, RMAT_20}},
        {"right_64", 92.3, {.n = 64, SUM64, RMAT_20}},
        {"left_4", 6.96, {.form = D_TIMES_AT, .n = 4, SUM64, RMAT_20}},
        {"left_16", 46.6, {.form = D_TIMES_AT, .n = 16, SUM64, RMAT_20}},
        {"left_64", 188.0, {.form = D_TIMES_AT, .n = 64, SUM64, RMAT_20}},
        {"uniform 32", 48.1, {.n = 32, SUM32, UNIFORM}},
        {"uniform 32, accumulated", 17.3, {.n = 32, SUM32, UNIFORM, .has_accum = true}},
        {"uniform 128", 207.3, {.n = 128, SUM32, UNIFORM}},
        {"uniform 128, accumulated", 108.2, {.n = 128, SUM32, UNIFORM, .has_accum = true}},
        {"rmat 32", 63.8, {.n = 32, SUM32, RMAT_20}},
        {"rmat 32, accumulated", 16.4, {.n = 32, SUM32, RMAT_20, .has_accum = true}},
        {"band 32", 18.5, {.n = 32, SUM32, BAND}},
        {"band 32, accumulated", 2.94, {.n = 32, SUM32, BAND, .has_accum = true}},
        {"band 128", 74.6, {.n = 128, SUM32, BAND}},
        {"band 128, accumulated", 12.7, {.n = 128, SUM32, BAND, .has_accum = true}},
    };
    torc_machine_rates rates = rates_beside_an_h200();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        expect_within_a_factor_of_2(seconds_of(&cases[i].call, &rates), 1e-3 * cases[i].ms, cases[i].name);
    }
}

/* The first product of a PageRank of 64 seeds, R-MAT of scale 20, and its later ones, which accumulate:
 * bench/results/2026-11-21-h200-startup.txt. Three products that do not: .47 s at scale 20, 2.35 s at
 * 22, 3.58 s at 23, on the same processors; locality there is what it is at 20, of more columns. */
Test(cpu_time, is_predicted_in_pagerank_up_to_scale_23)
{
    const torc_semiring semiring = SEMIRING(PLUS, SECOND, FP64);
    torc_machine_rates rates = rates_beside_an_h200();
    call first = {.n = 64, .semiring = semiring, PLAIN, RMAT_20}, later = first;
    later.has_accum = true;
    expect_within_a_factor_of_2(seconds_of(&first, &rates), .167, "the first");
    expect_within_a_factor_of_2(seconds_of(&later, &rates), .045, "a later one");
    static const struct {
        int scale;
        double seconds;
    } firsts[] = {{20, .47}, {22, 2.35}, {23, 3.58}};
    for (size_t i = 0; i < sizeof firsts / sizeof *firsts; i++) {
        char name[16];
        snprintf(name, sizeof name, "scale %d", firsts[i].scale);
        call large = first;
        large.nrows = large.ncols = INT64_C(1) << firsts[i].scale;
        large.nnz = 16 * large.nrows;
        large.locality.all = (double)large.nrows;
        expect_within_a_factor_of_2(3 * seconds_of(&large, &rates), firsts[i].seconds, name);
    }
}

/* GrB_mxv: 50 calls of bench/results/2026-11-22-h200-whole.txt; the levels of a search of one source, and the
 * rounds of connected components, of 2026-11-23-h200-opening.txt. */
Test(cpu_time, is_predicted_for_vectors)
{
    static const struct {
        const char *name;
        double ms;
        call call;
    } cases[] = {
        {"plus_second", 2.79,
            {.n = 1, .semiring = SEMIRING(PLUS, SECOND, FP32), PLAIN, RMAT_20, .has_accum = true}},
        {"the fourth level", 1.75,
            {.n = 1, .semiring = SEMIRING(ANY, SECONDI, INT64), .present = .053, .allowed = .95, RMAT_20}},
        {"the fifth", 1.11,
            {.n = 1, .semiring = SEMIRING(ANY, SECONDI, INT64), .present = .42, .allowed = .52, RMAT_20}},
        {"the sixth", 1.03,
            {.n = 1, .semiring = SEMIRING(ANY, SECONDI, INT64), .present = .043, .allowed = .45, RMAT_20}},
        {"components", 0.92,
            {.n = 1,
                .semiring = SEMIRING(MIN, SECOND, UINT64),
                PLAIN,
                RMAT(20),
                .nnz = 1961781,
                .has_accum = true,
                .is_recycled = true}},
    };
    torc_machine_rates rates = rates_beside_an_h200();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        expect_within_a_factor_of_2(seconds_of(&cases[i].call, &rates), 1e-3 * cases[i].ms, cases[i].name);
    }
}

/* ---- One thread of an EPYC ---------------------------------------------------------------------------- */

static torc_semiring semiring_of(const char *name)
{
    static const struct {
        const char *name;
        torc_semiring semiring;
    } known[] = {
        {"plus_times_fp32", SEMIRING(PLUS, TIMES, FP32)},
        {"plus_second_fp64", SEMIRING(PLUS, SECOND, FP64)},
        {"plus_first_fp64", SEMIRING(PLUS, FIRST, FP64)},
        {"min_plus_fp32", SEMIRING(MIN, PLUS, FP32)},
        {"lor_land_bool", SEMIRING(LOR, LAND, BOOL)},
        {"any_secondi_i32", SEMIRING(ANY, SECONDI, INT32)},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(name, known[i].name) == 0) {
            return known[i].semiring;
        }
    }
    cr_assert_fail("%s", name);
    return known[0].semiring;
}

/* glibc keeps blocks of up to 32 MiB, and their pages, once one was freed. */
static bool read_case(call *c, double *seconds, const char *line)
{
    char matrix[16], semiring[32], way[8];
    int scale, has_accum;
    long nnz, n;
    double present, masked, ms;
    if (sscanf(line, "%15[^,],%31[^,],%7[^,],%d,%ld,%ld,%lf,%lf,%d,%lf", matrix, semiring, way, &scale, &nnz,
            &n, &present, &masked, &has_accum, &ms) != 10) {
        return false;
    }
    *c = (call){.form = strcmp(way, "A*D") == 0   ? A_TIMES_D
                        : strcmp(way, "D*A") == 0 ? D_TIMES_A
                                                  : D_TIMES_AT,
        .nrows = INT64_C(1) << scale,
        .ncols = INT64_C(1) << scale,
        .nnz = nnz,
        .n = n,
        .semiring = semiring_of(semiring),
        .present = present,
        .allowed = masked < 0 ? 1 : 1 - masked,
        .has_accum = has_accum};
    size_t result = (size_t)(c->nrows * n) * torc_type_size(torc_semiring_traits(c->semiring).z_type);
    c->is_recycled = result < 32 << 20;
    *seconds = 1e-3 * ms;
    return true;
}

/* The second step of a search from 64 sources on R-MAT 20: 735 vertices with 1430 neighbours each
 * (bench/results/2026-11-23-searches.txt). */
static double seconds_of_a_step(
    torc_monoid add, torc_multiply multiply, torc_type type, const torc_machine_rates *rates, int threads)
{
    enum { SIZE = 1 << 20, SOURCES = 64, ENTRIES = 735, DEGREE = 1430 };
    static int64_t offsets[SIZE + 1], starts[SOURCES + 1], indices[ENTRIES];
    for (int64_t i = 0; i <= SIZE; i++) {
        offsets[i] = DEGREE * i;
    }
    for (int64_t i = 0; i < ENTRIES; i++) {
        indices[i] = i;
    }
    for (int64_t i = 0; i <= SOURCES; i++) {
        starts[i] = i * ENTRIES / SOURCES;
    }
    torc_semiring semiring = {add, multiply, type, NULL, false};
    torc_view S = {.nrows = SIZE,
        .ncols = SIZE,
        .nvals = 16086700,
        .format = TORC_SPARSE,
        .nvec = SIZE,
        .veclen = SIZE,
        .ptr = offsets,
        .ptr_bits = 64};
    torc_view D = {.nrows = SIZE,
        .ncols = SOURCES,
        .nvals = ENTRIES,
        .format = TORC_SPARSE,
        .nvec = SOURCES,
        .veclen = SIZE,
        .ptr = starts,
        .ptr_bits = 64,
        .idx = indices,
        .idx_bits = 64};
    torc_product product = {.semiring = semiring,
        .sparse = &S,
        .dense = &D,
        .dense_is_listed = true,
        .transpose_sparse = true,
        .dense_view = {SIZE, SOURCES, SIZE, TORC_COL_MAJOR, type, false, NULL, NULL},
        .result_view = {SIZE, SOURCES, SIZE, TORC_COL_MAJOR, type, false, NULL, NULL}};
    torc_cpu_circumstances circumstances = {.is_masked = true, .allowed = 1, .threads = threads};
    torc_cpu_work work = torc_cpu_work_of(&product, &circumstances);
    return torc_cpu_seconds(&work, rates);
}

Test(cpu_time, is_predicted_for_two_sparse_operands)
{
    torc_machine_rates rates = rates_beside_an_h200(), of_two;
    torc_rates_default(&of_two, 2);
    expect_within_a_factor_of_2(
        seconds_of_a_step(TORC_ANY_MONOID, TORC_PAIR, TORC_BOOL, &rates, 16), 12.8e-3, "any_pair");
    expect_within_a_factor_of_2(
        seconds_of_a_step(TORC_ANY_MONOID, TORC_SECONDI, TORC_INT64, &rates, 16), 23.3e-3, "any_secondi");
    expect_within_a_factor_of_2(
        seconds_of_a_step(TORC_ANY_MONOID, TORC_PAIR, TORC_BOOL, &of_two, 2), 11.8e-3, "any_pair, 2 threads");
    expect_within_a_factor_of_2(seconds_of_a_step(TORC_ANY_MONOID, TORC_SECONDI, TORC_INT64, &of_two, 2),
        12.3e-3, "any_secondi, 2 threads");
}

/* Frontiers of a few vertices: as many threads as have GxB_CHUNK terms each. */
static torc_product search_step(const torc_view *S, const torc_view *D)
{
    return (torc_product){.semiring = {TORC_ANY_MONOID, TORC_SECONDI, TORC_INT64, NULL, false},
        .sparse = S,
        .dense = D,
        .dense_is_listed = true,
        .transpose_sparse = true,
        .dense_view = {D->nrows, D->ncols, D->nrows, TORC_COL_MAJOR, TORC_INT64, false, NULL, NULL},
        .result_view = {D->nrows, D->ncols, D->nrows, TORC_COL_MAJOR, TORC_INT64, false, NULL, NULL}};
}

Test(cpu_time, of_few_terms_is_that_of_few_threads)
{
    enum { VERTICES = 1 << 20, DEGREE = 16, THREADS = 16, CHUNK = 65536 };
    static const struct {
        int64_t sources, nvals;
        int busy;
    } steps[] = {{1, 10, 1}, {1, CHUNK / DEGREE, 1}, {1, 2 * CHUNK / DEGREE, 2}, {1, VERTICES, THREADS},
        {64, CHUNK / DEGREE, 1}, {64, VERTICES, THREADS}};
    torc_machine_rates all = rates_beside_an_h200(), of_one = torc_rates_of_threads(&all, 1, THREADS);
    torc_view S = {.nrows = VERTICES, .ncols = VERTICES, .nvals = VERTICES * DEGREE, .format = TORC_SPARSE};
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        torc_view D = {
            .nrows = VERTICES, .ncols = steps[i].sources, .nvals = steps[i].nvals, .format = TORC_SPARSE};
        torc_product product = search_step(&S, &D);
        torc_cpu_circumstances of_16 = {.allowed = 1, .threads = THREADS},
                               of_1 = {.allowed = 1, .threads = 1};
        torc_cpu_work work = torc_cpu_work_of(&product, &of_16), alone = torc_cpu_work_of(&product, &of_1);
        double by_16 = torc_cpu_seconds(&work, &all), by_1 = torc_cpu_seconds(&alone, &of_one);
        cr_expect_eq(work.busy, steps[i].busy, "step %zu: %d threads", i, work.busy);
        if (steps[i].busy == 1) {
            cr_expect_float_eq(by_16, by_1, 1e-12, "step %zu: %g and %g s", i, by_16, by_1);
        } else {
            cr_expect_lt(by_16, by_1, "step %zu: %g and %g s", i, by_16, by_1);
        }
    }
}

/* The bounds that torc_cpu_pass_seconds states. */
Test(cpu_time, of_dense_calls_is_predicted_within_a_factor_of_2_but_for_a_few_of_3)
{
    FILE *file = fopen(TORC_BENCH_RESULTS "/2026-11-23-epyc-dense-calls.csv", "r");
    char line[256], name[64];
    double elements, ms;
    int count = 0, close = 0, threads;
    torc_cpu_pass pass;
    cr_assert_not_null(file);
    while (fgets(line, sizeof line, file)) {
        if (sscanf(line, "%63[^,],%lf,%d,%lf,%lf,%lf,%lf,%lf,%lf", name, &elements, &threads, &ms,
                &pass.bytes, &pass.decided, &pass.doubtful, &pass.gathered, &pass.compared) == 9) {
            torc_machine_rates rates;
            torc_rates_default(&rates, threads);
            rates.of[TORC_RATE_CACHE_OF_ALL] = 32 << 20;
            double predicted = 1e3 * torc_cpu_pass_seconds(&pass, &rates);
            cr_expect(predicted < 3 * ms && ms < 3 * predicted, "%s: %g ms predicted, %g measured", name,
                predicted, ms);
            close += predicted < 2 * ms && ms < 2 * predicted;
            count++;
        }
    }
    fclose(file);
    cr_assert_eq(count, 60);
    cr_expect_geq(10 * close, 9 * count, "%d of %d within a factor of 2", close, count);
}

Test(cpu_time, of_dense_calls_grows_with_their_bytes)
{
    torc_machine_rates rates;
    torc_rates_default(&rates, 16);
    double before = 0;
    for (double bytes = 1 << 20; bytes < 1e10; bytes *= 1.1) {
        double seconds = torc_cpu_pass_seconds(&(torc_cpu_pass){.bytes = bytes}, &rates);
        cr_assert_gt(seconds, before);
        before = seconds;
    }
    cr_expect_float_eq(
        before, 1e10 / rates.of[TORC_RATE_OUT_STAGED], .1 * before, "memory's speed in the end");
}

Test(cpu_time, is_predicted_for_every_form_of_a_call)
{
    FILE *file = fopen(TORC_BENCH_RESULTS "/2026-11-22-epyc-suitesparse-forms.csv", "r");
    char line[256];
    call c;
    double measured;
    int count = 0;
    torc_machine_rates rates;
    torc_rates_default(&rates, 1);
    rates.of[TORC_RATE_CACHE_OF_ONE] = 1 << 20;
    rates.of[TORC_RATE_CACHE_OF_ALL] = 32 << 20;
    cr_assert_not_null(file);
    while (fgets(line, sizeof line, file)) {
        if (read_case(&c, &measured, line)) {
            line[strcspn(line, "\n")] = '\0';
            expect_within_a_factor_of_2(seconds_of(&c, &rates), measured, line);
            count++;
        }
    }
    fclose(file);
    cr_assert_gt(count, 100);
}
