/* test_operator_source.c: the built-in multiplies that torc has as source give what GraphBLAS gives, on every
 * pair of small numbers, on random ones and on the ugly ones. */
#include "source_handles.h"
#include "value_types.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { SMALL = 70, SIDE = 2 * SMALL + 1, PAIRS = SIDE * SIDE, COUNT = PAIRS + 20000 };

static value_type type_of(GrB_Type handle)
{
    value_type type = 0;
    while (torc_value_handle(type) != handle) {
        type++;
    }
    return type;
}

/* For `first`, pair p is (p / SIDE, ...), else (..., p % SIDE), each less SMALL; then random values. */
static char *draw_operand(value_type type, bool is_first, uint64_t *stream)
{
    size_t size = torc_value_size(type);
    char *values = malloc(COUNT * size);
    TORC_REQUIRE(values);
    for (int64_t p = 0; p < COUNT; p++) {
        int64_t small = (is_first ? p / SIDE : p % SIDE) - SMALL;
        if (p < PAIRS) {
            torc_cast(values + (size_t)p * size, (torc_type)type, &small, TORC_INT64);
        } else {
            torc_value_draw(values + (size_t)p * size, type, STYLE_SPECIAL, stream);
        }
    }
    return values;
}

static GrB_Vector pack(value_type type, const char *values)
{
    GrB_Vector vector;
    size_t size = COUNT * torc_value_size(type);
    void *block = malloc(size);
    TORC_REQUIRE(block && GrB_Vector_new(&vector, torc_value_handle(type), COUNT) == GrB_SUCCESS);
    memcpy(block, values, size);
    TORC_REQUIRE(GxB_Vector_pack_Full(vector, &block, size, false, NULL) == GrB_SUCCESS);
    return vector;
}

/* z of GraphBLAS. */
static char *multiply(value_type z_type, GrB_Vector X, GrB_Vector Y, GrB_BinaryOp multiply_op)
{
    GrB_Vector Z;
    void *block;
    GrB_Index size;
    TORC_REQUIRE(GrB_Vector_new(&Z, torc_value_handle(z_type), COUNT) == GrB_SUCCESS);
    TORC_REQUIRE(GrB_Vector_eWiseMult_BinaryOp(Z, NULL, NULL, multiply_op, X, Y, NULL) == GrB_SUCCESS);
    TORC_REQUIRE(GxB_Vector_unpack_Full(Z, &block, &size, NULL, NULL) == GrB_SUCCESS);
    GrB_Vector_free(&Z);
    return block;
}

static void check(source_handle op, uint64_t seed)
{
    GrB_Type x_handle, y_handle, z_handle;
    uint64_t stream = seed;
    TORC_REQUIRE(GxB_BinaryOp_xtype(&x_handle, op.handle) == GrB_SUCCESS);
    TORC_REQUIRE(GxB_BinaryOp_ytype(&y_handle, op.handle) == GrB_SUCCESS);
    TORC_REQUIRE(GxB_BinaryOp_ztype(&z_handle, op.handle) == GrB_SUCCESS);
    value_type x_type = type_of(x_handle), y_type = type_of(y_handle), z_type = type_of(z_handle);
    size_t x_size = torc_value_size(x_type), y_size = torc_value_size(y_type),
           z_size = torc_value_size(z_type);
    char *x = draw_operand(x_type, true, &stream), *y = draw_operand(y_type, false, &stream);
    GrB_Vector X = pack(x_type, x), Y = pack(y_type, y);
    char *expected = multiply(z_type, X, Y, op.handle);
    for (size_t p = 0; p < COUNT; p++) {
        char z[16];
        op.source->on_host(z, x + p * x_size, y + p * y_size);
        cr_assert(torc_value_equal(z_type, z, expected + p * z_size),
            "%s, seed %llu, pair %zu (%g, %g): %g, not %g", op.source->symbol, (unsigned long long)seed, p,
            torc_value_as_double(x_type, x + p * x_size), torc_value_as_double(y_type, y + p * y_size),
            torc_value_as_double(z_type, z), torc_value_as_double(z_type, expected + p * z_size));
    }
    GrB_Vector_free(&X);
    GrB_Vector_free(&Y);
    free(x);
    free(y);
    free(expected);
}

Test(operator_source, gives_what_graphblas_gives)
{
    source_handle handles[SOURCE_OPERATORS];
    TORC_REQUIRE(GrB_init(GrB_NONBLOCKING) == GrB_SUCCESS);
    find_source_handles(handles);
    for (int i = 0; i < SOURCE_OPERATORS; i++) {
        cr_assert_not_null(handles[i].source, "operator %d", i);
        check(handles[i], 20261121 + (uint64_t)i);
    }
    TORC_REQUIRE(GrB_finalize() == GrB_SUCCESS);
}

Test(operator_source, is_of_no_other_operator)
{
    TORC_REQUIRE(GrB_init(GrB_NONBLOCKING) == GrB_SUCCESS);
    cr_expect_null(torc_operator_source_find(torc_binding_get(), GxB_POW_FP64));
    cr_expect_null(torc_operator_source_find(torc_binding_get(), GrB_PLUS_FP64));
    TORC_REQUIRE(GrB_finalize() == GrB_SUCCESS);
}
