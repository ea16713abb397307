/* torc_multiply_values against values worked out by hand, and what it refuses. */
#include "typed_value.h"
#include <criterion/criterion.h>

/* Bytes around z, to see what is written. */
enum { ROOM = 32, UNTOUCHED = 0x5a };

typedef struct product_case {
    torc_semiring semiring;
    const void *a;
    torc_type a_type;
    const void *b;
    torc_type b_type;
    const void *expected; /* NULL: unsupported */
    const char *text;
} product_case;

#define SEMIRING(ADD, MULTIPLY, TYPE)                                                                        \
    {                                                                                                        \
        .add = TORC_##ADD##_MONOID, .multiply = TORC_##MULTIPLY, .type = TORC_##TYPE                         \
    }

static void check(const product_case *c)
{
    _Alignas(16) unsigned char z[ROOM], before[ROOM];
    memset(before, UNTOUCHED, ROOM);
    memcpy(z, before, ROOM);
    torc_status status = torc_multiply_values(z, c->semiring, c->a, c->a_type, c->b, c->b_type);
    cr_expect_eq(status, c->expected ? TORC_SUCCESS : TORC_UNSUPPORTED, "%s", c->text);
    torc_type z_type = torc_semiring_traits(c->semiring).z_type;
    size_t written = c->expected ? torc_type_size(z_type) : 0;
    cr_expect(!c->expected || is_same_value(z, c->expected, z_type), "%s", c->text);
    cr_expect_arr_eq(z + written, before + written, ROOM - written, "%s", c->text);
}

#define CHECK(cases)                                                                                         \
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases)[0]; i++) {                                          \
        check(&(cases)[i]);                                                                                  \
    }

Test(multiply_values, casts_what_it_reads_and_multiplies_in_the_semirings_type)
{
    const product_case cases[] = {
        {SEMIRING(PLUS, TIMES, INT32), VALUE(FP64, 2.75), TORC_FP64, VALUE(INT8, -3), TORC_INT8,
            VALUE(INT32, -6), "2.75 is 2 as an integer"},
        {SEMIRING(PLUS, TIMES, UINT8), VALUE(INT32, 300), TORC_INT32, VALUE(BOOL, 1), TORC_BOOL,
            VALUE(UINT8, 44), "300 wraps"},
        {SEMIRING(LOR, LT, FP32), VALUE(INT16, -1), TORC_INT16, VALUE(UINT16, 1), TORC_UINT16, VALUE(BOOL, 1),
            "a comparison writes a bool alone"},
        {SEMIRING(PLUS, DIV, INT64), VALUE(INT64, -7), TORC_INT64, VALUE(INT64, 0), TORC_INT64,
            VALUE(INT64, INT64_MIN), "division by zero saturates"},
        {SEMIRING(PLUS, TIMES, FC64), VALUE(FC64, 1, 2), TORC_FC64, VALUE(FP32, 3), TORC_FP32,
            VALUE(FC64, 3, 6), "a real number is a complex one too"},
        {SEMIRING(PLUS, FIRST, FP64), VALUE(INT8, 5), TORC_INT8, NULL, TORC_FP64, VALUE(FP64, 5),
            "first does not read b"},
        {SEMIRING(PLUS, SECOND, FP64), NULL, TORC_FP64, VALUE(INT8, 5), TORC_INT8, VALUE(FP64, 5),
            "second does not read a"},
        {SEMIRING(ANY, PAIR, INT16), NULL, TORC_INT16, NULL, TORC_INT16, VALUE(INT16, 1),
            "pair reads nothing"},
    };
    CHECK(cases);
}

Test(multiply_values, of_operators_that_it_lacks_are_unsupported)
{
    const torc_user_type real = {TORC_FP64, NULL};
    const torc_definition multiply = {.source = "", .multiply = "f", .x = real, .y = real, .z = real},
                          add = {.source = "", .add = "f", .z = real};
    const torc_semiring user_multiply = {.multiply = TORC_USER, .definition = &multiply},
                        user_add = {.add = TORC_USER_MONOID,
                            .multiply = TORC_TIMES,
                            .type = TORC_FP64,
                            .definition = &add};
    const void *x = VALUE(FP64, 2);
    const product_case cases[] = {
        {user_multiply, x, TORC_FP64, x, TORC_FP64, NULL, "a user-defined multiply"},
        {user_add, x, TORC_FP64, x, TORC_FP64, NULL, "a user-defined add"},
        {SEMIRING(MIN, SECONDI, INT64), x, TORC_FP64, x, TORC_FP64, NULL, "a positional multiply"},
        {SEMIRING(PLUS, BAND, FP64), x, TORC_FP64, x, TORC_FP64, NULL, "bits of a real number"},
        {SEMIRING(PLUS, TIMES, FP64), NULL, TORC_FP64, x, TORC_FP64, NULL, "a is read"},
        {SEMIRING(PLUS, TIMES, FP64), x, TORC_FP64, NULL, TORC_FP64, NULL, "b is read"},
        {SEMIRING(PLUS, FIRST, FP64), NULL, TORC_FP64, x, TORC_FP64, NULL, "first reads a"},
        {SEMIRING(PLUS, SECOND, FP64), x, TORC_FP64, NULL, TORC_FP64, NULL, "second reads b"},
        {SEMIRING(PLUS, TIMES, FP64), x, TORC_TYPE_COUNT, x, TORC_FP64, NULL, "a is of no type"},
        {SEMIRING(PLUS, TIMES, FP64), x, TORC_FP64, x, torc_opaque_type(8), NULL, "b is opaque"},
    };
    CHECK(cases);
}
