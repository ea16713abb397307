/* templates.c: loops as graph programs write them, with random sizes, types and monoids; each makes its
 * objects and leaves them to the steps that follow. A is the graph, A(0) of the slots. */
#include "draw.h"

enum { GRAPH = 0 };

static int vector_slot(int number)
{
    return MATRICES + number;
}

static bool chance(drawing *d, double probability)
{
    return random_chance(&d->stream, probability);
}

static program_operator op_of(const char *name, value_type type)
{
    return (program_operator){name, type};
}

static program_semiring semiring_of(const char *add, const char *multiply, value_type type)
{
    return (program_semiring){add, {multiply, type}, true};
}

/* Flags as in GrB_DESC_*: R, S, C, and 0 and 1 for transposed operands. */
static void set_descriptor(program_step *s, const char *flags)
{
    for (; *flags; flags++) {
        s->replace |= *flags == 'R';
        s->structure |= *flags == 'S';
        s->complement |= *flags == 'C';
        s->transpose_a |= *flags == '0';
        s->transpose_b |= *flags == '1';
    }
}

/* c<m> accum= kind (a, b); the caller names what remains. */
static program_step step_of(step_kind kind, int c, int m, int a, int b, const char *flags)
{
    program_step s = torc_blank_step(kind);
    s.c = c;
    s.m = m;
    s.a = a;
    s.b = b;
    set_descriptor(&s, flags);
    return s;
}

static void add_product(drawing *d, step_kind kind, int c, int m, const char *accum,
    program_semiring semiring, int a, int b, const char *flags)
{
    program_step s = step_of(kind, c, m, a, b, flags);
    s.semiring = semiring;
    s.accum = op_of(accum, semiring.multiply.type);
    s.has_gustavson = m != NO_SLOT;
    torc_drawing_add(d, &s);
}

static void add_ewise(drawing *d, step_kind kind, int c, int m, program_operator accum, program_operator op,
    int a, int b, const char *flags)
{
    program_step s = step_of(kind, c, m, a, b, flags);
    s.op = op;
    s.accum = accum;
    torc_drawing_add(d, &s);
}

static index_choice all_of(GrB_Index count)
{
    return (index_choice){.kind = LIST_ALL, .count = count, .bound = count, .stride = 1};
}

static void add_assign_scalar(
    drawing *d, int c, int m, program_operator accum, value_type type, double value, const char *flags)
{
    program_step s = step_of(STEP_ASSIGN_SCALAR, c, m, NO_SLOT, NO_SLOT, flags);
    s.accum = accum;
    s.scalar_type = type;
    s.scalar = value;
    s.rows = all_of(d->slots[c].nrows);
    s.cols = all_of(d->slots[c].ncols);
    torc_drawing_add(d, &s);
}

static void add_assign(drawing *d, int c, int m, program_operator accum, int a, const char *flags)
{
    program_step s = step_of(STEP_ASSIGN, c, m, a, NO_SLOT, flags);
    s.accum = accum;
    s.rows = all_of(d->slots[c].nrows);
    s.cols = all_of(d->slots[c].ncols);
    torc_drawing_add(d, &s);
}

static void add_reduce(drawing *d, int a, const char *monoid, value_type type)
{
    program_step s = step_of(STEP_REDUCE_ALL, NO_SLOT, NO_SLOT, a, NO_SLOT, "");
    s.op = op_of(monoid, type);
    s.scalar_type = type;
    torc_drawing_add(d, &s);
}

static void add_look(drawing *d, step_kind kind, int a)
{
    program_step s = step_of(kind, NO_SLOT, NO_SLOT, a, NO_SLOT, "");
    torc_drawing_add(d, &s);
}

static void add_swap(drawing *d, int a, int b)
{
    program_step s = step_of(STEP_SWAP, NO_SLOT, NO_SLOT, a, b, "");
    torc_drawing_add(d, &s);
}

static void add_element(drawing *d, int c, value_type type, double value, GrB_Index i, GrB_Index j)
{
    program_step s = step_of(STEP_SET_ELEMENT, c, NO_SLOT, NO_SLOT, NO_SLOT, "");
    s.scalar_type = type;
    s.scalar = value;
    s.i = i;
    s.j = j;
    torc_drawing_add(d, &s);
}

static void add_control(drawing *d, int c, int control)
{
    program_step s = step_of(STEP_SET_OPTION, c, NO_SLOT, NO_SLOT, NO_SLOT, "");
    s.i = (GrB_Index)control;
    torc_drawing_add(d, &s);
}

static void new_graph(drawing *d, value_type type)
{
    torc_drawing_new(d, GRAPH, type, d->n, d->n, GxB_SPARSE);
}

static int draw_rounds(drawing *d)
{
    return 1 + (int)random_below(&d->stream, 5);
}

static value_type draw_real(drawing *d)
{
    return chance(d, 0.3) ? VALUE_FP32 : VALUE_FP64;
}

static const program_operator nothing = {NULL, VALUE_BOOL};

/* t, r, w, degrees: as LAGraph's PageRank, of one vector. */
static void draw_pagerank(drawing *d)
{
    value_type type = draw_real(d);
    int t = vector_slot(0), r = vector_slot(1), w = vector_slot(2), degrees = vector_slot(3);
    int rounds = draw_rounds(d);
    new_graph(d, chance(d, 0.5) ? VALUE_BOOL : type);
    for (int i = 0; i < 4; i++) {
        torc_drawing_new(d, vector_slot(i), type, d->n, 1, GxB_FULL);
    }
    add_assign_scalar(d, degrees, NO_SLOT, nothing, type, 2, "");
    for (int i = 0; i < rounds; i++) {
        add_swap(d, t, r);
        add_ewise(d, STEP_EWISE_MULT, w, NO_SLOT, nothing, op_of("DIV", type), t, degrees, "");
        add_assign_scalar(d, r, NO_SLOT, nothing, type, 1, "");
        add_product(d, STEP_MXV, r, NO_SLOT, "PLUS", semiring_of("PLUS", "SECOND", type), GRAPH, w, "0");
        add_assign(d, t, NO_SLOT, op_of("MINUS", type), r, "");
        add_ewise(d, STEP_APPLY, t, NO_SLOT, nothing, op_of("ABS", type), t, NO_SLOT, "");
        add_reduce(d, t, "PLUS", type);
    }
}

/* The same from k vertices at once. */
static void draw_pagerank_of_many(drawing *d)
{
    value_type type = draw_real(d);
    int t = 1, r = 2, sums = vector_slot(0), rounds = draw_rounds(d);
    new_graph(d, chance(d, 0.5) ? VALUE_BOOL : type);
    torc_drawing_new(d, t, type, d->n, d->k, GxB_FULL);
    torc_drawing_new(d, r, type, d->n, d->k, GxB_FULL);
    torc_drawing_new(d, sums, type, d->k, 1, GxB_FULL);
    for (int i = 0; i < rounds; i++) {
        program_step damp = step_of(STEP_APPLY_SECOND, t, NO_SLOT, r, NO_SLOT, "");
        damp.op = op_of("TIMES", type);
        damp.scalar_type = type;
        damp.scalar = 0.5;
        torc_drawing_add(d, &damp);
        add_product(d, STEP_MXM, r, NO_SLOT, NULL, semiring_of("PLUS", "SECOND", type), GRAPH, t, "");
        program_step sum = step_of(STEP_REDUCE_LINES, sums, NO_SLOT, r, NO_SLOT, "0");
        sum.op = op_of("PLUS", type);
        torc_drawing_add(d, &sum);
        add_ewise(d, STEP_EWISE_ADD, r, NO_SLOT, nothing, op_of("PLUS", type), r, t, "");
        add_swap(d, t, r);
    }
}

/* q, pi (parents or marks), v (levels), pushed and pulled. */
static void draw_search(drawing *d)
{
    bool has_parents = chance(d, 0.5);
    value_type type = has_parents ? VALUE_INT64 : VALUE_BOOL;
    int q = vector_slot(0), pi = vector_slot(1), v = vector_slot(2), rounds = draw_rounds(d);
    GrB_Index source = (GrB_Index)random_below(&d->stream, (int64_t)d->n);
    new_graph(d, VALUE_BOOL);
    for (int i = 0; i < 3; i++) {
        torc_drawing_new(d, vector_slot(i), i == 2 ? VALUE_INT32 : type, d->n, 1, GxB_SPARSE);
        add_look(d, STEP_NVALS, vector_slot(i));
    }
    add_element(d, q, type, 1, source, 0);
    add_control(d, pi, GxB_BITMAP + GxB_FULL);
    add_element(d, pi, type, 1, source, 0);
    for (int level = 1; level <= rounds; level++) {
        bool is_push = chance(d, 0.5);
        program_semiring semiring = has_parents
                                        ? semiring_of("MIN", is_push ? "FIRSTJ" : "SECONDI", VALUE_INT64)
                                        : semiring_of("ANY", "ONEB", VALUE_BOOL);
        add_control(d, q, is_push ? GxB_SPARSE : GxB_BITMAP);
        add_product(d, is_push ? STEP_VXM : STEP_MXV, q, pi, NULL, semiring, is_push ? q : GRAPH,
            is_push ? GRAPH : q, is_push ? "RSC" : "RSC0");
        add_look(d, STEP_NVALS, q);
        add_assign(d, pi, q, nothing, q, "S");
        add_assign_scalar(d, v, q, nothing, VALUE_INT32, level, "S");
        if (chance(d, 0.4)) {
            add_reduce(d, v, "PLUS", VALUE_INT64);
        }
    }
}

/* From k sources; objects are k x n, by row. */
static void draw_search_of_many(drawing *d)
{
    bool has_parents = chance(d, 0.5);
    value_type type = has_parents ? VALUE_INT64 : VALUE_BOOL;
    int q = 1, pi = 2, v = 3, rounds = draw_rounds(d);
    new_graph(d, VALUE_BOOL);
    torc_drawing_new(d, q, type, d->k, d->n, GxB_SPARSE);
    torc_drawing_new(d, pi, type, d->k, d->n, GxB_HYPERSPARSE);
    torc_drawing_new(d, v, VALUE_INT32, d->k, d->n, GxB_HYPERSPARSE);
    for (GrB_Index s = 0; s < d->k && s < 8; s++) {
        add_element(d, q, type, 1, s, (GrB_Index)random_below(&d->stream, (int64_t)d->n));
    }
    for (int level = 1; level <= rounds; level++) {
        add_product(d, STEP_MXM, q, pi, NULL,
            has_parents ? semiring_of("MIN", "SECONDI", VALUE_INT64) : semiring_of("ANY", "ONEB", VALUE_BOOL),
            q, GRAPH, "RSC");
        add_look(d, STEP_NVALS, q);
        add_assign(d, pi, q, nothing, q, "S");
        add_assign_scalar(d, v, q, nothing, VALUE_INT32, level, "S");
    }
}

/* Forward with a pattern kept of each level, then backward over them. */
static void draw_betweenness(drawing *d)
{
    enum { FRONTIER = 1, PATHS, W, UPDATE, FIRST_LEVEL, MOST_LEVELS = 4 };
    value_type type = draw_real(d);
    program_semiring plus_first = semiring_of("PLUS", "FIRST", type);
    int rounds = draw_rounds(d), centrality = vector_slot(0);
    rounds = rounds > MOST_LEVELS ? MOST_LEVELS : rounds;
    new_graph(d, VALUE_BOOL);
    torc_drawing_new(d, FRONTIER, type, d->k, d->n, GxB_SPARSE);
    torc_drawing_new(d, PATHS, type, d->k, d->n, GxB_HYPERSPARSE);
    torc_drawing_new(d, W, type, d->k, d->n, GxB_HYPERSPARSE);
    torc_drawing_new(d, UPDATE, type, d->k, d->n, GxB_FULL);
    torc_drawing_new(d, centrality, type, d->n, 1, GxB_FULL);
    add_control(d, PATHS, GxB_BITMAP + GxB_FULL);
    for (int level = 0; level < rounds; level++) {
        bool is_push = chance(d, 0.5);
        torc_drawing_new(d, FIRST_LEVEL + level, VALUE_BOOL, d->k, d->n, GxB_HYPERSPARSE);
        add_assign(d, PATHS, NO_SLOT, op_of("PLUS", type), FRONTIER, "");
        add_ewise(
            d, STEP_APPLY, FIRST_LEVEL + level, NO_SLOT, nothing, op_of("ONE", type), FRONTIER, NO_SLOT, "");
        add_control(d, FRONTIER, is_push ? GxB_SPARSE : GxB_BITMAP);
        add_product(
            d, STEP_MXM, FRONTIER, PATHS, NULL, plus_first, FRONTIER, GRAPH, is_push ? "RSC" : "RSC1");
        add_look(d, STEP_NVALS, FRONTIER);
    }
    add_assign_scalar(d, UPDATE, NO_SLOT, nothing, type, 1, "");
    for (int level = rounds - 1; level > 0; level--) {
        add_ewise(
            d, STEP_EWISE_MULT, W, FIRST_LEVEL + level, nothing, op_of("TIMES", type), UPDATE, PATHS, "RS");
        add_product(d, STEP_MXM, W, FIRST_LEVEL + level - 1, NULL, plus_first, W, GRAPH, "RS1");
        add_ewise(
            d, STEP_EWISE_MULT, UPDATE, NO_SLOT, op_of("PLUS", type), op_of("TIMES", type), W, PATHS, "");
    }
    add_assign_scalar(d, centrality, NO_SLOT, nothing, type, -(double)d->k, "");
    program_step sum = step_of(STEP_REDUCE_LINES, centrality, NO_SLOT, UPDATE, NO_SLOT, "0");
    sum.op = sum.accum = op_of("PLUS", type);
    torc_drawing_add(d, &sum);
}

/* Components by FastSV, the array of parents going out and in again. */
static void draw_components(drawing *d)
{
    value_type type = chance(d, 0.5) ? VALUE_UINT32 : VALUE_UINT64;
    int parent = vector_slot(0), gp = vector_slot(1), least = vector_slot(2), next = vector_slot(3),
        same = vector_slot(4), rounds = draw_rounds(d);
    new_graph(d, chance(d, 0.5) ? VALUE_BOOL : type);
    for (int i = 0; i < 4; i++) {
        torc_drawing_new(d, vector_slot(i), type, d->n, 1, GxB_FULL);
    }
    torc_drawing_new(d, same, VALUE_BOOL, d->n, 1, GxB_FULL);
    program_step own = step_of(STEP_APPLY_INDEX, parent, NO_SLOT, parent, NO_SLOT, "");
    own.op = op_of("ROWINDEX", VALUE_INT64);
    own.scalar_type = VALUE_INT64;
    torc_drawing_add(d, &own);
    for (int i = 0; i < rounds; i++) {
        add_product(d, STEP_MXV, least, NO_SLOT, "MIN", semiring_of("MIN", "SECOND", type), GRAPH, gp, "");
        add_ewise(d, STEP_EWISE_ADD, parent, NO_SLOT, op_of("MIN", type), op_of("MIN", type), least, gp, "");
        program_step rebuild = step_of(STEP_REBUILD, parent, NO_SLOT, NO_SLOT, NO_SLOT, "");
        torc_drawing_add(d, &rebuild);
        program_step gather = step_of(STEP_EXTRACT, next, NO_SLOT, parent, NO_SLOT, "");
        gather.rows = (index_choice){LIST_ANY, (GrB_Index)random_below(&d->stream, (int64_t)d->n),
            1 + (GrB_Index)random_below(&d->stream, (int64_t)d->n), d->n, d->n};
        torc_drawing_add(d, &gather);
        add_ewise(d, STEP_EWISE_MULT, same, NO_SLOT, nothing, op_of("EQ", type), next, gp, "");
        add_reduce(d, same, "LAND", VALUE_BOOL);
        add_swap(d, gp, next);
    }
}

/* H = relu (A (H W)), two layers or more; labels by the largest. */
static void draw_neural_network(drawing *d)
{
    value_type type = draw_real(d);
    int H = 1, T = 2, W = 3, label = vector_slot(0), layers = 1 + (int)random_below(&d->stream, 3);
    new_graph(d, type);
    torc_drawing_new(d, H, type, d->n, d->k, GxB_FULL);
    torc_drawing_new(d, T, type, d->n, d->k, GxB_FULL);
    torc_drawing_new(d, W, type, d->k, d->k, GxB_FULL);
    torc_drawing_new(d, label, type, d->n, 1, GxB_FULL);
    for (int i = 0; i < layers; i++) {
        add_product(d, STEP_MXM, T, NO_SLOT, NULL, semiring_of("PLUS", "TIMES", type), H, W, "");
        add_product(d, STEP_MXM, H, NO_SLOT, NULL, semiring_of("PLUS", "TIMES", type), GRAPH, T, "");
        program_step relu = step_of(STEP_APPLY_SECOND, H, NO_SLOT, H, NO_SLOT, "");
        relu.op = op_of("MAX", type);
        relu.scalar_type = type;
        torc_drawing_add(d, &relu);
    }
    program_step best = step_of(STEP_REDUCE_LINES, label, NO_SLOT, H, NO_SLOT, "");
    best.op = op_of("MAX", type);
    torc_drawing_add(d, &best);
}

/* Distances from k sources, until nothing changes. */
static void draw_paths(drawing *d)
{
    value_type type = chance(d, 0.5) ? VALUE_FP64 : VALUE_INT32;
    int now = 1, before = 2, differs = 3, rounds = draw_rounds(d);
    new_graph(d, type);
    torc_drawing_new(d, now, type, d->n, d->k, GxB_FULL);
    torc_drawing_new(d, differs, VALUE_BOOL, d->n, d->k, GxB_FULL);
    for (int i = 0; i < rounds; i++) {
        program_step keep = step_of(STEP_DUP, before, NO_SLOT, now, NO_SLOT, "");
        torc_drawing_add(d, &keep);
        add_product(d, STEP_MXM, now, NO_SLOT, "MIN", semiring_of("MIN", "PLUS", type), GRAPH, before, "0");
        add_ewise(d, STEP_EWISE_MULT, differs, NO_SLOT, nothing, op_of("NE", type), now, before, "");
        add_reduce(d, differs, "LOR", VALUE_BOOL);
    }
}

void torc_draw_template(drawing *d)
{
    static void (*const templates[])(drawing *) = {draw_pagerank, draw_pagerank_of_many, draw_search,
        draw_search_of_many, draw_betweenness, draw_components, draw_neural_network, draw_paths};
    templates[random_below(&d->stream, sizeof templates / sizeof *templates)](d);
}
