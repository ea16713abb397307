/* draw.c: see program.h and draw.h: the objects that a program begins with, then loops and single steps. */
#include "pick.h"
#include <math.h>
#include <string.h>

enum { SHARED_SEED_SHIFT = 16 };

const char *torc_step_name(step_kind kind)
{
    static const char *const names[] = {
#define X(kind, run) #run,
        STEP_MAP(X)
#undef X
    };
    return names[kind];
}

program_step torc_blank_step(step_kind kind)
{
    return (program_step){.kind = kind, .c = NO_SLOT, .m = NO_SLOT, .a = NO_SLOT, .b = NO_SLOT};
}

static void note_slots(drawing *d, const program_step *s)
{
    slot_shape *c = s->c == NO_SLOT ? NULL : &d->slots[s->c];
    if (s->kind == STEP_NEW) {
        *c = (slot_shape){true, s->recipe.type, s->recipe.nrows, s->recipe.ncols};
    } else if (s->kind == STEP_SWAP) {
        slot_shape a = d->slots[s->a];
        d->slots[s->a] = d->slots[s->b];
        d->slots[s->b] = a;
    } else if (s->kind == STEP_DUP || s->kind == STEP_SERIALIZE || s->kind == STEP_IMPORT ||
               s->kind == STEP_CONTAIN) {
        *c = d->slots[s->a];
    } else if (s->kind == STEP_DIAGONAL && step_makes_c(s)) {
        GrB_Index n = d->slots[s->a].nrows + (GrB_Index)fabs(s->scalar);
        *c = (slot_shape){true, d->slots[s->a].type, n, n};
    } else if (s->kind == STEP_KRONECKER || s->kind == STEP_CONCAT || s->kind == STEP_SPLIT) {
        value_type type = s->kind == STEP_KRONECKER ? s->scalar_type : d->slots[s->a].type;
        *c = (slot_shape){true, type, s->i, s->j};
    } else if (s->kind == STEP_TUPLE_VECTORS) {
        c->type = d->slots[s->a].type;
        d->slots[s->b].type = VALUE_UINT32;
    } else if ((s->kind == STEP_RESIZE && s->variant == 0) || s->kind == STEP_RESHAPE) {
        c->nrows = s->i;
        c->ncols = s->j;
    }
}

void torc_drawing_add(drawing *d, const program_step *step)
{
    if (d->program->nsteps < MAX_STEPS) {
        d->program->steps[d->program->nsteps++] = *step;
        note_slots(d, step);
        d->last = step->c == NO_SLOT ? d->last : step->c;
    }
}

void torc_drawing_new(drawing *d, int slot, value_type type, GrB_Index nrows, GrB_Index ncols, int format)
{
    program_step s = torc_blank_step(STEP_NEW);
    bool is_sparse = format == GxB_SPARSE || format == GxB_HYPERSPARSE;
    s.c = slot;
    s.recipe = (object_recipe){.seed = random_word(&d->stream),
        .nrows = nrows,
        .ncols = ncols,
        .type = type,
        .style = d->style,
        .is_grained = d->is_grained,
        .format = format,
        .by_col = !is_vector_slot(slot) && random_chance(&d->stream, 0.3),
        .iso = random_chance(&d->stream, 0.15),
        .is_copied = random_chance(&d->stream, 0.7),
        .degree = 1 + (GrB_Index)random_below(&d->stream, is_sparse ? 6 : 8),
        .npending =
            type != VALUE_UDT && random_chance(&d->stream, 0.15) ? (int)random_below(&d->stream, 8) : 0,
        .control = random_chance(&d->stream, 0.1) ? format : 0};
    torc_drawing_add(d, &s);
}

static int draw_format(drawing *d)
{
    static const int formats[] = {
        GxB_FULL, GxB_FULL, GxB_FULL, GxB_BITMAP, GxB_BITMAP, GxB_SPARSE, GxB_SPARSE, GxB_HYPERSPARSE};
    return formats[random_below(&d->stream, sizeof formats / sizeof *formats)];
}

value_type torc_draw_type(drawing *d)
{
    if (d->words.has_paths && random_chance(&d->stream, 0.6)) {
        return VALUE_UDT;
    }
    return random_chance(&d->stream, 0.05) ? (value_type)random_below(&d->stream, VALUE_TYPE_COUNT)
                                           : d->words.types[random_below(&d->stream, WORDS)];
}

/* Some programs have objects of at least 1 MiB, which come from torc's arena. */
static void draw_dimensions(drawing *d)
{
    double kind = random_unit(&d->stream);
    if (kind < 0.82) {
        d->n = 1 + (GrB_Index)random_below(&d->stream, kind < 0.6 ? 40 : 300);
        d->k = 1 + (GrB_Index)random_below(&d->stream, 20);
    } else if (kind < 0.92) {
        d->n = 500 + (GrB_Index)random_below(&d->stream, 1500);
        d->k = 1 + (GrB_Index)random_below(&d->stream, 30);
    } else if (kind < 0.97) {
        d->n = 1000 + (GrB_Index)random_below(&d->stream, 500);
        d->k = 150 + (GrB_Index)random_below(&d->stream, 60);
    } else {
        d->n = 140000 + (GrB_Index)random_below(&d->stream, 80000);
        d->k = 1 + (GrB_Index)random_below(&d->stream, 2);
    }
    if (random_chance(&d->stream, 0.1)) {
        d->k = d->n > 300 ? d->k : d->n;
    }
}

static void draw_first_objects(drawing *d)
{
    const struct {
        GrB_Index nrows, ncols;
        bool is_sparse;
    } shapes[] = {{d->n, d->n, true}, {d->n, d->k, false}, {d->n, d->k, false}, {d->n, d->k, false},
        {d->k, d->n, false}, {d->k, d->k, false}, {d->k, d->n, false}};
    for (int i = 0; i < (int)(sizeof shapes / sizeof *shapes); i++) {
        int format = shapes[i].is_sparse ? GxB_SPARSE : draw_format(d);
        torc_drawing_new(d, i, torc_draw_type(d), shapes[i].nrows, shapes[i].ncols, format);
    }
    for (int i = 0; i < 6; i++) {
        torc_drawing_new(d, MATRICES + i, torc_draw_type(d), i < 4 ? d->n : d->k, 1, draw_format(d));
    }
}

void torc_program_draw(program *p, uint64_t seed)
{
    drawing d = {.program = p, .stream = seed, .last = NO_SLOT};
    uint64_t shared = ~(seed >> SHARED_SEED_SHIFT);
    memset(p, 0, sizeof *p);
    p->seed = seed;
    torc_vocabulary_draw(&d.words, &shared);
    double kind = random_unit(&d.stream);
    p->is_exact = kind < 0.85;
    d.style = p->is_exact ? STYLE_EXACT : kind < 0.95 ? STYLE_WIDE : STYLE_SPECIAL;
    d.is_grained = p->is_exact && random_chance(&d.stream, 0.5);
    draw_dimensions(&d);
    if (random_chance(&d.stream, 0.3)) {
        torc_draw_template(&d);
    } else {
        draw_first_objects(&d);
    }
    if (torc_has_step(STEP_SET_INTEGER) && random_chance(&d.stream, 0.5)) {
        torc_draw_waiting_controls(&d);
    }
    int wanted = p->nsteps + 5 + (int)random_below(&d.stream, 56);
    for (int tries = 0; p->nsteps < wanted && p->nsteps < MAX_STEPS && tries < 1000; tries++) {
        torc_draw_random_step(&d);
    }
}
