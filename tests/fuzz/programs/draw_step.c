/* draw_step.c: one random step whose operands fit, nearly always. */
#include "pick.h"

/* No sorts: 7.4.0 reads and writes beyond the arrays of what it sorts where that is one value or a bitmap. */
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
    [STEP_REMOVE_ELEMENT] = 1,
    [STEP_IMPORT] = 2,
    [STEP_TUPLES] = 3,
    [STEP_SET_GLOBAL] = 1,
    [STEP_KRONECKER] = 1,
    [STEP_CONCAT] = 1,
    [STEP_SPLIT] = 1,
    [STEP_PRINT] = 1,
    [STEP_READ] = 4,
    [STEP_SET_INTEGER] = 6,
    [STEP_EXPLAIN] = 2,
    [STEP_TUPLE_VECTORS] = 4,
    [STEP_CONTAIN] = 4,
    [STEP_RELOAD] = 2,
};

static int weight_of(int kind)
{
    return torc_has_step((step_kind)kind) ? weights[kind] : 0;
}

static step_kind draw_kind(uint64_t *stream)
{
    int64_t sum = 0, at;
    for (int kind = 0; kind < STEP_KINDS; kind++) {
        sum += weight_of(kind);
    }
    at = random_below(stream, sum);
    int kind = 0;
    while (at >= weight_of(kind)) {
        at -= weight_of(kind++);
    }
    return (step_kind)kind;
}

/* 7.4.0 may abort where an element of a matrix is removed. */
static bool draw_element(drawing *d, program_step *s)
{
    int slot = torc_pick_any(d, s->kind == STEP_REMOVE_ELEMENT || torc_chance(d, 0.5));
    *(s->kind == STEP_GET_ELEMENT ? &s->a : &s->c) = slot;
    if (slot == NO_SLOT) {
        return false;
    }
    bool is_outside = torc_chance(d, 0.03);
    s->i = torc_below(d, d->slots[slot].nrows) + (is_outside ? d->slots[slot].nrows : 0);
    s->j = torc_below(d, d->slots[slot].ncols);
    s->variant = torc_chance(d, 0.3) ? 1 : s->kind == STEP_GET_ELEMENT && torc_chance(d, 0.2) ? 2 : 0;
    torc_draw_scalar(d, s);
    s->scalar_type = d->slots[slot].type == VALUE_UDT ? VALUE_UDT : s->scalar_type;
    s->lacks_value = s->lacks_value && is_vector_slot(slot);
    return true;
}

/* Steps that look at one object. */
static bool draw_look(drawing *d, program_step *s)
{
    s->a = torc_pick_any(d, torc_chance(d, 0.5));
    if (s->kind == STEP_READ) {
        s->variant = (int)torc_below(d, READ_WAYS);
        s->variant = s->variant == READ_FORK && torc_chance(d, 0.7) ? READ_TUPLES : s->variant;
    } else if (s->kind == STEP_PRINT) {
        s->variant = (int)torc_below(d, 3);
    } else {
        s->variant = torc_chance(d, 0.3);
    }
    return s->a != NO_SLOT;
}

/* Two that have the same shape, so that what fitted still does; of any types. */
static bool draw_swap(drawing *d, program_step *s)
{
    bool is_vector = torc_chance(d, 0.5);
    s->a = torc_pick_any(d, is_vector);
    if (s->a == NO_SLOT) {
        return false;
    }
    s->b = torc_pick(d, is_vector, d->slots[s->a].nrows, d->slots[s->a].ncols);
    return s->b != NO_SLOT && s->a != s->b;
}

static bool draw_copy(drawing *d, program_step *s)
{
    s->a = torc_pick_last(d);
    s->c = is_vector_slot(s->a) ? MATRICES + (int)torc_below(d, VECTORS) : (int)torc_below(d, MATRICES);
    return s->a != NO_SLOT && s->a != s->c;
}

static GrB_Index least_of(GrB_Index x, GrB_Index y)
{
    return x < y ? x : y;
}

/* Below or above the main one. */
static void draw_side(drawing *d, program_step *s, GrB_Index below, GrB_Index above)
{
    s->scalar_type = VALUE_INT64;
    s->scalar = torc_chance(d, 0.5) ? (double)above : -(double)below;
}

/* Of a matrix into a vector. */
static bool draw_diagonal_of(drawing *d, program_step *s)
{
    s->a = torc_pick_any(d, false);
    if (s->a == NO_SLOT) {
        return false;
    }
    const slot_shape *a = &d->slots[s->a];
    if (torc_chance(d, 0.5)) {
        draw_side(d, s, torc_below(d, a->nrows), torc_below(d, a->ncols));
    }
    GrB_Index above = s->scalar > 0 ? (GrB_Index)s->scalar : 0;
    GrB_Index below = s->scalar < 0 ? (GrB_Index)-s->scalar : 0;
    s->c = torc_pick(d, true, least_of(a->nrows - below, a->ncols - above), 1);
    return s->c != NO_SLOT;
}

/* Of a vector into a matrix; into one that is there it goes as far from the main one as there is room. */
static bool draw_diagonal_matrix(drawing *d, program_step *s)
{
    s->a = torc_pick_any(d, true);
    s->variant = torc_chance(d, 0.5);
    s->c = s->variant == 1 ? torc_pick_any(d, false) : (int)torc_below(d, MATRICES);
    if (s->a == NO_SLOT || s->c == NO_SLOT) {
        return false;
    }
    GrB_Index length = d->slots[s->a].nrows, n = d->slots[s->c].nrows;
    if (s->variant == 1 && n >= length) {
        draw_side(d, s, n - length, n - length);
    } else if (s->variant == 0 && length < 1000 && torc_chance(d, 0.5)) {
        draw_side(d, s, torc_below(d, 20), torc_below(d, 20));
    }
    return true;
}

static bool draw_import(drawing *d, program_step *s)
{
    s->a = torc_pick_any(d, torc_chance(d, 0.3));
    if (s->a == NO_SLOT) {
        return false;
    }
    s->variant = is_vector_slot(s->a) ? 4 : (int)torc_below(d, 5);
    s->c = s->variant == 4 ? s->a : (int)torc_below(d, MATRICES);
    return s->variant == 4 || s->c != s->a;
}

static bool draw_tuples(drawing *d, program_step *s)
{
    s->a = torc_pick_any(d, torc_chance(d, 0.5));
    s->variant = torc_chance(d, 0.05);
    s->scalar_type = s->a != NO_SLOT && d->slots[s->a].type == VALUE_UDT ? VALUE_UDT : WORD(d, types);
    return s->a != NO_SLOT;
}

static bool draw_global(drawing *d, program_step *s)
{
    s->variant = (int)torc_below(d, 3);
    s->i = torc_below(d, 2);
    s->scalar = random_unit(&d->stream);
    return true;
}

/* C becomes a new matrix. */
static bool draw_pair(drawing *d, program_step *s)
{
    s->a = torc_pick_any(d, false);
    s->b = torc_pick_any(d, false);
    s->c = (int)torc_below(d, MATRICES);
    if (s->a == NO_SLOT || s->b == NO_SLOT || s->c == s->a || s->c == s->b) {
        return false;
    }
    const slot_shape *a = &d->slots[s->a], *b = &d->slots[s->b];
    s->variant = torc_chance(d, 0.5);
    if (s->kind == STEP_KRONECKER) {
        s->transpose_a = torc_chance(d, 0.2);
        s->transpose_b = torc_chance(d, 0.2);
        s->op = WORD(d, binary);
        s->scalar_type = WORD(d, types); /* C's */
        s->i = (s->transpose_a ? a->ncols : a->nrows) * (s->transpose_b ? b->ncols : b->nrows);
        s->j = (s->transpose_a ? a->nrows : a->ncols) * (s->transpose_b ? b->nrows : b->ncols);
    } else {
        s->i = s->variant ? a->nrows : a->nrows + b->nrows;
        s->j = s->variant ? a->ncols + b->ncols : a->ncols;
        if (s->variant ? a->nrows != b->nrows : a->ncols != b->ncols) {
            return false;
        }
    }
    return (double)s->i * (double)s->j < 40000;
}

/* C becomes the first rows of A, or in variant 1 its last columns. */
static bool draw_split(drawing *d, program_step *s)
{
    s->a = torc_pick_any(d, false);
    s->c = (int)torc_below(d, MATRICES);
    if (s->a == NO_SLOT || s->a == s->c || torc_is_large(&d->slots[s->a])) {
        return false;
    }
    const slot_shape *a = &d->slots[s->a];
    s->variant = torc_chance(d, 0.5);
    s->i = s->variant ? a->nrows : 1 + torc_below(d, a->nrows);
    s->j = s->variant ? 1 + torc_below(d, a->ncols) : a->ncols;
    return true;
}

static bool draw_reshaping(drawing *d, program_step *s)
{
    s->c = torc_pick_any(d, s->kind == STEP_RESIZE && torc_chance(d, 0.5));
    if (s->c == NO_SLOT || torc_is_large(&d->slots[s->c])) {
        return false;
    }
    const slot_shape *c = &d->slots[s->c];
    if (s->kind == STEP_RESHAPE) { /* to a transposed shape, so that it fits others */
        s->i = c->ncols;
        s->j = c->nrows;
        s->variant = torc_chance(d, 0.5);
        return !is_vector_slot(s->c);
    }
    s->i = 1 + torc_below(d, c->nrows + c->nrows / 4 + 1);
    s->j = is_vector_slot(s->c) ? 1 : 1 + torc_below(d, c->ncols + c->ncols / 4 + 1);
    s->variant = torc_chance(d, 0.85);
    return true;
}

static bool draw_option(drawing *d, program_step *s)
{
    static const int controls[] = {1, 2, 4, 8, 12, 15, 15, 6, 3};
    s->c = torc_pick_last(d);
    s->variant = (int)torc_below(d, 4);
    if (s->c == NO_SLOT || (s->variant == 0 && torc_is_large(&d->slots[s->c]))) {
        return false;
    }
    s->i = s->variant == 0 ? (GrB_Index)controls[torc_below(d, sizeof controls / sizeof *controls)]
                           : torc_below(d, 2);
    s->scalar = random_unit(&d->stream);
    return true;
}

static bool draw_change(drawing *d, program_step *s)
{
    s->c = torc_pick_any(d, torc_chance(d, 0.5));
    s->seed = random_word(&d->stream);
    if (s->kind == STEP_REBUILD && torc_chance(d, 0.5)) {
        s->variant = 1;
        s->op = WORD(d, accums);
    }
    return s->c != NO_SLOT;
}

/* In place of an object, of the same shape. */
static bool draw_new(drawing *d)
{
    static const int formats[] = {GxB_FULL, GxB_BITMAP, GxB_SPARSE, GxB_HYPERSPARSE};
    int slot = torc_pick_any(d, torc_chance(d, 0.5));
    if (slot == NO_SLOT) {
        return false;
    }
    const slot_shape *shape = &d->slots[slot];
    int format = torc_is_large(shape) ? GxB_SPARSE : formats[torc_below(d, 4)];
    torc_drawing_new(d, slot, torc_draw_type(d), shape->nrows, shape->ncols, format);
    return true;
}

static bool draw_operands(drawing *d, program_step *s)
{
    switch (s->kind) {
    case STEP_MXM:
    case STEP_MXV:
    case STEP_VXM:
        return torc_draw_product(d, s);
    case STEP_EWISE_ADD:
    case STEP_EWISE_MULT:
    case STEP_EWISE_UNION:
        return torc_draw_ewise(d, s);
    case STEP_APPLY:
    case STEP_APPLY_FIRST:
    case STEP_APPLY_SECOND:
    case STEP_APPLY_INDEX:
    case STEP_SELECT:
        return torc_draw_apply(d, s);
    case STEP_ASSIGN:
        return torc_draw_assign(d, s);
    case STEP_ASSIGN_SCALAR:
        return torc_draw_assign_scalar(d, s);
    case STEP_ASSIGN_LINE:
        return torc_draw_assign_line(d, s);
    case STEP_EXTRACT:
        return torc_draw_extract(d, s);
    case STEP_EXTRACT_LINE:
        return torc_draw_extract_line(d, s);
    case STEP_TRANSPOSE:
        return torc_draw_transpose(d, s);
    case STEP_REDUCE_LINES:
    case STEP_REDUCE_ALL:
        return torc_draw_reduction(d, s);
    case STEP_SET_ELEMENT:
    case STEP_GET_ELEMENT:
    case STEP_REMOVE_ELEMENT:
        return draw_element(d, s);
    case STEP_SWAP:
        return draw_swap(d, s);
    case STEP_DUP:
    case STEP_SERIALIZE:
        return draw_copy(d, s);
    case STEP_DIAGONAL:
        return torc_chance(d, 0.5) ? draw_diagonal_of(d, s) : draw_diagonal_matrix(d, s);
    case STEP_IMPORT:
        return draw_import(d, s);
    case STEP_TUPLES:
        return draw_tuples(d, s);
    case STEP_SET_GLOBAL:
        return draw_global(d, s);
    case STEP_KRONECKER:
    case STEP_CONCAT:
        return draw_pair(d, s);
    case STEP_SPLIT:
        return draw_split(d, s);
    case STEP_RESIZE:
    case STEP_RESHAPE:
        return draw_reshaping(d, s);
    case STEP_SET_OPTION:
        return draw_option(d, s);
    case STEP_CLEAR:
    case STEP_EDIT:
    case STEP_REBUILD:
        return draw_change(d, s);
    case STEP_SET_INTEGER:
    case STEP_EXPLAIN:
    case STEP_TUPLE_VECTORS:
    case STEP_CONTAIN:
    case STEP_RELOAD:
        return torc_draw_later(d, s);
    default:
        return draw_look(d, s);
    }
}

bool torc_draw_random_step(drawing *d)
{
    return torc_draw_step_of(d, draw_kind(&d->stream));
}

bool torc_draw_step_of(drawing *d, step_kind kind)
{
    program_step s = torc_blank_step(kind);
    if (s.kind == STEP_NEW) {
        return draw_new(d);
    }
    bool fits = draw_operands(d, &s);
    bool is_part = kind == STEP_ASSIGN || kind == STEP_EXTRACT;
    s.has_index_vectors = is_part && torc_has_step(STEP_CONTAIN) && torc_chance(d, 0.4);
    if (fits) {
        torc_drawing_add(d, &s);
    }
    return fits;
}
