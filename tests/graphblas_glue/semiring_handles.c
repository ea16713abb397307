#include "semiring_handles.h"
#include "binding.h"
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_HANDLES = 8192, NAME = 64 };

static const char *const monoids[] = {
#define X(name, text) #name,
    TORC_MONOID_MAP(X)
#undef X
        "EQ"};
static const char *const operators[] = {
#define X(name, text) #name,
    TORC_MULTIPLY_MAP(X)
#undef X
        "ONEB",
    "ANY", "LXNOR", "POW"};
static const char *const types[] = {
#define X(name, ctype, text) #name,
    TORC_TYPE_MAP(X)
#undef X
};
enum {
    MONOIDS = sizeof monoids / sizeof *monoids,
    OPERATORS = sizeof operators / sizeof *operators,
    TYPES = sizeof types / sizeof *types,
};

/* NULL where there is none of that name. */
static void *find(
    char name[NAME], const char *pattern, const char *first, const char *second, const char *third)
{
    snprintf(name, NAME, pattern, first, second, third);
    return torc_binding_handle(torc_binding_get(), name);
}

static semiring_handles no_handles(void)
{
    semiring_handles handles = {malloc(MAX_HANDLES * sizeof *handles.list), 0};
    cr_assert_not_null(handles.list);
    return handles;
}

static void append(semiring_handles *handles, semiring_handle handle)
{
    cr_assert_lt(handles->count, MAX_HANDLES);
    handles->list[handles->count++] = handle;
}

semiring_handles torc_handles_built_in(void)
{
    static const char *const patterns[] = {"GxB_%s_%s_%s", "GrB_%s_%s_SEMIRING_%s"};
    semiring_handles handles = no_handles();
    for (int i = 0; i < MONOIDS * OPERATORS * TYPES; i++) {
        for (int standard = 0; standard < 2; standard++) {
            semiring_handle found = {.is_standard = standard};
            found.handle = find(found.name, patterns[standard], monoids[i / OPERATORS / TYPES],
                operators[i / TYPES % OPERATORS], types[i % TYPES]);
            if (found.handle) {
                append(&handles, found);
            }
        }
    }
    return handles;
}

static GrB_BinaryOp find_operator(const char *name, int type)
{
    char symbol[NAME];
    GrB_BinaryOp found = find(symbol, "GrB_%s_%s", name, types[type], "");
    found = found ? found : find(symbol, "GxB_%s_%s", name, types[type], "");
    return found || type != TORC_BOOL ? found : find(symbol, "GrB_%s", name, "", "");
}

static GrB_Monoid find_monoid(const char *name, int type)
{
    char symbol[NAME];
    GrB_Monoid found = find(symbol, "GrB_%s_MONOID_%s", name, types[type], "");
    return found ? found : find(symbol, "GxB_%s_%s_MONOID", name, types[type], "");
}

/* Functions of numbers that torc has on bool only. */
static bool torc_has(const char *name, int type)
{
    bool is_power = strcmp(name, "POW") == 0;
    return !is_power || type == TORC_BOOL;
}

/* GrB_Semiring_new refuses where the operator's result is not of the monoid's type. */
static void make(semiring_handles *handles, const char *add, int add_type, const char *multiply, int type)
{
    char symbol[NAME];
    GrB_Monoid monoid = find_monoid(add, add_type);
    GrB_BinaryOp operator= find_operator(multiply, type);
    semiring_handle made = {.is_own = true};
    if (!monoid || !operator|| !torc_has(multiply, type) ||
        find(symbol, "GxB_%s_%s_%s", add, multiply, types[type]) ||
        GrB_Semiring_new(&made.handle, monoid, operator) != GrB_SUCCESS) {
        return;
    }
    snprintf(
        made.name, sizeof made.name, "own %s_%s of %s to %s", add, multiply, types[type], types[add_type]);
    append(handles, made);
}

semiring_handles torc_handles_own(void)
{
    semiring_handles handles = no_handles();
    for (int i = 0; i < MONOIDS * OPERATORS * TYPES; i++) {
        const char *add = monoids[i / OPERATORS / TYPES], *multiply = operators[i / TYPES % OPERATORS];
        int type = i % TYPES;
        make(&handles, add, type, multiply, type);
        if (type != TORC_BOOL) {
            make(&handles, add, TORC_BOOL, multiply, type); /* comparisons */
        }
    }
    return handles;
}

void torc_handles_free(semiring_handles *handles)
{
    for (int i = 0; i < handles->count; i++) {
        if (handles->list[i].is_own) {
            GrB_Semiring_free(&handles->list[i].handle);
        }
    }
    free(handles->list);
}
