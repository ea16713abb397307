/* semiring.c: semirings as values: which exist, what their multiply reads, their names. */
#include <torc/torc.h>

static bool is_number(torc_type type)
{
    return type != TORC_BOOL;
}

static bool monoid_exists(torc_monoid add, torc_type type)
{
    switch (add) {
    case TORC_PLUS_MONOID:
    case TORC_MIN_MONOID:
    case TORC_MAX_MONOID:
        return is_number(type);
    case TORC_LOR_MONOID:
        return type == TORC_BOOL;
    case TORC_ANY_MONOID:
        return true;
    default:
        return false;
    }
}

static bool multiply_exists(torc_multiply multiply, torc_type type)
{
    switch (multiply) {
    case TORC_TIMES:
    case TORC_PLUS:
    case TORC_MIN:
    case TORC_MAX:
        return is_number(type);
    case TORC_LAND:
        return type == TORC_BOOL;
    case TORC_FIRST:
    case TORC_SECOND:
    case TORC_PAIR:
        return true;
    default:
        return false;
    }
}

torc_traits torc_semiring_traits(torc_semiring semiring)
{
    torc_type type = semiring.type;
    torc_multiply multiply = semiring.multiply;
    bool is_float = type == TORC_FP32 || type == TORC_FP64;
    return (torc_traits){
        .is_supported = (unsigned)type < TORC_TYPE_COUNT && monoid_exists(semiring.add, type) &&
                        multiply_exists(multiply, type),
        .reads_a = multiply != TORC_SECOND && multiply != TORC_PAIR,
        .reads_b = multiply != TORC_FIRST && multiply != TORC_PAIR,
        .is_exact = semiring.add != TORC_ANY_MONOID && !(semiring.add == TORC_PLUS_MONOID && is_float),
    };
}

torc_semiring torc_semiring_transpose(torc_semiring semiring)
{
    if (semiring.multiply == TORC_FIRST) {
        semiring.multiply = TORC_SECOND;
    } else if (semiring.multiply == TORC_SECOND) {
        semiring.multiply = TORC_FIRST;
    }
    return semiring; /* every other multiply commutes */
}

static const struct {
    const char *name;
    size_t size;
} types[] = {
#define X(name, ctype, text) {text, sizeof(ctype)},
    TORC_TYPE_MAP(X)
#undef X
};

const char *torc_type_name(torc_type type)
{
    return (unsigned)type < TORC_TYPE_COUNT ? types[type].name : "unknown";
}

size_t torc_type_size(torc_type type)
{
    return (unsigned)type < TORC_TYPE_COUNT ? types[type].size : 0;
}

const char *torc_monoid_name(torc_monoid add)
{
    static const char *const names[] = {
#define X(name, text) text,
        TORC_MONOID_MAP(X)
#undef X
    };
    return (unsigned)add < TORC_MONOID_COUNT ? names[add] : "unknown";
}

const char *torc_multiply_name(torc_multiply multiply)
{
    static const char *const names[] = {
#define X(name, text) text,
        TORC_MULTIPLY_MAP(X)
#undef X
    };
    return (unsigned)multiply < TORC_MULTIPLY_COUNT ? names[multiply] : "unknown";
}
