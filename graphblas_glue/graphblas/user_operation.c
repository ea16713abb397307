#include "user_operation.h"
#include "match.h"

bool torc_match_binary(torc_operation *operation, torc_user_semiring *user, GrB_BinaryOp op)
{
    const char *why;
    if (torc_match_multiply(&operation->binary, &operation->type, op)) {
        return true;
    }
    operation->binary = TORC_USER;
    operation->definition = &user->definition;
    return torc_user_operators_read(user, &why, torc_binding_get(), NULL, op);
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
