/* Products of two full matrices of which the large one is away, or long, and the small one is read as a
 * sparse one: beside GrB_mxm, in both orders of values and of operands. Sums of integers, which any order
 * makes alike. */
#include "away_fixture.h"
#include "operations.h"
#include "reference.h"
#include "residency.h"
#include <stdlib.h>
#include <torc/graphblas.h>

enum { LARGE = 5000, INNER = 6, WIDTH = 5 };

static void start_on_reference(void)
{
    setenv("TORC_BACKEND", "reference", 1);
    setenv("TORC_FORCE", "gpu", 1);
    start();
}

TestSuite(small_full, .init = start_on_reference, .fini = torc_glue_finish);

static GrB_Matrix new_full(GrB_Index nrows, GrB_Index ncols, bool by_col)
{
    size_t bytes = nrows * ncols * sizeof(int64_t);
    int64_t *values = torc_malloc(bytes);
    void *array = values;
    GrB_Matrix matrix;
    for (size_t e = 0; e < nrows * ncols; e++) {
        values[e] = (int64_t)(e * 7 % 11) - 4;
    }
    cr_assert_eq(GrB_Matrix_new(&matrix, GrB_INT64, nrows, ncols), GrB_SUCCESS);
    cr_assert_eq(GxB_Matrix_Option_set(matrix, GxB_FORMAT, by_col ? GxB_BY_COL : GxB_BY_ROW), GrB_SUCCESS);
    cr_assert_eq(by_col ? GxB_Matrix_pack_FullC(matrix, &array, bytes, false, NULL)
                        : GxB_Matrix_pack_FullR(matrix, &array, bytes, false, NULL),
        GrB_SUCCESS);
    return matrix;
}

static void send_away(GrB_Matrix X)
{
    torc_target target = {.name = "GrB_Matrix_apply", .C = X};
    cr_assert(torc_try_apply(&target, GrB_IDENTITY_INT64, X));
    cr_assert(torc_away_is_any());
}

static bool are_equal(GrB_Matrix X, GrB_Matrix Y)
{
    GrB_Index nrows, ncols, count;
    GrB_Matrix same;
    bool are = false;
    cr_assert_eq(GrB_Matrix_nrows(&nrows, X), GrB_SUCCESS);
    cr_assert_eq(GrB_Matrix_ncols(&ncols, X), GrB_SUCCESS);
    cr_assert_eq(GrB_Matrix_new(&same, GrB_BOOL, nrows, ncols), GrB_SUCCESS);
    cr_assert_eq(GrB_Matrix_eWiseMult_BinaryOp(same, NULL, NULL, GrB_EQ_INT64, X, Y, NULL), GrB_SUCCESS);
    cr_assert_eq(GrB_Matrix_nvals(&count, same), GrB_SUCCESS);
    cr_assert_eq(GrB_Matrix_reduce_BOOL(&are, NULL, GrB_LAND_MONOID_BOOL, same, NULL), GrB_SUCCESS);
    GrB_Matrix_free(&same);
    return are && count == nrows * ncols;
}

static long calls;

static long calls_on_device(void)
{
    torc_mxm_statistics s = TORC_MXM_STATISTICS_INIT;
    torc_mxm_statistics_get(&s);
    return (long)s.device.calls;
}

/* Bits of form: by_col of the large and of the small one, the large one is B, is transposed, the small one
 * is. */
static void check(int form, bool is_away)
{
    bool is_second = form & 4, turns_large = form & 8, turns_small = form & 16;
    bool turns_a = is_second ? turns_small : turns_large, turns_b = is_second ? turns_large : turns_small;
    GrB_Descriptor desc = turns_a && turns_b ? GrB_DESC_T0T1
                          : turns_a          ? GrB_DESC_T0
                          : turns_b          ? GrB_DESC_T1
                                             : NULL;
    bool is_tall = is_second == turns_large, small_is_tall = is_second == turns_small;
    GrB_Matrix X = new_full(is_tall ? LARGE : INNER, is_tall ? INNER : LARGE, form & 1);
    GrB_Matrix W = new_full(small_is_tall ? INNER : WIDTH, small_is_tall ? WIDTH : INNER, form & 2), C,
               expected;
    GrB_Index nrows = is_second ? WIDTH : LARGE, ncols = is_second ? LARGE : WIDTH;
    cr_assert_eq(GrB_Matrix_new(&C, GrB_INT64, nrows, ncols), GrB_SUCCESS);
    cr_assert_eq(GrB_Matrix_new(&expected, GrB_INT64, nrows, ncols), GrB_SUCCESS);
    GrB_Matrix A = is_second ? W : X, B = is_second ? X : W;
    cr_assert_eq(GrB_mxm(expected, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_INT64, A, B, desc), GrB_SUCCESS,
        "form %d", form);
    if (is_away) {
        send_away(X);
    }
    torc_residency_counts before = torc_residency_count();
    size_t moved = torc_reference_bytes_moved(), large = is_away ? 0 : LARGE * INNER * sizeof(int64_t);
    cr_assert_eq(torc_mxm(C, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_INT64, A, B, desc), GrB_SUCCESS);
    cr_expect_eq(torc_residency_count().returns, before.returns, "form %d", form);
    cr_expect_lt(torc_reference_bytes_moved() - moved, large + 1000, "form %d", form);
    cr_expect_eq(calls_on_device(), ++calls, "form %d", form);
    send_away(C); /* what nothing uses there would not stay the next time */
    cr_expect(are_equal(C, expected), "form %d", form);
    GrB_Matrix_free(&X);
    GrB_Matrix_free(&W);
    GrB_Matrix_free(&C);
    GrB_Matrix_free(&expected);
}

Test(small_full, of_what_is_away_comes_from_the_device)
{
    for (int form = 0; form < 32; form++) {
        check(form, true);
    }
}

Test(small_full, of_a_long_one_comes_from_the_device)
{
    for (int form = 0; form < 32; form++) {
        check(form, false);
    }
}

/* To list 200 entries takes as long as to multiply each by three others. */
Test(small_full, of_a_short_one_at_home_stays_there)
{
    enum { SHORT = 3, MIDDLE = 20, BROAD = 10 };
    GrB_Matrix X = new_full(SHORT, MIDDLE, false), W = new_full(MIDDLE, BROAD, false), C;
    cr_assert_eq(GrB_Matrix_new(&C, GrB_INT64, SHORT, BROAD), GrB_SUCCESS);
    cr_assert_eq(torc_mxm(C, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_INT64, X, W, NULL), GrB_SUCCESS);
    cr_expect_eq(calls_on_device(), 0);
    GrB_Matrix_free(&X);
    GrB_Matrix_free(&W);
    GrB_Matrix_free(&C);
}
