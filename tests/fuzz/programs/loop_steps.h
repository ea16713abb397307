/* loop_steps.h: steps as loops of programs have them, appended one by one. */
#ifndef TORC_FUZZ_LOOP_STEPS_H
#define TORC_FUZZ_LOOP_STEPS_H

#include "pick.h"

int torc_vector_slot(int number);
program_operator torc_op_of(const char *name, value_type type);
program_semiring torc_semiring_of(const char *add, const char *multiply, value_type type);

program_step torc_step_of(step_kind kind, int c, int m, int a, int b, const char *flags);
void torc_add_product(drawing *d, step_kind kind, int c, int m, const char *accum, program_semiring semiring,
    int a, int b, const char *flags);
void torc_add_ewise(drawing *d, step_kind kind, int c, int m, program_operator accum, program_operator op,
    int a, int b, const char *flags);
void torc_add_assign_scalar(
    drawing *d, int c, int m, program_operator accum, value_type type, double value, const char *flags);
void torc_add_assign(drawing *d, int c, int m, program_operator accum, int a, const char *flags);
void torc_add_reduce(drawing *d, int a, const char *monoid, value_type type);
void torc_add_look(drawing *d, step_kind kind, int a);
void torc_add_swap(drawing *d, int a, int b);
void torc_add_element(drawing *d, int c, value_type type, double value, GrB_Index i, GrB_Index j);
void torc_add_control(drawing *d, int c, int control);

#endif
