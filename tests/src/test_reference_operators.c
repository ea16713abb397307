/* The reference operators and identities against values worked out by hand. */
#include "reference.h"
#include "typed_value.h"
#include <criterion/criterion.h>

typedef struct operator_case {
    torc_reference_operator (*lookup)(int op, torc_type type);
    int op;
    torc_type type;
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
        add, TORC_##OP##_MONOID, TORC_##TYPE, VALUE(TYPE, X), VALUE(TYPE, Y), VALUE(TYPE, Z),                \
            "add " #OP " " #TYPE " (" #X ", " #Y ") = " #Z                                                   \
    }
#define MULTIPLY(OP, TYPE, X, Y, Z)                                                                          \
    {                                                                                                        \
        multiply, TORC_##OP, TORC_##TYPE, VALUE(TYPE, X), VALUE(TYPE, Y), VALUE(TYPE, Z),                    \
            "multiply " #OP " " #TYPE " (" #X ", " #Y ") = " #Z                                              \
    }
#define NUMBERS(TYPE)                                                                                        \
    ADD(PLUS, TYPE, 5, 3, 8), ADD(MIN, TYPE, 5, 3, 3), ADD(MIN, TYPE, 3, 5, 3), ADD(MAX, TYPE, 5, 3, 5),     \
        ADD(MAX, TYPE, 3, 5, 5), MULTIPLY(TIMES, TYPE, 5, 3, 15), MULTIPLY(PLUS, TYPE, 5, 3, 8),             \
        MULTIPLY(MIN, TYPE, 5, 3, 3), MULTIPLY(MIN, TYPE, 3, 5, 3), MULTIPLY(MAX, TYPE, 5, 3, 5),            \
        MULTIPLY(MAX, TYPE, 3, 5, 5), MULTIPLY(FIRST, TYPE, 5, 3, 5), MULTIPLY(SECOND, TYPE, 5, 3, 3),       \
        MULTIPLY(PAIR, TYPE, 5, 3, 1), MULTIPLY(PAIR, TYPE, 0, 0, 1)
#define SIGNED_NUMBERS(TYPE)                                                                                 \
    ADD(PLUS, TYPE, -5, 3, -2), ADD(MIN, TYPE, -5, 3, -5), ADD(MAX, TYPE, -5, 3, 3),                         \
        MULTIPLY(TIMES, TYPE, -5, 3, -15), MULTIPLY(MIN, TYPE, -5, -3, -5), MULTIPLY(MAX, TYPE, -5, -3, -3)
#define REALS(TYPE)                                                                                          \
    ADD(PLUS, TYPE, INFINITY, -INFINITY, NAN), ADD(PLUS, TYPE, NAN, 1, NAN), ADD(MIN, TYPE, NAN, 1, 1),      \
        ADD(MIN, TYPE, 1, NAN, 1), ADD(MIN, TYPE, NAN, NAN, NAN), ADD(MAX, TYPE, NAN, 1, 1),                 \
        ADD(MAX, TYPE, 1, NAN, 1), ADD(MAX, TYPE, NAN, NAN, NAN), ADD(MIN, TYPE, NAN, INFINITY, INFINITY),   \
        ADD(MAX, TYPE, -INFINITY, NAN, -INFINITY), MULTIPLY(TIMES, TYPE, 0, INFINITY, NAN),                  \
        MULTIPLY(TIMES, TYPE, -2, INFINITY, -INFINITY), MULTIPLY(TIMES, TYPE, 0.5, 3, 1.5),                  \
        MULTIPLY(PLUS, TYPE, 0.5, 3, 3.5), MULTIPLY(MIN, TYPE, NAN, 1, 1), MULTIPLY(MAX, TYPE, 1, NAN, 1),   \
        MULTIPLY(FIRST, TYPE, NAN, 1, NAN), MULTIPLY(SECOND, TYPE, NAN, 1, 1),                               \
        MULTIPLY(PAIR, TYPE, NAN, NAN, 1)

static const operator_case cases[] = {
    ADD(LOR, BOOL, 0, 0, 0),
    ADD(LOR, BOOL, 0, 1, 1),
    ADD(LOR, BOOL, 1, 0, 1),
    ADD(LOR, BOOL, 1, 1, 1),
    MULTIPLY(LAND, BOOL, 0, 0, 0),
    MULTIPLY(LAND, BOOL, 0, 1, 0),
    MULTIPLY(LAND, BOOL, 1, 0, 0),
    MULTIPLY(LAND, BOOL, 1, 1, 1),
    MULTIPLY(FIRST, BOOL, 1, 0, 1),
    MULTIPLY(FIRST, BOOL, 0, 1, 0),
    MULTIPLY(SECOND, BOOL, 1, 0, 0),
    MULTIPLY(SECOND, BOOL, 0, 1, 1),
    MULTIPLY(PAIR, BOOL, 0, 0, 1),
    NUMBERS(INT32),
    NUMBERS(INT64),
    NUMBERS(UINT32),
    NUMBERS(FP32),
    NUMBERS(FP64),
    SIGNED_NUMBERS(INT32),
    SIGNED_NUMBERS(INT64),
    SIGNED_NUMBERS(FP32),
    SIGNED_NUMBERS(FP64),
    REALS(FP32),
    REALS(FP64),

    /* integers wrap */
    ADD(PLUS, INT32, INT32_MAX, 1, INT32_MIN),
    ADD(PLUS, INT32, INT32_MIN, -1, INT32_MAX),
    ADD(PLUS, INT64, INT64_MAX, 1, INT64_MIN),
    ADD(PLUS, UINT32, UINT32_MAX, 2, 1),
    MULTIPLY(PLUS, INT32, INT32_MAX, INT32_MAX, -2),
    MULTIPLY(TIMES, INT32, 65537, 65537, 131073),
    MULTIPLY(TIMES, INT32, INT32_MIN, -1, INT32_MIN),
    MULTIPLY(TIMES, INT64, INT64_MIN, -1, INT64_MIN),
    MULTIPLY(TIMES, INT64, INT64_C(4294967297), INT64_C(4294967297), INT64_C(8589934593)),
    MULTIPLY(TIMES, UINT32, 65536, 65536, 0),
    MULTIPLY(TIMES, UINT32, UINT32_MAX, UINT32_MAX, 1),

    /* and compare by their own sign */
    ADD(MIN, UINT32, UINT32_MAX, 1, 1),
    ADD(MAX, UINT32, UINT32_MAX, 1, UINT32_MAX),
    ADD(MIN, INT64, INT64_MIN, 0, INT64_MIN),
    ADD(MAX, INT64, INT64_C(4294967296), 1, INT64_C(4294967296)),

    /* fp32 is added in fp32 */
    ADD(PLUS, FP32, 16777216.0f, 1.0f, 16777216.0f),
    ADD(PLUS, FP64, 16777216.0, 1.0, 16777217.0),
    MULTIPLY(TIMES, FP32, 1e30f, 1e30f, INFINITY),
};

Test(reference_operators, compute_what_is_worked_out_by_hand)
{
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const operator_case *c = &cases[i];
        double z = 0, x = 0; /* as large as any type */
        torc_reference_operator op = c->lookup(c->op, c->type);
        cr_assert(op, "%s: no such operator", c->text);
        op(&z, c->x, c->y);
        cr_expect(is_same_value(c->expected, &z, c->type), "%s", c->text);
        memcpy(&x, c->x, torc_type_size(c->type));
        op(&x, &x, c->y);
        cr_expect(is_same_value(c->expected, &x, c->type), "%s, in place", c->text);
    }
}

Test(reference_operators, any_gives_one_of_its_terms)
{
    for (int type = 0; type < TORC_TYPE_COUNT; type++) {
        double x = 0, y = 0, z = 0;
        torc_cast(&x, type, VALUE(BOOL, 1), TORC_BOOL);
        torc_reference_add(TORC_ANY_MONOID, type)(&z, &x, &y);
        cr_expect(is_same_value(&x, &z, type) || is_same_value(&y, &z, type), "%s", torc_type_name(type));
    }
}

static const struct {
    torc_monoid add;
    torc_type type;
    const void *expected;
} identities[] = {
    {TORC_LOR_MONOID, TORC_BOOL, VALUE(BOOL, 0)},
    {TORC_ANY_MONOID, TORC_BOOL, VALUE(BOOL, 0)},
    {TORC_PLUS_MONOID, TORC_INT32, VALUE(INT32, 0)},
    {TORC_MIN_MONOID, TORC_INT32, VALUE(INT32, INT32_MAX)},
    {TORC_MAX_MONOID, TORC_INT32, VALUE(INT32, INT32_MIN)},
    {TORC_ANY_MONOID, TORC_INT32, VALUE(INT32, 0)},
    {TORC_PLUS_MONOID, TORC_INT64, VALUE(INT64, 0)},
    {TORC_MIN_MONOID, TORC_INT64, VALUE(INT64, INT64_MAX)},
    {TORC_MAX_MONOID, TORC_INT64, VALUE(INT64, INT64_MIN)},
    {TORC_ANY_MONOID, TORC_INT64, VALUE(INT64, 0)},
    {TORC_PLUS_MONOID, TORC_UINT32, VALUE(UINT32, 0)},
    {TORC_MIN_MONOID, TORC_UINT32, VALUE(UINT32, UINT32_MAX)},
    {TORC_MAX_MONOID, TORC_UINT32, VALUE(UINT32, 0)},
    {TORC_ANY_MONOID, TORC_UINT32, VALUE(UINT32, 0)},
    {TORC_PLUS_MONOID, TORC_FP32, VALUE(FP32, 0)},
    {TORC_MIN_MONOID, TORC_FP32, VALUE(FP32, INFINITY)},
    {TORC_MAX_MONOID, TORC_FP32, VALUE(FP32, -INFINITY)},
    {TORC_ANY_MONOID, TORC_FP32, VALUE(FP32, 0)},
    {TORC_PLUS_MONOID, TORC_FP64, VALUE(FP64, 0)},
    {TORC_MIN_MONOID, TORC_FP64, VALUE(FP64, INFINITY)},
    {TORC_MAX_MONOID, TORC_FP64, VALUE(FP64, -INFINITY)},
    {TORC_ANY_MONOID, TORC_FP64, VALUE(FP64, 0)},
};

Test(reference_operators, identities_are_those_of_graphblas)
{
    for (size_t i = 0; i < sizeof identities / sizeof identities[0]; i++) {
        double z = NAN;
        torc_reference_identity(&z, identities[i].add, identities[i].type);
        cr_expect(is_same_value(identities[i].expected, &z, identities[i].type), "%s %s",
            torc_monoid_name(identities[i].add), torc_type_name(identities[i].type));
    }
}
