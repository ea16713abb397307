/* call_operands.c: see call_operands.h. */
#include "call_operands.h"
#include <stdio.h>
#include <string.h>

enum { TEXT = 4096 };

const matrix_recipe *torc_random_call_recipe(const random_call *call, int operand)
{
    return &call->recipes[call->same_as[operand]];
}

call_operands torc_call_operands_new(const random_call *call)
{
    call_operands operands;
    for (int i = 0; i < OPERAND_COUNT; i++) {
        bool is_made = call->same_as[i] == i && (i != OPERAND_M || call->has_mask);
        operands.matrices[i] = is_made ? torc_random_matrix(&call->recipes[i]) : NULL;
    }
    for (int i = 0; i < OPERAND_COUNT; i++) {
        if (i != OPERAND_M || call->has_mask) {
            operands.matrices[i] = operands.matrices[call->same_as[i]];
        }
    }
    return operands;
}

void torc_call_operands_free(const random_call *call, call_operands *operands)
{
    for (int i = 0; i < OPERAND_COUNT; i++) {
        if (call->same_as[i] == i) {
            GrB_Matrix_free(&operands->matrices[i]);
        }
    }
}

const char *torc_random_call_describe(const random_call *call)
{
    static const char names[] = "CMAB";
    static char text[TEXT];
    snprintf(text, sizeof text,
        "torc-fuzz --seed %llu --calls 1 runs this call alone\n  %s, accum %s, %s%s\n",
        (unsigned long long)call->seed, call->semiring.name, call->accum ? call->accum_name : "none",
        call->desc_name, call->own_desc ? " of its own" : "");
    for (int i = 0; i < OPERAND_COUNT; i++) {
        char name[8] = {names[i], '\0'};
        size_t used = strlen(text);
        if (i == OPERAND_M && !call->has_mask) {
            snprintf(text + used, sizeof text - used, "  no mask\n");
        } else if (call->same_as[i] != i) {
            snprintf(text + used, sizeof text - used, "  %s is %c\n", name, names[call->same_as[i]]);
        } else {
            torc_random_matrix_describe(text, sizeof text, name, &call->recipes[i]);
        }
    }
    return text;
}
