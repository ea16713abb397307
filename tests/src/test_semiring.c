/* Semirings as values: which exist, what the traits claim, transposition, names. Claims about operators are
 * held against what the reference operators do. */
#include "reference.h"
#include "typed_value.h"
#include <criterion/criterion.h>
#include <stdio.h>

enum { SAMPLES = 4 };

/* Distinct, and in floating point of magnitudes at which the order of a sum shows. */
static const void *sample(torc_type type, int i)
{
    static const uint8_t truths[SAMPLES] = {0, 1, 1, 0};
    static const int32_t int32s[SAMPLES] = {INT32_MAX, -7, 3, INT32_MIN};
    static const int64_t int64s[SAMPLES] = {INT64_MAX, -7, 3, INT64_MIN};
    static const uint32_t uint32s[SAMPLES] = {UINT32_MAX, 7, 3, 1u << 31};
    static const float floats[SAMPLES] = {1e20f, -1e20f, 1.5f, NAN};
    static const double doubles[SAMPLES] = {1e30, -1e30, 1.5, NAN};
    switch (type) {
    case TORC_BOOL:
        return &truths[i];
    case TORC_INT32:
        return &int32s[i];
    case TORC_INT64:
        return &int64s[i];
    case TORC_UINT32:
        return &uint32s[i];
    case TORC_FP32:
        return &floats[i];
    default:
        return &doubles[i];
    }
}

static bool is_listed(const char *list, const char *name)
{
    const char *found = strstr(list, name);
    return found && found[strlen(name)] == ' ';
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

Test(semiring, is_supported_where_both_operators_exist_on_the_type)
{
    int count = 0;
    for (int i = 0; i < SEMIRINGS; i++) {
        torc_semiring s = semiring_number(i);
        bool is_bool = s.type == TORC_BOOL;
        bool expected =
            is_listed(is_bool ? "lor any " : "plus min max any ", torc_monoid_name(s.add)) &&
            is_listed(is_bool ? "land first second pair " : "times plus min max first second pair ",
                torc_multiply_name(s.multiply));
        cr_expect(torc_semiring_traits(s).is_supported == expected, "%s", name_of(s));
        count += expected;
    }
    cr_assert(count == 2 * 4 + 5 * 4 * 7);
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
        bool has_both = torc_reference_add(s.add, s.type) && torc_reference_multiply(s.multiply, s.type);
        cr_expect(torc_semiring_traits(s).is_supported == has_both, "%s", name_of(s));
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
        bool depends_on_x = false, depends_on_y = false;
        for (int a = 0; a < SAMPLES; a++) {
            for (int b = 0; b < SAMPLES; b++) {
                for (int other = 0; other < SAMPLES; other++) {
                    double z, moved; /* each as large as any type */
                    multiply(&z, sample(s.type, a), sample(s.type, b));
                    multiply(&moved, sample(s.type, other), sample(s.type, b));
                    depends_on_x |= !is_same_value(&z, &moved, s.type);
                    multiply(&moved, sample(s.type, a), sample(s.type, other));
                    depends_on_y |= !is_same_value(&z, &moved, s.type);
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
        torc_reference_operator add = torc_reference_add(s.add, s.type);
        double first_sum;
        bool is_exact = true;
        for (int o = 0; o < 6; o++) {
            double sum;
            add(&sum, sample(s.type, orders[o][0]), sample(s.type, orders[o][1]));
            add(&sum, &sum, sample(s.type, orders[o][2]));
            if (o == 0) {
                first_sum = sum;
            }
            is_exact = is_exact && is_same_value(&sum, &first_sum, s.type);
        }
        cr_expect(traits.is_exact == is_exact, "%s", name_of(s));
    }
}

Test(semiring, transposes_by_exchanging_the_arguments_of_multiply)
{
    for (int i = 0; i < SEMIRINGS; i++) {
        torc_semiring s = semiring_number(i), t = torc_semiring_transpose(s);
        if (!torc_semiring_traits(s).is_supported) {
            continue;
        }
        torc_reference_operator multiply = torc_reference_multiply(s.multiply, s.type);
        torc_reference_operator exchanged = torc_reference_multiply(t.multiply, t.type);
        cr_assert(t.add == s.add && t.type == s.type && exchanged, "%s", name_of(s));
        for (int a = 0; a < SAMPLES; a++) {
            for (int b = 0; b < SAMPLES; b++) {
                double z, w;
                multiply(&z, sample(s.type, a), sample(s.type, b));
                exchanged(&w, sample(s.type, b), sample(s.type, a));
                cr_expect(is_same_value(&z, &w, s.type), "%s on samples %d, %d", name_of(s), a, b);
            }
        }
        t = torc_semiring_transpose(t);
        cr_expect(t.multiply == s.multiply, "%s: twice is not once", name_of(s));
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
    static const size_t sizes[] = {1, 4, 8, 4, 4, 8, 0};
    for (int i = 0; i <= TORC_TYPE_COUNT; i++) {
        cr_expect(torc_type_size(i) == sizes[i], "%s", torc_type_name(i));
    }
    for (int i = 0; i <= TORC_COMPILE_ERROR; i++) {
        for (int j = 0; j <= i; j++) {
            cr_expect((strcmp(torc_status_text(i), torc_status_text(j)) == 0) == (i == j));
        }
    }
    cr_expect(strcmp(torc_status_text(TORC_COMPILE_ERROR + 1), "unknown status") == 0);
    cr_expect(strcmp(torc_status_text(-1), "unknown status") == 0);
}
