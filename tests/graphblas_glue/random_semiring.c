/* random_semiring.c: see random_semiring.h. Handles are found by the names that GraphBLAS gives them. */
#include "random_semiring.h"
#include <criterion/criterion.h>
#include <ctype.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

void *torc_graphblas_handle(const char *name)
{
    void *const *handle = dlsym(RTLD_DEFAULT, name);
    cr_assert_not_null(handle, "GraphBLAS has no %s", name);
    return *handle;
}

GrB_BinaryOp torc_graphblas_operator(const char *name, const char *type)
{
    char standard[64], extension[64];
    snprintf(standard, sizeof standard, "GrB_%s_%s", name, type);
    snprintf(extension, sizeof extension, "GxB_%s_%s", name, type);
    return torc_graphblas_handle(dlsym(RTLD_DEFAULT, standard) ? standard : extension);
}

static void to_upper(char *to, const char *from)
{
    do {
        *to++ = (char)toupper((unsigned char)*from);
    } while (*from++);
}

/* The semirings that programs use most. */
static const struct {
    torc_monoid add;
    torc_multiply multiply;
} frequent[] = {
    {TORC_PLUS_MONOID, TORC_TIMES},
    {TORC_MIN_MONOID, TORC_PLUS},
    {TORC_MAX_MONOID, TORC_PLUS},
    {TORC_MAX_MONOID, TORC_TIMES},
    {TORC_MAX_MONOID, TORC_MIN},
    {TORC_MIN_MONOID, TORC_MAX},
    {TORC_PLUS_MONOID, TORC_FIRST},
    {TORC_PLUS_MONOID, TORC_SECOND},
    {TORC_PLUS_MONOID, TORC_PAIR},
    {TORC_MIN_MONOID, TORC_FIRST},
    {TORC_MIN_MONOID, TORC_SECOND},
    {TORC_LOR_MONOID, TORC_LAND},
    {TORC_ANY_MONOID, TORC_PAIR},
    {TORC_ANY_MONOID, TORC_SECOND},
};

static torc_semiring draw_known(uint64_t *stream)
{
    torc_semiring semiring;
    do {
        int64_t which = random_below(stream, sizeof frequent / sizeof *frequent);
        bool is_frequent = random_chance(stream, 0.6);
        semiring.add =
            is_frequent ? frequent[which].add : (torc_monoid)random_below(stream, TORC_MONOID_COUNT);
        semiring.multiply =
            is_frequent ? frequent[which].multiply : (torc_multiply)random_below(stream, TORC_MULTIPLY_COUNT);
        semiring.type = (torc_type)random_below(stream, TORC_TYPE_COUNT);
    } while (!torc_semiring_traits(semiring).is_supported);
    return semiring;
}

static GrB_Monoid new_monoid(torc_type type, GrB_BinaryOp operator)
{
    GrB_Monoid monoid = NULL;
    GrB_Info info = GrB_INVALID_VALUE;
    switch (type) {
#define X(name, ctype, text)                                                                                 \
    case TORC_##name:                                                                                        \
        info = GrB_Monoid_new_##name(&monoid, operator, 0); /* not the identity: GraphBLAS knows better */   \
        break;
        TORC_TYPE_MAP(X)
#undef X
    default:
        break;
    }
    cr_assert_eq(info, GrB_SUCCESS);
    return monoid;
}

static void make_own(random_semiring *semiring, GrB_Monoid monoid, GrB_BinaryOp multiply)
{
    cr_assert_eq(GrB_Semiring_new(&semiring->own_semiring, monoid, multiply), GrB_SUCCESS);
    semiring->handle = semiring->own_semiring;
}

void torc_built_in_semiring(random_semiring *semiring, torc_semiring known)
{
    char add[16], multiply[16], name[64];
    const char *type = torc_value_type_name((value_type)known.type);
    to_upper(add, torc_monoid_name(known.add));
    to_upper(multiply, torc_multiply_name(known.multiply));
    snprintf(name, sizeof name, "GxB_%s_%s_%s", add, multiply, type);
    *semiring = (random_semiring){
        .is_known = true,
        .known = known,
        .type = (value_type)known.type,
        .handle = torc_graphblas_handle(name),
    };
    strcpy(semiring->name, name);
}

/* The program's own, of built-in parts; the monoid may be its own too. */
static void make_of_parts(random_semiring *semiring, uint64_t *stream)
{
    torc_semiring known = semiring->known;
    char add[16], multiply[16], name[64];
    const char *type = torc_value_type_name(semiring->type);
    to_upper(add, torc_monoid_name(known.add));
    to_upper(multiply, torc_multiply_name(known.multiply));
    GrB_Monoid monoid;
    if (random_chance(stream, 0.5)) {
        snprintf(name, sizeof name, "GxB_%s_%s_MONOID", add, type);
        monoid = torc_graphblas_handle(name);
    } else {
        /* MAX on bool is another name of LOR, which GraphBLAS takes instead */
        bool is_renamed = known.add == TORC_LOR_MONOID && random_chance(stream, 0.5);
        monoid = semiring->own_monoid =
            new_monoid(known.type, torc_graphblas_operator(is_renamed ? "MAX" : add, type));
    }
    make_own(semiring, monoid, torc_graphblas_operator(multiply, type));
    snprintf(semiring->name, sizeof semiring->name, "%s_%s_%s of built-in parts%s", add, multiply, type,
        semiring->own_monoid ? ", its own monoid" : "");
}

static void times_plus_one(void *z, const void *x, const void *y)
{
    *(int32_t *)z = (int32_t)(*(const uint32_t *)x * *(const uint32_t *)y + 1);
}

/* Semirings of which torc has one part or none. */
static void make_other(random_semiring *semiring, uint64_t *stream)
{
    static const struct {
        const char *name;
        value_type type;
    } others[] = {
        {"GxB_PLUS_MINUS_INT32", VALUE_INT32},
        {"GxB_PLUS_RMINUS_FP64", VALUE_FP64},
        {"GxB_PLUS_ISEQ_INT64", VALUE_INT64},
        {"GxB_TIMES_PLUS_INT32", VALUE_INT32},
        {"GxB_TIMES_SECOND_UINT32", VALUE_UINT32},
        {"GxB_MIN_DIV_INT32", VALUE_INT32},
        {"GxB_MIN_RMINUS_FP32", VALUE_FP32},
        {"GxB_MAX_LOR_FP32", VALUE_FP32},
        {"GxB_PLUS_TIMES_INT8", VALUE_INT8},
        {"GxB_MIN_PLUS_UINT64", VALUE_UINT64},
        {"GxB_PLUS_FIRST_INT16", VALUE_INT16},
        {"GxB_PLUS_TIMES_FC64", VALUE_FC64},
        {"GxB_LXOR_LAND_BOOL", VALUE_BOOL},
        {"GxB_EQ_LOR_BOOL", VALUE_BOOL},
        {"GxB_LOR_LXOR_BOOL", VALUE_BOOL},
        {"GxB_LAND_FIRST_BOOL", VALUE_BOOL},
        {"GxB_LOR_GT_FP32", VALUE_BOOL},
        {"GxB_ANY_LT_INT32", VALUE_BOOL},
        {"GxB_BOR_BAND_UINT32", VALUE_UINT32},
        {"GxB_MIN_FIRSTJ_INT32", VALUE_INT32},
        {"GxB_PLUS_SECONDI_INT64", VALUE_INT64},
    };
    int64_t count = sizeof others / sizeof *others, which = random_below(stream, count + 2);
    const char *name = which < count    ? others[which].name
                       : which == count ? "LOR_TIMES_BOOL of built-in parts"
                                        : "PLUS_INT32 with a user's multiply";
    snprintf(semiring->name, sizeof semiring->name, "%s", name);
    if (which < count) {
        semiring->type = others[which].type;
        semiring->handle = torc_graphblas_handle(name);
    } else if (which == count) {
        semiring->type = VALUE_BOOL;
        make_own(semiring, GrB_LOR_MONOID_BOOL, GrB_TIMES_BOOL);
    } else {
        static GrB_BinaryOp multiply; /* lives as long as the process */
        semiring->type = VALUE_INT32;
        if (!multiply) {
            cr_assert_eq(
                GrB_BinaryOp_new(&multiply, times_plus_one, GrB_INT32, GrB_INT32, GrB_INT32), GrB_SUCCESS);
        }
        make_own(semiring, GrB_PLUS_MONOID_INT32, multiply);
    }
}

void torc_random_semiring_draw(random_semiring *semiring, uint64_t *stream)
{
    *semiring = (random_semiring){.is_known = random_chance(stream, 0.92)};
    if (!semiring->is_known) {
        make_other(semiring, stream);
        return;
    }
    torc_built_in_semiring(semiring, draw_known(stream));
    if (random_chance(stream, 0.6)) {
        make_of_parts(semiring, stream);
    }
}

void torc_random_semiring_free(random_semiring *semiring)
{
    GrB_Semiring_free(&semiring->own_semiring);
    GrB_Monoid_free(&semiring->own_monoid);
}
