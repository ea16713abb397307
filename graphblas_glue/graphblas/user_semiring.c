#include "user_semiring.h"
#include "match.h"
#include "operator_source.h"
#include "source_meaning.h"
#include <stdlib.h>

/* The definition goes to `source` unless that is NULL: it has been there already. */
static bool use_type(torc_user_type *type, char name[TORC_USER_NAME], FILE *source,
    const torc_binding *graphblas, GrB_Type handle)
{
    size_t size;
    if (torc_match_type(&type->type, handle)) {
        return true;
    }
    if (graphblas->type_size(&size, handle) != GrB_SUCCESS ||
        !torc_user_type_read(name, source, graphblas, handle)) {
        return false;
    }
    *type = (torc_user_type){torc_opaque_type(size), name};
    return true;
}

/* x and y of multiply, z of add, each definition once. One of add and multiply may be NULL. */
static bool use_types(torc_user_semiring *user, FILE *source, const torc_binding *graphblas, GrB_BinaryOp add,
    GrB_BinaryOp multiply)
{
    torc_definition *definition = &user->definition;
    GrB_BinaryOp last = add ? add : multiply, first = multiply ? multiply : add;
    if (graphblas->operator_ztype(&user->z_type, last) != GrB_SUCCESS ||
        graphblas->operator_xtype(&user->x_type, first) != GrB_SUCCESS ||
        graphblas->operator_ytype(&user->y_type, first) != GrB_SUCCESS) {
        return false;
    }
    GrB_Type x = user->x_type, y = user->y_type, z = user->z_type;
    return use_type(&definition->x, user->x_name, source, graphblas, x) &&
           use_type(&definition->y, user->y_name, y == x ? NULL : source, graphblas, y) &&
           use_type(&definition->z, user->z_name, z == x || z == y ? NULL : source, graphblas, z);
}

static bool use_add(torc_user_semiring *user, FILE *source, const torc_binding *graphblas, GrB_BinaryOp add)
{
    torc_type type;
    if (!add || torc_match_add(&user->semiring.add, &type, add)) {
        return true;
    }
    user->definition.add = user->add_name;
    return torc_user_binary_read(user->add_name, source, graphblas, add);
}

static bool use_multiply(torc_user_semiring *user, FILE *source, const torc_binding *graphblas,
    GrB_BinaryOp add, GrB_BinaryOp multiply)
{
    torc_definition *definition = &user->definition;
    if (!multiply || torc_match_multiply(&user->semiring.multiply, &user->semiring.type, multiply)) {
        return true;
    }
    const torc_operator_source *built_in = torc_operator_source_find(graphblas, multiply);
    if (built_in) {
        definition->multiply = built_in->name;
        definition->multiply_on_host = built_in->on_host;
        return fputs(built_in->text, source) >= 0;
    }
    definition->multiply = user->multiply_name;
    return torc_user_binary_read(user->multiply_name, multiply == add ? NULL : source, graphblas, multiply);
}

static bool read_parts(torc_user_semiring *user, FILE *source, const torc_binding *graphblas,
    GrB_BinaryOp add, GrB_BinaryOp multiply)
{
    user->semiring = (torc_semiring){TORC_USER_MONOID, TORC_USER, .definition = &user->definition};
    return use_types(user, source, graphblas, add, multiply) && use_add(user, source, graphblas, add) &&
           use_multiply(user, source, graphblas, add, multiply);
}

bool torc_user_operators_read(torc_user_semiring *user, const char **reason, const torc_binding *graphblas,
    GrB_BinaryOp add, GrB_BinaryOp multiply)
{
    size_t size;
    *user = (torc_user_semiring){.source = NULL};
    FILE *source =
        graphblas->type_print && graphblas->operator_print ? open_memstream(&user->source, &size) : NULL;
    bool is_read = source && read_parts(user, source, graphblas, add, multiply);
    is_read = source && fclose(source) == 0 && is_read;
    user->definition.source = user->source;
    if (!is_read || !torc_semiring_traits(user->semiring).is_supported) {
        *reason = "operators that are neither built-in nor come with their source";
    } else if (torc_user_source_is_refused(user->source)) {
        *reason = "user-defined operators that do not compile";
    } else if (!torc_source_keeps_meaning(user->source)) {
        *reason = "user-defined operators that mean something else on the device";
    } else {
        return true;
    }
    torc_user_semiring_release(user);
    return false;
}

bool torc_user_semiring_read(
    torc_user_semiring *user, const char **reason, const torc_binding *graphblas, GrB_Semiring handle)
{
    GrB_Monoid monoid;
    GrB_BinaryOp add, multiply;
    *user = (torc_user_semiring){.source = NULL};
    *reason = "operators that GraphBLAS does not tell of";
    return graphblas->semiring_add(&monoid, handle) == GrB_SUCCESS &&
           graphblas->monoid_operator(&add, monoid) == GrB_SUCCESS &&
           graphblas->semiring_multiply(&multiply, handle) == GrB_SUCCESS &&
           torc_user_operators_read(user, reason, graphblas, add, multiply);
}

void torc_user_semiring_release(torc_user_semiring *user)
{
    free(user->source);
    user->source = NULL;
}

static bool type_fits(torc_type type, GrB_Type handle, const torc_view *view)
{
    torc_type built_in;
    return type > TORC_OPAQUE ? view->type == handle : torc_match_type(&built_in, view->type);
}

bool torc_user_semiring_fits(
    const torc_user_semiring *user, const torc_view *A, const torc_view *B, const torc_view *C)
{
    torc_traits traits = torc_semiring_traits(user->semiring);
    return (!traits.reads_a || type_fits(traits.x_type, user->x_type, A)) &&
           (!traits.reads_b || type_fits(traits.y_type, user->y_type, B)) &&
           type_fits(traits.z_type, user->z_type, C);
}
