#include "match.h"
#include <pthread.h>
#include <stdio.h>

typedef struct operator_handle {
    GrB_BinaryOp handle;
    int name; /* a torc_monoid or a torc_multiply */
    torc_type type;
} operator_handle;

static struct {
    GrB_Type types[TORC_TYPE_COUNT];
    operator_handle adds[TORC_MONOID_COUNT * TORC_TYPE_COUNT];
    operator_handle multiplies[TORC_MULTIPLY_COUNT * TORC_TYPE_COUNT];
    int nadds, nmultiplies;
} known;

static pthread_once_t known_once = PTHREAD_ONCE_INIT;

/* Operators as GraphBLAS spells them; those on bool alone have no type in their names. */
static const char *const add_names[TORC_MONOID_COUNT] = {
    [TORC_PLUS_MONOID] = "GrB_PLUS_%s",
    [TORC_MIN_MONOID] = "GrB_MIN_%s",
    [TORC_MAX_MONOID] = "GrB_MAX_%s",
    [TORC_LOR_MONOID] = "GrB_LOR",
    [TORC_ANY_MONOID] = "GxB_ANY_%s",
};
static const char *const multiply_names[TORC_MULTIPLY_COUNT] = {
    [TORC_TIMES] = "GrB_TIMES_%s",
    [TORC_PLUS] = "GrB_PLUS_%s",
    [TORC_MIN] = "GrB_MIN_%s",
    [TORC_MAX] = "GrB_MAX_%s",
    [TORC_LAND] = "GrB_LAND",
    [TORC_FIRST] = "GrB_FIRST_%s",
    [TORC_SECOND] = "GrB_SECOND_%s",
    [TORC_PAIR] = "GrB_ONEB_%s",
};
static const char *const type_names[TORC_TYPE_COUNT] = {
#define X(name, ctype, text) #name,
    TORC_TYPE_MAP(X)
#undef X
};

static void *find_handle(const torc_binding *graphblas, const char *pattern, const char *type_name)
{
    char name[64];
    snprintf(name, sizeof name, pattern, type_name);
    return torc_binding_handle(graphblas, name);
}

static void learn(void)
{
    const torc_binding *graphblas = torc_binding_get();
    for (torc_type type = 0; type < TORC_TYPE_COUNT; type++) {
        known.types[type] = find_handle(graphblas, "GrB_%s", type_names[type]);
        for (torc_monoid add = 0; add < TORC_MONOID_COUNT; add++) {
            torc_semiring semiring = {add, TORC_PAIR, type}; /* pair exists on every type */
            GrB_BinaryOp handle = find_handle(graphblas, add_names[add], type_names[type]);
            if (handle && torc_semiring_traits(semiring).is_supported) {
                known.adds[known.nadds++] = (operator_handle){handle, (int)add, type};
            }
        }
        for (torc_multiply multiply = 0; multiply < TORC_MULTIPLY_COUNT; multiply++) {
            torc_semiring semiring = {TORC_ANY_MONOID, multiply, type}; /* and so does any */
            GrB_BinaryOp handle = find_handle(graphblas, multiply_names[multiply], type_names[type]);
            if (handle && torc_semiring_traits(semiring).is_supported) {
                known.multiplies[known.nmultiplies++] = (operator_handle){handle, (int)multiply, type};
            }
        }
    }
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

bool torc_match_semiring(torc_semiring *semiring, const torc_binding *graphblas, GrB_Semiring handle)
{
    pthread_once(&known_once, learn);
    GrB_Monoid monoid;
    GrB_BinaryOp add, multiply;
    if (graphblas->semiring_add(&monoid, handle) != GrB_SUCCESS ||
        graphblas->monoid_operator(&add, monoid) != GrB_SUCCESS ||
        graphblas->semiring_multiply(&multiply, handle) != GrB_SUCCESS) {
        return false;
    }
    const operator_handle *known_add = find_operator(known.adds, known.nadds, add);
    const operator_handle *known_multiply = find_operator(known.multiplies, known.nmultiplies, multiply);
    if (!known_add || !known_multiply || known_add->type != known_multiply->type) {
        return false;
    }
    *semiring =
        (torc_semiring){(torc_monoid)known_add->name, (torc_multiply)known_multiply->name, known_add->type};
    return true;
}

bool torc_match_type(torc_type *type, GrB_Type handle)
{
    pthread_once(&known_once, learn);
    for (int i = 0; i < TORC_TYPE_COUNT; i++) {
        if (known.types[i] && known.types[i] == handle) {
            *type = (torc_type)i;
            return true;
        }
    }
    return false;
}

GrB_Type torc_type_handle(torc_type type)
{
    pthread_once(&known_once, learn);
    return known.types[type];
}
