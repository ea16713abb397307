/* run.h: one step on one side. */
#ifndef TORC_FUZZ_RUN_H
#define TORC_FUZZ_RUN_H

#include "objects.h"
#include <stdint.h>

/* What a step says besides what it leaves in objects. */
typedef struct step_answer {
    bool has_value;
    value_type type;
    char value[sizeof(GxB_FC64_t)];
    GrB_Index count;
    const char *difference; /* found by the step itself; NULL: none */
} step_answer;

#define X(kind, run)                                                                                         \
    GrB_Info torc_run_##run(const side *g, program_state *state, const program_step *s, step_answer *answer);
STEP_MAP(X)
#undef X

static inline GxB_FC64_t step_scalar(const program_step *s)
{
    return GxB_CMPLX(s->scalar, s->imaginary);
}

/* The same, where it is VALUE_UDT. */
static inline value_path step_path(const program_step *s)
{
    return (value_path){s->scalar, 1};
}

/* The handles of a side's object in a slot; NULL for NO_SLOT. */
static inline GrB_Matrix matrix_in(const side *g, const program_state *state, int slot)
{
    return slot == NO_SLOT ? NULL : state->objects[slot].handles[g->index].matrix;
}

static inline GrB_Vector vector_in(const side *g, const program_state *state, int slot)
{
    return slot == NO_SLOT ? NULL : state->objects[slot].handles[g->index].vector;
}

/* Has this process had other threads? torc puts nothing off from then on. */
bool torc_has_had_threads(void);

/* A scalar that holds the step's value plus `more`, or nothing where the step has none; to be freed. */
GrB_Scalar torc_new_scalar(const side *g, const program_step *s, double more);
void torc_take_scalar(const side *g, GrB_Scalar scalar, value_type type, step_answer *answer);

#endif
