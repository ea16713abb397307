#include "match.h"
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct operator_handle {
    GrB_BinaryOp handle;
    int name; /* a torc_monoid or a torc_multiply */
    torc_type type;
} operator_handle;

typedef struct known_handles {
    unsigned serial; /* of the binding that they are of */
    GrB_Type types[TORC_TYPE_COUNT];
    GrB_BinaryOp anys[TORC_TYPE_COUNT];
    operator_handle adds[TORC_MONOID_COUNT * TORC_TYPE_COUNT];
    operator_handle multiplies[2 * TORC_MULTIPLY_COUNT * TORC_TYPE_COUNT];
    int nadds, nmultiplies;
} known_handles;

static _Atomic(known_handles *) known;

/* Names as GraphBLAS has them, without prefix and type. */
static const char *const type_names[TORC_TYPE_COUNT] = {
#define X(name, ctype, text) #name,
    TORC_TYPE_MAP(X)
#undef X
};
static const char *const add_names[TORC_MONOID_COUNT] = {
#define X(name, text) #name,
    TORC_MONOID_MAP(X)
#undef X
};
static const char *const multiply_names[TORC_MULTIPLY_COUNT] = {
#define X(name, text) #name,
    TORC_MULTIPLY_MAP(X)
#undef X
};

/* Operators of other names, or of arithmetic on bool, that are the same functions. */
static const struct {
    const char *name;
    torc_multiply same_as;
    bool is_on_bool_only;
} aliases[] = {
    {"ONEB", TORC_PAIR, false},
    {"ANY", TORC_FIRST, false},
    {"MIN", TORC_LAND, true},
    {"TIMES", TORC_LAND, true},
    {"MAX", TORC_LOR, true},
    {"PLUS", TORC_LOR, true},
    {"MINUS", TORC_LXOR, true},
    {"RMINUS", TORC_LXOR, true},
    {"ISNE", TORC_LXOR, true},
    {"ISEQ", TORC_EQ, true},
    {"LXNOR", TORC_EQ, true},
    {"DIV", TORC_FIRST, true},
    {"RDIV", TORC_SECOND, true},
    {"ISGT", TORC_GT, true},
    {"ISLT", TORC_LT, true},
    {"ISGE", TORC_GE, true},
    {"POW", TORC_GE, true},
    {"ISLE", TORC_LE, true},
};

/* GrB_NAME_TYPE or GxB_NAME_TYPE; on bool also GrB_NAME, as GrB_LOR. */
static void *find_handle(const torc_binding *graphblas, const char *name, torc_type type)
{
    static const char *const patterns[] = {"GrB_%s_%s", "GxB_%s_%s", "GrB_%s"};
    void *handle = NULL;
    for (int i = 0; !handle && i < (type == TORC_BOOL ? 3 : 2); i++) {
        char symbol[64];
        snprintf(symbol, sizeof symbol, patterns[i], name, type_names[type]);
        handle = torc_binding_handle(graphblas, symbol);
    }
    return handle;
}

bool torc_divides_alike(const torc_binding *graphblas, torc_type type)
{
    bool is_complex = type == TORC_FC32 || type == TORC_FC64;
    return !is_complex || (graphblas->numbers && graphblas->numbers->divides_complex_as_torc);
}

static void learn_multiply(known_handles *handles, const torc_binding *graphblas, const char *name,
    torc_multiply multiply, torc_type type)
{
    torc_semiring semiring = {TORC_ANY_MONOID, multiply, type}; /* any exists on every type */
    GrB_BinaryOp handle = find_handle(graphblas, name, type);
    bool divides = multiply == TORC_DIV || multiply == TORC_RDIV;
    if (handle && torc_semiring_traits(semiring).is_supported &&
        (!divides || torc_divides_alike(graphblas, type))) {
        handles->multiplies[handles->nmultiplies++] = (operator_handle){handle, (int)multiply, type};
    }
}

static void learn_type(known_handles *handles, const torc_binding *graphblas, torc_type type)
{
    char symbol[64];
    for (int i = 0; i < 2 && !handles->types[type]; i++) {
        snprintf(symbol, sizeof symbol, i == 0 ? "GrB_%s" : "GxB_%s", type_names[type]);
        handles->types[type] = torc_binding_handle(graphblas, symbol);
    }
    handles->anys[type] = find_handle(graphblas, "ANY", type);
    for (torc_monoid add = 0; add < TORC_MONOID_COUNT; add++) {
        torc_semiring semiring = {add, TORC_PAIR, type}; /* and so does pair */
        GrB_BinaryOp handle = find_handle(graphblas, add_names[add], type);
        if (handle && torc_semiring_traits(semiring).is_supported) {
            handles->adds[handles->nadds++] = (operator_handle){handle, (int)add, type};
        }
    }
    for (torc_multiply multiply = 0; multiply < TORC_MULTIPLY_COUNT; multiply++) {
        learn_multiply(handles, graphblas, multiply_names[multiply], multiply, type);
    }
    for (size_t i = 0; i < sizeof aliases / sizeof aliases[0]; i++) {
        if (type == TORC_BOOL || !aliases[i].is_on_bool_only) {
            learn_multiply(handles, graphblas, aliases[i].name, aliases[i].same_as, type);
        }
    }
}

/* The handles of the library that is served. If two threads learn them at once, the second takes the first
 * one's. The table that is replaced is freed: its library is finalised or gone, so nobody reads it. */
static const known_handles *know(void)
{
    static const known_handles none;
    const torc_binding *graphblas = torc_binding_get();
    known_handles *before = atomic_load(&known), *fresh;
    if (before && before->serial == graphblas->serial) {
        return before;
    }
    fresh = calloc(1, sizeof *fresh);
    if (!fresh) {
        return &none;
    }
    fresh->serial = graphblas->serial;
    for (torc_type type = 0; type < TORC_TYPE_COUNT; type++) {
        learn_type(fresh, graphblas, type);
    }
    bool is_first = atomic_compare_exchange_strong(&known, &before, fresh);
    free(is_first ? before : fresh);
    return is_first ? fresh : before;
}

static const operator_handle *find_operator(const operator_handle *operators, int count, GrB_BinaryOp handle)
{
    for (int i = 0; i < count; i++) {
        if (operators[i].handle == handle) {
            return &operators[i];
        }
    }
    return NULL;
}

bool torc_match_add(torc_monoid *add, torc_type *type, GrB_BinaryOp handle)
{
    const known_handles *handles = know();
    const operator_handle *found = find_operator(handles->adds, handles->nadds, handle);
    if (found) {
        *add = (torc_monoid)found->name;
        *type = found->type;
    }
    return found;
}

bool torc_match_multiply(torc_multiply *multiply, torc_type *type, GrB_BinaryOp handle)
{
    const known_handles *handles = know();
    const operator_handle *found = find_operator(handles->multiplies, handles->nmultiplies, handle);
    if (found) {
        *multiply = (torc_multiply)found->name;
        *type = found->type;
    }
    return found;
}

bool torc_is_any(GrB_BinaryOp handle)
{
    const known_handles *handles = know();
    bool is_any = false;
    for (int i = 0; i < TORC_TYPE_COUNT; i++) {
        is_any |= handle && handles->anys[i] == handle;
    }
    return is_any;
}

bool torc_match_semiring(torc_semiring *semiring, const torc_binding *graphblas, GrB_Semiring handle)
{
    GrB_Monoid monoid;
    GrB_BinaryOp add, multiply;
    if (graphblas->semiring_add(&monoid, handle) != GrB_SUCCESS ||
        graphblas->monoid_operator(&add, monoid) != GrB_SUCCESS ||
        graphblas->semiring_multiply(&multiply, handle) != GrB_SUCCESS) {
        return false;
    }
    torc_type add_type;
    *semiring = (torc_semiring){.definition = NULL};
    if (!torc_match_add(&semiring->add, &add_type, add) ||
        !torc_match_multiply(&semiring->multiply, &semiring->type, multiply)) {
        return false;
    }
    torc_traits traits = torc_semiring_traits(*semiring);
    return traits.is_supported && traits.z_type == add_type;
}

bool torc_match_accum(torc_multiply *accum, torc_type type, GrB_BinaryOp handle)
{
    const known_handles *handles = know();
    const operator_handle *found = find_operator(handles->multiplies, handles->nmultiplies, handle);
    if (!found) {
        return false;
    }
    *accum = torc_is_any(handle) ? TORC_SECOND : (torc_multiply)found->name;
    torc_traits traits = torc_semiring_traits((torc_semiring){TORC_ANY_MONOID, *accum, found->type});
    return found->type == type && traits.z_type == type && !traits.is_positional;
}

bool torc_match_type(torc_type *type, GrB_Type handle)
{
    const known_handles *handles = know();
    for (int i = 0; i < TORC_TYPE_COUNT; i++) {
        if (handles->types[i] && handles->types[i] == handle) {
            *type = (torc_type)i;
            return true;
        }
    }
    return false;
}

GrB_Type torc_type_handle(torc_type type)
{
    return know()->types[type];
}
