/* Semirings as values: which exist, what the traits claim, transposition, names. Claims about operators are
 * held against what the reference operators do. */
#include "reference.h"
#include "typed_value.h"
#include <criterion/criterion.h>
#include <stdio.h>

enum { SAMPLES = 5 };

/* Distinct; in floating point of magnitudes at which the order of the first three in a sum or product shows.
 */
#define INTEGERS(TYPE, a, b)                                                                                 \
    [TORC_##TYPE] = {VALUE(TYPE, TYPE##_MAX), VALUE(TYPE, a), VALUE(TYPE, 3), VALUE(TYPE, 0), VALUE(TYPE, b)}
#define REALS(TYPE)                                                                                          \
    [TORC_##TYPE] = {VALUE(TYPE, 1e15 / 3), VALUE(TYPE, -1e15 / 3), VALUE(TYPE, 1.3 / 4), VALUE(TYPE, 0),    \
        VALUE(TYPE, NAN)}
#define COMPLEXES(TYPE)                                                                                      \
    [TORC_##TYPE] = {VALUE(TYPE, 1e10 / 3, 0.3), VALUE(TYPE, -1e10 / 3, 7), VALUE(TYPE, 1.3 / 4, 0.61),      \
        VALUE(TYPE, 0, 0), VALUE(TYPE, NAN, 1)}
static const void *const samples[TORC_TYPE_COUNT][SAMPLES] = {
    [TORC_BOOL] = {VALUE(BOOL, 0), VALUE(BOOL, 1), VALUE(BOOL, 1), VALUE(BOOL, 0), VALUE(BOOL, 1)},
    INTEGERS(INT8, -7, INT8_MIN),
    INTEGERS(INT16, -7, INT16_MIN),
    INTEGERS(INT32, -7, INT32_MIN),
    INTEGERS(INT64, -7, INT64_MIN),
    INTEGERS(UINT8, 7, 128),
    INTEGERS(UINT16, 7, 1u << 15),
    INTEGERS(UINT32, 7, 1u << 31),
    INTEGERS(UINT64, 7, UINT64_C(1) << 63),
    REALS(FP32),
    REALS(FP64),
    COMPLEXES(FC32),
    COMPLEXES(FC64),
};

static const void *sample(torc_type type, int i)
{
    return samples[type][i];
}

/* list: words, each followed by a space. */
static bool is_listed(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (const char *word = list; *word; word = strchr(word, ' ') + 1) {
        if (strncmp(word, name, length) == 0 && word[length] == ' ') {
            return true;
        }
    }
    return false;
}

/* Every (add, multiply, type), supported or not. */
static torc_semiring semiring_number(int i)
{
    int multiply = i % TORC_MULTIPLY_COUNT, rest = i / TORC_MULTIPLY_COUNT;
    return (torc_semiring){rest % TORC_MONOID_COUNT, multiply, rest / TORC_MONOID_COUNT};
}

enum { SEMIRINGS = TORC_MULTIPLY_COUNT * TORC_MONOID_COUNT * TORC_TYPE_COUNT };

static const char *name_of(torc_semiring s)
{
    static char name[64];
    snprintf(name, sizeof name, "%s_%s %s", torc_monoid_name(s.add), torc_multiply_name(s.multiply),
        torc_type_name(s.type));
    return name;
}

static const char *monoids_on(torc_type type)
{
    switch (type) {
    case TORC_BOOL:
        return "any lor land lxor lxnor ";
    case TORC_FC32:
    case TORC_FC64:
        return "any plus times ";
    case TORC_UINT8:
    case TORC_UINT16:
    case TORC_UINT32:
    case TORC_UINT64:
        return "any plus times min max bor band bxor bxnor ";
    default:
        return "any plus times min max ";
    }
}

#define ON_ALL "first second pair eq ne "
#define ON_NUMBERS ON_ALL "plus minus rminus times div rdiv iseq isne "
#define ON_REALS ON_NUMBERS "min max isgt islt isge isle lor land lxor gt lt ge le "
#define ON_INTEGERS ON_REALS "bor band bxor bxnor "

static const char *multiplies_on(torc_type type)
{
    switch (type) {
    case TORC_BOOL:
        return ON_ALL "lor land lxor gt lt ge le ";
    case TORC_INT32:
    case TORC_INT64:
        return ON_INTEGERS "firsti firsti1 firstj firstj1 secondi secondi1 secondj secondj1 ";
    case TORC_FP32:
    case TORC_FP64:
        return ON_REALS;
    case TORC_FC32:
    case TORC_FC64:
        return ON_NUMBERS;
    default:
        return ON_INTEGERS;
    }
}

Test(semiring, is_supported_where_both_operators_exist_on_their_type)
{
    int count = 0;
    for (int i = 0; i < SEMIRINGS; i++) {
        torc_semiring s = semiring_number(i);
        bool gives_bool = is_listed("eq ne gt lt ge le ", torc_multiply_name(s.multiply));
        torc_type z_type = gives_bool ? TORC_BOOL : s.type;
        bool expected = is_listed(monoids_on(z_type), torc_monoid_name(s.add)) &&
                        is_listed(multiplies_on(s.type), torc_multiply_name(s.multiply));
        torc_traits traits = torc_semiring_traits(s);
        cr_expect(traits.is_supported == expected, "%s", name_of(s));
        cr_expect(!expected || traits.z_type == z_type, "%s", name_of(s));
        count += expected;
    }
    /* bool; comparators; signed, positional; unsigned; real; complex */
    cr_expect(
        count == 5 * 12 + 5 * (10 * 6 + 2 * 2) + 5 * (4 * 24 + 2 * 8) + 9 * 4 * 24 + 5 * 2 * 20 + 3 * 2 * 11,
        "%d", count);
}

Test(semiring, is_not_supported_out_of_range)
{
    for (int past = 0; past < 1000; past += 99) {
        torc_semiring bad_add = {TORC_MONOID_COUNT + past, TORC_PAIR, TORC_FP32};
        torc_semiring bad_multiply = {TORC_ANY_MONOID, TORC_MULTIPLY_COUNT + past, TORC_FP32};
        torc_semiring bad_type = {TORC_ANY_MONOID, TORC_PAIR, TORC_TYPE_COUNT + past};
        cr_expect(!torc_semiring_traits(bad_add).is_supported);
        cr_expect(!torc_semiring_traits(bad_multiply).is_supported);
        cr_expect(!torc_semiring_traits(bad_type).is_supported);
    }
}

Test(semiring, has_reference_operators_exactly_where_it_is_supported)
{
    for (int i = 0; i < SEMIRINGS; i++) {
        torc_semiring s = semiring_number(i);
        torc_traits traits = torc_semiring_traits(s);
        bool gives_bool = s.multiply >= TORC_EQ && s.multiply <= TORC_LE;
        bool has_add = torc_reference_add(s.add, gives_bool ? TORC_BOOL : s.type);
        bool has_multiply = torc_reference_multiply(s.multiply, s.type);
        cr_expect(
            (traits.is_supported && !traits.is_positional) == (has_add && has_multiply), "%s", name_of(s));
    }
}

Test(semiring, reads_an_operand_if_and_only_if_it_changes_the_product)
{
    for (int i = 0; i < SEMIRINGS; i++) {
        torc_semiring s = semiring_number(i);
        torc_traits traits = torc_semiring_traits(s);
        if (!traits.is_supported) {
            continue;
        }
        torc_reference_operator multiply = torc_reference_multiply(s.multiply, s.type);
        cr_expect(traits.is_positional == (multiply == NULL), "%s", name_of(s));
        if (traits.is_positional) {
            cr_expect(!traits.reads_a && !traits.reads_b, "%s", name_of(s));
            continue;
        }
        bool depends_on_x = false, depends_on_y = false;
        for (int a = 0; a < SAMPLES; a++) {
            for (int b = 0; b < SAMPLES; b++) {
                for (int other = 0; other < SAMPLES; other++) {
                    torc_value z, moved;
                    multiply(&z, sample(s.type, a), sample(s.type, b));
                    multiply(&moved, sample(s.type, other), sample(s.type, b));
                    depends_on_x |= !is_same_value(&z, &moved, traits.z_type);
                    multiply(&moved, sample(s.type, a), sample(s.type, other));
                    depends_on_y |= !is_same_value(&z, &moved, traits.z_type);
                }
            }
        }
        cr_expect(traits.reads_a == depends_on_x && traits.reads_b == depends_on_y, "%s", name_of(s));
    }
}

Test(semiring, is_exact_if_and_only_if_the_order_of_terms_does_not_matter)
{
    static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (int i = 0; i < SEMIRINGS; i++) {
        torc_semiring s = semiring_number(i);
        torc_traits traits = torc_semiring_traits(s);
        if (!traits.is_supported) {
            continue;
        }
        torc_type type = traits.z_type;
        torc_reference_operator add = torc_reference_add(s.add, type);
        torc_value first_sum;
        bool is_exact = true;
        for (int o = 0; o < 6; o++) {
            torc_value sum;
            add(&sum, sample(type, orders[o][0]), sample(type, orders[o][1]));
            add(&sum, &sum, sample(type, orders[o][2]));
            if (o == 0) {
                first_sum = sum;
            }
            is_exact = is_exact && is_same_value(&sum, &first_sum, type);
        }
        cr_expect(traits.is_exact == is_exact, "%s", name_of(s));
    }
}

static void expect_exchanged(torc_semiring s, torc_semiring t)
{
    torc_reference_operator multiply = torc_reference_multiply(s.multiply, s.type);
    torc_reference_operator exchanged = torc_reference_multiply(t.multiply, t.type);
    cr_assert(exchanged, "%s", name_of(s));
    for (int a = 0; a < SAMPLES; a++) {
        for (int b = 0; b < SAMPLES; b++) {
            torc_value z, w;
            multiply(&z, sample(s.type, a), sample(s.type, b));
            exchanged(&w, sample(s.type, b), sample(s.type, a));
            cr_expect(is_same_value(&z, &w, torc_semiring_traits(s).z_type), "%s on samples %d, %d",
                name_of(s), a, b);
        }
    }
}

Test(semiring, transposes_by_exchanging_the_arguments_of_multiply)
{
    for (int i = 0; i < SEMIRINGS; i++) {
        torc_semiring s = semiring_number(i), t = torc_semiring_transpose(s);
        if (!torc_semiring_traits(s).is_supported) {
            continue;
        }
        cr_assert(t.add == s.add && t.type == s.type, "%s", name_of(s));
        if (torc_semiring_traits(s).is_positional) {
            cr_expect(torc_reference_position(s.multiply, 10, 20, 30) ==
                          torc_reference_position(t.multiply, 30, 20, 10),
                "%s", name_of(s));
        } else {
            expect_exchanged(s, t);
        }
        t = torc_semiring_transpose(t);
        cr_expect(t.multiply == s.multiply, "%s: twice is not once", name_of(s));
    }
}

/* By operators of users, and where values are moved unseen. */
static void expect_no_operator_on(torc_type type)
{
    const torc_user_type x = {type, "named"}, z = {TORC_FP64, NULL};
    torc_definition definition = {.x = x, .y = x, .z = z};
    torc_semiring of_user = {TORC_PLUS_MONOID, TORC_USER, TORC_FP64, &definition, false};
    torc_operation moves = {.kind = TORC_APPLY, .unary = TORC_UNARY_IDENTITY, .type = type};
    torc_operation applies = {.kind = TORC_APPLY, .unary = TORC_UNARY_USER, .definition = &definition};
    cr_expect(!torc_semiring_traits(of_user).is_supported, "%x", (unsigned)type);
    cr_expect(!torc_operation_get_traits(&moves).is_supported, "%x", (unsigned)type);
    cr_expect(!torc_operation_get_traits(&applies).is_supported, "%x", (unsigned)type);
}

Test(semiring, types_that_are_none_have_no_size_no_name_no_cast_and_no_operator)
{
    cr_expect(torc_type_size(torc_opaque_type(7)) == 7);
    cr_expect(torc_type_size(torc_opaque_type((size_t)TORC_OPAQUE - 1)) == TORC_OPAQUE - 1);
    const torc_type no_types[] = {TORC_TYPE_COUNT, (torc_type)-1, (torc_type)INT32_MIN, torc_opaque_type(0),
        torc_opaque_type(TORC_OPAQUE), torc_opaque_type(SIZE_MAX)};
    for (size_t i = 0; i < sizeof no_types / sizeof no_types[0]; i++) {
        cr_expect(torc_type_size(no_types[i]) == 0, "%x", (unsigned)no_types[i]);
        cr_expect(strcmp(torc_type_name(no_types[i]), "unknown") == 0, "%x", (unsigned)no_types[i]);
        cr_expect(!torc_can_cast(no_types[i], no_types[i]), "%x", (unsigned)no_types[i]);
        cr_expect(!torc_can_cast(TORC_BOOL, no_types[i]), "%x", (unsigned)no_types[i]);
        cr_expect(!torc_can_cast(no_types[i], TORC_BOOL), "%x", (unsigned)no_types[i]);
        expect_no_operator_on(no_types[i]);
    }
}

Test(semiring, names_and_sizes_are_distinct_and_defined_for_any_number)
{
    for (int i = 0; i < TORC_MULTIPLY_COUNT; i++) {
        for (int j = 0; j < i; j++) {
            cr_expect(strcmp(torc_multiply_name(i), torc_multiply_name(j)) != 0);
            cr_expect(i >= TORC_MONOID_COUNT || strcmp(torc_monoid_name(i), torc_monoid_name(j)) != 0);
            cr_expect(i >= TORC_TYPE_COUNT || strcmp(torc_type_name(i), torc_type_name(j)) != 0);
        }
    }
    cr_expect(strcmp(torc_type_name(TORC_TYPE_COUNT), "unknown") == 0);
    cr_expect(strcmp(torc_monoid_name(TORC_MONOID_COUNT), "unknown") == 0);
    cr_expect(strcmp(torc_multiply_name(TORC_MULTIPLY_COUNT), "unknown") == 0);
    static const size_t sizes[] = {1, 1, 2, 4, 8, 1, 2, 4, 8, 4, 8, 8, 16, 0};
    for (int i = 0; i <= TORC_TYPE_COUNT; i++) {
        cr_expect(torc_type_size(i) == sizes[i], "%s", torc_type_name(i));
    }
    for (int i = 0; i <= TORC_NOT_COMPILED; i++) {
        for (int j = 0; j <= i; j++) {
            cr_expect((strcmp(torc_status_text(i), torc_status_text(j)) == 0) == (i == j));
        }
    }
    cr_expect(strcmp(torc_status_text(TORC_NOT_COMPILED + 1), "unknown status") == 0);
    cr_expect(strcmp(torc_status_text(-1), "unknown status") == 0);
}
