/* The reference operators and identities against values worked out by hand. */
#include "reference.h"
#include "typed_value.h"
#include <criterion/criterion.h>

typedef struct operator_case {
    torc_reference_operator (*lookup)(int op, torc_type type);
    int op;
    torc_type type, z_type;
    const void *x, *y, *expected;
    const char *text;
} operator_case;

static torc_reference_operator add(int op, torc_type type)
{
    return torc_reference_add((torc_monoid)op, type);
}

static torc_reference_operator multiply(int op, torc_type type)
{
    return torc_reference_multiply((torc_multiply)op, type);
}

#define ADD(OP, TYPE, X, Y, Z)                                                                               \
    {                                                                                                        \
        add, TORC_##OP##_MONOID, TORC_##TYPE, TORC_##TYPE, VALUE(TYPE, X), VALUE(TYPE, Y), VALUE(TYPE, Z),   \
            "add " #OP " " #TYPE " (" #X ", " #Y ") = " #Z                                                   \
    }
#define MULTIPLY(OP, TYPE, X, Y, Z)                                                                          \
    {                                                                                                        \
        multiply, TORC_##OP, TORC_##TYPE, TORC_##TYPE, VALUE(TYPE, X), VALUE(TYPE, Y), VALUE(TYPE, Z),       \
            "multiply " #OP " " #TYPE " (" #X ", " #Y ") = " #Z                                              \
    }
#define COMPARE(OP, TYPE, X, Y, Z)                                                                           \
    {                                                                                                        \
        multiply, TORC_##OP, TORC_##TYPE, TORC_BOOL, VALUE(TYPE, X), VALUE(TYPE, Y), VALUE(BOOL, Z),         \
            "multiply " #OP " " #TYPE " (" #X ", " #Y ") = " #Z                                              \
    }
#define COMPLEX(REAL, IMAG) REAL, IMAG

/* On integers, real and, where they have them, complex numbers. */
#define NUMBERS(TYPE)                                                                                        \
    ADD(PLUS, TYPE, 5, 3, 8), ADD(TIMES, TYPE, 5, 3, 15), MULTIPLY(FIRST, TYPE, 5, 3, 5),                    \
        MULTIPLY(SECOND, TYPE, 5, 3, 3), MULTIPLY(PAIR, TYPE, 5, 3, 1), MULTIPLY(PAIR, TYPE, 0, 0, 1),       \
        MULTIPLY(PLUS, TYPE, 5, 3, 8), MULTIPLY(MINUS, TYPE, 5, 3, 2), MULTIPLY(RMINUS, TYPE, 3, 5, 2),      \
        MULTIPLY(TIMES, TYPE, 5, 3, 15), MULTIPLY(DIV, TYPE, 6, 2, 3), MULTIPLY(RDIV, TYPE, 2, 6, 3),        \
        MULTIPLY(ISEQ, TYPE, 5, 3, 0), MULTIPLY(ISEQ, TYPE, 5, 5, 1), MULTIPLY(ISNE, TYPE, 5, 3, 1),         \
        MULTIPLY(ISNE, TYPE, 5, 5, 0), COMPARE(EQ, TYPE, 5, 3, 0), COMPARE(EQ, TYPE, 5, 5, 1),               \
        COMPARE(NE, TYPE, 5, 3, 1), COMPARE(NE, TYPE, 5, 5, 0)
#define ORDERED(TYPE)                                                                                        \
    NUMBERS(TYPE), ADD(MIN, TYPE, 5, 3, 3), ADD(MIN, TYPE, 3, 5, 3), ADD(MAX, TYPE, 5, 3, 5),                \
        ADD(MAX, TYPE, 3, 5, 5), MULTIPLY(MIN, TYPE, 5, 3, 3), MULTIPLY(MIN, TYPE, 3, 5, 3),                 \
        MULTIPLY(MAX, TYPE, 5, 3, 5), MULTIPLY(MAX, TYPE, 3, 5, 5), MULTIPLY(ISGT, TYPE, 5, 3, 1),           \
        MULTIPLY(ISGT, TYPE, 5, 5, 0), MULTIPLY(ISLT, TYPE, 5, 3, 0), MULTIPLY(ISLT, TYPE, 3, 5, 1),         \
        MULTIPLY(ISGE, TYPE, 5, 5, 1), MULTIPLY(ISGE, TYPE, 3, 5, 0), MULTIPLY(ISLE, TYPE, 5, 3, 0),         \
        MULTIPLY(ISLE, TYPE, 5, 5, 1), COMPARE(GT, TYPE, 5, 3, 1), COMPARE(GT, TYPE, 5, 5, 0),               \
        COMPARE(LT, TYPE, 5, 3, 0), COMPARE(LT, TYPE, 3, 5, 1), COMPARE(GE, TYPE, 5, 5, 1),                  \
        COMPARE(GE, TYPE, 3, 5, 0), COMPARE(LE, TYPE, 5, 3, 0), COMPARE(LE, TYPE, 5, 5, 1),                  \
        MULTIPLY(LOR, TYPE, 0, 0, 0), MULTIPLY(LOR, TYPE, 0, 7, 1), MULTIPLY(LOR, TYPE, 2, 4, 1),            \
        MULTIPLY(LAND, TYPE, 7, 0, 0), MULTIPLY(LAND, TYPE, 2, 4, 1), MULTIPLY(LXOR, TYPE, 0, 7, 1),         \
        MULTIPLY(LXOR, TYPE, 2, 4, 0), MULTIPLY(LXOR, TYPE, 0, 0, 0)
#define INTEGERS(TYPE, LOWEST, HIGHEST)                                                                      \
    ORDERED(TYPE), MULTIPLY(DIV, TYPE, 0, 0, 0), MULTIPLY(DIV, TYPE, 1, 0, HIGHEST),                         \
        MULTIPLY(RDIV, TYPE, 0, 1, HIGHEST), MULTIPLY(RDIV, TYPE, 0, 0, 0), MULTIPLY(DIV, TYPE, 7, 2, 3),    \
        MULTIPLY(DIV, TYPE, HIGHEST, 1, HIGHEST), ADD(PLUS, TYPE, HIGHEST, 1, LOWEST),                       \
        ADD(TIMES, TYPE, HIGHEST, HIGHEST, 1), MULTIPLY(PLUS, TYPE, HIGHEST, 1, LOWEST),                     \
        MULTIPLY(MINUS, TYPE, LOWEST, 1, HIGHEST), MULTIPLY(RMINUS, TYPE, 1, LOWEST, HIGHEST),               \
        MULTIPLY(TIMES, TYPE, HIGHEST, HIGHEST, 1), MULTIPLY(MIN, TYPE, LOWEST, HIGHEST, LOWEST),            \
        MULTIPLY(BOR, TYPE, 12, 10, 14), MULTIPLY(BAND, TYPE, 12, 10, 8), MULTIPLY(BXOR, TYPE, 12, 10, 6),   \
        MULTIPLY(BXNOR, TYPE, HIGHEST, HIGHEST, ~(HIGHEST ^ HIGHEST))
#define SIGNED_NUMBERS(TYPE)                                                                                 \
    ADD(PLUS, TYPE, -5, 3, -2), ADD(TIMES, TYPE, -5, 3, -15), ADD(MIN, TYPE, -5, 3, -5),                     \
        ADD(MAX, TYPE, -5, 3, 3), MULTIPLY(TIMES, TYPE, -5, 3, -15), MULTIPLY(MIN, TYPE, -5, -3, -5),        \
        MULTIPLY(MAX, TYPE, -5, -3, -3), MULTIPLY(MINUS, TYPE, 3, 5, -2), MULTIPLY(ISLT, TYPE, -5, 3, 1),    \
        COMPARE(LT, TYPE, -5, 3, 1)
#define SIGNED_INTEGERS(TYPE)                                                                                \
    INTEGERS(TYPE, TYPE##_MIN, TYPE##_MAX), SIGNED_NUMBERS(TYPE), MULTIPLY(DIV, TYPE, -7, 2, -3),            \
        MULTIPLY(DIV, TYPE, 7, -2, -3), MULTIPLY(DIV, TYPE, -1, 0, TYPE##_MIN),                              \
        MULTIPLY(RDIV, TYPE, 0, -1, TYPE##_MIN), MULTIPLY(DIV, TYPE, TYPE##_MIN, -1, TYPE##_MIN),            \
        MULTIPLY(DIV, TYPE, 5, -1, -5), MULTIPLY(RDIV, TYPE, -1, TYPE##_MIN, TYPE##_MIN),                    \
        MULTIPLY(TIMES, TYPE, TYPE##_MIN, -1, TYPE##_MIN), MULTIPLY(BXNOR, TYPE, 12, 10, -7)
#define UNSIGNED_INTEGERS(TYPE)                                                                              \
    INTEGERS(TYPE, 0, TYPE##_MAX), ADD(BOR, TYPE, 12, 10, 14), ADD(BAND, TYPE, 12, 10, 8),                   \
        ADD(BXOR, TYPE, 12, 10, 6), ADD(BXNOR, TYPE, 12, 10, TYPE##_MAX - 6),                                \
        ADD(MIN, TYPE, TYPE##_MAX, 1, 1), ADD(MAX, TYPE, TYPE##_MAX, 1, TYPE##_MAX),                         \
        MULTIPLY(ISGT, TYPE, TYPE##_MAX, 1, 1), MULTIPLY(DIV, TYPE, TYPE##_MAX, TYPE##_MAX, 1),              \
        MULTIPLY(BXNOR, TYPE, 12, 10, TYPE##_MAX - 6)
#define REALS(TYPE)                                                                                          \
    ORDERED(TYPE), SIGNED_NUMBERS(TYPE), ADD(PLUS, TYPE, INFINITY, -INFINITY, NAN),                          \
        ADD(PLUS, TYPE, NAN, 1, NAN), ADD(TIMES, TYPE, 0, INFINITY, NAN), ADD(MIN, TYPE, NAN, 1, 1),         \
        ADD(MIN, TYPE, 1, NAN, 1), ADD(MIN, TYPE, NAN, NAN, NAN), ADD(MAX, TYPE, NAN, 1, 1),                 \
        ADD(MAX, TYPE, 1, NAN, 1), ADD(MAX, TYPE, NAN, NAN, NAN), ADD(MIN, TYPE, NAN, INFINITY, INFINITY),   \
        ADD(MAX, TYPE, -INFINITY, NAN, -INFINITY), MULTIPLY(TIMES, TYPE, 0, INFINITY, NAN),                  \
        MULTIPLY(TIMES, TYPE, -2, INFINITY, -INFINITY), MULTIPLY(TIMES, TYPE, 0.5, 3, 1.5),                  \
        MULTIPLY(PLUS, TYPE, 0.5, 3, 3.5), MULTIPLY(MIN, TYPE, NAN, 1, 1), MULTIPLY(MAX, TYPE, 1, NAN, 1),   \
        MULTIPLY(FIRST, TYPE, NAN, 1, NAN), MULTIPLY(SECOND, TYPE, NAN, 1, 1),                               \
        MULTIPLY(PAIR, TYPE, NAN, NAN, 1), MULTIPLY(DIV, TYPE, 1, 0, INFINITY),                              \
        MULTIPLY(DIV, TYPE, 1, -0.0, -INFINITY), MULTIPLY(DIV, TYPE, 0, 0, NAN),                             \
        MULTIPLY(RDIV, TYPE, 2, 1, 0.5), MULTIPLY(ISEQ, TYPE, NAN, NAN, 0),                                  \
        MULTIPLY(ISNE, TYPE, NAN, NAN, 1), MULTIPLY(ISGE, TYPE, NAN, 1, 0), COMPARE(EQ, TYPE, NAN, NAN, 0),  \
        COMPARE(NE, TYPE, NAN, NAN, 1), COMPARE(GE, TYPE, NAN, NAN, 0), COMPARE(LE, TYPE, 1, NAN, 0),        \
        COMPARE(EQ, TYPE, -0.0, 0, 1), MULTIPLY(LOR, TYPE, NAN, 0, 1), MULTIPLY(LAND, TYPE, NAN, 0.5, 1),    \
        MULTIPLY(LXOR, TYPE, -0.0, NAN, 1), MULTIPLY(LOR, TYPE, -0.0, 0, 0)
#define ADD_COMPLEX(OP, TYPE, XR, XI, YR, YI, ZR, ZI)                                                        \
    ADD(OP, TYPE, COMPLEX(XR, XI), COMPLEX(YR, YI), COMPLEX(ZR, ZI))
#define MULTIPLY_COMPLEX(OP, TYPE, XR, XI, YR, YI, ZR, ZI)                                                   \
    MULTIPLY(OP, TYPE, COMPLEX(XR, XI), COMPLEX(YR, YI), COMPLEX(ZR, ZI))
#define COMPLEX_NUMBERS(TYPE)                                                                                \
    NUMBERS(TYPE), ADD_COMPLEX(PLUS, TYPE, 1, 2, 3, -4, 4, -2),                                              \
        ADD_COMPLEX(TIMES, TYPE, 1, 2, 3, -4, 11, 2), MULTIPLY_COMPLEX(FIRST, TYPE, 1, 2, 3, 4, 1, 2),       \
        MULTIPLY_COMPLEX(SECOND, TYPE, 1, 2, 3, 4, 3, 4), MULTIPLY_COMPLEX(PLUS, TYPE, 1, 2, 3, -4, 4, -2),  \
        MULTIPLY_COMPLEX(MINUS, TYPE, 1, 2, 3, -4, -2, 6),                                                   \
        MULTIPLY_COMPLEX(RMINUS, TYPE, 1, 2, 3, -4, 2, -6),                                                  \
        MULTIPLY_COMPLEX(TIMES, TYPE, 1, 2, 3, -4, 11, 2), /* no repair of infinities */                     \
        MULTIPLY_COMPLEX(TIMES, TYPE, INFINITY, 0, 1, 0, INFINITY, NAN),                                     \
        MULTIPLY_COMPLEX(TIMES, TYPE, INFINITY, INFINITY, 1, 1, NAN, INFINITY), /* both ways of Smith's */   \
        MULTIPLY_COMPLEX(DIV, TYPE, 11, 2, 1, 2, 3, -4),                                                     \
        MULTIPLY_COMPLEX(DIV, TYPE, 11, 2, 2, 1, 4.8, -1.4),                                                 \
        MULTIPLY_COMPLEX(RDIV, TYPE, 1, 2, 11, 2, 3, -4), /* a divisor that is real, imaginary or zero */    \
        MULTIPLY_COMPLEX(DIV, TYPE, 3, 4, 2, 0, 1.5, 2), MULTIPLY_COMPLEX(DIV, TYPE, 3, 0, 2, 0, 1.5, 0),    \
        MULTIPLY_COMPLEX(DIV, TYPE, 3, 4, 0, 2, 2, -1.5),                                                    \
        MULTIPLY_COMPLEX(DIV, TYPE, 1, 1, 0, 0, INFINITY, INFINITY),                                         \
        MULTIPLY_COMPLEX(DIV, TYPE, -1, 0, 0, 0, -INFINITY, 0),                                              \
        MULTIPLY_COMPLEX(DIV, TYPE, 0, 1, 0, 0, 0, INFINITY),                                                \
        MULTIPLY_COMPLEX(DIV, TYPE, 0, 0, 0, 0, NAN, 0),                                                     \
        MULTIPLY_COMPLEX(DIV, TYPE, 0, 3, 0, 2, 1.5, 0), /* both infinite */                                 \
        MULTIPLY_COMPLEX(DIV, TYPE, 1, 3, INFINITY, INFINITY, 0, 0),                                         \
        MULTIPLY(ISEQ, TYPE, COMPLEX(1, 2), COMPLEX(1, 2), 1),                                               \
        MULTIPLY(ISEQ, TYPE, COMPLEX(1, 2), COMPLEX(1, 3), 0),                                               \
        MULTIPLY(ISNE, TYPE, COMPLEX(1, 2), COMPLEX(2, 2), 1),                                               \
        COMPARE(EQ, TYPE, COMPLEX(1, 2), COMPLEX(1, 2), 1),                                                  \
        COMPARE(EQ, TYPE, COMPLEX(1, 2), COMPLEX(1, 0), 0),                                                  \
        COMPARE(EQ, TYPE, COMPLEX(NAN, 2), COMPLEX(NAN, 2), 0),                                              \
        COMPARE(NE, TYPE, COMPLEX(1, 2), COMPLEX(1, 0), 1)

static const operator_case cases[] = {
    SIGNED_INTEGERS(INT8),
    SIGNED_INTEGERS(INT16),
    SIGNED_INTEGERS(INT32),
    SIGNED_INTEGERS(INT64),
    UNSIGNED_INTEGERS(UINT8),
    UNSIGNED_INTEGERS(UINT16),
    UNSIGNED_INTEGERS(UINT32),
    UNSIGNED_INTEGERS(UINT64),
    REALS(FP32),
    REALS(FP64),
    COMPLEX_NUMBERS(FC32),
    COMPLEX_NUMBERS(FC64),

    /* integers wrap */
    MULTIPLY(TIMES, INT8, 100, 100, 16),
    MULTIPLY(TIMES, INT16, 300, 300, 24464),
    MULTIPLY(TIMES, UINT16, 65535, 65535, 1), /* promoted to int this overflows */
    MULTIPLY(TIMES, UINT8, 16, 16, 0),
    MULTIPLY(PLUS, INT32, INT32_MAX, INT32_MAX, -2),
    MULTIPLY(TIMES, INT32, 65537, 65537, 131073),
    MULTIPLY(TIMES, INT64, INT64_C(4294967297), INT64_C(4294967297), INT64_C(8589934593)),
    MULTIPLY(TIMES, UINT32, 65536, 65536, 0),
    MULTIPLY(TIMES, UINT64, UINT64_C(1) << 32, UINT64_C(1) << 32, 0),
    ADD(MAX, INT64, INT64_C(4294967296), 1, INT64_C(4294967296)),
    ADD(MAX, UINT64, UINT64_C(1) << 63, 1, UINT64_C(1) << 63),

    /* fp32 is added in fp32 */
    ADD(PLUS, FP32, 16777216.0f, 1.0f, 16777216.0f),
    ADD(PLUS, FP64, 16777216.0, 1.0, 16777217.0),
    MULTIPLY(TIMES, FP32, 1e30f, 1e30f, INFINITY),

    /* fc32 is divided in fp64, fc64 overflows inside */
    MULTIPLY_COMPLEX(DIV, FC32, 1e38f, 1e38f, 1e38f, 1e38f, 1, 0),
    MULTIPLY_COMPLEX(DIV, FC64, 1e308, 1e308, 1e308, 1e308, NAN, 0),
};

/* x and y are 00, 01, 10, 11. */
Test(reference_operators, have_the_truth_tables_of_graphblas)
{
    static const struct {
        torc_multiply multiply;
        uint8_t truth[4];
    } tables[] = {
        {TORC_FIRST, {0, 0, 1, 1}},
        {TORC_SECOND, {0, 1, 0, 1}},
        {TORC_PAIR, {1, 1, 1, 1}},
        {TORC_LOR, {0, 1, 1, 1}},
        {TORC_LAND, {0, 0, 0, 1}},
        {TORC_LXOR, {0, 1, 1, 0}},
        {TORC_EQ, {1, 0, 0, 1}},
        {TORC_NE, {0, 1, 1, 0}},
        {TORC_GT, {0, 0, 1, 0}},
        {TORC_LT, {0, 1, 0, 0}},
        {TORC_GE, {1, 0, 1, 1}},
        {TORC_LE, {1, 1, 0, 1}},
    };
    static const struct {
        torc_monoid add;
        uint8_t truth[4];
    } sums[] = {
        {TORC_LOR_MONOID, {0, 1, 1, 1}},
        {TORC_LAND_MONOID, {0, 0, 0, 1}},
        {TORC_LXOR_MONOID, {0, 1, 1, 0}},
        {TORC_LXNOR_MONOID, {1, 0, 0, 1}},
    };
    for (uint8_t i = 0; i < 4; i++) {
        uint8_t x = i / 2, y = i % 2, z;
        for (size_t t = 0; t < sizeof tables / sizeof tables[0]; t++) {
            torc_reference_multiply(tables[t].multiply, TORC_BOOL)(&z, &x, &y);
            cr_expect(z == tables[t].truth[i], "%s (%d, %d)", torc_multiply_name(tables[t].multiply), x, y);
        }
        for (size_t t = 0; t < sizeof sums / sizeof sums[0]; t++) {
            torc_reference_add(sums[t].add, TORC_BOOL)(&z, &x, &y);
            cr_expect(z == sums[t].truth[i], "%s (%d, %d)", torc_monoid_name(sums[t].add), x, y);
        }
    }
}

Test(reference_operators, have_the_positions_of_a_term)
{
    static const int64_t expected[] = {
        10, 11, 20, 21, 20, 21, 30, 31}; /* firsti .. secondj1 of (10, 20, 30) */
    for (int p = 0; p < 8; p++) {
        torc_multiply multiply = (torc_multiply)(TORC_FIRSTI + p);
        cr_expect(
            torc_reference_position(multiply, 10, 20, 30) == expected[p], "%s", torc_multiply_name(multiply));
    }
}

Test(reference_operators, compute_what_is_worked_out_by_hand)
{
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const operator_case *c = &cases[i];
        torc_value z = {0}, x = {0};
        torc_reference_operator op = c->lookup(c->op, c->type);
        cr_assert(op, "%s: no such operator", c->text);
        op(&z, c->x, c->y);
        cr_expect(is_same_value(c->expected, &z, c->z_type), "%s", c->text);
        if (c->z_type == c->type) {
            memcpy(&x, c->x, torc_type_size(c->type));
            op(&x, &x, c->y);
            cr_expect(is_same_value(c->expected, &x, c->type), "%s, in place", c->text);
        }
    }
}

Test(reference_operators, any_gives_one_of_its_terms)
{
    for (int type = 0; type < TORC_TYPE_COUNT; type++) {
        torc_value x = {0}, y = {0}, z = {0};
        torc_cast(&x, type, VALUE(BOOL, 1), TORC_BOOL);
        torc_reference_add(TORC_ANY_MONOID, type)(&z, &x, &y);
        cr_expect(is_same_value(&x, &z, type) || is_same_value(&y, &z, type), "%s", torc_type_name(type));
    }
}

#define IDENTITIES(TYPE, LOWEST, HIGHEST)                                                                    \
    {TORC_PLUS_MONOID, TORC_##TYPE, VALUE(TYPE, 0)}, {TORC_TIMES_MONOID, TORC_##TYPE, VALUE(TYPE, 1)},       \
        {TORC_MIN_MONOID, TORC_##TYPE, VALUE(TYPE, HIGHEST)},                                                \
        {TORC_MAX_MONOID, TORC_##TYPE, VALUE(TYPE, LOWEST)},                                                 \
    {                                                                                                        \
        TORC_ANY_MONOID, TORC_##TYPE, VALUE(TYPE, 0)                                                         \
    }
#define UNSIGNED_IDENTITIES(TYPE)                                                                            \
    IDENTITIES(TYPE, 0, TYPE##_MAX), {TORC_BOR_MONOID, TORC_##TYPE, VALUE(TYPE, 0)},                         \
        {TORC_BAND_MONOID, TORC_##TYPE, VALUE(TYPE, TYPE##_MAX)},                                            \
        {TORC_BXOR_MONOID, TORC_##TYPE, VALUE(TYPE, 0)},                                                     \
    {                                                                                                        \
        TORC_BXNOR_MONOID, TORC_##TYPE, VALUE(TYPE, TYPE##_MAX)                                              \
    }
#define COMPLEX_IDENTITIES(TYPE)                                                                             \
    {TORC_PLUS_MONOID, TORC_##TYPE, VALUE(TYPE, 0, 0)}, {TORC_TIMES_MONOID, TORC_##TYPE, VALUE(TYPE, 1, 0)}, \
    {                                                                                                        \
        TORC_ANY_MONOID, TORC_##TYPE, VALUE(TYPE, 0, 0)                                                      \
    }

static const struct {
    torc_monoid add;
    torc_type type;
    const void *expected;
} identities[] = {
    {TORC_LOR_MONOID, TORC_BOOL, VALUE(BOOL, 0)},
    {TORC_LAND_MONOID, TORC_BOOL, VALUE(BOOL, 1)},
    {TORC_LXOR_MONOID, TORC_BOOL, VALUE(BOOL, 0)},
    {TORC_LXNOR_MONOID, TORC_BOOL, VALUE(BOOL, 1)},
    {TORC_ANY_MONOID, TORC_BOOL, VALUE(BOOL, 0)},
    IDENTITIES(INT8, INT8_MIN, INT8_MAX),
    IDENTITIES(INT16, INT16_MIN, INT16_MAX),
    IDENTITIES(INT32, INT32_MIN, INT32_MAX),
    IDENTITIES(INT64, INT64_MIN, INT64_MAX),
    UNSIGNED_IDENTITIES(UINT8),
    UNSIGNED_IDENTITIES(UINT16),
    UNSIGNED_IDENTITIES(UINT32),
    UNSIGNED_IDENTITIES(UINT64),
    IDENTITIES(FP32, -INFINITY, INFINITY),
    IDENTITIES(FP64, -INFINITY, INFINITY),
    COMPLEX_IDENTITIES(FC32),
    COMPLEX_IDENTITIES(FC64),
};

Test(reference_operators, identities_are_those_of_graphblas)
{
    for (size_t i = 0; i < sizeof identities / sizeof identities[0]; i++) {
        torc_value z = {.fc64 = {NAN, NAN}};
        torc_reference_identity(&z, (torc_reduction){identities[i].add, identities[i].type, NULL});
        cr_expect(is_same_value(identities[i].expected, &z, identities[i].type), "%s %s",
            torc_monoid_name(identities[i].add), torc_type_name(identities[i].type));
    }
}
