/* Which products the engine is asked for: sizes in bytes are numbers too. */
#include "product.h"
#include "glue_fixture.h"

TestSuite(product, .init = torc_glue_start, .fini = torc_glue_finish);

/* 2^20 rows of A, and values of `size` bytes everywhere; B is of one value. */
static bool is_planned(int64_t ncols, size_t size)
{
    static const torc_function f;
    static struct GB_Type_opaque *const user_type = (struct GB_Type_opaque *)&f; /* none of GraphBLAS's */
    const int64_t n = 1 << 20;
    const torc_user_type type = {torc_opaque_type(size), "huge"};
    const torc_definition definition = {
        .add = "add", .multiply = "multiply", .x = type, .y = type, .z = type};
    const torc_semiring semiring = {TORC_USER_MONOID, TORC_USER, .definition = &definition};
    const torc_view A = {.nrows = n,
        .ncols = n,
        .nvals = 5,
        .format = TORC_SPARSE,
        .type = user_type,
        .type_size = size,
        .nvec = n,
        .veclen = n};
    const torc_view B = {.nrows = n,
        .ncols = ncols,
        .nvals = n * ncols,
        .format = TORC_FULL,
        .iso = true,
        .type = user_type,
        .type_size = size,
        .nvec = n,
        .veclen = ncols};
    torc_product product;
    const char *reason;
    const torc_factor a = {NULL, &A, false}, b = {NULL, &B, false};
    return torc_product_plan(&product, &reason, semiring, &a, &b, false);
}

Test(product, with_a_result_of_more_bytes_than_can_be_counted_is_not_planned)
{
    cr_expect(is_planned(1 << 13, 1 << 29));
    cr_expect_not(is_planned(1 << 14, 1 << 29), "2^63 bytes");
    cr_expect_not(is_planned(1 << 15, 1 << 29), "2^64");
    cr_expect(is_planned(1 << 15, 1));
}

/* A of so many entries, or its transpose, times a matrix of one column: nothing is read. */
static bool is_planned_of(int64_t nvals, bool transpose)
{
    static char f;
    static struct GB_Type_opaque *const user_type = (struct GB_Type_opaque *)&f;
    const int64_t n = 1 << 20;
    const torc_semiring semiring = {TORC_PLUS_MONOID, TORC_PAIR, TORC_INT32};
    const torc_view A = {.nrows = n,
        .ncols = n,
        .nvals = nvals,
        .format = TORC_SPARSE,
        .type = user_type,
        .type_size = 1,
        .nvec = n,
        .veclen = n};
    const torc_view B = {.nrows = n,
        .ncols = 1,
        .nvals = n,
        .format = TORC_FULL,
        .iso = true,
        .type = user_type,
        .type_size = 1,
        .nvec = n,
        .veclen = 1};
    torc_product product;
    const char *reason;
    const torc_factor a = {NULL, &A, transpose}, b = {NULL, &B, false};
    return torc_product_plan(&product, &reason, semiring, &a, &b, false);
}

Test(product, with_the_transpose_of_more_entries_than_32_bits_count_is_not_planned)
{
    cr_expect(is_planned_of(UINT32_MAX, true));
    cr_expect_not(is_planned_of((int64_t)UINT32_MAX + 1, true));
    cr_expect(is_planned_of((int64_t)UINT32_MAX + 1, false));
}
