/* user_source.h: the C source of user-defined types and operators, read from what GraphBLAS prints of them.
 *
 * GraphBLAS keeps the source that a program gives with GxB_Type_new and GxB_BinaryOp_new, and prints it with
 * the object: that is read at each call, since a handle may by now be another object. So it costs some 10
 * microseconds, and nothing can be stale. Every version prints; only later ones have another way to ask. */
#ifndef TORC_USER_SOURCE_H
#define TORC_USER_SOURCE_H

#include "binding.h"
#include <stdio.h>

enum { TORC_USER_NAME = 128 };

/* The name of a user-defined type, and its definition, if it has one, to `source`, which may be NULL. */
bool torc_user_type_read(
    char name[TORC_USER_NAME], FILE *source, const torc_binding *graphblas, GrB_Type type);

/* The name of a user-defined operator, and its definition to `source`, which may be NULL. false: it is
 * built-in, or came without a definition. */
bool torc_user_binary_read(
    char name[TORC_USER_NAME], FILE *source, const torc_binding *graphblas, GrB_BinaryOp op);

/* Source that does not compile is not tried again. */
void torc_user_source_refuse(const char *source);
bool torc_user_source_is_refused(const char *source);

#endif
