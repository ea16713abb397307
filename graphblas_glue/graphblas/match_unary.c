#include "match_unary.h"
#include "match.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

typedef struct unary_handle {
    void *handle;
    torc_operation operation;
} unary_handle;

enum {
    MOST_UNARIES = (TORC_UNARY_COUNT + 4) * TORC_TYPE_COUNT,
    MOST_INDICES = TORC_INDEX_UNARY_COUNT * TORC_TYPE_COUNT
};

static pthread_mutex_t learning = PTHREAD_MUTEX_INITIALIZER;
static atomic_uint learned; /* the serial of the binding */
static unary_handle unaries[MOST_UNARIES], indices[MOST_INDICES];
static int nunaries, nindices;

/* Names as GraphBLAS has them, without prefix and type. */
static const char *const type_names[TORC_TYPE_COUNT] = {
#define X(name, ctype, text) #name,
    TORC_TYPE_MAP(X)
#undef X
};
static const char *const unary_names[TORC_UNARY_COUNT] = {
#define X(name, text) #name,
    TORC_UNARY_MAP(X)
#undef X
};
static const char *const index_names[TORC_INDEX_UNARY_COUNT] = {
#define X(name, text) #name,
    TORC_INDEX_UNARY_MAP(X)
#undef X
};

/* Operators of one value that look at its place alone. */
static const struct {
    const char *name;
    torc_index_unary index;
    int64_t thunk;
} positions[] = {
    {"POSITIONI", TORC_ROWINDEX, 0},
    {"POSITIONI1", TORC_ROWINDEX, 1},
    {"POSITIONJ", TORC_COLINDEX, 0},
    {"POSITIONJ1", TORC_COLINDEX, 1},
};

/* GrB_NAME_TYPE or GxB_NAME_TYPE; GrB_NAME, as GrB_LNOT on bool, and GrB_TRIL whatever the type. */
static void *find_handle(const torc_binding *graphblas, const char *name, const char *type)
{
    static const char *const prefixes[] = {"GrB", "GxB"};
    void *handle = NULL;
    for (int i = 0; !handle && i < 2; i++) {
        char symbol[64];
        snprintf(symbol, sizeof symbol, type ? "%s_%s_%s" : "%s_%s", prefixes[i], name, type);
        handle = torc_binding_handle(graphblas, symbol);
    }
    return handle;
}

static void note(unary_handle *list, int *count, void *handle, torc_operation operation)
{
    if (handle && torc_operation_get_traits(&operation).is_supported) {
        list[(*count)++] = (unary_handle){handle, operation};
    }
}

static torc_operation place(torc_index_unary index, torc_type type, int64_t thunk)
{
    torc_operation operation = {
        .kind = TORC_APPLY_INDEX, .index = index, .type = type, .thunk.type = TORC_INT64};
    memcpy(operation.thunk.value, &thunk, sizeof thunk);
    return operation;
}

static void learn_type(const torc_binding *graphblas, torc_type type)
{
    for (torc_unary unary = 0; unary < TORC_UNARY_COUNT; unary++) {
        torc_operation operation = {.kind = TORC_APPLY, .unary = unary, .type = type};
        if (unary != TORC_UNARY_MINV || torc_divides_alike(graphblas, type)) {
            note(unaries, &nunaries, find_handle(graphblas, unary_names[unary], type_names[type]), operation);
        }
    }
    for (size_t i = 0; i < sizeof positions / sizeof positions[0]; i++) {
        torc_operation operation = place(positions[i].index, type, positions[i].thunk);
        note(unaries, &nunaries, find_handle(graphblas, positions[i].name, type_names[type]), operation);
    }
    for (torc_index_unary index = 0; index < TORC_INDEX_UNARY_COUNT; index++) {
        torc_operation operation = place(index, type, 0);
        note(indices, &nindices, find_handle(graphblas, index_names[index], type_names[type]), operation);
    }
}

static void learn(const torc_binding *graphblas)
{
    nunaries = nindices = 0;
    for (torc_type type = 0; type < TORC_TYPE_COUNT; type++) {
        learn_type(graphblas, type);
    }
    torc_operation lnot = {.kind = TORC_APPLY, .unary = TORC_UNARY_LNOT, .type = TORC_BOOL};
    note(unaries, &nunaries, find_handle(graphblas, "LNOT", NULL), lnot);
    for (torc_index_unary index = TORC_TRIL; index <= TORC_ROWGT; index++) {
        note(indices, &nindices, find_handle(graphblas, index_names[index], NULL),
            place(index, TORC_INT64, 0));
    }
}

/* Nobody reads what is replaced: its library is finalised, or gone. */
static void know(void)
{
    const torc_binding *graphblas = torc_binding_get();
    if (atomic_load_explicit(&learned, memory_order_acquire) == graphblas->serial) {
        return;
    }
    pthread_mutex_lock(&learning);
    if (atomic_load(&learned) != graphblas->serial) {
        learn(graphblas);
        atomic_store_explicit(&learned, graphblas->serial, memory_order_release);
    }
    pthread_mutex_unlock(&learning);
}

static bool find(torc_operation *operation, const unary_handle *list, int count, const void *handle)
{
    for (int i = 0; i < count; i++) {
        if (list[i].handle == handle) {
            *operation = list[i].operation;
            return true;
        }
    }
    return false;
}

bool torc_match_unary(torc_operation *operation, GrB_UnaryOp handle)
{
    know();
    return find(operation, unaries, nunaries, handle);
}

bool torc_match_index_unary(torc_operation *operation, GrB_IndexUnaryOp handle)
{
    know();
    return find(operation, indices, nindices, handle);
}
