/* draw_step.c: one random step whose operands fit, nearly always. */
#include "draw.h"
#include <string.h>

static const double MOST_CELLS = 2e6; /* of an object that may become dense */

static const int weights[STEP_KINDS] = {
    [STEP_NEW] = 2,
    [STEP_MXM] = 10,
    [STEP_MXV] = 8,
    [STEP_VXM] = 5,
    [STEP_EWISE_ADD] = 8,
    [STEP_EWISE_MULT] = 8,
    [STEP_EWISE_UNION] = 4,
    [STEP_APPLY] = 6,
    [STEP_APPLY_FIRST] = 3,
    [STEP_APPLY_SECOND] = 4,
    [STEP_APPLY_INDEX] = 3,
    [STEP_SELECT] = 4,
    [STEP_ASSIGN] = 6,
    [STEP_ASSIGN_SCALAR] = 7,
    [STEP_ASSIGN_LINE] = 3,
    [STEP_EXTRACT] = 4,
    [STEP_EXTRACT_LINE] = 3,
    [STEP_TRANSPOSE] = 3,
    [STEP_REDUCE_LINES] = 4,
    [STEP_REDUCE_ALL] = 5,
    [STEP_SET_ELEMENT] = 4,
    [STEP_GET_ELEMENT] = 4,
    [STEP_NVALS] = 4,
    [STEP_WAIT] = 2,
    [STEP_SWAP] = 5,
    [STEP_DUP] = 4,
    [STEP_CLEAR] = 1,
    [STEP_RESIZE] = 2,
    [STEP_RESHAPE] = 1,
    [STEP_SET_OPTION] = 4,
    [STEP_EDIT] = 3,
    [STEP_REBUILD] = 2,
    [STEP_SERIALIZE] = 1,
    [STEP_DIAGONAL] = 1,
    [STEP_PRINT] = 1,
    [STEP_READ] = 4,
};

static step_kind draw_kind(uint64_t *stream)
{
    int64_t sum = 0, at;
    for (int kind = 0; kind < STEP_KINDS; kind++) {
        sum += weights[kind];
    }
    at = random_below(stream, sum);
    int kind = 0;
    while (at >= weights[kind]) {
        at -= weights[kind++];
    }
    return (step_kind)kind;
}

static bool chance(drawing *d, double probability)
{
    return random_chance(&d->stream, probability);
}

static GrB_Index below(drawing *d, GrB_Index bound)
{
    return (GrB_Index)random_below(&d->stream, (int64_t)bound);
}

static bool is_large(const slot_shape *slot)
{
    return (double)slot->nrows * (double)slot->ncols > MOST_CELLS;
}

/* One of those that exist, or NO_SLOT. */
static int pick_any(drawing *d, bool is_vector)
{
    int first = is_vector ? MATRICES : 0, count = is_vector ? VECTORS : MATRICES;
    int start = (int)below(d, (GrB_Index)count);
    for (int i = 0; i < count; i++) {
        int slot = first + (start + i) % count;
        if (d->slots[slot].exists) {
            return slot;
        }
    }
    return NO_SLOT;
}

/* One of that shape, or NO_SLOT; a wrong one now and then, whose error both sides are to report. */
static int pick(drawing *d, bool is_vector, GrB_Index nrows, GrB_Index ncols)
{
    int first = is_vector ? MATRICES : 0, count = is_vector ? VECTORS : MATRICES;
    int start = (int)below(d, (GrB_Index)count);
    if (chance(d, 0.004)) {
        return pick_any(d, is_vector);
    }
    for (int i = 0; i < count; i++) {
        int slot = first + (start + i) % count;
        const slot_shape *shape = &d->slots[slot];
        if (shape->exists && shape->nrows == nrows && shape->ncols == ncols) {
            return slot;
        }
    }
    return NO_SLOT;
}

static int pick_input(drawing *d, bool is_vector, GrB_Index nrows, GrB_Index ncols, bool is_transposed)
{
    return is_transposed ? pick(d, is_vector, ncols, nrows) : pick(d, is_vector, nrows, ncols);
}

#define WORD(d, array) (d)->words.array[below(d, WORDS)]

/* Mask, accumulator and descriptor of an operation whose mask has that shape. */
static void draw_modifiers(drawing *d, program_step *s, bool is_vector, GrB_Index nrows, GrB_Index ncols)
{
    if (chance(d, 0.4)) {
        s->m = pick(d, is_vector, nrows, ncols);
    }
    if (chance(d, 0.3)) {
        s->accum = WORD(d, accums);
    }
    s->replace = chance(d, 0.3);
    s->structure = chance(d, 0.5);
    s->complement = chance(d, s->m == NO_SLOT ? 0.02 : 0.35);
}

/* Half of them are fractions of a power of two. */
static void draw_scalar(drawing *d, program_step *s)
{
    s->scalar_type = WORD(d, types);
    s->scalar = (double)below(d, 5);
    if (d->is_grained && torc_value_is_real(s->scalar_type)) {
        s->scalar = chance(d, 0.5) ? 0.5 : s->scalar;
    }
}

static bool draw_product(drawing *d, program_step *s)
{
    bool is_mxv = s->kind == STEP_MXV, is_vxm = s->kind == STEP_VXM, is_vector = is_mxv || is_vxm;
    s->c = pick_any(d, is_vector);
    if (s->c == NO_SLOT || is_large(&d->slots[s->c])) {
        return false;
    }
    GrB_Index m = is_vxm ? 1 : d->slots[s->c].nrows;
    GrB_Index n = is_mxv ? 1 : is_vxm ? d->slots[s->c].nrows : d->slots[s->c].ncols;
    GrB_Index inner = chance(d, 0.7) ? d->n : d->k;
    s->transpose_a = !is_vxm && chance(d, 0.25);
    s->transpose_b = !is_mxv && chance(d, 0.25);
    s->a = is_vxm ? pick(d, true, inner, 1) : pick_input(d, false, m, inner, s->transpose_a);
    s->b = is_mxv ? pick(d, true, inner, 1) : pick_input(d, false, inner, n, s->transpose_b);
    s->semiring = WORD(d, semirings);
    draw_modifiers(d, s, is_vector, d->slots[s->c].nrows, d->slots[s->c].ncols);
    s->has_gustavson = s->m != NO_SLOT; /* 7.4.0 may hash for ever under a mask */
    return s->a != NO_SLOT && s->b != NO_SLOT;
}

static bool draw_output(drawing *d, program_step *s, bool may_be_large)
{
    s->c = pick_any(d, chance(d, 0.5));
    if (s->c == NO_SLOT || (!may_be_large && is_large(&d->slots[s->c]))) {
        return false;
    }
    draw_modifiers(d, s, is_vector_slot(s->c), d->slots[s->c].nrows, d->slots[s->c].ncols);
    return true;
}

static int pick_like_c(drawing *d, program_step *s, bool is_transposed)
{
    const slot_shape *c = &d->slots[s->c];
    return pick_input(d, is_vector_slot(s->c), c->nrows, c->ncols, is_transposed);
}

static bool draw_ewise(drawing *d, program_step *s)
{
    if (!draw_output(d, s, s->kind != STEP_EWISE_UNION)) {
        return false;
    }
    s->transpose_a = !is_vector_slot(s->c) && chance(d, 0.15);
    s->transpose_b = !is_vector_slot(s->c) && chance(d, 0.15);
    s->a = pick_like_c(d, s, s->transpose_a);
    s->b = pick_like_c(d, s, s->transpose_b);
    s->op = WORD(d, binary);
    s->variant = chance(d, 0.2);
    draw_scalar(d, s);
    return s->a != NO_SLOT && s->b != NO_SLOT;
}

static bool draw_apply(drawing *d, program_step *s)
{
    if (!draw_output(d, s, true)) {
        return false;
    }
    bool is_transposed = !is_vector_slot(s->c) && chance(d, 0.15);
    s->transpose_a = is_transposed;
    s->transpose_b = is_transposed && s->kind == STEP_APPLY_FIRST;
    s->a = pick_like_c(d, s, is_transposed);
    s->variant = chance(d, 0.3);
    draw_scalar(d, s);
    s->op = s->kind == STEP_APPLY         ? WORD(d, unary)
            : s->kind == STEP_APPLY_INDEX ? WORD(d, index)
            : s->kind == STEP_SELECT      ? WORD(d, select)
                                          : WORD(d, binary);
    if (s->kind == STEP_SELECT && s->a != NO_SLOT && strncmp(s->op.name, "VALUE", 5) == 0) {
        s->op.type = s->scalar_type = d->slots[s->a].type;
    }
    return s->a != NO_SLOT;
}

static GrB_Index common_divisor(GrB_Index x, GrB_Index y)
{
    return y == 0 ? x : common_divisor(y, x % y);
}

/* `count` of `bound` indices, all different unless they may repeat. */
static index_choice draw_indices(drawing *d, GrB_Index count, GrB_Index bound, bool may_repeat)
{
    index_choice choice = {.count = count, .bound = bound, .stride = 1};
    double kind = random_unit(&d->stream);
    if (count == bound && kind < 0.6) {
        choice.kind = LIST_ALL;
    } else if (kind < 0.75 && count > 0 && count <= bound) {
        choice.kind = LIST_RANGE;
        choice.first = below(d, bound - count + 1);
    } else if (kind < 0.88 && count > 0 && count <= bound) {
        choice.kind = kind < 0.82 ? LIST_STRIDE : LIST_BACKWARDS;
        choice.stride = count > 1 ? 1 + below(d, (bound - 1) / (count - 1)) : 1;
        choice.first = below(d, bound - (count - 1) * choice.stride);
    } else {
        choice.kind = LIST_ANY;
        choice.first = below(d, bound);
        choice.stride = 1 + below(d, bound);
        while (!may_repeat && common_divisor(choice.stride, bound) != 1) {
            choice.stride = choice.stride % bound + 1;
        }
    }
    return choice;
}

static GrB_Index draw_count(drawing *d, GrB_Index bound)
{
    return chance(d, 0.5) ? bound : below(d, bound + 1);
}

/* A into a part of C; most parts are all of it. */
static bool draw_assign(drawing *d, program_step *s)
{
    bool is_vector = chance(d, 0.5);
    s->c = pick_any(d, is_vector);
    if (s->c == NO_SLOT || is_large(&d->slots[s->c])) {
        return false;
    }
    const slot_shape *c = &d->slots[s->c];
    s->transpose_a = !is_vector && chance(d, 0.1);
    s->a = chance(d, 0.7) ? pick_like_c(d, s, s->transpose_a) : pick_any(d, is_vector);
    if (s->a == NO_SLOT) {
        return false;
    }
    const slot_shape *a = &d->slots[s->a];
    GrB_Index nrows = s->transpose_a ? a->ncols : a->nrows, ncols = s->transpose_a ? a->nrows : a->ncols;
    if (nrows > c->nrows || ncols > c->ncols) {
        return false;
    }
    s->rows = draw_indices(d, nrows, c->nrows, false);
    s->cols = draw_indices(d, ncols, c->ncols, false);
    s->variant = chance(d, 0.5);
    draw_modifiers(d, s, is_vector, s->variant ? nrows : c->nrows, s->variant ? ncols : c->ncols);
    return true;
}

static bool draw_assign_scalar(drawing *d, program_step *s)
{
    bool is_vector = chance(d, 0.5);
    s->c = pick_any(d, is_vector);
    if (s->c == NO_SLOT || is_large(&d->slots[s->c])) {
        return false;
    }
    const slot_shape *c = &d->slots[s->c];
    s->rows = draw_indices(d, draw_count(d, c->nrows), c->nrows, false);
    s->cols = draw_indices(d, draw_count(d, c->ncols), c->ncols, false);
    s->variant = (int)below(d, 4);
    draw_scalar(d, s);
    draw_modifiers(d, s, is_vector, s->variant & 1 ? s->rows.count : c->nrows,
        s->variant & 1 ? s->cols.count : c->ncols);
    return true;
}

/* A vector as long as the list. */
static bool draw_assign_line(drawing *d, program_step *s)
{
    s->c = pick_any(d, false);
    s->a = pick_any(d, true);
    if (s->c == NO_SLOT || s->a == NO_SLOT) {
        return false;
    }
    s->variant = (int)below(d, 4);
    const slot_shape *c = &d->slots[s->c];
    GrB_Index length = s->variant & 2 ? c->nrows : c->ncols, count = d->slots[s->a].nrows;
    if (count > length) {
        return false;
    }
    s->i = below(d, s->variant & 2 ? c->ncols : c->nrows);
    s->rows = draw_indices(d, count, length, false);
    draw_modifiers(d, s, true, s->variant & 1 ? count : length, 1);
    return true;
}

static bool draw_extract(drawing *d, program_step *s)
{
    if (!draw_output(d, s, false)) {
        return false;
    }
    bool is_vector = is_vector_slot(s->c);
    s->a = pick_any(d, is_vector);
    s->transpose_a = !is_vector && chance(d, 0.1);
    const slot_shape *c = &d->slots[s->c], *a = &d->slots[s->a];
    s->rows = draw_indices(d, c->nrows, s->transpose_a ? a->ncols : a->nrows, true);
    s->cols = draw_indices(d, c->ncols, s->transpose_a ? a->nrows : a->ncols, true);
    return true;
}

static bool draw_extract_line(drawing *d, program_step *s)
{
    s->c = pick_any(d, true);
    s->a = pick_any(d, false);
    if (s->c == NO_SLOT || s->a == NO_SLOT) {
        return false;
    }
    s->transpose_a = chance(d, 0.5);
    const slot_shape *a = &d->slots[s->a];
    s->rows = draw_indices(d, d->slots[s->c].nrows, s->transpose_a ? a->ncols : a->nrows, true);
    s->i = below(d, s->transpose_a ? a->nrows : a->ncols);
    draw_modifiers(d, s, true, d->slots[s->c].nrows, 1);
    return true;
}

static bool draw_transpose(drawing *d, program_step *s)
{
    s->c = pick_any(d, false);
    if (s->c == NO_SLOT) {
        return false;
    }
    draw_modifiers(d, s, false, d->slots[s->c].nrows, d->slots[s->c].ncols);
    s->transpose_a = chance(d, 0.3);
    s->a = pick_like_c(d, s, !s->transpose_a);
    return s->a != NO_SLOT;
}

static bool draw_reduction(drawing *d, program_step *s)
{
    s->op = WORD(d, monoids);
    if (s->kind == STEP_REDUCE_ALL) {
        s->a = pick_any(d, chance(d, 0.5));
        s->accum = chance(d, 0.2) ? WORD(d, accums) : s->accum;
        s->variant = chance(d, 0.3);
        draw_scalar(d, s);
        return s->a != NO_SLOT;
    }
    s->c = pick_any(d, true);
    s->transpose_a = chance(d, 0.5);
    s->variant = chance(d, 0.2);
    if (s->c == NO_SLOT) {
        return false;
    }
    GrB_Index length = d->slots[s->c].nrows;
    s->a = pick_input(d, false, length, chance(d, 0.5) ? d->n : d->k, s->transpose_a);
    draw_modifiers(d, s, true, length, 1);
    return s->a != NO_SLOT;
}

static bool draw_element(drawing *d, program_step *s)
{
    int slot = pick_any(d, chance(d, 0.5));
    *(s->kind == STEP_SET_ELEMENT ? &s->c : &s->a) = slot;
    if (slot == NO_SLOT) {
        return false;
    }
    s->i = below(d, d->slots[slot].nrows);
    s->j = below(d, d->slots[slot].ncols);
    s->variant = chance(d, 0.3) ? 1 : s->kind == STEP_GET_ELEMENT && chance(d, 0.2) ? 2 : 0;
    draw_scalar(d, s);
    return true;
}

/* Steps that look at one object. */
static bool draw_look(drawing *d, program_step *s)
{
    s->a = pick_any(d, chance(d, 0.5));
    if (s->kind == STEP_READ) {
        s->variant = (int)below(d, READ_WAYS);
        s->variant = s->variant == READ_FORK && chance(d, 0.7) ? READ_TUPLES : s->variant;
    } else if (s->kind == STEP_PRINT) {
        s->variant = (int)below(d, 3);
    } else {
        s->variant = chance(d, 0.3);
    }
    return s->a != NO_SLOT;
}

/* Two that have the same shape, so that what fitted still does; of any types. */
static bool draw_swap(drawing *d, program_step *s)
{
    bool is_vector = chance(d, 0.5);
    s->a = pick_any(d, is_vector);
    if (s->a == NO_SLOT) {
        return false;
    }
    s->b = pick(d, is_vector, d->slots[s->a].nrows, d->slots[s->a].ncols);
    return s->b != NO_SLOT && s->a != s->b;
}

static bool draw_copy(drawing *d, program_step *s)
{
    bool is_vector = chance(d, 0.5);
    s->a = pick_any(d, is_vector);
    s->c = is_vector ? MATRICES + (int)below(d, VECTORS) : (int)below(d, MATRICES);
    return s->a != NO_SLOT && s->a != s->c;
}

static bool draw_diagonal(drawing *d, program_step *s)
{
    bool is_vector = chance(d, 0.5);
    s->a = pick_any(d, !is_vector);
    if (s->a == NO_SLOT) {
        return false;
    }
    const slot_shape *a = &d->slots[s->a];
    GrB_Index length = a->nrows < a->ncols ? a->nrows : a->ncols;
    s->c = is_vector ? pick(d, true, length, 1) : (int)below(d, MATRICES);
    return s->c != NO_SLOT;
}

static bool draw_reshaping(drawing *d, program_step *s)
{
    s->c = pick_any(d, s->kind == STEP_RESIZE && chance(d, 0.5));
    if (s->c == NO_SLOT || is_large(&d->slots[s->c])) {
        return false;
    }
    const slot_shape *c = &d->slots[s->c];
    if (s->kind == STEP_RESHAPE) { /* to a transposed shape, so that it fits others */
        s->i = c->ncols;
        s->j = c->nrows;
        s->variant = chance(d, 0.5);
        return !is_vector_slot(s->c);
    }
    s->i = 1 + below(d, c->nrows + c->nrows / 4 + 1);
    s->j = is_vector_slot(s->c) ? 1 : 1 + below(d, c->ncols + c->ncols / 4 + 1);
    s->variant = chance(d, 0.85);
    return true;
}

static bool draw_option(drawing *d, program_step *s)
{
    static const int controls[] = {1, 2, 4, 8, 12, 15, 15, 6, 3};
    s->c = pick_any(d, chance(d, 0.5));
    s->variant = (int)below(d, 4);
    if (s->c == NO_SLOT || (s->variant == 0 && is_large(&d->slots[s->c]))) {
        return false;
    }
    s->i = s->variant == 0 ? (GrB_Index)controls[below(d, sizeof controls / sizeof *controls)] : below(d, 2);
    s->scalar = random_unit(&d->stream);
    return true;
}

static bool draw_change(drawing *d, program_step *s)
{
    s->c = pick_any(d, chance(d, 0.5));
    s->seed = random_word(&d->stream);
    return s->c != NO_SLOT;
}

/* In place of an object, of the same shape. */
static bool draw_new(drawing *d)
{
    static const int formats[] = {GxB_FULL, GxB_BITMAP, GxB_SPARSE, GxB_HYPERSPARSE};
    int slot = pick_any(d, chance(d, 0.5));
    if (slot == NO_SLOT) {
        return false;
    }
    const slot_shape *shape = &d->slots[slot];
    int format = is_large(shape) ? GxB_SPARSE : formats[below(d, 4)];
    torc_drawing_new(d, slot, WORD(d, types), shape->nrows, shape->ncols, format);
    return true;
}

static bool draw_operands(drawing *d, program_step *s)
{
    switch (s->kind) {
    case STEP_MXM:
    case STEP_MXV:
    case STEP_VXM:
        return draw_product(d, s);
    case STEP_EWISE_ADD:
    case STEP_EWISE_MULT:
    case STEP_EWISE_UNION:
        return draw_ewise(d, s);
    case STEP_APPLY:
    case STEP_APPLY_FIRST:
    case STEP_APPLY_SECOND:
    case STEP_APPLY_INDEX:
    case STEP_SELECT:
        return draw_apply(d, s);
    case STEP_ASSIGN:
        return draw_assign(d, s);
    case STEP_ASSIGN_SCALAR:
        return draw_assign_scalar(d, s);
    case STEP_ASSIGN_LINE:
        return draw_assign_line(d, s);
    case STEP_EXTRACT:
        return draw_extract(d, s);
    case STEP_EXTRACT_LINE:
        return draw_extract_line(d, s);
    case STEP_TRANSPOSE:
        return draw_transpose(d, s);
    case STEP_REDUCE_LINES:
    case STEP_REDUCE_ALL:
        return draw_reduction(d, s);
    case STEP_SET_ELEMENT:
    case STEP_GET_ELEMENT:
        return draw_element(d, s);
    case STEP_SWAP:
        return draw_swap(d, s);
    case STEP_DUP:
    case STEP_SERIALIZE:
        return draw_copy(d, s);
    case STEP_DIAGONAL:
        return draw_diagonal(d, s);
    case STEP_RESIZE:
    case STEP_RESHAPE:
        return draw_reshaping(d, s);
    case STEP_SET_OPTION:
        return draw_option(d, s);
    case STEP_CLEAR:
    case STEP_EDIT:
    case STEP_REBUILD:
        return draw_change(d, s);
    default:
        return draw_look(d, s);
    }
}

bool torc_draw_random_step(drawing *d)
{
    program_step s = torc_blank_step(draw_kind(&d->stream));
    if (s.kind == STEP_NEW) {
        return draw_new(d);
    }
    bool fits = draw_operands(d, &s);
    if (fits) {
        torc_drawing_add(d, &s);
    }
    return fits;
}
