/* user_operators.h: operators that a program defines itself, each with its C source or, under the name
 * BARE_..., as a function alone; and monoids that it makes, of them or, as OWN_..., of built-in operators. */
#ifndef TORC_FUZZ_USER_OPERATORS_H
#define TORC_FUZZ_USER_OPERATORS_H

#include "program.h"

typedef enum user_kind { USER_BINARY, USER_UNARY, USER_INDEX_UNARY } user_kind;

/* One of a kind. Its type is that of its first operand. */
program_operator torc_user_draw(user_kind kind, uint64_t *stream);
const char *torc_user_draw_monoid(uint64_t *stream);

/* A GrB_BinaryOp, GrB_UnaryOp or GrB_IndexUnaryOp; handles are kept until they are freed. NULL: there is
 * none of that kind, name and type. */
void *torc_user_handle(user_kind kind, program_operator op);
GrB_Monoid torc_user_monoid_handle(const char *name, value_type type);

/* All of them, monoids too. */
void torc_user_handles_free(void);

/* The operator that a monoid OWN_... is made of; any other name is its own. */
const char *torc_user_operator_of_monoid(const char *name);

/* As C; NULL: it is built-in. */
const char *torc_user_source(program_operator op);

/* Is any of its types VALUE_UDT? */
bool torc_user_takes_paths(program_operator op);

/* The type of what it returns; its own if it is built-in. */
value_type torc_user_result_type(program_operator op);

/* The type of its second operand, or of its thunk; its own if it is built-in. */
value_type torc_user_second_type(program_operator op);

/* The function of that name in the source, to be cast to its type; NULL: there is none. */
typedef void (*user_function)(void);
user_function torc_user_function(const char *name);

#endif
