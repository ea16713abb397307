/* operation.c: element-wise operations as values: the operators that exist, their types, their names. */
#include "traits.h"
#include "type_sets.h"

typedef enum result { SAME, PART, TRUTH } result; /* x's type; the real type of a complex one; bool */

static const struct {
    unsigned types;
    result gives;
    bool ignores_a;
} unaries[TORC_UNARY_COUNT] = {
    [TORC_UNARY_IDENTITY] = {ALL},
    [TORC_UNARY_ONE] = {ALL, .ignores_a = true},
    [TORC_UNARY_AINV] = {ALL},
    [TORC_UNARY_MINV] = {ALL},
    [TORC_UNARY_ABS] = {ALL, PART},
    [TORC_UNARY_LNOT] = {BOOLEAN | ORDERED},
    [TORC_UNARY_BNOT] = {INTEGER},
    [TORC_UNARY_SQRT] = {REAL},
    [TORC_UNARY_CEIL] = {REAL},
    [TORC_UNARY_FLOOR] = {REAL},
    [TORC_UNARY_ROUND] = {REAL},
    [TORC_UNARY_TRUNC] = {REAL},
    [TORC_UNARY_SIGNUM] = {REAL},
    [TORC_UNARY_FREXPX] = {REAL},
    [TORC_UNARY_FREXPE] = {REAL},
    [TORC_UNARY_CONJ] = {COMPLEX},
    [TORC_UNARY_CREAL] = {COMPLEX, PART},
    [TORC_UNARY_CIMAG] = {COMPLEX, PART},
    [TORC_UNARY_ISINF] = {REAL | COMPLEX, TRUTH},
    [TORC_UNARY_ISNAN] = {REAL | COMPLEX, TRUTH},
    [TORC_UNARY_ISFINITE] = {REAL | COMPLEX, TRUTH},
};

static torc_type type_of_result(result gives, torc_type type)
{
    if (gives == PART) {
        return type == TORC_FC32 ? TORC_FP32 : type == TORC_FC64 ? TORC_FP64 : type;
    }
    return gives == TRUTH ? TORC_BOOL : type;
}

/* The unary and index-unary operators that a definition is of. */
static torc_operation_traits traits_of_user(const torc_operation *operation)
{
    const torc_definition *definition = operation->definition;
    bool is_index = operation->kind != TORC_APPLY;
    if (!definition || !torc_is_user_type(&definition->x) || !torc_is_user_type(&definition->z) ||
        (is_index && !torc_is_user_type(&definition->y)) ||
        (operation->kind == TORC_SELECT && definition->z.type > TORC_OPAQUE)) {
        return (torc_operation_traits){.is_supported = false};
    }
    return (torc_operation_traits){
        .is_supported = true,
        .reads_a = true,
        .is_positional = is_index,
        .x_type = definition->x.type,
        .y_type = is_index ? definition->y.type : definition->x.type,
        .thunk_type = definition->y.type,
        .z_type = definition->z.type,
    };
}

static torc_operation_traits traits_of_unary(torc_unary unary, torc_type type)
{
    if ((unsigned)unary >= TORC_UNARY_COUNT) {
        return (torc_operation_traits){.is_supported = false};
    }
    bool moves = unary == TORC_UNARY_IDENTITY && type > TORC_OPAQUE && torc_type_size(type) > 0;
    return (torc_operation_traits){
        .is_supported = moves || (unaries[unary].types & BIT(type)),
        .reads_a = !unaries[unary].ignores_a,
        .x_type = type,
        .y_type = type,
        .z_type = type_of_result(unaries[unary].gives, type),
    };
}

static unsigned types_of_index(torc_index_unary index)
{
    if (index < TORC_VALUEEQ) {
        return POSITION;
    }
    return index <= TORC_VALUENE ? ALL : BOOLEAN | ORDERED;
}

static torc_operation_traits traits_of_index(torc_index_unary index, torc_type type)
{
    if ((unsigned)index >= TORC_INDEX_UNARY_COUNT) {
        return (torc_operation_traits){.is_supported = false};
    }
    return (torc_operation_traits){
        .is_supported = types_of_index(index) & BIT(type),
        .reads_a = index >= TORC_VALUEEQ,
        .is_positional = index < TORC_VALUEEQ,
        .x_type = type,
        .y_type = type,
        .thunk_type = index < TORC_VALUEEQ ? TORC_INT64 : type,
        .z_type = index <= TORC_DIAGINDEX ? type : TORC_BOOL,
    };
}

static torc_operation_traits traits_of_binary(const torc_operation *operation)
{
    torc_traits traits = torc_multiply_traits((torc_semiring){
        TORC_ANY_MONOID, operation->binary, operation->type, operation->definition, operation->is_flipped});
    return (torc_operation_traits){
        .is_supported = traits.is_supported,
        .reads_a = traits.reads_a,
        .reads_b = traits.reads_b,
        .is_positional = traits.is_positional,
        .x_type = traits.x_type,
        .y_type = traits.y_type,
        .z_type = traits.z_type,
    };
}

torc_operation_traits torc_operation_get_traits(const torc_operation *operation)
{
    torc_operation_traits traits = {.is_supported = false};
    if (!operation) {
        return traits;
    }
    switch (operation->kind) {
    case TORC_APPLY:
        return operation->unary == TORC_UNARY_USER ? traits_of_user(operation)
                                                   : traits_of_unary(operation->unary, operation->type);
    case TORC_APPLY_INDEX:
        return operation->index == TORC_INDEX_UNARY_USER ? traits_of_user(operation)
                                                         : traits_of_index(operation->index, operation->type);
    case TORC_SELECT:
        traits = operation->index == TORC_INDEX_UNARY_USER
                     ? traits_of_user(operation)
                     : traits_of_index(operation->index, operation->type);
        traits.reads_a = true;
        traits.z_type = TORC_TYPE_COUNT;
        return traits;
    case TORC_EWISE_ADD: /* a lone element's value is read, whatever the operator reads */
        traits = traits_of_binary(operation);
        traits.reads_a = traits.reads_b = true;
        return traits;
    case TORC_EWISE_MULT:
    case TORC_EWISE_UNION:
        return traits_of_binary(operation);
    }
    return traits;
}

const char *torc_unary_name(torc_unary unary)
{
    static const char *const names[] = {
#define X(name, text) text,
        TORC_UNARY_MAP(X)
#undef X
    };
    return (unsigned)unary < TORC_UNARY_COUNT ? names[unary] : unary == TORC_UNARY_USER ? "user" : "unknown";
}

const char *torc_index_unary_name(torc_index_unary index)
{
    static const char *const names[] = {
#define X(name, text) text,
        TORC_INDEX_UNARY_MAP(X)
#undef X
    };
    return (unsigned)index < TORC_INDEX_UNARY_COUNT ? names[index]
           : index == TORC_INDEX_UNARY_USER         ? "user"
                                                    : "unknown";
}
