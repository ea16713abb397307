/* semiring.c: semirings as values: which exist, which arguments their multiply reads, their names. */
#include "traits.h"
#include "type_sets.h"

static const unsigned monoid_types[TORC_MONOID_COUNT] = {
    [TORC_PLUS_MONOID] = NUMBER,
    [TORC_TIMES_MONOID] = NUMBER,
    [TORC_MIN_MONOID] = ORDERED,
    [TORC_MAX_MONOID] = ORDERED,
    [TORC_ANY_MONOID] = ALL,
    [TORC_LOR_MONOID] = BOOLEAN,
    [TORC_LAND_MONOID] = BOOLEAN,
    [TORC_LXOR_MONOID] = BOOLEAN,
    [TORC_LXNOR_MONOID] = BOOLEAN,
    [TORC_BOR_MONOID] = UNSIGNED,
    [TORC_BAND_MONOID] = UNSIGNED,
    [TORC_BXOR_MONOID] = UNSIGNED,
    [TORC_BXNOR_MONOID] = UNSIGNED,
};

static const struct {
    unsigned types;
    bool ignores_a, ignores_b, gives_bool;
    torc_multiply exchanged; /* f' (x, y) = f (y, x) */
} multiplies[TORC_MULTIPLY_COUNT] = {
    [TORC_FIRST] = {ALL, .ignores_b = true, .exchanged = TORC_SECOND},
    [TORC_SECOND] = {ALL, .ignores_a = true, .exchanged = TORC_FIRST},
    [TORC_PAIR] = {ALL, .ignores_a = true, .ignores_b = true, .exchanged = TORC_PAIR},
    [TORC_PLUS] = {NUMBER, .exchanged = TORC_PLUS},
    [TORC_MINUS] = {NUMBER, .exchanged = TORC_RMINUS},
    [TORC_RMINUS] = {NUMBER, .exchanged = TORC_MINUS},
    [TORC_TIMES] = {NUMBER, .exchanged = TORC_TIMES},
    [TORC_DIV] = {NUMBER, .exchanged = TORC_RDIV},
    [TORC_RDIV] = {NUMBER, .exchanged = TORC_DIV},
    [TORC_MIN] = {ORDERED, .exchanged = TORC_MIN},
    [TORC_MAX] = {ORDERED, .exchanged = TORC_MAX},
    [TORC_ISEQ] = {NUMBER, .exchanged = TORC_ISEQ},
    [TORC_ISNE] = {NUMBER, .exchanged = TORC_ISNE},
    [TORC_ISGT] = {ORDERED, .exchanged = TORC_ISLT},
    [TORC_ISLT] = {ORDERED, .exchanged = TORC_ISGT},
    [TORC_ISGE] = {ORDERED, .exchanged = TORC_ISLE},
    [TORC_ISLE] = {ORDERED, .exchanged = TORC_ISGE},
    [TORC_LOR] = {BOOLEAN | ORDERED, .exchanged = TORC_LOR},
    [TORC_LAND] = {BOOLEAN | ORDERED, .exchanged = TORC_LAND},
    [TORC_LXOR] = {BOOLEAN | ORDERED, .exchanged = TORC_LXOR},
    [TORC_EQ] = {ALL, .gives_bool = true, .exchanged = TORC_EQ},
    [TORC_NE] = {ALL, .gives_bool = true, .exchanged = TORC_NE},
    [TORC_GT] = {BOOLEAN | ORDERED, .gives_bool = true, .exchanged = TORC_LT},
    [TORC_LT] = {BOOLEAN | ORDERED, .gives_bool = true, .exchanged = TORC_GT},
    [TORC_GE] = {BOOLEAN | ORDERED, .gives_bool = true, .exchanged = TORC_LE},
    [TORC_LE] = {BOOLEAN | ORDERED, .gives_bool = true, .exchanged = TORC_GE},
    [TORC_BOR] = {INTEGER, .exchanged = TORC_BOR},
    [TORC_BAND] = {INTEGER, .exchanged = TORC_BAND},
    [TORC_BXOR] = {INTEGER, .exchanged = TORC_BXOR},
    [TORC_BXNOR] = {INTEGER, .exchanged = TORC_BXNOR},
    [TORC_FIRSTI] = {POSITION, true, true, .exchanged = TORC_SECONDJ},
    [TORC_FIRSTI1] = {POSITION, true, true, .exchanged = TORC_SECONDJ1},
    [TORC_FIRSTJ] = {POSITION, true, true, .exchanged = TORC_SECONDI},
    [TORC_FIRSTJ1] = {POSITION, true, true, .exchanged = TORC_SECONDI1},
    [TORC_SECONDI] = {POSITION, true, true, .exchanged = TORC_FIRSTJ},
    [TORC_SECONDI1] = {POSITION, true, true, .exchanged = TORC_FIRSTJ1},
    [TORC_SECONDJ] = {POSITION, true, true, .exchanged = TORC_FIRSTI},
    [TORC_SECONDJ1] = {POSITION, true, true, .exchanged = TORC_FIRSTI1},
};

/* The traits of a built-in multiply on `type`; the semiring also needs an add on z_type. */
static torc_traits traits_of_builtin(torc_multiply multiply, torc_type type)
{
    return (torc_traits){
        .is_supported = multiplies[multiply].types & BIT(type),
        .reads_a = !multiplies[multiply].ignores_a,
        .reads_b = !multiplies[multiply].ignores_b,
        .is_positional = multiply >= TORC_FIRSTI,
        .x_type = type,
        .y_type = type,
        .z_type = multiplies[multiply].gives_bool ? TORC_BOOL : type,
    };
}

bool torc_is_user_type(const torc_user_type *user)
{
    bool is_opaque = user->type > TORC_OPAQUE && torc_type_size(user->type) > 0;
    return is_opaque ? user->name != NULL : (BIT(user->type) & (BOOLEAN | ORDERED)) != 0;
}

static torc_traits traits_of_user(const torc_definition *definition, bool is_flipped)
{
    return (torc_traits){
        .is_supported = torc_is_user_type(&definition->x) && torc_is_user_type(&definition->y) &&
                        torc_is_user_type(&definition->z),
        .reads_a = true,
        .reads_b = true,
        .x_type = is_flipped ? definition->y.type : definition->x.type,
        .y_type = is_flipped ? definition->x.type : definition->y.type,
        .z_type = definition->z.type,
    };
}

torc_traits torc_multiply_traits(torc_semiring semiring)
{
    if (semiring.multiply == TORC_USER) {
        return semiring.definition ? traits_of_user(semiring.definition, semiring.is_flipped)
                                   : (torc_traits){.is_supported = false};
    }
    return (unsigned)semiring.multiply < TORC_MULTIPLY_COUNT
               ? traits_of_builtin(semiring.multiply, semiring.type)
               : (torc_traits){.is_supported = false};
}

bool torc_reduction_is_supported(torc_reduction reduction)
{
    if (reduction.add == TORC_USER_MONOID) {
        return reduction.definition && torc_is_user_type(&reduction.definition->z) &&
               reduction.definition->z.type == reduction.type;
    }
    return (unsigned)reduction.add < TORC_MONOID_COUNT && (monoid_types[reduction.add] & BIT(reduction.type));
}

torc_traits torc_semiring_traits(torc_semiring semiring)
{
    torc_monoid add = semiring.add;
    torc_traits traits = torc_multiply_traits(semiring);
    bool rounds =
        (add == TORC_PLUS_MONOID || add == TORC_TIMES_MONOID) && (BIT(traits.z_type) & (REAL | COMPLEX));
    traits.is_supported = traits.is_supported && torc_reduction_is_supported((torc_reduction){
                                                     add, traits.z_type, semiring.definition});
    traits.is_exact = add != TORC_USER_MONOID && add != TORC_ANY_MONOID && !rounds;
    return traits;
}

torc_semiring torc_semiring_transpose(torc_semiring semiring)
{
    if (semiring.multiply == TORC_USER) {
        semiring.is_flipped = !semiring.is_flipped;
    } else if ((unsigned)semiring.multiply < TORC_MULTIPLY_COUNT) {
        semiring.multiply = multiplies[semiring.multiply].exchanged;
    }
    return semiring;
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
    return torc_type_size(type) == 0 ? "unknown" : type > TORC_OPAQUE ? "user" : types[type].name;
}

size_t torc_type_size(torc_type type)
{
    unsigned opaque = (unsigned)type - TORC_OPAQUE;
    if (opaque < TORC_OPAQUE) {
        return opaque;
    }
    return (unsigned)type < TORC_TYPE_COUNT ? types[type].size : 0;
}

torc_type torc_opaque_type(size_t size)
{
    return size < TORC_OPAQUE ? (torc_type)(TORC_OPAQUE + size) : TORC_OPAQUE;
}

const char *torc_monoid_name(torc_monoid add)
{
    static const char *const names[] = {
#define X(name, text) text,
        TORC_MONOID_MAP(X)
#undef X
    };
    return (unsigned)add < TORC_MONOID_COUNT ? names[add] : add == TORC_USER_MONOID ? "user" : "unknown";
}

const char *torc_multiply_name(torc_multiply multiply)
{
    static const char *const names[] = {
#define X(name, text) text,
        TORC_MULTIPLY_MAP(X)
#undef X
    };
    return (unsigned)multiply < TORC_MULTIPLY_COUNT ? names[multiply]
           : multiply == TORC_USER                  ? "user"
                                                    : "unknown";
}
