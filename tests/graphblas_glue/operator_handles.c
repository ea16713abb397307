#include "operator_handles.h"
#include <ctype.h>
#include <dlfcn.h>
#include <stdio.h>

/* The variable GrB_NAME, or GxB_NAME; names are upper case in GraphBLAS. */
static void *find(const char *format, const char *first, const char *second)
{
    static const char *const prefixes[] = {"GrB_", "GxB_"};
    for (int i = 0; i < 2; i++) {
        char name[64];
        int length = snprintf(name, sizeof name, "%s", prefixes[i]);
        snprintf(name + length, sizeof name - (size_t)length, format, first, second);
        for (char *c = name + length; *c; c++) {
            *c = (char)toupper((unsigned char)*c);
        }
        void **variable = dlsym(RTLD_DEFAULT, name);
        if (variable) {
            return *variable;
        }
    }
    return NULL;
}

GrB_Type type_handle(torc_type type)
{
    return find("%s", torc_type_name(type), NULL);
}

GrB_UnaryOp unary_handle(torc_unary unary, torc_type type)
{
    void *typed = find("%s_%s", torc_unary_name(unary), torc_type_name(type));
    return typed || type != TORC_BOOL ? typed : find("%s", torc_unary_name(unary), NULL);
}

GrB_IndexUnaryOp index_unary_handle(torc_index_unary index, torc_type type)
{
    bool has_type = index <= TORC_DIAGINDEX || index >= TORC_VALUEEQ;
    const char *name = torc_index_unary_name(index);
    return has_type ? find("%s_%s", name, torc_type_name(type)) : find("%s", name, NULL);
}

GrB_BinaryOp binary_handle(torc_multiply binary, torc_type type)
{
    bool is_logical = binary >= TORC_LOR && binary <= TORC_LXOR && type == TORC_BOOL;
    const char *name = torc_multiply_name(binary);
    return is_logical ? find("%s", name, NULL) : find("%s_%s", name, torc_type_name(type));
}

GrB_Monoid monoid_handle(torc_monoid monoid, torc_type type)
{
    const char *name = monoid == TORC_LXNOR_MONOID ? "eq" : torc_monoid_name(monoid);
    return find("%s_%s_monoid", name, torc_type_name(type));
}
