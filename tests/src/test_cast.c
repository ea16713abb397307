/* Casts of one value against a table worked out by hand from GraphBLAS's rules. */
#include "typed_value.h"
#include <criterion/criterion.h>

typedef struct cast_case {
    torc_type from, to;
    const void *x, *expected;
    const char *text;
} cast_case;

#define CAST(FROM, X, TO, Z)                                                                                 \
    {                                                                                                        \
        TORC_##FROM, TORC_##TO, VALUE(FROM, X), VALUE(TO, Z), #FROM " " #X " to " #TO " " #Z                 \
    }

static const cast_case cases[] = {
    /* to bool: x != 0 */
    CAST(INT32, 256, BOOL, 1),
    CAST(INT32, -1, BOOL, 1),
    CAST(INT32, 0, BOOL, 0),
    CAST(INT64, INT64_C(1) << 32, BOOL, 1),
    CAST(UINT32, 1u << 31, BOOL, 1),
    CAST(FP32, 0.25f, BOOL, 1),
    CAST(FP32, -0.0f, BOOL, 0),
    CAST(FP32, NAN, BOOL, 1),
    CAST(FP64, 5e-324, BOOL, 1),
    CAST(FP64, 0.0, BOOL, 0),
    CAST(FP64, -INFINITY, BOOL, 1),
    CAST(FP64, NAN, BOOL, 1),

    /* from bool: 0 or 1 */
    CAST(BOOL, 1, BOOL, 1),
    CAST(BOOL, 1, INT32, 1),
    CAST(BOOL, 1, INT64, 1),
    CAST(BOOL, 1, UINT32, 1),
    CAST(BOOL, 1, FP32, 1.0f),
    CAST(BOOL, 1, FP64, 1.0),
    CAST(BOOL, 0, FP64, 0.0),

    /* between integers: wrap */
    CAST(INT32, -1, UINT32, UINT32_MAX),
    CAST(INT32, INT32_MIN, UINT32, 1u << 31),
    CAST(INT32, INT32_MIN, INT64, INT32_MIN),
    CAST(INT32, INT32_MAX, INT32, INT32_MAX),
    CAST(UINT32, UINT32_MAX, INT32, -1),
    CAST(UINT32, UINT32_MAX, INT64, INT64_C(4294967295)),
    CAST(UINT32, UINT32_MAX, UINT32, UINT32_MAX),
    CAST(INT64, (INT64_C(1) << 32) + 5, INT32, 5),
    CAST(INT64, INT64_C(1) << 31, INT32, INT32_MIN),
    CAST(INT64, -(INT64_C(1) << 31) - 1, INT32, INT32_MAX),
    CAST(INT64, INT64_MIN, UINT32, 0),
    CAST(INT64, -1, UINT32, UINT32_MAX),
    CAST(INT64, INT64_MIN, INT64, INT64_MIN),

    /* integer to floating point: round to nearest, once */
    CAST(INT32, INT32_MAX, FP32, 2147483648.0f),
    CAST(INT32, INT32_MIN, FP64, -2147483648.0),
    CAST(INT32, 16777217, FP32, 16777216.0f),
    CAST(INT32, 16777219, FP32, 16777220.0f),
    CAST(UINT32, UINT32_MAX, FP32, 4294967296.0f),
    CAST(UINT32, UINT32_MAX, FP64, 4294967295.0),
    CAST(INT64, INT64_MAX, FP64, 9223372036854775808.0),
    CAST(INT64, (INT64_C(1) << 53) + 1, FP64, 9007199254740992.0),
    /* by way of fp64 this would round to a tie and then down, to 2^60 */
    CAST(INT64, (INT64_C(1) << 60) + (INT64_C(1) << 36) + 1, FP32, 0x1.000002p60f),

    /* floating point to int32: truncate, saturate, NaN is 0 */
    CAST(FP64, 1.9, INT32, 1),
    CAST(FP64, -1.9, INT32, -1),
    CAST(FP64, -0.5, INT32, 0),
    CAST(FP64, 2147483646.9, INT32, 2147483646),
    CAST(FP64, 2147483647.0, INT32, INT32_MAX),
    CAST(FP64, 2147483647.5, INT32, INT32_MAX),
    CAST(FP64, 2147483648.0, INT32, INT32_MAX),
    CAST(FP64, -2147483647.9, INT32, -2147483647),
    CAST(FP64, -2147483648.0, INT32, INT32_MIN),
    CAST(FP64, -2147483648.9, INT32, INT32_MIN),
    CAST(FP64, -2147483649.0, INT32, INT32_MIN),
    CAST(FP64, INFINITY, INT32, INT32_MAX),
    CAST(FP64, -INFINITY, INT32, INT32_MIN),
    CAST(FP64, NAN, INT32, 0),
    CAST(FP32, 2147483520.0f, INT32, 2147483520),
    CAST(FP32, 2147483648.0f, INT32, INT32_MAX),
    CAST(FP32, -2147483648.0f, INT32, INT32_MIN),
    CAST(FP32, NAN, INT32, 0),

    /* to uint32: nothing below 0 */
    CAST(FP64, -0.5, UINT32, 0),
    CAST(FP64, -1.0, UINT32, 0),
    CAST(FP64, 0.9, UINT32, 0),
    CAST(FP64, 2147483648.0, UINT32, 1u << 31),
    CAST(FP64, 4294967294.9, UINT32, UINT32_MAX - 1),
    CAST(FP64, 4294967295.0, UINT32, UINT32_MAX),
    CAST(FP64, 4294967295.5, UINT32, UINT32_MAX),
    CAST(FP64, 4294967296.0, UINT32, UINT32_MAX),
    CAST(FP64, INFINITY, UINT32, UINT32_MAX),
    CAST(FP64, -INFINITY, UINT32, 0),
    CAST(FP64, NAN, UINT32, 0),
    CAST(FP32, 4294967040.0f, UINT32, 4294967040u),
    CAST(FP32, 4294967296.0f, UINT32, UINT32_MAX),
    CAST(FP32, -0.5f, UINT32, 0),
    CAST(FP32, NAN, UINT32, 0),

    /* to int64 */
    CAST(FP64, 9223372036854774784.0, INT64, INT64_C(9223372036854774784)),
    CAST(FP64, 9223372036854775808.0, INT64, INT64_MAX),
    CAST(FP64, 1e300, INT64, INT64_MAX),
    CAST(FP64, -9223372036854775808.0, INT64, INT64_MIN),
    CAST(FP64, -9223372036854774784.0, INT64, INT64_C(-9223372036854774784)),
    CAST(FP64, -1e300, INT64, INT64_MIN),
    CAST(FP64, -0.5, INT64, 0),
    CAST(FP64, NAN, INT64, 0),
    CAST(FP32, 9223371487098961920.0f, INT64, INT64_C(9223371487098961920)),
    CAST(FP32, 9223372036854775808.0f, INT64, INT64_MAX),
    CAST(FP32, -INFINITY, INT64, INT64_MIN),
    CAST(FP32, NAN, INT64, 0),

    /* between floating-point types */
    CAST(FP64, 1e300, FP32, INFINITY),
    CAST(FP64, -1e300, FP32, -INFINITY),
    CAST(FP64, 1e-300, FP32, 0.0f),
    CAST(FP64, 1.0 + 0x1p-24, FP32, 1.0f),
    CAST(FP64, 1.0 + 0x3p-24, FP32, 1.0f + 0x1p-22f),
    CAST(FP64, NAN, FP32, NAN),
    CAST(FP64, -0.0, FP32, -0.0f),
    CAST(FP32, 0.1f, FP64, 0.100000001490116119384765625),
    CAST(FP32, -INFINITY, FP64, -INFINITY),
    CAST(FP32, NAN, FP64, NAN),
    CAST(FP64, 0.1, FP64, 0.1),
    CAST(FP32, 0.1f, FP32, 0.1f),
};

Test(cast, gives_what_graphblas_gives)
{
    bool is_covered[TORC_TYPE_COUNT][TORC_TYPE_COUNT] = {0};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const cast_case *c = &cases[i];
        unsigned char z[8];
        memset(z, 0xA5, sizeof z);
        torc_cast(z, c->to, c->x, c->from);
        cr_expect(is_same_value(c->expected, z, c->to), "%s", c->text);
        for (size_t b = torc_type_size(c->to); b < sizeof z; b++) {
            cr_expect(z[b] == 0xA5, "%s: wrote beyond the value", c->text);
        }
        is_covered[c->from][c->to] = true;
    }
    for (int from = 0; from < TORC_TYPE_COUNT; from++) {
        for (int to = 0; to < TORC_TYPE_COUNT; to++) {
            cr_expect(
                is_covered[from][to], "no case from %s to %s", torc_type_name(from), torc_type_name(to));
        }
    }
}

Test(cast, reads_any_nonzero_byte_as_true)
{
    for (int byte = 0; byte < 256; byte++) {
        uint8_t x = (uint8_t)byte, truth;
        double number;
        torc_cast(&truth, TORC_BOOL, &x, TORC_BOOL);
        torc_cast(&number, TORC_FP64, &x, TORC_BOOL);
        cr_assert(truth == (byte != 0) && number == (byte != 0), "byte %d", byte);
    }
}
