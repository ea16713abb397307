/* user_source.h: the C source of user-defined types and operators, read from what GraphBLAS prints of them.
 *
 * GraphBLAS keeps the source that a program gives with GxB_Type_new and GxB_BinaryOp_new, and prints it with
 * the object. Every version does; only later ones have another way to ask. The source is read at each call,
 * since a handle may have become another object: so it is never stale, and costs some 10 microseconds. */
#ifndef TORC_USER_SOURCE_H
#define TORC_USER_SOURCE_H

#include "binding.h"
#include <stdio.h>
#include <torc/torc.h>

enum { TORC_USER_NAME = 128 };

/* The name of a user-defined type, and its definition, if it has one, to `source`, which may be NULL. */
bool torc_user_type_read(
    char name[TORC_USER_NAME], FILE *source, const torc_binding *graphblas, GrB_Type type);

/* The name of a user-defined operator, and its definition to `source`, which may be NULL. false: it is
 * built-in, or came without a definition. */
bool torc_user_binary_read(
    char name[TORC_USER_NAME], FILE *source, const torc_binding *graphblas, GrB_BinaryOp op);

/* The same of operators of one value, and of one and its place, on built-in types: of z and x; of z, x and y.
 */
bool torc_user_unary_read(char name[TORC_USER_NAME], torc_type types[2], FILE *source,
    const torc_binding *graphblas, GrB_UnaryOp op);
bool torc_user_index_unary_read(char name[TORC_USER_NAME], torc_type types[3], FILE *source,
    const torc_binding *graphblas, GrB_IndexUnaryOp op);

/* Remember source that does not compile: it is not tried again. */
void torc_user_source_refuse(const char *source);
bool torc_user_source_is_refused(const char *source);

#endif
