/* templates.c: loops as graph programs write them, with random sizes, types and monoids; each makes its
 * objects and leaves them to the steps that follow. A is the graph, A(0) of the slots. */
#include "loop_steps.h"

enum { GRAPH = 0 };

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
    return torc_chance(d, 0.3) ? VALUE_FP32 : VALUE_FP64;
}

static const program_operator nothing = {NULL, VALUE_BOOL};

/* t, r, w, degrees: as LAGraph's PageRank, of one vector. */
static void draw_pagerank(drawing *d)
{
    value_type type = draw_real(d);
    int t = torc_vector_slot(0), r = torc_vector_slot(1), w = torc_vector_slot(2),
        degrees = torc_vector_slot(3);
    int rounds = draw_rounds(d);
    new_graph(d, torc_chance(d, 0.5) ? VALUE_BOOL : type);
    for (int i = 0; i < 4; i++) {
        torc_drawing_new(d, torc_vector_slot(i), type, d->n, 1, GxB_FULL);
    }
    torc_add_assign_scalar(d, degrees, NO_SLOT, nothing, type, 2, "");
    for (int i = 0; i < rounds; i++) {
        torc_add_swap(d, t, r);
        torc_add_ewise(d, STEP_EWISE_MULT, w, NO_SLOT, nothing, torc_op_of("DIV", type), t, degrees, "");
        torc_add_assign_scalar(d, r, NO_SLOT, nothing, type, 1, "");
        torc_add_product(
            d, STEP_MXV, r, NO_SLOT, "PLUS", torc_semiring_of("PLUS", "SECOND", type), GRAPH, w, "0");
        torc_add_assign(d, t, NO_SLOT, torc_op_of("MINUS", type), r, "");
        torc_add_ewise(d, STEP_APPLY, t, NO_SLOT, nothing, torc_op_of("ABS", type), t, NO_SLOT, "");
        torc_add_reduce(d, t, "PLUS", type);
    }
}

/* The same from k vertices at once. */
static void draw_pagerank_of_many(drawing *d)
{
    value_type type = draw_real(d);
    int t = 1, r = 2, sums = torc_vector_slot(0), rounds = draw_rounds(d);
    new_graph(d, torc_chance(d, 0.5) ? VALUE_BOOL : type);
    torc_drawing_new(d, t, type, d->n, d->k, GxB_FULL);
    torc_drawing_new(d, r, type, d->n, d->k, GxB_FULL);
    torc_drawing_new(d, sums, type, d->k, 1, GxB_FULL);
    for (int i = 0; i < rounds; i++) {
        program_step damp = torc_step_of(STEP_APPLY_SECOND, t, NO_SLOT, r, NO_SLOT, "");
        damp.op = torc_op_of("TIMES", type);
        damp.scalar_type = type;
        damp.scalar = 0.5;
        torc_drawing_add(d, &damp);
        torc_add_product(
            d, STEP_MXM, r, NO_SLOT, NULL, torc_semiring_of("PLUS", "SECOND", type), GRAPH, t, "");
        program_step sum = torc_step_of(STEP_REDUCE_LINES, sums, NO_SLOT, r, NO_SLOT, "0");
        sum.op = torc_op_of("PLUS", type);
        torc_drawing_add(d, &sum);
        torc_add_ewise(d, STEP_EWISE_ADD, r, NO_SLOT, nothing, torc_op_of("PLUS", type), r, t, "");
        torc_add_swap(d, t, r);
    }
}

/* q, pi (parents or marks), v (levels), pushed and pulled. */
static void draw_search(drawing *d)
{
    bool has_parents = torc_chance(d, 0.5);
    value_type type = has_parents ? VALUE_INT64 : VALUE_BOOL;
    int q = torc_vector_slot(0), pi = torc_vector_slot(1), v = torc_vector_slot(2), rounds = draw_rounds(d);
    GrB_Index source = (GrB_Index)random_below(&d->stream, (int64_t)d->n);
    new_graph(d, VALUE_BOOL);
    for (int i = 0; i < 3; i++) {
        torc_drawing_new(d, torc_vector_slot(i), i == 2 ? VALUE_INT32 : type, d->n, 1, GxB_SPARSE);
        torc_add_look(d, STEP_NVALS, torc_vector_slot(i));
    }
    torc_add_element(d, q, type, 1, source, 0);
    torc_add_control(d, pi, GxB_BITMAP + GxB_FULL);
    torc_add_element(d, pi, type, 1, source, 0);
    for (int level = 1; level <= rounds; level++) {
        bool is_push = torc_chance(d, 0.5);
        program_semiring semiring = has_parents
                                        ? torc_semiring_of("MIN", is_push ? "FIRSTJ" : "SECONDI", VALUE_INT64)
                                        : torc_semiring_of("ANY", "ONEB", VALUE_BOOL);
        torc_add_control(d, q, is_push ? GxB_SPARSE : GxB_BITMAP);
        torc_add_product(d, is_push ? STEP_VXM : STEP_MXV, q, pi, NULL, semiring, is_push ? q : GRAPH,
            is_push ? GRAPH : q, is_push ? "RSC" : "RSC0");
        torc_add_look(d, STEP_NVALS, q);
        torc_add_assign(d, pi, q, nothing, q, "S");
        torc_add_assign_scalar(d, v, q, nothing, VALUE_INT32, level, "S");
        if (torc_chance(d, 0.4)) {
            torc_add_reduce(d, v, "PLUS", VALUE_INT64);
        }
    }
}

/* From k sources; objects are k x n, by row. */
static void draw_search_of_many(drawing *d)
{
    bool has_parents = torc_chance(d, 0.5);
    value_type type = has_parents ? VALUE_INT64 : VALUE_BOOL;
    int q = 1, pi = 2, v = 3, rounds = draw_rounds(d);
    new_graph(d, VALUE_BOOL);
    torc_drawing_new(d, q, type, d->k, d->n, GxB_SPARSE);
    torc_drawing_new(d, pi, type, d->k, d->n, GxB_HYPERSPARSE);
    torc_drawing_new(d, v, VALUE_INT32, d->k, d->n, GxB_HYPERSPARSE);
    for (GrB_Index s = 0; s < d->k && s < 8; s++) {
        torc_add_element(d, q, type, 1, s, (GrB_Index)random_below(&d->stream, (int64_t)d->n));
    }
    for (int level = 1; level <= rounds; level++) {
        torc_add_product(d, STEP_MXM, q, pi, NULL,
            has_parents ? torc_semiring_of("MIN", "SECONDI", VALUE_INT64)
                        : torc_semiring_of("ANY", "ONEB", VALUE_BOOL),
            q, GRAPH, "RSC");
        torc_add_look(d, STEP_NVALS, q);
        torc_add_assign(d, pi, q, nothing, q, "S");
        torc_add_assign_scalar(d, v, q, nothing, VALUE_INT32, level, "S");
    }
}

/* Forward with a pattern kept of each level, then backward over them. */
static void draw_betweenness(drawing *d)
{
    enum { FRONTIER = 1, PATHS, W, UPDATE, FIRST_LEVEL, MOST_LEVELS = 4 };
    value_type type = draw_real(d);
    program_semiring plus_first = torc_semiring_of("PLUS", "FIRST", type);
    int rounds = draw_rounds(d), centrality = torc_vector_slot(0);
    rounds = rounds > MOST_LEVELS ? MOST_LEVELS : rounds;
    new_graph(d, VALUE_BOOL);
    torc_drawing_new(d, FRONTIER, type, d->k, d->n, GxB_SPARSE);
    torc_drawing_new(d, PATHS, type, d->k, d->n, GxB_HYPERSPARSE);
    torc_drawing_new(d, W, type, d->k, d->n, GxB_HYPERSPARSE);
    torc_drawing_new(d, UPDATE, type, d->k, d->n, GxB_FULL);
    torc_drawing_new(d, centrality, type, d->n, 1, GxB_FULL);
    torc_add_control(d, PATHS, GxB_BITMAP + GxB_FULL);
    for (int level = 0; level < rounds; level++) {
        bool is_push = torc_chance(d, 0.5);
        torc_drawing_new(d, FIRST_LEVEL + level, VALUE_BOOL, d->k, d->n, GxB_HYPERSPARSE);
        torc_add_assign(d, PATHS, NO_SLOT, torc_op_of("PLUS", type), FRONTIER, "");
        torc_add_ewise(d, STEP_APPLY, FIRST_LEVEL + level, NO_SLOT, nothing, torc_op_of("ONE", type),
            FRONTIER, NO_SLOT, "");
        torc_add_control(d, FRONTIER, is_push ? GxB_SPARSE : GxB_BITMAP);
        torc_add_product(
            d, STEP_MXM, FRONTIER, PATHS, NULL, plus_first, FRONTIER, GRAPH, is_push ? "RSC" : "RSC1");
        torc_add_look(d, STEP_NVALS, FRONTIER);
    }
    torc_add_assign_scalar(d, UPDATE, NO_SLOT, nothing, type, 1, "");
    for (int level = rounds - 1; level > 0; level--) {
        torc_add_ewise(d, STEP_EWISE_MULT, W, FIRST_LEVEL + level, nothing, torc_op_of("TIMES", type), UPDATE,
            PATHS, "RS");
        torc_add_product(d, STEP_MXM, W, FIRST_LEVEL + level - 1, NULL, plus_first, W, GRAPH, "RS1");
        torc_add_ewise(d, STEP_EWISE_MULT, UPDATE, NO_SLOT, torc_op_of("PLUS", type),
            torc_op_of("TIMES", type), W, PATHS, "");
    }
    torc_add_assign_scalar(d, centrality, NO_SLOT, nothing, type, -(double)d->k, "");
    program_step sum = torc_step_of(STEP_REDUCE_LINES, centrality, NO_SLOT, UPDATE, NO_SLOT, "0");
    sum.op = sum.accum = torc_op_of("PLUS", type);
    torc_drawing_add(d, &sum);
}

/* Components by FastSV, the array of parents going out and in again. */
static void draw_components(drawing *d)
{
    value_type type = torc_chance(d, 0.5) ? VALUE_UINT32 : VALUE_UINT64;
    int parent = torc_vector_slot(0), gp = torc_vector_slot(1), least = torc_vector_slot(2),
        next = torc_vector_slot(3), same = torc_vector_slot(4), rounds = draw_rounds(d);
    new_graph(d, torc_chance(d, 0.5) ? VALUE_BOOL : type);
    for (int i = 0; i < 4; i++) {
        torc_drawing_new(d, torc_vector_slot(i), type, d->n, 1, GxB_FULL);
    }
    torc_drawing_new(d, same, VALUE_BOOL, d->n, 1, GxB_FULL);
    program_step own = torc_step_of(STEP_APPLY_INDEX, parent, NO_SLOT, parent, NO_SLOT, "");
    own.op = torc_op_of("ROWINDEX", VALUE_INT64);
    own.scalar_type = VALUE_INT64;
    torc_drawing_add(d, &own);
    for (int i = 0; i < rounds; i++) {
        torc_add_product(
            d, STEP_MXV, least, NO_SLOT, "MIN", torc_semiring_of("MIN", "SECOND", type), GRAPH, gp, "");
        torc_add_ewise(d, STEP_EWISE_ADD, parent, NO_SLOT, torc_op_of("MIN", type), torc_op_of("MIN", type),
            least, gp, "");
        program_step rebuild = torc_step_of(STEP_REBUILD, parent, NO_SLOT, NO_SLOT, NO_SLOT, "");
        torc_drawing_add(d, &rebuild);
        program_step gather = torc_step_of(STEP_EXTRACT, next, NO_SLOT, parent, NO_SLOT, "");
        gather.rows = (index_choice){LIST_ANY, (GrB_Index)random_below(&d->stream, (int64_t)d->n),
            1 + (GrB_Index)random_below(&d->stream, (int64_t)d->n), d->n, d->n};
        torc_drawing_add(d, &gather);
        torc_add_ewise(d, STEP_EWISE_MULT, same, NO_SLOT, nothing, torc_op_of("EQ", type), next, gp, "");
        torc_add_reduce(d, same, "LAND", VALUE_BOOL);
        torc_add_swap(d, gp, next);
    }
}

/* H = relu (A (H W)), two layers or more; labels by the largest. */
static void draw_neural_network(drawing *d)
{
    value_type type = draw_real(d);
    int H = 1, T = 2, W = 3, label = torc_vector_slot(0), layers = 1 + (int)random_below(&d->stream, 3);
    new_graph(d, type);
    torc_drawing_new(d, H, type, d->n, d->k, GxB_FULL);
    torc_drawing_new(d, T, type, d->n, d->k, GxB_FULL);
    torc_drawing_new(d, W, type, d->k, d->k, GxB_FULL);
    torc_drawing_new(d, label, type, d->n, 1, GxB_FULL);
    for (int i = 0; i < layers; i++) {
        torc_add_product(d, STEP_MXM, T, NO_SLOT, NULL, torc_semiring_of("PLUS", "TIMES", type), H, W, "");
        torc_add_product(
            d, STEP_MXM, H, NO_SLOT, NULL, torc_semiring_of("PLUS", "TIMES", type), GRAPH, T, "");
        program_step relu = torc_step_of(STEP_APPLY_SECOND, H, NO_SLOT, H, NO_SLOT, "");
        relu.op = torc_op_of("MAX", type);
        relu.scalar_type = type;
        torc_drawing_add(d, &relu);
    }
    program_step best = torc_step_of(STEP_REDUCE_LINES, label, NO_SLOT, H, NO_SLOT, "");
    best.op = torc_op_of("MAX", type);
    torc_drawing_add(d, &best);
}

/* Distances from k sources, until nothing changes. */
static void draw_paths(drawing *d)
{
    value_type type = torc_chance(d, 0.5) ? VALUE_FP64 : VALUE_INT32;
    int now = 1, before = 2, differs = 3, rounds = draw_rounds(d);
    new_graph(d, type);
    torc_drawing_new(d, now, type, d->n, d->k, GxB_FULL);
    torc_drawing_new(d, differs, VALUE_BOOL, d->n, d->k, GxB_FULL);
    for (int i = 0; i < rounds; i++) {
        program_step keep = torc_step_of(STEP_DUP, before, NO_SLOT, now, NO_SLOT, "");
        torc_drawing_add(d, &keep);
        torc_add_product(
            d, STEP_MXM, now, NO_SLOT, "MIN", torc_semiring_of("MIN", "PLUS", type), GRAPH, before, "0");
        torc_add_ewise(
            d, STEP_EWISE_MULT, differs, NO_SLOT, nothing, torc_op_of("NE", type), now, before, "");
        torc_add_reduce(d, differs, "LOR", VALUE_BOOL);
    }
}

void torc_draw_template(drawing *d)
{
    static void (*const templates[])(drawing *) = {draw_pagerank, draw_pagerank_of_many, draw_search,
        draw_search_of_many, draw_betweenness, draw_components, draw_neural_network, draw_paths};
    templates[random_below(&d->stream, sizeof templates / sizeof *templates)](d);
}
