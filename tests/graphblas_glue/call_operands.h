/* call_operands.h: the objects of a call, and what it looks like. */
#ifndef TORC_CALL_OPERANDS_H
#define TORC_CALL_OPERANDS_H

#include "random_call.h"

/* What the operand is made of, aliases followed. */
const matrix_recipe *torc_random_call_recipe(const random_call *call, int operand);

typedef struct call_operands {
    GrB_Matrix matrices[OPERAND_COUNT]; /* the mask is NULL where there is none */
} call_operands;

/* New each time, and equal to those made before. */
call_operands torc_call_operands_new(const random_call *call);
void torc_call_operands_free(const random_call *call, call_operands *operands);

/* A few lines, and how to run it alone. A static string. */
const char *torc_random_call_describe(const random_call *call);

#endif
