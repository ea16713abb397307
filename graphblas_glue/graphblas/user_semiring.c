#include "user_semiring.h"
#include "brief_lock.h"
#include "match.h"
#include "operator_source.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- What GraphBLAS prints ---------------------------------------------------------------------------- */

/* "    GraphBLAS type: NAME user-defined: [pair] size: 16\n" and, if it has one, "    DEFINITION\n" */
static bool print_type(FILE *to, const torc_binding *graphblas, GrB_Type type, const char *name)
{
    return graphblas->type_print(type, name, GxB_COMPLETE, to) == GrB_SUCCESS;
}

/* From `begin` to `end`, if that is a C identifier. */
static bool copy_name(char name[TORC_USER_NAME], const char *begin, const char *end)
{
    size_t length = end ? (size_t)(end - begin) : 0;
    for (size_t i = 0; i < length; i++) {
        if (!isalnum((unsigned char)begin[i]) && begin[i] != '_') {
            return false;
        }
    }
    snprintf(name, TORC_USER_NAME, "%.*s", (int)length, begin);
    return length > 0 && length < TORC_USER_NAME;
}

static const char *after(const char *text, const char *words)
{
    const char *found = strstr(text, words);
    return found ? found + strlen(words) : NULL;
}

/* The name of a user-defined type, and its definition, if it has one, to `source`, which may be NULL. */
static bool read_type(char name[TORC_USER_NAME], FILE *source, const torc_binding *graphblas, GrB_Type type)
{
    char *text = NULL;
    size_t size;
    FILE *memory = open_memstream(&text, &size);
    bool is_printed = memory && print_type(memory, graphblas, type, "");
    is_printed = memory && fclose(memory) == 0 && is_printed;
    const char *begin = is_printed ? after(text, "user-defined: [") : NULL;
    const char *definition = begin ? after(begin, "\n") : NULL;
    bool is_read = definition && copy_name(name, begin, strchr(begin, ']'));
    if (is_read && source) {
        fprintf(source, "%s\n", definition);
    }
    free(text);
    return is_read;
}

/* The three types of an operator, as they are printed with it. */
static char *print_types_of(const torc_binding *graphblas, GrB_BinaryOp op)
{
    GrB_Type x, y, z;
    char *text = NULL;
    size_t size;
    FILE *memory = open_memstream(&text, &size);
    bool is_printed = memory && graphblas->operator_ztype(&z, op) == GrB_SUCCESS &&
                      graphblas->operator_xtype(&x, op) == GrB_SUCCESS &&
                      graphblas->operator_ytype(&y, op) == GrB_SUCCESS &&
                      print_type(memory, graphblas, z, "ztype") &&
                      print_type(memory, graphblas, x, "xtype") && print_type(memory, graphblas, y, "ytype");
    if (memory) {
        fclose(memory);
    }
    if (!is_printed) {
        free(text);
        return NULL;
    }
    return text;
}

/* "\n    GraphBLAS BinaryOp: NAME (user-defined) z=f(x,y)\n", its types, and the definition, if it has one.
 */
static bool read_operator(
    char name[TORC_USER_NAME], FILE *source, const torc_binding *graphblas, GrB_BinaryOp op)
{
    char *text = NULL, *types = print_types_of(graphblas, op);
    size_t size;
    FILE *memory = open_memstream(&text, &size);
    bool is_printed =
        memory && types && graphblas->operator_print(op, "", GxB_COMPLETE, memory) == GrB_SUCCESS;
    is_printed = memory && fclose(memory) == 0 && is_printed;
    const char *begin = is_printed ? after(text, "(user-defined) z=") : NULL;
    const char *end = begin ? strstr(begin, "(x,y)\n") : NULL;
    const char *definition = end ? after(end, types) : NULL;
    bool is_read = definition && definition[strspn(definition, " \n")] && copy_name(name, begin, end);
    if (is_read && source) {
        fprintf(source, "%s\n", definition);
    }
    free(text);
    free(types);
    return is_read;
}

/* ---- Sources that do not compile ---------------------------------------------------------------------- */

typedef struct refused_source {
    struct refused_source *next;
    char text[];
} refused_source;

static refused_source *refused_list;

static bool is_refused(const char *source)
{
    torc_brief_lock();
    const refused_source *refused = refused_list;
    while (refused && strcmp(refused->text, source) != 0) {
        refused = refused->next;
    }
    torc_brief_unlock();
    return refused;
}

void torc_user_semiring_refuse(const torc_user_semiring *user)
{
    size_t size = strlen(user->source) + 1;
    refused_source *refused = malloc(sizeof *refused + size);
    if (refused) {
        memcpy(refused->text, user->source, size);
        torc_brief_lock();
        refused->next = refused_list;
        refused_list = refused;
        torc_brief_unlock();
    }
}

/* ---- Semirings ---------------------------------------------------------------------------------------- */

/* The definition goes to `source` unless that is NULL: it has been there already. */
static bool use_type(torc_user_type *type, char name[TORC_USER_NAME], FILE *source,
    const torc_binding *graphblas, GrB_Type handle)
{
    size_t size;
    if (torc_match_type(&type->type, handle)) {
        return true;
    }
    if (graphblas->type_size(&size, handle) != GrB_SUCCESS || !read_type(name, source, graphblas, handle)) {
        return false;
    }
    *type = (torc_user_type){torc_opaque_type(size), name};
    return true;
}

/* x and y of multiply, z of add, each definition once. */
static bool use_types(torc_user_semiring *user, FILE *source, const torc_binding *graphblas, GrB_BinaryOp add,
    GrB_BinaryOp multiply)
{
    torc_definition *definition = &user->definition;
    if (graphblas->operator_ztype(&user->z_type, add) != GrB_SUCCESS ||
        graphblas->operator_xtype(&user->x_type, multiply) != GrB_SUCCESS ||
        graphblas->operator_ytype(&user->y_type, multiply) != GrB_SUCCESS) {
        return false;
    }
    GrB_Type x = user->x_type, y = user->y_type, z = user->z_type;
    return use_type(&definition->x, user->x_name, source, graphblas, x) &&
           use_type(&definition->y, user->y_name, y == x ? NULL : source, graphblas, y) &&
           use_type(&definition->z, user->z_name, z == x || z == y ? NULL : source, graphblas, z);
}

static bool use_operators(torc_user_semiring *user, FILE *source, const torc_binding *graphblas,
    GrB_BinaryOp add, GrB_BinaryOp multiply)
{
    torc_definition *definition = &user->definition;
    torc_semiring *semiring = &user->semiring;
    torc_type add_type;
    *semiring = (torc_semiring){TORC_USER_MONOID, TORC_USER, .definition = definition};
    if (!torc_match_add(&semiring->add, &add_type, add)) {
        definition->add = user->add_name;
        if (!read_operator(user->add_name, source, graphblas, add)) {
            return false;
        }
    }
    if (!torc_match_multiply(&semiring->multiply, &semiring->type, multiply)) {
        const torc_operator_source *built_in = torc_operator_source_find(graphblas, multiply);
        if (built_in) {
            definition->multiply = built_in->name;
            definition->multiply_on_host = built_in->on_host;
            return fputs(built_in->text, source) >= 0;
        }
        definition->multiply = user->multiply_name;
        if (!read_operator(user->multiply_name, multiply == add ? NULL : source, graphblas, multiply)) {
            return false;
        }
    }
    return true;
}

static bool read_parts(
    torc_user_semiring *user, FILE *source, const torc_binding *graphblas, GrB_Semiring handle)
{
    GrB_Monoid monoid;
    GrB_BinaryOp add, multiply;
    return graphblas->semiring_add(&monoid, handle) == GrB_SUCCESS &&
           graphblas->monoid_operator(&add, monoid) == GrB_SUCCESS &&
           graphblas->semiring_multiply(&multiply, handle) == GrB_SUCCESS &&
           use_types(user, source, graphblas, add, multiply) &&
           use_operators(user, source, graphblas, add, multiply);
}

bool torc_user_semiring_read(
    torc_user_semiring *user, const char **reason, const torc_binding *graphblas, GrB_Semiring handle)
{
    size_t size;
    *user = (torc_user_semiring){.source = NULL};
    FILE *source =
        graphblas->type_print && graphblas->operator_print ? open_memstream(&user->source, &size) : NULL;
    bool is_read = source && read_parts(user, source, graphblas, handle);
    is_read = source && fclose(source) == 0 && is_read;
    user->definition.source = user->source;
    if (!is_read || !torc_semiring_traits(user->semiring).is_supported) {
        *reason = "operators that are neither built-in nor come with their source";
    } else if (is_refused(user->source)) {
        *reason = "user-defined operators that do not compile";
    } else {
        return true;
    }
    torc_user_semiring_release(user);
    return false;
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
