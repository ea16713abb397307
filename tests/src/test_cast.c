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

/* One value cast to every type. */
#define COMPLEX(REAL, IMAG) REAL, IMAG
#define CAST_OF(TO, Z, FROM, ...)                                                                            \
    {                                                                                                        \
        TORC_##FROM, TORC_##TO, VALUE(FROM, __VA_ARGS__), VALUE(TO, Z),                                      \
            #FROM " " #__VA_ARGS__ " to " #TO " " #Z                                                         \
    }
#define CASTS(FROM, X, TRUTH, I8, I16, I32, I64, U8, U16, U32, U64, F32, F64)                                \
    CAST_OF(BOOL, TRUTH, FROM, X), CAST_OF(INT8, I8, FROM, X), CAST_OF(INT16, I16, FROM, X),                 \
        CAST_OF(INT32, I32, FROM, X), CAST_OF(INT64, I64, FROM, X), CAST_OF(UINT8, U8, FROM, X),             \
        CAST_OF(UINT16, U16, FROM, X), CAST_OF(UINT32, U32, FROM, X), CAST_OF(UINT64, U64, FROM, X),         \
        CAST_OF(FP32, F32, FROM, X), CAST_OF(FP64, F64, FROM, X)
#define TO_COMPLEX(FROM, X, F32, F64)                                                                        \
    CAST(FROM, X, FC32, COMPLEX(F32, 0)), CAST(FROM, X, FC64, COMPLEX(F64, 0))

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

    /* every type to every type */
    CASTS(BOOL, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1),
    CASTS(INT8, -100, 1, -100, -100, -100, -100, 156, 65436, UINT32_MAX - 99, UINT64_MAX - 99, -100, -100),
    CASTS(INT16, -20000, 1, -32, -20000, -20000, -20000, 224, 45536, UINT32_MAX - 19999, UINT64_MAX - 19999,
        -20000, -20000),
    CASTS(INT32, -8388353, 1, -1, 255, -8388353, -8388353, 255, 255, 4286578943u, UINT64_MAX - 8388352,
        -8388353, -8388353),
    CASTS(INT64, INT64_C(0x123456789ABCDEF0), 1, -16, -8464, -1698898192, INT64_C(0x123456789ABCDEF0), 240,
        57072, 2596069104u, UINT64_C(0x123456789ABCDEF0), 0x1.234568p60f, 0x1.23456789ABCDFp60),
    CASTS(UINT8, 200, 1, -56, 200, 200, 200, 200, 200, 200, 200, 200, 200),
    CASTS(UINT16, 50000, 1, 80, -15536, 50000, 50000, 80, 50000, 50000, 50000, 50000, 50000),
    CASTS(UINT32, 3000000129u, 1, -127, 24193, -1294967167, INT64_C(3000000129), 129, 24193, 3000000129u,
        3000000129u, 3000000256.0f, 3000000129.0),
    CASTS(UINT64, UINT64_MAX - 255, 1, 0, -256, -256, -256, 0, 65280, UINT32_MAX - 255, UINT64_MAX - 255,
        0x1p64f, 0x1p64),
    CASTS(
        UINT64, UINT64_C(1) << 40, 1, 0, 0, 0, INT64_C(1) << 40, 0, 0, 0, UINT64_C(1) << 40, 0x1p40f, 0x1p40),
    /* by way of fp64 this would be a tie and go down, to 2^63 */
    CAST(UINT64, (UINT64_C(1) << 63) + (UINT64_C(1) << 39) + 1, FP32, 0x1.000002p63f),
    CASTS(FP32, -150.75f, 1, -128, -150, -150, -150, 0, 0, 0, 0, -150.75f, -150.75),
    CASTS(FP32, 1e30f, 1, INT8_MAX, INT16_MAX, INT32_MAX, INT64_MAX, UINT8_MAX, UINT16_MAX, UINT32_MAX,
        UINT64_MAX, 1e30f, (double)1e30f),
    CASTS(FP32, -INFINITY, 1, INT8_MIN, INT16_MIN, INT32_MIN, INT64_MIN, 0, 0, 0, 0, -INFINITY, -INFINITY),
    CASTS(FP32, NAN, 1, 0, 0, 0, 0, 0, 0, 0, 0, NAN, NAN),
    CASTS(FP64, 300.9, 1, INT8_MAX, 300, 300, 300, UINT8_MAX, 300, 300, 300, 300.9f, 300.9),
    CASTS(FP64, -1e19, 1, INT8_MIN, INT16_MIN, INT32_MIN, INT64_MIN, 0, 0, 0, 0, -1e19f, -1e19),
    CASTS(FP64, 1e19, 1, INT8_MAX, INT16_MAX, INT32_MAX, INT64_MAX, UINT8_MAX, UINT16_MAX, UINT32_MAX,
        UINT64_C(10000000000000000000), 1e19f, 1e19),
    CASTS(FP64, INFINITY, 1, INT8_MAX, INT16_MAX, INT32_MAX, INT64_MAX, UINT8_MAX, UINT16_MAX, UINT32_MAX,
        UINT64_MAX, INFINITY, INFINITY),
    CASTS(FP64, NAN, 1, 0, 0, 0, 0, 0, 0, 0, 0, NAN, NAN),
    CAST(FP64, 127.99, INT8, 127),
    CAST(FP64, 128.0, INT8, 127),
    CAST(FP64, -128.99, INT8, -128),
    CAST(FP64, 254.99, UINT8, 254),
    CAST(FP64, 255.99, UINT8, 255),
    CAST(FP32, 32767.5f, INT16, 32767),
    CAST(FP32, -32768.5f, INT16, -32768),
    CAST(FP32, 65534.5f, UINT16, 65534),
    CAST(FP64, 0x1.fffffffffffffp63, UINT64, UINT64_MAX - 2047),
    CAST(FP64, 0x1p64, UINT64, UINT64_MAX),
    CAST(FP32, 0x1.fffffep63f, UINT64, UINT64_C(0xFFFFFF0000000000)),
    CAST(FP64, -0.9, UINT64, 0),

    /* complex: the real part, or both; to bool, either */
    CASTS(FC32, COMPLEX(-150.75f, NAN), 1, -128, -150, -150, -150, 0, 0, 0, 0, -150.75f, -150.75),
    CASTS(
        FC64, COMPLEX(300.9, INFINITY), 1, INT8_MAX, 300, 300, 300, UINT8_MAX, 300, 300, 300, 300.9f, 300.9),
    CASTS(FC64, COMPLEX(NAN, 7), 1, 0, 0, 0, 0, 0, 0, 0, 0, NAN, NAN),
    CAST(FC32, COMPLEX(0, 0), BOOL, 0),
    CAST(FC32, COMPLEX(0, 1e-30f), BOOL, 1),
    CAST(FC64, COMPLEX(-0.0, -0.0), BOOL, 0),
    CAST(FC64, COMPLEX(0, NAN), BOOL, 1),
    CAST(FC32, COMPLEX(1.5f, -2.5f), FC32, COMPLEX(1.5f, -2.5f)),
    CAST(FC32, COMPLEX(0.1f, NAN), FC64, COMPLEX((double)0.1f, NAN)),
    CAST(FC64, COMPLEX(0.1, -1e300), FC32, COMPLEX(0.1f, -INFINITY)),
    CAST(FC64, COMPLEX(NAN, -0.0), FC64, COMPLEX(NAN, -0.0)),
    TO_COMPLEX(BOOL, 1, 1, 1),
    TO_COMPLEX(INT8, -100, -100, -100),
    TO_COMPLEX(INT16, -20000, -20000, -20000),
    TO_COMPLEX(INT32, 16777217, 16777216, 16777217),
    TO_COMPLEX(INT64, (INT64_C(1) << 60) + (INT64_C(1) << 36) + 1, 0x1.000002p60f, 0x1.000001p60),
    TO_COMPLEX(UINT8, 200, 200, 200),
    TO_COMPLEX(UINT16, 50000, 50000, 50000),
    TO_COMPLEX(UINT32, UINT32_MAX, 4294967296.0f, 4294967295.0),
    TO_COMPLEX(UINT64, UINT64_MAX, 0x1p64f, 0x1p64),
    TO_COMPLEX(FP32, NAN, NAN, NAN),
    TO_COMPLEX(FP64, -1e300, -INFINITY, -1e300),
};

Test(cast, gives_what_graphblas_gives)
{
    bool is_covered[TORC_TYPE_COUNT][TORC_TYPE_COUNT] = {0};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const cast_case *c = &cases[i];
        unsigned char z[16];
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
