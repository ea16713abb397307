/* pick.h: random choices that single steps are drawn with. */
#ifndef TORC_FUZZ_PICK_H
#define TORC_FUZZ_PICK_H

#include "draw.h"

bool torc_chance(drawing *d, double probability);
GrB_Index torc_below(drawing *d, GrB_Index bound);

/* One of the words of a kind. */
#define WORD(d, array) (d)->words.array[torc_below(d, WORDS)]

/* Must it stay sparse? */
bool torc_is_large(const slot_shape *slot);

/* A slot that has an object, or NO_SLOT. */
int torc_pick_any(drawing *d, bool is_vector);

/* In later versions often the last C: what has just been computed, or got a control. */
int torc_pick_last(drawing *d);

/* One of that shape, or NO_SLOT; a wrong one now and then, whose error both sides are to report. */
int torc_pick(drawing *d, bool is_vector, GrB_Index nrows, GrB_Index ncols);
int torc_pick_input(drawing *d, bool is_vector, GrB_Index nrows, GrB_Index ncols, bool is_transposed);
int torc_pick_like_c(drawing *d, program_step *s, bool is_transposed);

/* Mask, accumulator and descriptor of an operation whose mask has that shape. */
void torc_draw_modifiers(drawing *d, program_step *s, bool is_vector, GrB_Index nrows, GrB_Index ncols);
void torc_draw_scalar(drawing *d, program_step *s);

/* C, with modifiers of its shape; false: there is none. */
bool torc_draw_output(drawing *d, program_step *s, bool may_be_large);

/* Operands of a step whose kind is given; false: none fit. draw_operations.c, and draw_parts.c for
 * assignments and extractions. */
bool torc_draw_product(drawing *d, program_step *s);
bool torc_draw_ewise(drawing *d, program_step *s);
bool torc_draw_apply(drawing *d, program_step *s);
bool torc_draw_transpose(drawing *d, program_step *s);
bool torc_draw_reduction(drawing *d, program_step *s);
bool torc_draw_assign(drawing *d, program_step *s);
bool torc_draw_assign_scalar(drawing *d, program_step *s);
bool torc_draw_assign_line(drawing *d, program_step *s);
bool torc_draw_extract(drawing *d, program_step *s);
bool torc_draw_extract_line(drawing *d, program_step *s);

/* Of a step that this GraphBLAS may lack: draw_later.c. */
bool torc_has_step(step_kind kind);
bool torc_draw_later(drawing *d, program_step *s);

#endif
