#include "user_operation.h"
#include "match.h"
#include "match_unary.h"
#include "source_meaning.h"

bool torc_match_binary(torc_operation *operation, torc_user_semiring *user, GrB_BinaryOp op)
{
    const char *why;
    if (torc_match_multiply(&operation->binary, &operation->type, op)) {
        operation->binary = torc_is_any(op) ? TORC_SECOND : operation->binary;
        return true;
    }
    operation->binary = TORC_USER;
    operation->definition = &user->definition;
    return torc_user_operators_read(user, &why, torc_binding_get(), NULL, op);
}

/* types: of z, x and, if it has one, y. false: it was not read, does not compile, or means something else. */
static bool define(
    torc_operation *operation, torc_user_semiring *user, bool is_read, const torc_type types[3])
{
    torc_definition *definition = &user->definition;
    definition->source = user->source;
    definition->multiply = user->multiply_name;
    definition->z.type = types[0];
    definition->x.type = types[1];
    definition->y.type = types[2];
    operation->definition = definition;
    if (is_read && !torc_user_source_is_refused(user->source) && torc_source_keeps_meaning(user->source)) {
        return true;
    }
    torc_user_semiring_release(user);
    return false;
}

bool torc_match_apply(torc_operation *operation, torc_user_semiring *user, GrB_UnaryOp op)
{
    torc_type types[3] = {TORC_BOOL};
    size_t size;
    if (torc_match_unary(operation, op)) {
        return true;
    }
    FILE *source = op ? open_memstream(&user->source, &size) : NULL;
    bool is_read = source && torc_user_unary_read(user->multiply_name, types, source, torc_binding_get(), op);
    is_read = source && fclose(source) == 0 && is_read;
    *operation = (torc_operation){.kind = TORC_APPLY, .unary = TORC_UNARY_USER};
    return define(operation, user, is_read, types);
}

bool torc_match_place(torc_operation *operation, torc_user_semiring *user, GrB_IndexUnaryOp op)
{
    torc_type types[3] = {TORC_BOOL};
    size_t size;
    if (torc_match_index_unary(operation, op)) {
        return true;
    }
    FILE *source = op ? open_memstream(&user->source, &size) : NULL;
    bool is_read =
        source && torc_user_index_unary_read(user->multiply_name, types, source, torc_binding_get(), op);
    is_read = source && fclose(source) == 0 && is_read;
    *operation = (torc_operation){.kind = TORC_APPLY_INDEX, .index = TORC_INDEX_UNARY_USER};
    return define(operation, user, is_read, types);
}

bool torc_match_reduction(torc_reduction *reduction, torc_user_semiring *user, GrB_BinaryOp op)
{
    const char *why;
    *reduction = (torc_reduction){.definition = NULL};
    if (torc_match_add(&reduction->add, &reduction->type, op)) {
        return true;
    }
    if (!torc_user_operators_read(user, &why, torc_binding_get(), op, NULL)) {
        return false;
    }
    *reduction = (torc_reduction){TORC_USER_MONOID, user->definition.z.type, &user->definition};
    return true;
}
