/* Products of two sparse matrices of which one is narrow, a frontier: it becomes a bitmap on the device, as
 * do a sparse mask and a sparse C. Random ones beside GrB_mxm, of sums that any order makes alike. */
#include "away.h"
#include "glue_fixture.h"
#include "random_chance.h"
#include "placement.h"
#include "put_off.h"
#include "reference.h"
#include "residency.h"
#include <criterion/criterion.h>
#include <signal.h>
#include <stdlib.h>
#include <torc/graphblas.h>

enum { N = 20000, DEGREE = 5, WIDEST = 40, CASES = 40 };

static void start(void)
{
    cr_assert_eq(setenv("TORC_BACKEND", "reference", 1), 0);
    cr_assert_eq(setenv("TORC_FORCE", "gpu", 1), 0);
    torc_trace_begin();
    torc_away_allow(sigaction);
    cr_assert_eq(GxB_init(GrB_NONBLOCKING, torc_malloc, torc_calloc, torc_realloc, torc_free), GrB_SUCCESS);
}

TestSuite(frontier, .init = start, .fini = torc_glue_finish);

static GrB_Matrix random_sparse(uint64_t *seed, GrB_Index nrows, GrB_Index ncols, int64_t count, int format)
{
    GrB_Matrix matrix;
    cr_assert_eq(GrB_Matrix_new(&matrix, GrB_INT64, nrows, ncols), GrB_SUCCESS);
    cr_assert_eq(GxB_Matrix_Option_set(matrix, GxB_FORMAT, format), GrB_SUCCESS);
    for (int64_t e = 0; e < count; e++) {
        GrB_Index i = (GrB_Index)random_below(seed, (int64_t)nrows),
                  j = (GrB_Index)random_below(seed, (int64_t)ncols);
        cr_assert_eq(GrB_Matrix_setElement_INT64(matrix, random_below(seed, 9) - 3, i, j), GrB_SUCCESS);
    }
    cr_assert_eq(GrB_Matrix_wait(matrix, GrB_MATERIALIZE), GrB_SUCCESS);
    return matrix;
}

typedef struct contents {
    GrB_Index count, *rows, *columns;
    int64_t *values;
} contents;

/* By row, whatever the matrix's own order. */
static contents contents_of(GrB_Matrix matrix)
{
    GrB_Matrix copy;
    contents c;
    cr_assert_eq(GrB_Matrix_dup(&copy, matrix), GrB_SUCCESS);
    cr_assert_eq(GxB_Matrix_Option_set(copy, GxB_FORMAT, GxB_BY_ROW), GrB_SUCCESS);
    cr_assert_eq(GrB_Matrix_nvals(&c.count, copy), GrB_SUCCESS);
    c.rows = malloc((c.count + 1) * sizeof *c.rows);
    c.columns = malloc((c.count + 1) * sizeof *c.columns);
    c.values = malloc((c.count + 1) * sizeof *c.values);
    cr_assert_eq(GrB_Matrix_extractTuples_INT64(c.rows, c.columns, c.values, &c.count, copy), GrB_SUCCESS);
    GrB_Matrix_free(&copy);
    return c;
}

static void release(contents *c)
{
    free(c->rows);
    free(c->columns);
    free(c->values);
}

static bool are_equal(GrB_Matrix X, GrB_Matrix Y)
{
    contents x = contents_of(X), y = contents_of(Y);
    size_t size = x.count * sizeof(GrB_Index);
    bool are = x.count == y.count && memcmp(x.rows, y.rows, size) == 0 &&
               memcmp(x.columns, y.columns, size) == 0 && memcmp(x.values, y.values, size) == 0;
    release(&x);
    release(&y);
    return are;
}

/* F · A with a narrow F by row, or A' · F' with a narrow one by column: torc's answer beside GrB_mxm's, in
 * C's that begin alike. */
static void check(uint64_t seed)
{
    const GrB_Semiring semirings[] = {GrB_PLUS_TIMES_SEMIRING_INT64, GrB_MIN_PLUS_SEMIRING_INT64,
        GxB_PLUS_FIRST_INT64, GxB_PLUS_PAIR_INT64, GxB_MIN_SECONDI_INT64, GxB_MAX_SECOND_INT64};
    const GrB_Descriptor descriptors[] = {
        NULL, GrB_DESC_R, GrB_DESC_S, GrB_DESC_C, GrB_DESC_SC, GrB_DESC_RSC, GrB_DESC_RC, GrB_DESC_RS};
    uint64_t start = seed;
    bool is_left = random_below(&seed, 2), has_mask = random_below(&seed, 3),
         has_accum = random_below(&seed, 2);
    GrB_Index width = (GrB_Index)(1 + random_below(&seed, WIDEST)), m = is_left ? width : N,
              n = is_left ? N : width;
    int format = random_below(&seed, 2) ? GxB_BY_ROW : GxB_BY_COL;
    GrB_Matrix A = random_sparse(&seed, N, N, N * DEGREE, random_below(&seed, 2) ? GxB_BY_ROW : GxB_BY_COL);
    GrB_Matrix F = random_sparse(&seed, m, n, random_below(&seed, 4 * N), format);
    GrB_Matrix mask = random_sparse(&seed, m, n, random_below(&seed, 2 * N), format);
    GrB_Matrix C = random_sparse(&seed, m, n, random_below(&seed, 3) * N / 4, format), expected;
    cr_assert_eq(GrB_Matrix_dup(&expected, C), GrB_SUCCESS);
    GrB_Semiring semiring = semirings[random_below(&seed, 6)];
    GrB_Descriptor desc = has_mask ? descriptors[random_below(&seed, 8)] : NULL;
    GrB_BinaryOp accum = has_accum ? GrB_PLUS_INT64 : NULL;
    GrB_Matrix left = is_left ? F : A, right = is_left ? A : F;
    cr_assert_eq(GrB_mxm(expected, has_mask ? mask : NULL, accum, semiring, left, right, desc), GrB_SUCCESS);
    cr_assert_eq(torc_mxm(C, has_mask ? mask : NULL, accum, semiring, left, right, desc), GrB_SUCCESS);
    cr_expect(are_equal(C, expected), "seed %lu", (unsigned long)start);
    GrB_Matrix_free(&A);
    GrB_Matrix_free(&F);
    GrB_Matrix_free(&mask);
    GrB_Matrix_free(&C);
    GrB_Matrix_free(&expected);
}

Test(frontier, agrees_with_suitesparse)
{
    for (uint64_t seed = 1; seed <= CASES; seed++) {
        check(seed);
    }
    torc_mxm_statistics statistics = TORC_MXM_STATISTICS_INIT;
    torc_mxm_statistics_get(&statistics);
    cr_expect_gt(statistics.device.calls, CASES / 2);
}

/* SuiteSparse would take the one value of a bitmap without entries for an entry. */
Test(frontier, that_ends_without_entries_has_no_value)
{
    uint64_t seed = 6;
    int64_t sum = 1;
    bool is_iso;
    GrB_Matrix A = random_sparse(&seed, N, N, N * DEGREE, GxB_BY_ROW),
               F = random_sparse(&seed, 8, N, 20, GxB_BY_ROW), first, others;
    cr_assert_eq(GrB_Matrix_new(&first, GrB_BOOL, 8, N), GrB_SUCCESS);
    cr_assert_eq(GrB_Matrix_setElement_BOOL(first, true, 0, 0), GrB_SUCCESS);
    cr_assert_eq(GrB_Matrix_new(&others, GrB_BOOL, 8, N), GrB_SUCCESS);
    cr_assert_eq(
        GrB_Matrix_assign_BOOL(others, first, NULL, true, GrB_ALL, 8, GrB_ALL, N, GrB_DESC_SC), GrB_SUCCESS);
    /* nothing leads to the only element that the mask lets through */
    cr_assert_eq(GrB_Matrix_select_INT64(A, NULL, NULL, GrB_COLGT, A, 0, NULL), GrB_SUCCESS);
    cr_assert_eq(GrB_Matrix_wait(A, GrB_MATERIALIZE), GrB_SUCCESS);
    cr_assert_eq(GrB_Matrix_wait(others, GrB_MATERIALIZE), GrB_SUCCESS);
    uint64_t returns = torc_residency_count().returns;
    cr_assert_eq(torc_mxm(F, others, NULL, GxB_ANY_PAIR_INT64, F, A, GrB_DESC_RSC), GrB_SUCCESS);
    torc_mxm_statistics statistics = TORC_MXM_STATISTICS_INIT;
    torc_mxm_statistics_get(&statistics);
    cr_expect_eq(statistics.device.calls, 1);
    cr_expect_eq(torc_residency_count().returns, returns, "nothing comes home for that");
    cr_assert_eq(GxB_Matrix_iso(&is_iso, F), GrB_SUCCESS);
    cr_expect_not(is_iso);
    cr_assert_eq(GrB_Matrix_reduce_INT64(&sum, GrB_PLUS_INT64, GrB_PLUS_MONOID_INT64, F, NULL), GrB_SUCCESS);
    cr_expect_eq(sum, 1);
    GrB_Matrix_free(&A);
    GrB_Matrix_free(&F);
    GrB_Matrix_free(&first);
    GrB_Matrix_free(&others);
}

/* The product of the first is the second's operand: nothing comes home between them. */
Test(frontier, stays_on_the_device)
{
    uint64_t seed = 5;
    GrB_Matrix A = random_sparse(&seed, N, N, N * DEGREE, GxB_BY_ROW),
               F = random_sparse(&seed, 8, N, 20, GxB_BY_ROW);
    cr_assert_eq(torc_mxm(F, NULL, NULL, GxB_ANY_PAIR_INT64, F, A, NULL), GrB_SUCCESS);
    cr_expect(torc_away_is_any());
    cr_assert_eq(torc_mxm(F, NULL, NULL, GxB_ANY_PAIR_INT64, F, A, NULL), GrB_SUCCESS);
    cr_expect(torc_away_is_any());
    cr_expect_eq(torc_away_count().touched + torc_away_count().asked, 0);
    torc_view view;
    cr_assert_eq(torc_view_open(&view, torc_binding_get(), F), GrB_SUCCESS);
    cr_expect(view.iso, "of pairs there is one value, which is at home");
    cr_expect_eq(torc_away_journey(view.values), 0);
    cr_expect_geq(torc_bytes_to_fetch(&view), 8 * N, "for the CPU it has to come home");
    cr_expect_eq(torc_bytes_to_place(&view, true), 0, "for the device it is there");
    torc_away_ask(view.bitmap);
    cr_expect_eq(torc_bytes_to_fetch(&view), 0);
    GrB_Matrix_free(&A);
    GrB_Matrix_free(&F);
}

static int option(GrB_Matrix matrix, GxB_Option_Field field)
{
    int value;
    cr_assert_eq(GxB_Matrix_Option_get(matrix, field, &value), GrB_SUCCESS);
    return value;
}

/* Told to be sparse for a push it stays where it is; who asks for its format finds it sparse. */
Test(frontier, is_converted_when_it_comes_home)
{
    uint64_t seed = 7;
    GrB_Matrix A = random_sparse(&seed, N, N, N * DEGREE, GxB_BY_ROW),
               F = random_sparse(&seed, 8, N, 20, GxB_BY_ROW), expected;
    cr_assert_eq(GrB_Matrix_new(&expected, GrB_INT64, 8, N), GrB_SUCCESS);
    cr_assert_eq(GrB_mxm(expected, NULL, NULL, GxB_PLUS_PAIR_INT64, F, A, NULL), GrB_SUCCESS);
    cr_assert_eq(torc_mxm(F, NULL, NULL, GxB_PLUS_PAIR_INT64, F, A, NULL), GrB_SUCCESS);
    cr_assert(torc_put_off_control(F, GxB_SPARSE));
    cr_expect_eq(torc_away_count().touched + torc_away_count().asked, 0);
    torc_put_off_settle(F);
    cr_expect_eq(option(F, GxB_SPARSITY_CONTROL), GxB_SPARSE);
    cr_expect_eq(option(F, GxB_SPARSITY_STATUS), GxB_SPARSE);
    cr_expect(are_equal(F, expected));
    cr_expect_not(torc_put_off_control(F, GxB_HYPERSPARSE), "it is home");
    GrB_Matrix_free(&A);
    GrB_Matrix_free(&F);
    GrB_Matrix_free(&expected);
}

/* A result keeps what its matrix was told, also where that was put off before. */
Test(frontier, of_a_sparse_control_stays_on_the_device)
{
    uint64_t seed = 9;
    GrB_Matrix A = random_sparse(&seed, N, N, N * DEGREE, GxB_BY_ROW),
               F = random_sparse(&seed, 8, N, 20, GxB_BY_ROW);
    cr_assert_eq(GxB_Matrix_Option_set(F, GxB_SPARSITY_CONTROL, GxB_SPARSE), GrB_SUCCESS);
    for (int level = 0; level < 2; level++) {
        cr_assert_eq(torc_mxm(F, NULL, NULL, GxB_ANY_PAIR_INT64, F, A, NULL), GrB_SUCCESS);
        cr_expect(torc_away_is_any());
    }
    cr_expect_eq(torc_away_count().touched + torc_away_count().asked, 0);
    torc_put_off_settle(F);
    cr_expect_eq(option(F, GxB_SPARSITY_CONTROL), GxB_SPARSE);
    cr_expect_eq(option(F, GxB_SPARSITY_STATUS), GxB_SPARSE);
    GrB_Matrix_free(&A);
    GrB_Matrix_free(&F);
}

/* A device that is lost takes with it what is only there. Nobody is told that garbage is an answer. */
Test(frontier, that_is_lost_with_the_device_is_a_panic)
{
    uint64_t seed = 11;
    GrB_Matrix A = random_sparse(&seed, N, N, N * DEGREE, GxB_BY_ROW),
               F = random_sparse(&seed, 8, N, 20, GxB_BY_ROW);
    cr_assert_eq(torc_mxm(F, NULL, NULL, GxB_ANY_PAIR_INT64, F, A, NULL), GrB_SUCCESS);
    cr_assert(torc_away_is_any());
    torc_reference_fail_from(0);
    cr_expect_eq(torc_mxm(F, NULL, NULL, GxB_ANY_PAIR_INT64, F, A, NULL), GrB_PANIC);
    cr_expect(torc_residency_has_lost());
    torc_reference_fail_at(-1);
    cr_expect_eq(torc_mxm(F, NULL, NULL, GxB_ANY_PAIR_INT64, F, A, NULL), GrB_PANIC, "it stays lost");
    GrB_Matrix_free(&A);
    GrB_Matrix_free(&F);
    torc_session_close();
    cr_expect_not(torc_residency_has_lost(), "the next session starts anew");
}
