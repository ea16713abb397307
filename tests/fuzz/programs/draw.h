/* draw.h: what the two ways to draw a program share: its vocabulary, the shapes of its objects, and its steps
 * as they are drawn one by one. */
#ifndef TORC_FUZZ_DRAW_H
#define TORC_FUZZ_DRAW_H

#include "program.h"

enum { WORDS = 3 };

/* Drawn of the seed's high bits: what decides which kernels run. */
typedef struct vocabulary {
    bool has_paths; /* many objects are of VALUE_UDT, and the first words of most kinds for them */
    value_type types[WORDS];
    program_semiring semirings[WORDS];
    program_operator binary[WORDS], unary[WORDS], index[WORDS], select[WORDS], monoids[WORDS], accums[WORDS];
} vocabulary;

typedef struct slot_shape {
    bool exists;
    value_type type;
    GrB_Index nrows, ncols;
} slot_shape;

typedef struct drawing {
    program *program;
    vocabulary words;
    uint64_t stream;
    GrB_Index n, k;          /* the dimensions of most objects */
    slot_shape slots[SLOTS]; /* as they are after the steps that were drawn */
    int last;                /* that the last step with a C wrote to */
    value_style style;
    bool is_grained;
} drawing;

void torc_vocabulary_draw(vocabulary *words, uint64_t *stream);

/* Appends a step; a full program takes none. */
void torc_drawing_add(drawing *d, const program_step *step);

/* A new object in a slot. */
void torc_drawing_new(drawing *d, int slot, value_type type, GrB_Index nrows, GrB_Index ncols, int format);

/* Of a new object. */
value_type torc_draw_type(drawing *d);

/* A step with everything left open: no slots, no operator. */
program_step torc_blank_step(step_kind kind);

/* Tries to draw one random step; false: no operands fit. */
bool torc_draw_random_step(drawing *d);
bool torc_draw_step_of(drawing *d, step_kind kind);

/* Of later versions: results of a MiB and more, which stay on the device, get controls, and are used. */
void torc_draw_waiting_controls(drawing *d);

/* A loop of a kind that programs have, with objects of its own. */
void torc_draw_template(drawing *d);

#endif
