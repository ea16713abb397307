/* operators.c: see operators.h. Handles are the same for both sides. */
#include "operators.h"
#include "require.h"
#include "user_operators.h"
#include <dlfcn.h>
#include <string.h>

enum { MAX_SEMIRINGS = 4096, NAME = 64, DESCRIPTORS = 64 };

/* A built-in object is a variable that holds its handle. */
static void *handle_of(const char *name)
{
    void **variable = dlsym(RTLD_DEFAULT, name);
    return variable ? *variable : NULL;
}

static void *operator_handle(user_kind kind, program_operator op)
{
    static const char *const forms[] = {"GrB_%s_%s", "GxB_%s_%s"};
    char name[NAME];
    void *handle = torc_user_handle(kind, op);
    for (size_t i = 0; i < sizeof forms / sizeof *forms && op.name && !handle; i++) {
        snprintf(name, sizeof name, forms[i], op.name, torc_value_type_name(op.type));
        handle = handle_of(name);
    }
    return handle;
}

GrB_BinaryOp torc_binary_handle(program_operator op)
{
    return operator_handle(USER_BINARY, op);
}

GrB_UnaryOp torc_unary_handle(program_operator op)
{
    return operator_handle(USER_UNARY, op);
}

/* Some of these have no type in their name. */
GrB_IndexUnaryOp torc_index_handle(program_operator op)
{
    GrB_IndexUnaryOp handle = operator_handle(USER_INDEX_UNARY, op);
    char name[NAME];
    snprintf(name, sizeof name, "GrB_%s", op.name ? op.name : "");
    return handle ? handle : handle_of(name);
}

GrB_Monoid torc_monoid_handle(const char *name, value_type type)
{
    static const char *const forms[] = {"GrB_%s_MONOID_%s", "GxB_%s_%s_MONOID"};
    char full[NAME];
    GrB_Monoid handle = torc_user_monoid_handle(name, type);
    for (size_t i = 0; i < sizeof forms / sizeof *forms && !handle; i++) {
        snprintf(full, sizeof full, forms[i], name, torc_value_type_name(type));
        handle = handle_of(full);
    }
    return handle;
}

bool torc_is_positional(program_operator op)
{
    static const char *const names[] = {
        "FIRSTI", "FIRSTI1", "FIRSTJ", "FIRSTJ1", "SECONDI", "SECONDI1", "SECONDJ", "SECONDJ1"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(op.name, names[i]) == 0) {
            return true;
        }
    }
    return false;
}

value_type torc_result_type(program_operator op)
{
    static const char *const comparators[] = {
        "EQ", "NE", "GT", "LT", "GE", "LE", "ISINF", "ISNAN", "ISFINITE"};
    for (size_t i = 0; i < sizeof comparators / sizeof *comparators; i++) {
        if (strcmp(op.name, comparators[i]) == 0) {
            return VALUE_BOOL;
        }
    }
    bool is_complex = strcmp(op.name, "CMPLX") == 0;
    return is_complex ? (op.type == VALUE_FP32 ? VALUE_FC32 : VALUE_FC64) : torc_user_result_type(op);
}

static GrB_Semiring make_semiring(const program_semiring *semiring, const char *name)
{
    GrB_Semiring made = semiring->is_own ? NULL : handle_of(name);
    GrB_Monoid add = torc_monoid_handle(semiring->add, torc_result_type(semiring->multiply));
    GrB_BinaryOp multiply = torc_binary_handle(semiring->multiply);
    if (!made && add && multiply) {
        TORC_REQUIRE(GrB_Semiring_new(&made, add, multiply) == GrB_SUCCESS);
    }
    return made;
}

/* GraphBLAS's, and those of one's own. */
static struct {
    char name[NAME];
    GrB_Semiring handle;
} kept[2][MAX_SEMIRINGS];
static int nkept[2];

void torc_own_handles_free(void)
{
    while (nkept[true] > 0) {
        TORC_REQUIRE(GrB_Semiring_free(&kept[true][--nkept[true]].handle) == GrB_SUCCESS);
    }
    torc_user_handles_free();
}

GrB_Semiring torc_semiring_handle(const program_semiring *semiring)
{
    char name[NAME];
    int own = semiring->is_own;
    snprintf(name, sizeof name, "GxB_%s_%s_%s", semiring->add, semiring->multiply.name,
        torc_value_type_name(semiring->multiply.type));
    for (int i = 0; i < nkept[own]; i++) {
        if (strcmp(kept[own][i].name, name) == 0) {
            return kept[own][i].handle;
        }
    }
    TORC_REQUIRE(nkept[own] < MAX_SEMIRINGS);
    memcpy(kept[own][nkept[own]].name, name, sizeof name);
    return kept[own][nkept[own]++].handle = make_semiring(semiring, name);
}

static GrB_Descriptor make_descriptor(const program_step *step)
{
    GrB_Descriptor made;
    TORC_REQUIRE(GrB_Descriptor_new(&made) == GrB_SUCCESS);
    const struct {
        bool is_set;
        GrB_Desc_Field field;
        GrB_Desc_Value value;
    } settings[] = {
        {step->replace, GrB_OUTP, GrB_REPLACE},
        {step->complement, GrB_MASK, GrB_COMP},
        {step->structure, GrB_MASK, GrB_STRUCTURE},
        {step->transpose_a, GrB_INP0, GrB_TRAN},
        {step->transpose_b, GrB_INP1, GrB_TRAN},
        {step->has_gustavson, (GrB_Desc_Field)GxB_AxB_METHOD, (GrB_Desc_Value)GxB_AxB_GUSTAVSON},
    };
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        TORC_REQUIRE(
            !settings[i].is_set || GxB_Desc_set(made, settings[i].field, settings[i].value) == GrB_SUCCESS);
    }
    return made;
}

GrB_Descriptor torc_descriptor_handle(const program_step *step)
{
    static GrB_Descriptor made[DESCRIPTORS];
    int flags = step->replace + 2 * step->complement + 4 * step->structure + 8 * step->transpose_a +
                16 * step->transpose_b + 32 * step->has_gustavson;
    if (flags != 0 && !made[flags]) {
        made[flags] = make_descriptor(step);
    }
    return made[flags];
}
