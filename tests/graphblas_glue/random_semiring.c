/* random_semiring.c: see random_semiring.h. Handles are found by the names that GraphBLAS gives them. */
#include "random_semiring.h"
#include "require.h"
#include <ctype.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

void *torc_graphblas_handle(const char *name)
{
    void *const *handle = dlsym(RTLD_DEFAULT, name);
    TORC_REQUIRE(handle);
    return *handle;
}

static void *find_operator(const char *name, const char *type)
{
    char standard[64], extension[64];
    snprintf(standard, sizeof standard, "GrB_%s_%s", name, type);
    snprintf(extension, sizeof extension, "GxB_%s_%s", name, type);
    void *found = dlsym(RTLD_DEFAULT, standard);
    return found ? found : dlsym(RTLD_DEFAULT, extension);
}

bool torc_graphblas_has_operator(const char *name, const char *type)
{
    return find_operator(name, type);
}

GrB_BinaryOp torc_graphblas_operator(const char *name, const char *type)
{
    const GrB_BinaryOp *found = find_operator(name, type);
    TORC_REQUIRE(found);
    return *found;
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

/* One whose answers can be compared, as compare.h has it: not complex quotients, nor floating-point products
 * of quotients, which are not exact even of small integers. */
static bool is_comparable(torc_semiring semiring)
{
    torc_traits traits = torc_semiring_traits(semiring);
    bool is_quotient = semiring.multiply == TORC_DIV || semiring.multiply == TORC_RDIV;
    bool is_complex = semiring.type >= TORC_FC32;
    bool is_float_product = semiring.add == TORC_TIMES_MONOID && semiring.type >= TORC_FP32;
    return traits.is_supported && !(is_quotient && (is_complex || is_float_product));
}

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
    } while (!is_comparable(semiring));
    return semiring;
}

static GrB_Monoid new_monoid(torc_type type, GrB_BinaryOp operator)
{
    GrB_Monoid monoid = NULL;
    GrB_Info info = GrB_INVALID_VALUE;
    switch (type) {
/* No identity: GraphBLAS knows better. */
#define X(name, handle, ctype)                                                                               \
    case TORC_##name:                                                                                        \
        info = GrB_Monoid_new_##name(&monoid, operator,(ctype) 0);                                           \
        break;
        REAL_TYPE_MAP(X)
#undef X
    case TORC_FC32:
        info = GxB_Monoid_new_FC32(&monoid, operator, 0);
        break;
    case TORC_FC64:
        info = GxB_Monoid_new_FC64(&monoid, operator, 0);
        break;
    default:
        break;
    }
    TORC_REQUIRE(info == GrB_SUCCESS);
    return monoid;
}

static void make_own(random_semiring *semiring, GrB_Monoid monoid, GrB_BinaryOp multiply)
{
    TORC_REQUIRE(GrB_Semiring_new(&semiring->own_semiring, monoid, multiply) == GrB_SUCCESS);
    semiring->handle = semiring->own_semiring;
}

bool torc_built_in_semiring(random_semiring *semiring, torc_semiring known)
{
    char add[16], multiply[16], name[64];
    const char *type = torc_value_type_name((value_type)known.type);
    to_upper(add, torc_monoid_name(known.add));
    to_upper(multiply, torc_multiply_name(known.multiply));
    snprintf(name, sizeof name, "GxB_%s_%s_%s", add, multiply, type);
    *semiring = (random_semiring){
        .is_known = true,
        .known = known,
        .type = (value_type)torc_semiring_traits(known).z_type,
    };
    bool exists = dlsym(RTLD_DEFAULT, name);
    if (exists) {
        semiring->handle = torc_graphblas_handle(name);
        strcpy(semiring->name, name);
    }
    return exists;
}

/* The program's own, of built-in parts; the monoid may be its own too. */
static void make_of_parts(random_semiring *semiring, uint64_t *stream)
{
    torc_semiring known = semiring->known;
    char add[16], multiply[16], name[64];
    torc_type result = (torc_type)semiring->type;
    const char *type = torc_value_type_name((value_type)known.type);
    const char *result_name = torc_value_type_name(semiring->type);
    to_upper(add, torc_monoid_name(known.add));
    to_upper(multiply, torc_multiply_name(known.multiply));
    GrB_Monoid monoid;
    if (random_chance(stream, 0.5)) {
        snprintf(name, sizeof name, "GxB_%s_%s_MONOID", add, result_name);
        monoid = torc_graphblas_handle(name);
    } else {
        /* MAX on bool is another name of LOR, which GraphBLAS takes instead */
        bool is_renamed = known.add == TORC_LOR_MONOID && random_chance(stream, 0.5);
        const char *operator= known.add == TORC_LXNOR_MONOID ? "EQ" : is_renamed ? "MAX" : add;
        monoid = semiring->own_monoid = new_monoid(result, torc_graphblas_operator(operator, result_name));
    }
    make_own(semiring, monoid, torc_graphblas_operator(multiply, type));
    snprintf(semiring->name, sizeof semiring->name, "%s_%s_%s of built-in parts%s", add, multiply, type,
        semiring->own_monoid ? ", its own monoid" : "");
}

static void times_plus_one(void *z, const void *x, const void *y)
{
    *(int32_t *)z = (int32_t)(*(const uint32_t *)x * *(const uint32_t *)y + 1);
}

/* Semirings of which torc has one part or none, or has it as source. */
static void make_other(random_semiring *semiring, uint64_t *stream)
{
    static const struct {
        const char *monoid, *multiply;
        value_type type;
        bool lacks_source;
    } others[] = {
        {"GrB_PLUS_MONOID_INT32", "GxB_POW_INT32", VALUE_INT32, true},
        {"GrB_MIN_MONOID_FP64", "GxB_HYPOT_FP64", VALUE_FP64, true},
        {"GrB_PLUS_MONOID_INT64", "GxB_BGET_INT64", VALUE_INT64},
        {"GrB_MAX_MONOID_UINT8", "GxB_BSET_UINT8", VALUE_UINT8},
        {"GrB_MIN_MONOID_INT16", "GxB_BCLR_INT16", VALUE_INT16},
        {"GrB_PLUS_MONOID_INT32", "GxB_BSHIFT_INT32", VALUE_INT32},
        {"GrB_PLUS_MONOID_UINT64", "GxB_BSHIFT_UINT64", VALUE_UINT64},
        {"GrB_MAX_MONOID_FP32", "GxB_COPYSIGN_FP32", VALUE_FP32},
        {"GrB_MIN_MONOID_FP64", "GxB_FMOD_FP64", VALUE_FP64},
        {"GrB_MAX_MONOID_FP64", "GxB_REMAINDER_FP64", VALUE_FP64},
        {"GrB_MIN_MONOID_FP32", "GxB_LDEXP_FP32", VALUE_FP32},
    };
    static GrB_BinaryOp multiply; /* lives as long as the process */
    int64_t count = sizeof others / sizeof *others, which = random_below(stream, count + 1);
    if (which < count) {
        semiring->type = others[which].type;
        semiring->has_source = !others[which].lacks_source;
        make_own(semiring, torc_graphblas_handle(others[which].monoid),
            torc_graphblas_handle(others[which].multiply));
        snprintf(semiring->name, sizeof semiring->name, "%s with %s", others[which].monoid,
            others[which].multiply);
        return;
    }
    semiring->type = VALUE_INT32;
    if (!multiply) {
        GrB_Info info = GrB_BinaryOp_new(&multiply, times_plus_one, GrB_INT32, GrB_INT32, GrB_INT32);
        TORC_REQUIRE(info == GrB_SUCCESS);
    }
    make_own(semiring, GrB_PLUS_MONOID_INT32, multiply);
    snprintf(semiring->name, sizeof semiring->name, "PLUS_INT32 with a user's multiply");
}

void torc_random_semiring_draw(random_semiring *semiring, uint64_t *stream)
{
    *semiring = (random_semiring){.is_known = random_chance(stream, 0.92)};
    if (!semiring->is_known) {
        make_other(semiring, stream);
        return;
    }
    bool is_built_in = torc_built_in_semiring(semiring, draw_known(stream));
    if (!is_built_in || random_chance(stream, 0.6)) {
        make_of_parts(semiring, stream);
    }
}

void torc_random_semiring_free(random_semiring *semiring)
{
    GrB_Semiring_free(&semiring->own_semiring);
    GrB_Monoid_free(&semiring->own_monoid);
}
