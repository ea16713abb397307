#include "user_source.h"
#include "brief_lock.h"
#include <ctype.h>
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

/* The name of a user-defined operator; from version 9 on there is a colon before it. */
static const char *find_operator_name(const char *text)
{
    const char *begin = after(text, "(user-defined) z=");
    return begin ? begin : after(text, "(user-defined): z=");
}

bool torc_user_type_read(
    char name[TORC_USER_NAME], FILE *source, const torc_binding *graphblas, GrB_Type type)
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
bool torc_user_binary_read(
    char name[TORC_USER_NAME], FILE *source, const torc_binding *graphblas, GrB_BinaryOp op)
{
    char *text = NULL, *types = print_types_of(graphblas, op);
    size_t size;
    FILE *memory = open_memstream(&text, &size);
    bool is_printed =
        memory && types && graphblas->operator_print(op, "", GxB_COMPLETE, memory) == GrB_SUCCESS;
    is_printed = memory && fclose(memory) == 0 && is_printed;
    const char *begin = is_printed ? find_operator_name(text) : NULL;
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

/* "    GraphBLAS type: ztype int32_t size: 4\n", of a built-in type: what follows. Version 10 says "Type". */
static const char *read_built_in_type(torc_type *type, const char *text)
{
    static const char *const names[] = {
        [TORC_BOOL] = "bool",
        [TORC_INT8] = "int8_t",
        [TORC_INT16] = "int16_t",
        [TORC_INT32] = "int32_t",
        [TORC_INT64] = "int64_t",
        [TORC_UINT8] = "uint8_t",
        [TORC_UINT16] = "uint16_t",
        [TORC_UINT32] = "uint32_t",
        [TORC_UINT64] = "uint64_t",
        [TORC_FP32] = "float",
        [TORC_FP64] = "double",
    };
    char name[TORC_USER_NAME];
    int length = 0;
    if (sscanf(text, " GraphBLAS %*[Tt]ype: %*s %127s size: %*d%n", name, &length) != 1 || length == 0) {
        return NULL;
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(names[i], name) == 0) {
            *type = (torc_type)i;
            return text + length;
        }
    }
    return NULL;
}

/* "\n    GraphBLAS UnaryOp: NAME (user-defined) z=f(x)\n", with other arguments at times, then as
 * torc_user_binary_read. */
static bool read_printed(char name[TORC_USER_NAME], torc_type *types, int ntypes, FILE *source,
    const char *text, const char *arguments)
{
    const char *begin = find_operator_name(text);
    const char *end = begin ? strstr(begin, arguments) : NULL;
    const char *rest = end ? end + strlen(arguments) : NULL;
    for (int i = 0; i < ntypes && rest; i++) {
        rest = read_built_in_type(&types[i], rest);
    }
    bool is_read = rest && rest[strspn(rest, " \n")] && copy_name(name, begin, end);
    if (is_read) {
        fprintf(source, "%s\n", rest);
    }
    return is_read;
}

bool torc_user_unary_read(char name[TORC_USER_NAME], torc_type types[2], FILE *source,
    const torc_binding *graphblas, GrB_UnaryOp op)
{
    char *text = NULL;
    size_t size;
    FILE *memory = graphblas->unary_print ? open_memstream(&text, &size) : NULL;
    bool is_printed = memory && graphblas->unary_print(op, "", GxB_COMPLETE, memory) == GrB_SUCCESS;
    is_printed = memory && fclose(memory) == 0 && is_printed;
    bool is_read = is_printed && read_printed(name, types, 2, source, text, "(x)\n");
    free(text);
    return is_read;
}

bool torc_user_index_unary_read(char name[TORC_USER_NAME], torc_type types[3], FILE *source,
    const torc_binding *graphblas, GrB_IndexUnaryOp op)
{
    char *text = NULL;
    size_t size;
    FILE *memory = graphblas->index_unary_print ? open_memstream(&text, &size) : NULL;
    bool is_printed = memory && graphblas->index_unary_print(op, "", GxB_COMPLETE, memory) == GrB_SUCCESS;
    is_printed = memory && fclose(memory) == 0 && is_printed;
    bool is_read = is_printed && read_printed(name, types, 3, source, text, "(x,i,j,y)\n");
    free(text);
    return is_read;
}

/* ---- Sources that do not compile ---------------------------------------------------------------------- */

typedef struct refused_source {
    struct refused_source *next;
    char text[];
} refused_source;

static refused_source *refused_list;

bool torc_user_source_is_refused(const char *source)
{
    torc_brief_lock();
    const refused_source *refused = refused_list;
    while (refused && strcmp(refused->text, source) != 0) {
        refused = refused->next;
    }
    torc_brief_unlock();
    return refused;
}

void torc_user_source_refuse(const char *source)
{
    size_t size = strlen(source) + 1;
    refused_source *refused = malloc(sizeof *refused + size);
    if (refused) {
        memcpy(refused->text, source, size);
        torc_brief_lock();
        refused->next = refused_list;
        refused_list = refused;
        torc_brief_unlock();
    }
}
