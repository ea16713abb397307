/* objects.h: the objects of a running program, each on both sides. */
#ifndef TORC_FUZZ_OBJECTS_H
#define TORC_FUZZ_OBJECTS_H

#include "program.h"
#include "sides.h"

typedef union object_handle {
    GrB_Matrix matrix;
    GrB_Vector vector;
} object_handle;

typedef struct program_object {
    bool exists, is_vector;
    value_type type;
    object_handle handles[SIDES];
    bool has_unsure_values;     /* two right answers may differ in them; in structure never */
    bool has_unsure_control;    /* 7.4.0 may take over a mask's sparsity control */
    bool has_forgetful_control; /* it was made in a way that contents.c tells */
    bool has_unsure_switches;   /* 7.4.0 may take over or forget bitmap and hyper switch */
} program_object;

typedef struct program_state {
    program_object objects[SLOTS];
} program_state;

void torc_object_free(program_object *object);

/* A side's new object, in place of what the slot had. */
void torc_object_put(const side *g, program_state *state, int slot, object_handle handle, value_type type);

/* The model's shape: a vector is a column. */
GrB_Index torc_object_nrows(const program_object *object);
GrB_Index torc_object_ncols(const program_object *object);
GrB_Index torc_object_nvals(const program_object *object, int side);
int torc_object_option(const program_object *object, int side, GxB_Option_Field field);
/* As GraphBLAS itself finds, which looks at all of its structure. */
bool torc_object_is_valid(const program_object *object, int side);
bool torc_object_is_iso(const program_object *object, int side);
void torc_object_wait(const program_object *object, int side);

/* What the model's values are like; of complex ones each part. */
typedef struct value_range {
    double least, greatest; /* absolute values */
    double grain;           /* a power of two that all are multiples of */
    bool is_finite;
} value_range;

value_range torc_object_range(const program_object *object);

#endif
