/* Unary and index-unary operators against values worked out by hand, and which exist. */
#include "reference.h"
#include "typed_value.h"
#include <criterion/criterion.h>

typedef struct unary_case {
    torc_unary unary;
    torc_type type, z_type;
    const void *x, *expected;
    const char *text;
} unary_case;

#define GIVES(UNARY, TYPE, X, ZTYPE, Z)                                                                      \
    {                                                                                                        \
        TORC_UNARY_##UNARY, TORC_##TYPE, TORC_##ZTYPE, VALUE(TYPE, X), VALUE(ZTYPE, Z),                      \
            #UNARY " " #TYPE " (" #X ") = " #Z                                                               \
    }
#define UNARY(UNARY, TYPE, X, Z) GIVES(UNARY, TYPE, X, TYPE, Z)

#define ORDERED(TYPE)                                                                                        \
    UNARY(IDENTITY, TYPE, 5, 5), UNARY(ONE, TYPE, 5, 1), UNARY(ONE, TYPE, 0, 1), UNARY(ABS, TYPE, 5, 5),     \
        UNARY(MINV, TYPE, 1, 1), UNARY(LNOT, TYPE, 0, 1), UNARY(LNOT, TYPE, 2, 0)
#define SIGNED(TYPE)                                                                                         \
    ORDERED(TYPE), UNARY(AINV, TYPE, 5, -5), UNARY(AINV, TYPE, -7, 7), UNARY(ABS, TYPE, -5, 5),              \
        UNARY(IDENTITY, TYPE, -5, -5), UNARY(LNOT, TYPE, -1, 0), UNARY(MINV, TYPE, -1, -1)
#define SIGNED_INTEGER(TYPE)                                                                                 \
    SIGNED(TYPE), UNARY(AINV, TYPE, 0, 0), UNARY(AINV, TYPE, TYPE##_MIN, TYPE##_MIN),                        \
        UNARY(ABS, TYPE, TYPE##_MIN, TYPE##_MIN), UNARY(ABS, TYPE, TYPE##_MIN + 1, TYPE##_MAX),              \
        UNARY(MINV, TYPE, 0, TYPE##_MAX), UNARY(MINV, TYPE, 2, 0), UNARY(MINV, TYPE, -2, 0),                 \
        UNARY(BNOT, TYPE, 0, -1), UNARY(BNOT, TYPE, 5, -6)
#define UNSIGNED_INTEGER(TYPE)                                                                               \
    ORDERED(TYPE), UNARY(AINV, TYPE, 1, TYPE##_MAX), UNARY(AINV, TYPE, TYPE##_MAX, 1),                       \
        UNARY(ABS, TYPE, TYPE##_MAX, TYPE##_MAX), UNARY(MINV, TYPE, 0, TYPE##_MAX), UNARY(MINV, TYPE, 2, 0), \
        UNARY(BNOT, TYPE, 0, TYPE##_MAX), UNARY(BNOT, TYPE, TYPE##_MAX, 0)
#define TRUTHS(TYPE, X, INF, IS_NAN, FINITE)                                                                 \
    GIVES(ISINF, TYPE, X, BOOL, INF), GIVES(ISNAN, TYPE, X, BOOL, IS_NAN),                                   \
        GIVES(ISFINITE, TYPE, X, BOOL, FINITE)
#define REAL(TYPE)                                                                                           \
    SIGNED(TYPE), UNARY(MINV, TYPE, 4, .25), UNARY(MINV, TYPE, 0, INFINITY),                                 \
        UNARY(MINV, TYPE, -0.0, -INFINITY), UNARY(LNOT, TYPE, NAN, 0), UNARY(LNOT, TYPE, -0.0, 1),           \
        UNARY(ABS, TYPE, -0.0, 0), UNARY(ABS, TYPE, NAN, NAN), UNARY(AINV, TYPE, 2.5, -2.5),                 \
        UNARY(AINV, TYPE, 0, -0.0), UNARY(SQRT, TYPE, 2.25, 1.5), UNARY(SQRT, TYPE, -1, NAN),                \
        UNARY(SQRT, TYPE, -0.0, -0.0), UNARY(CEIL, TYPE, -.5, -0.0), UNARY(CEIL, TYPE, 1.25, 2),             \
        UNARY(FLOOR, TYPE, -.5, -1), UNARY(FLOOR, TYPE, 1.75, 1), UNARY(ROUND, TYPE, .5, 1),                 \
        UNARY(ROUND, TYPE, 2.5, 3), UNARY(ROUND, TYPE, -2.5, -3), UNARY(ROUND, TYPE, 2.25, 2),               \
        UNARY(TRUNC, TYPE, -1.75, -1), UNARY(TRUNC, TYPE, -.5, -0.0),                                        \
        UNARY(TRUNC, TYPE, INFINITY, INFINITY), UNARY(SIGNUM, TYPE, 7.5, 1), UNARY(SIGNUM, TYPE, -7.5, -1),  \
        UNARY(SIGNUM, TYPE, -0.0, 0), UNARY(SIGNUM, TYPE, NAN, NAN), UNARY(SIGNUM, TYPE, -INFINITY, -1),     \
        UNARY(FREXPX, TYPE, 10, .625), UNARY(FREXPE, TYPE, 10, 4), UNARY(FREXPX, TYPE, 0, 0),                \
        UNARY(FREXPE, TYPE, 0, 0), UNARY(FREXPX, TYPE, INFINITY, INFINITY),                                  \
        UNARY(FREXPE, TYPE, INFINITY, 0), UNARY(FREXPX, TYPE, NAN, NAN), UNARY(FREXPE, TYPE, NAN, 0),        \
        UNARY(FREXPX, TYPE, -.125, -.5), UNARY(FREXPE, TYPE, -.125, -2), TRUTHS(TYPE, 1, 0, 0, 1),           \
        TRUTHS(TYPE, -INFINITY, 1, 0, 0), TRUTHS(TYPE, NAN, 0, 1, 0)
/* Of complex ones, with values as (real, imag), results too where they are complex. */
#define LIST(...) __VA_ARGS__
#define COMPLEX_GIVES(UNARY, TYPE, X, ZTYPE, Z)                                                              \
    {                                                                                                        \
        TORC_UNARY_##UNARY, TORC_##TYPE, TORC_##ZTYPE, VALUE(TYPE, LIST X), VALUE(ZTYPE, LIST Z),            \
            #UNARY " " #TYPE " " #X " = " #Z                                                                 \
    }
#define COMPLEX(UNARY, TYPE, X, Z) COMPLEX_GIVES(UNARY, TYPE, X, TYPE, Z)
#define COMPLEX_TRUTHS(TYPE, X, INF, IS_NAN, FINITE)                                                         \
    COMPLEX_GIVES(ISINF, TYPE, X, BOOL, (INF)), COMPLEX_GIVES(ISNAN, TYPE, X, BOOL, (IS_NAN)),               \
        COMPLEX_GIVES(ISFINITE, TYPE, X, BOOL, (FINITE))
#define COMPLEX_NUMBER(TYPE, PART)                                                                           \
    COMPLEX(IDENTITY, TYPE, (1, -2), (1, -2)), COMPLEX(ONE, TYPE, (7, 7), (1, 0)),                           \
        COMPLEX(AINV, TYPE, (1, -2), (-1, 2)), COMPLEX(MINV, TYPE, (0, 2), (0, -.5)),                        \
        COMPLEX(MINV, TYPE, (4, 0), (.25, 0)), COMPLEX(CONJ, TYPE, (1, -2), (1, 2)),                         \
        COMPLEX_GIVES(ABS, TYPE, (3, -4), PART, (5)),                                                        \
        COMPLEX_GIVES(ABS, TYPE, (INFINITY, NAN), PART, (INFINITY)),                                         \
        COMPLEX_GIVES(CREAL, TYPE, (3, -4), PART, (3)), COMPLEX_GIVES(CIMAG, TYPE, (3, -4), PART, (-4)),     \
        COMPLEX_TRUTHS(TYPE, (1, 2), 0, 0, 1), COMPLEX_TRUTHS(TYPE, (1, INFINITY), 1, 0, 0),                 \
        COMPLEX_TRUTHS(TYPE, (NAN, 1), 0, 1, 0), COMPLEX_TRUTHS(TYPE, (INFINITY, NAN), 1, 1, 0)

static const unary_case cases[] = {
    UNARY(IDENTITY, BOOL, 1, 1), UNARY(IDENTITY, BOOL, 0, 0), UNARY(ONE, BOOL, 0, 1), UNARY(AINV, BOOL, 1, 1),
    UNARY(AINV, BOOL, 0, 0), UNARY(MINV, BOOL, 0, 1), UNARY(MINV, BOOL, 1, 1), UNARY(ABS, BOOL, 1, 1),
    UNARY(LNOT, BOOL, 1, 0), UNARY(LNOT, BOOL, 0, 1), SIGNED_INTEGER(INT8), SIGNED_INTEGER(INT16),
    SIGNED_INTEGER(INT32), SIGNED_INTEGER(INT64), UNSIGNED_INTEGER(UINT8), UNSIGNED_INTEGER(UINT16),
    UNSIGNED_INTEGER(UINT32), UNSIGNED_INTEGER(UINT64), UNARY(AINV, UINT8, 200, 56), REAL(FP32), REAL(FP64),
    COMPLEX_NUMBER(FC32, FP32), COMPLEX_NUMBER(FC64, FP64),
    COMPLEX(MINV, FC64, (1e200, 1e200), (5e-201, -5e-201)), /* no overflow */
};

Test(unary_operators, compute_what_is_worked_out_by_hand)
{
    bool is_met[TORC_TYPE_COUNT][TORC_UNARY_COUNT] = {{false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const unary_case *c = &cases[i];
        torc_operation apply = {.kind = TORC_APPLY, .unary = c->unary, .type = c->type};
        torc_operation_traits traits = torc_operation_get_traits(&apply);
        torc_value z = {0};
        cr_assert(traits.is_supported && traits.z_type == c->z_type, "%s: its type", c->text);
        torc_reference_apply(c->unary, c->type)(&z, c->x);
        cr_expect(is_same_value(c->expected, &z, c->z_type), "%s", c->text);
        is_met[c->type][c->unary] = true;
    }
    for (int type = 0; type < TORC_TYPE_COUNT; type++) {
        for (int unary = 0; unary < TORC_UNARY_COUNT; unary++) {
            torc_operation apply = {.kind = TORC_APPLY, .unary = unary, .type = type};
            bool exists = torc_operation_get_traits(&apply).is_supported;
            cr_expect(exists == is_met[type][unary] && exists == (torc_reference_apply(unary, type) != NULL),
                "%s on %s", torc_unary_name(unary), torc_type_name(type));
        }
    }
}

Test(unary_operators, know_positions)
{
    static const struct {
        torc_index_unary index;
        int64_t i, j, thunk, expected;
    } positions[] = {
        {TORC_ROWINDEX, 5, 7, 10, 15},
        {TORC_ROWINDEX, 1, 0, INT64_MAX, INT64_MIN},
        {TORC_COLINDEX, 5, 7, -10, -3},
        {TORC_DIAGINDEX, 5, 7, 10, -8},
        {TORC_DIAGINDEX, 0, 0, INT64_MIN, INT64_MIN},
        {TORC_TRIL, 2, 3, 0, 0},
        {TORC_TRIL, 2, 3, 1, 1},
        {TORC_TRIL, 2, 0, -2, 1},
        {TORC_TRIL, 1, 0, -2, 0},
        {TORC_TRIL, 9, 0, INT64_MAX, 1},
        {TORC_TRIU, 2, 3, 1, 1},
        {TORC_TRIU, 2, 3, 2, 0},
        {TORC_TRIU, 0, 9, INT64_MIN, 1},
        {TORC_DIAG, 2, 0, -2, 1},
        {TORC_DIAG, 2, 0, 2, 0},
        {TORC_OFFDIAG, 2, 0, -2, 0},
        {TORC_OFFDIAG, 2, 0, 2, 1},
        {TORC_COLLE, 9, 3, 3, 1},
        {TORC_COLLE, 0, 4, 3, 0},
        {TORC_COLGT, 0, 4, 3, 1},
        {TORC_COLGT, 9, 3, 3, 0},
        {TORC_ROWLE, 3, 9, 3, 1},
        {TORC_ROWLE, 4, 0, 3, 0},
        {TORC_ROWGT, 4, 0, 3, 1},
        {TORC_ROWGT, 3, 9, 3, 0},
    };
    for (size_t p = 0; p < sizeof positions / sizeof positions[0]; p++) {
        int64_t found =
            torc_reference_index(positions[p].index, positions[p].i, positions[p].j, positions[p].thunk);
        cr_expect(found == positions[p].expected, "%s (%ld, %ld, %ld): %ld",
            torc_index_unary_name(positions[p].index), positions[p].i, positions[p].j, positions[p].thunk,
            found);
    }
}

Test(unary_operators, compare_values)
{
    static const uint8_t expected[6][3] = {/* of 1, 2, 3 beside 2 */
        {0, 1, 0}, {1, 0, 1}, {1, 0, 0}, {1, 1, 0}, {0, 0, 1}, {0, 1, 1}};
    for (int type = 0; type < TORC_TYPE_COUNT; type++) {
        for (int index = TORC_VALUEEQ; index <= TORC_VALUEGE; index++) {
            torc_operation select = {.kind = TORC_SELECT, .index = index, .type = type};
            bool exists = torc_operation_get_traits(&select).is_supported;
            bool is_complex = type == TORC_FC32 || type == TORC_FC64;
            cr_expect(exists == (!is_complex || index <= TORC_VALUENE));
            for (int32_t x = 1; exists && type != TORC_BOOL && x <= 3; x++) {
                torc_value a, s;
                uint8_t z;
                torc_cast(&a, type, &x, TORC_INT32);
                torc_cast(&s, type, &(int32_t){2}, TORC_INT32);
                torc_reference_compare(index, type)(&z, &a, &s);
                cr_expect(z == expected[index - TORC_VALUEEQ][x - 1], "%s (%d, 2) on %s",
                    torc_index_unary_name(index), x, torc_type_name(type));
            }
        }
    }
}

Test(unary_operators, on_positions_exist_on_integers_that_hold_them)
{
    for (int type = 0; type < TORC_TYPE_COUNT; type++) {
        for (int index = 0; index < TORC_VALUEEQ; index++) {
            torc_operation apply = {.kind = TORC_APPLY_INDEX, .index = index, .type = type};
            torc_operation_traits traits = torc_operation_get_traits(&apply);
            cr_expect(traits.is_supported == (type == TORC_INT32 || type == TORC_INT64));
            cr_expect(traits.is_positional && !traits.reads_a);
            cr_expect(traits.z_type == (index <= TORC_DIAGINDEX ? (torc_type)type : TORC_BOOL));
        }
    }
}

Test(unary_operators, have_names)
{
    cr_expect_str_eq(torc_unary_name(TORC_UNARY_AINV), "ainv");
    cr_expect_str_eq(torc_unary_name(TORC_UNARY_COUNT), "unknown");
    cr_expect_str_eq(torc_index_unary_name(TORC_ROWINDEX), "rowindex");
    cr_expect_str_eq(torc_index_unary_name((torc_index_unary)-1), "unknown");
}
