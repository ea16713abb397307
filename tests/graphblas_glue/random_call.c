/* random_call.c: see random_call.h.
 *
 * What SuiteSparse:GraphBLAS 7.4.0 itself does wrong is kept out here, each where it says "7.4.0". */
#include "random_call.h"
#include "require.h"
#include <stdio.h>
#include <string.h>

enum {
    MAX_WORK = 400000,   /* multiplications of a call, where the sparse operand can be thinned */
    MAX_CELLS = 2000000, /* m·k·n */
    SHORT_VECTOR = 32,   /* of C */
};

/* Two streams of choices. What decides which kernel runs (semiring, types, formats, the width of C) is drawn
 * from `shared`, the same for all seeds that differ in their low bits alone, since a kernel takes as long to
 * compile as some hundred calls to make; all else from `own`. */
typedef struct choices {
    uint64_t shared, own;
} choices;

typedef struct shape {
    int64_t m, k, n;
} shape;

static int64_t *largest(shape *s)
{
    int64_t *most = s->m > s->n ? &s->m : &s->n;
    return *most > s->k ? most : &s->k;
}

/* Which of A and B are sparse, and which dense. */
typedef enum operand_sides { SIDES_SPARSE_DENSE, SIDES_DENSE_SPARSE, SIDES_ANY } operand_sides;

static operand_sides draw_sides(uint64_t *stream)
{
    double kind = random_unit(stream);
    return kind < 0.375 ? SIDES_SPARSE_DENSE : kind < 0.75 ? SIDES_DENSE_SPARSE : SIDES_ANY;
}

static shape draw_any_shape(uint64_t *stream)
{
    shape s = {1 + random_below(stream, 20), 1 + random_below(stream, 20), 1 + random_below(stream, 20)};
    double kind = random_unit(stream);
    if (kind < 0.19) {
        s.m = 1 + random_below(stream, 300);
        s.k = 1 + random_below(stream, 300);
        s.n = 1 + random_below(stream, 300);
    } else if (kind < 0.20) { /* longer ones */
        s.k = 5000 + random_below(stream, 2500);
        s.m = 1 + random_below(stream, 8);
    } else if (kind < 0.28) { /* rows of several segments */
        s.k = 600 + random_below(stream, 2400);
    } else if (kind < 0.31) {
        s.m = 600 + random_below(stream, 2400);
    } else if (kind < 0.34) {
        s.n = 600 + random_below(stream, 2400);
    } else if (kind < 0.40) {
        s.m = random_below(stream, 3);
        s.k = 1 + random_below(stream, 3);
        s.n = 1 + random_below(stream, 3);
    } else if (kind < 0.42) {
        *(random_chance(stream, 0.5) ? &s.k : &s.n) = 0;
    }
    return s;
}

/* The width of the dense operand is shared, the other dimensions are not. */
static shape draw_shape(operand_sides sides, choices *draws)
{
    shape s = draw_any_shape(&draws->own), wide = draw_any_shape(&draws->shared);
    bool is_square = random_chance(&draws->shared, 0.15);
    *(sides == SIDES_DENSE_SPARSE ? &s.m : &s.n) = sides == SIDES_DENSE_SPARSE ? wide.m : wide.n;
    if (is_square) { /* so that operands may be the same object */
        int64_t size = sides == SIDES_DENSE_SPARSE ? s.m : s.n;
        s.m = s.k = s.n = size > 120 ? 120 : size;
    }
    while (s.m * s.k * s.n > MAX_CELLS) {
        *largest(&s) /= 2;
    }
    return s;
}

/* One dimension that 32 bits do not hold, or just hold. */
static void make_huge(shape *s, uint64_t *stream)
{
    static const int64_t dimensions[] = {INT32_MAX, (int64_t)INT32_MAX + 1, UINT32_MAX,
        (int64_t)UINT32_MAX + 1, ((int64_t)1 << 40) + 3, (int64_t)1 << 60};
    int64_t *const dimension[] = {&s->m, &s->n, &s->k};
    *s = (shape){1 + random_below(stream, 8), 1 + random_below(stream, 8), 1 + random_below(stream, 8)};
    *dimension[random_below(stream, 3)] =
        dimensions[random_below(stream, sizeof dimensions / sizeof *dimensions)];
}

bool torc_random_call_is_huge(const random_call *call)
{
    return torc_random_matrix_is_huge(&call->recipes[OPERAND_A]) ||
           torc_random_matrix_is_huge(&call->recipes[OPERAND_B]);
}

static value_type draw_type(value_type preferred, double preference, uint64_t *stream)
{
    if (random_chance(stream, preference)) {
        return preferred;
    }
    int64_t count = random_chance(stream, 0.7) ? (int64_t)TORC_TYPE_COUNT : (int64_t)VALUE_TYPE_COUNT;
    return (value_type)random_below(stream, count);
}

static int draw_format(uint64_t *stream)
{
    static const int formats[] = {GxB_HYPERSPARSE, GxB_SPARSE, GxB_BITMAP, GxB_FULL};
    return formats[random_below(stream, 4)];
}

/* Everything but shape and type. */
static void draw_state(matrix_recipe *recipe, choices *draws)
{
    static const double densities[] = {0, 0.02, 0.1, 0.3, 0.7, 1, 1};
    uint64_t *stream = &draws->own;
    recipe->seed = random_word(stream);
    recipe->format = draw_format(&draws->shared);
    recipe->by_col = random_chance(stream, 0.4);
    recipe->iso = random_chance(&draws->shared, 0.25);
    recipe->is_jumbled = random_chance(stream, 0.2);
    recipe->density = densities[random_below(stream, sizeof densities / sizeof *densities)];
    recipe->empty_vectors = random_chance(stream, 0.5) ? 0 : random_chance(stream, 0.5) ? 0.3 : 0.95;
    recipe->has_complete_vector = random_chance(stream, 0.2);
    recipe->npending = random_chance(stream, 0.2) ? (int)random_below(stream, 8) : 0;
    if (random_chance(stream, 0.25)) {
        recipe->control = recipe->format;
    }
}

static void make_sparse(matrix_recipe *recipe, uint64_t *stream)
{
    recipe->format = random_chance(stream, 0.4) ? GxB_HYPERSPARSE : GxB_SPARSE;
    recipe->control = recipe->control ? recipe->format : 0;
}

static void make_dense(matrix_recipe *recipe, choices *draws)
{
    recipe->format = random_chance(&draws->shared, 0.4) ? GxB_BITMAP : GxB_FULL;
    recipe->control = recipe->control ? recipe->format : 0;
    bool is_complete = recipe->format == GxB_FULL || random_chance(&draws->shared, 0.3);
    recipe->density = is_complete ? 1 : random_unit(&draws->own);
    recipe->empty_vectors = 0;
}

/* Hypersparse; 7.4.0 walks through whatever else is that large, and through a hypersparse one that it has to
 * look at the other way round. */
static void fit_to_size(matrix_recipe *recipe, bool by_col)
{
    if (torc_random_matrix_is_huge(recipe)) {
        recipe->format = GxB_HYPERSPARSE;
        recipe->control = recipe->control ? GxB_HYPERSPARSE : 0;
        recipe->by_col = by_col;
        recipe->has_switches = recipe->is_jumbled = false;
    }
}

static void draw_inputs(
    random_call *call, const shape *s, operand_sides sides, value_style style, choices *draws)
{
    matrix_recipe *A = &call->recipes[OPERAND_A], *B = &call->recipes[OPERAND_B];
    bool ta = call->transpose_a, tb = call->transpose_b;
    value_type type = call->semiring.type;
    *A = (matrix_recipe){.nrows = (GrB_Index)(ta ? s->k : s->m), .ncols = (GrB_Index)(ta ? s->m : s->k)};
    *B = (matrix_recipe){.nrows = (GrB_Index)(tb ? s->n : s->k), .ncols = (GrB_Index)(tb ? s->k : s->n)};
    for (int i = OPERAND_A; i <= OPERAND_B; i++) {
        matrix_recipe *recipe = &call->recipes[i];
        recipe->type = draw_type(type, 0.7, &draws->shared);
        recipe->style = style;
        draw_state(recipe, draws);
    }
    if (sides != SIDES_ANY) {
        make_sparse(sides == SIDES_SPARSE_DENSE ? A : B, &draws->own);
        make_dense(sides == SIDES_SPARSE_DENSE ? B : A, draws);
    }
    double cells = (double)s->m * (double)s->k * (double)s->n;
    for (int i = OPERAND_A; i <= OPERAND_B; i++) {
        if (call->recipes[i].density * cells > MAX_WORK) {
            call->recipes[i].density = call->recipes[i].format == GxB_BITMAP ? 1 : MAX_WORK / cells;
        }
    }
    fit_to_size(A, ta);
    fit_to_size(B, !tb);
    if (s->k == 0) { /* 7.4.0 makes a full T of two iso operands with no inner dimension, or hangs */
        A->iso = false;
    }
}

static const char *const accum_names[] = {"PLUS", "MINUS", "MIN", "MAX", "FIRST", "SECOND", "TIMES", "RMINUS",
    "DIV", "RDIV", "ISEQ", "ISNE", "ISGT", "ISLT", "ISGE", "ISLE", "EQ", "NE", "GT", "LE", "LOR", "LAND",
    "LXOR", "LXNOR", "BOR", "BAND", "BXOR", "BXNOR", "BSHIFT", "ONEB", "FIRSTI", "SECONDJ1"};
enum { LIPSCHITZ_ACCUMS = 6, ACCUMS = sizeof accum_names / sizeof *accum_names };

/* Positional ones are errors. None that tells 0 from -0, either of which is the least of the two; complex
 * quotients are computed in several ways, and products of values that are not small integers too. */
static bool is_accum(const char *name, value_type type)
{
    bool is_complex = type >= VALUE_FC32, is_floating = is_complex || torc_value_is_real(type);
    bool is_quotient = strcmp(name, "DIV") == 0, is_inverse = strcmp(name, "RDIV") == 0;
    bool is_excluded =
        (is_floating && is_quotient) || (is_complex && (is_inverse || strcmp(name, "TIMES") == 0));
    return !is_excluded && torc_graphblas_has_operator(name, torc_value_type_name(type));
}

/* Where sums may be rounded differently, so that accumulator and cast do not magnify the difference: an
 * operator that moves by no more than its argument, on floating point. */
static void draw_accum(random_call *call, bool is_inexact, uint64_t *stream)
{
    bool is_narrow = random_chance(stream, 0.5);
    const char *name;
    call->accum_type =
        is_inexact ? (is_narrow ? VALUE_FP32 : VALUE_FP64) : draw_type(call->semiring.type, 0.6, stream);
    do {
        name = accum_names[random_below(stream, is_inexact ? LIPSCHITZ_ACCUMS : ACCUMS)];
    } while (!is_accum(name, call->accum_type));
    const char *type = torc_value_type_name(call->accum_type);
    call->accum = torc_graphblas_operator(name, type);
    snprintf(call->accum_name, sizeof call->accum_name, "%s_%s", name, type);
}

static bool is_any_product(const random_semiring *semiring)
{
    return semiring->is_known && semiring->known.add == TORC_ANY_MONOID &&
           semiring->known.multiply != TORC_PAIR;
}

static bool is_real_sum(const random_semiring *semiring)
{
    return semiring->is_known && semiring->known.add == TORC_PLUS_MONOID &&
           torc_value_is_real(semiring->type);
}

static bool is_quotient(const random_semiring *semiring)
{
    return semiring->known.multiply == TORC_DIV || semiring->known.multiply == TORC_RDIV;
}

/* A sum or product that is exact of small integers only, and a product of a few. */
static bool is_product_of_floats(const random_semiring *semiring)
{
    return semiring->is_known && semiring->known.add == TORC_TIMES_MONOID && semiring->type >= VALUE_FP32;
}

static bool is_complex_sum(const random_semiring *semiring)
{
    return semiring->is_known && semiring->known.add == TORC_PLUS_MONOID && semiring->type >= VALUE_FC32;
}

static bool is_real_extremum(const random_semiring *semiring)
{
    return semiring->is_known && torc_value_is_real(semiring->type) &&
           (semiring->known.add == TORC_MIN_MONOID || semiring->known.add == TORC_MAX_MONOID);
}

/* Is the tolerance kept with C of that type? */
static bool type_fits_c(const random_call *call, value_type type)
{
    switch (call->tolerance) {
    case TOLERANCE_SUM:
        return torc_value_is_real(type);
    case TOLERANCE_ANY: /* torc_cast serves to compare */
        return type < (value_type)TORC_TYPE_COUNT;
    case TOLERANCE_LONE_NAN:
        return type == call->semiring.type;
    default:
        return true;
    }
}

/* Values, accumulator, and with them the tolerance. */
static value_style draw_arithmetic(random_call *call, uint64_t *stream)
{
    double kind = random_unit(stream);
    value_style style = kind < 0.45 ? STYLE_EXACT : kind < 0.8 ? STYLE_WIDE : STYLE_SPECIAL;
    if (!call->semiring.is_known || is_product_of_floats(&call->semiring) ||
        is_complex_sum(&call->semiring)) {
        style = STYLE_EXACT; /* SuiteSparse sums in an order of its own, each time the same or not */
    }
    bool has_accum = random_chance(stream, 0.35);
    if (is_any_product(&call->semiring)) {
        call->tolerance = TOLERANCE_ANY;
        has_accum = false;
    } else if (is_real_sum(&call->semiring) && (style != STYLE_EXACT || is_quotient(&call->semiring))) {
        call->tolerance = TOLERANCE_SUM;
    } else if (is_real_extremum(&call->semiring) && style == STYLE_SPECIAL) {
        call->tolerance = TOLERANCE_LONE_NAN;
        has_accum = false;
    }
    if (has_accum) {
        draw_accum(call, call->tolerance == TOLERANCE_SUM, stream);
    }
    return style;
}

static void draw_output(random_call *call, const shape *s, value_style style, choices *draws)
{
    uint64_t *stream = &draws->own;
    matrix_recipe *C = &call->recipes[OPERAND_C];
    *C = (matrix_recipe){.nrows = (GrB_Index)s->m, .ncols = (GrB_Index)s->n};
    do {
        C->type = draw_type(call->semiring.type, 0.6, &draws->shared);
    } while (!type_fits_c(call, C->type));
    draw_state(C, draws);
    /* 7.4.0, C += A*B in place: a NaN of C where there is no product becomes the identity of min or max. */
    C->style = style == STYLE_SPECIAL && call->accum ? STYLE_WIDE : style;
    C->density = random_chance(&draws->shared, 0.4) ? 0 : C->density;
    C->has_switches = random_chance(stream, 0.15);
    if (random_chance(stream, 0.3)) {
        C->control = 1 + (int)random_below(stream, GxB_AUTO_SPARSITY);
    }
    fit_to_size(C, C->by_col);
}

static void draw_mask(random_call *call, const shape *s, choices *draws)
{
    uint64_t *stream = &draws->own;
    matrix_recipe *M = &call->recipes[OPERAND_M];
    *M = (matrix_recipe){.nrows = (GrB_Index)s->m, .ncols = (GrB_Index)s->n};
    M->type = (value_type)random_below(stream, VALUE_TYPE_COUNT);
    M->style = random_chance(stream, 0.6) ? STYLE_EXACT : STYLE_SPECIAL; /* with explicit zeros */
    draw_state(M, draws);
}

static void draw_modifiers(random_call *call, uint64_t *stream)
{
    call->transpose_a = random_chance(stream, 0.35);
    call->transpose_b = random_chance(stream, 0.35);
    call->has_replace = random_chance(stream, 0.3);
    call->has_structure = random_chance(stream, 0.4);
    call->has_complement = random_chance(stream, call->has_mask ? 0.4 : 0.03);
}

/* The program's own: 7.4.0, where it hashes with a mask, may look for a place in a full table for ever (seen
 * at 113 rows, with no inner dimension). It hashes only where the vectors of C are long, and not at all in
 * Gustavson's method. */
static void make_own_descriptor(random_call *call, bool avoids_hashing)
{
    GrB_Info info = GrB_Descriptor_new(&call->own_desc);
    const struct {
        bool is_set;
        GrB_Desc_Field field;
        GrB_Desc_Value value;
    } settings[] = {
        {call->has_replace, GrB_OUTP, GrB_REPLACE},
        {call->has_structure, GrB_MASK, GrB_STRUCTURE},
        {call->has_complement, GrB_MASK, GrB_COMP},
        {call->transpose_a, GrB_INP0, GrB_TRAN},
        {call->transpose_b, GrB_INP1, GrB_TRAN},
        {avoids_hashing, (GrB_Desc_Field)GxB_AxB_METHOD, (GrB_Desc_Value)GxB_AxB_GUSTAVSON},
    };
    for (size_t i = 0; i < sizeof settings / sizeof *settings && info == GrB_SUCCESS; i++) {
        info = settings[i].is_set ? GxB_Desc_set(call->own_desc, settings[i].field, settings[i].value)
                                  : GrB_SUCCESS;
    }
    TORC_REQUIRE(info == GrB_SUCCESS);
    call->desc = call->own_desc;
}

void torc_random_call_set_descriptor(random_call *call)
{
    const matrix_recipe *C = &call->recipes[OPERAND_C];
    GrB_Descriptor_free(&call->own_desc);
    call->desc = NULL;
    snprintf(call->desc_name, sizeof call->desc_name, "GrB_DESC_%s%s%s%s%s", call->has_replace ? "R" : "",
        call->has_structure ? "S" : "", call->has_complement ? "C" : "", call->transpose_a ? "T0" : "",
        call->transpose_b ? "T1" : "");
    bool avoids_hashing = call->has_mask && (C->nrows > SHORT_VECTOR || C->ncols > SHORT_VECTOR);
    if (avoids_hashing || call->has_own_desc) {
        make_own_descriptor(call, avoids_hashing);
    } else if (strcmp(call->desc_name, "GrB_DESC_") != 0) {
        call->desc = torc_graphblas_handle(call->desc_name);
    }
}

static bool is_same_shape(const random_call *call, int x, int y)
{
    const matrix_recipe *X = &call->recipes[x], *Y = &call->recipes[y];
    return X->nrows == Y->nrows && X->ncols == Y->ncols;
}

static void alias(random_call *call, int operand, int same_as)
{
    const matrix_recipe *target = &call->recipes[same_as];
    bool is_c = operand == OPERAND_C;
    bool keeps_7_4_quirk_out = !is_c || !call->accum || target->style != STYLE_SPECIAL;
    if (is_same_shape(call, operand, same_as) && (!is_c || type_fits_c(call, target->type)) &&
        keeps_7_4_quirk_out) {
        call->same_as[operand] = same_as;
    }
}

/* B = A, then C and the mask to be one of what is there. */
static void draw_aliases(random_call *call, uint64_t *stream)
{
    for (int i = 0; i < OPERAND_COUNT; i++) {
        call->same_as[i] = i;
    }
    if (random_chance(stream, 0.1)) {
        alias(call, OPERAND_B, OPERAND_A);
    }
    if (random_chance(stream, 0.4)) {
        alias(call, OPERAND_C, call->same_as[random_chance(stream, 0.5) ? OPERAND_A : OPERAND_B]);
    }
    if (random_chance(stream, 0.25)) {
        alias(call, OPERAND_M, call->same_as[random_chance(stream, 0.5) ? OPERAND_C : OPERAND_A]);
    }
}

/* 7.4.0 dies of an accumulator where there is nothing; and of one with a sparse mask, where T is full and its
 * vectors are more than 32 times longer than the mask's. */
static void avoid_crash(random_call *call, const shape *s)
{
    if (s->m == 0 || s->k == 0 || s->n == 0) {
        call->accum = NULL;
    }
    bool is_short = s->m <= 32 && s->n <= 32;
    if (call->has_mask && call->accum && !call->has_complement && !call->has_replace && !is_short) {
        matrix_recipe *M = &call->recipes[OPERAND_M];
        call->same_as[OPERAND_M] = OPERAND_M;
        M->format = GxB_BITMAP;
        M->control = GxB_BITMAP;
    }
}

/* Where answers are compared without looking at products; and without what avoid_crash is there for. */
static bool can_be_huge(const random_call *call, value_style style)
{
    bool is_positional = call->semiring.is_known && torc_semiring_traits(call->semiring.known).is_positional;
    return call->tolerance == TOLERANCE_NONE && style == STYLE_EXACT && !call->has_mask && !is_positional;
}

/* Operands that do not fit: an error, which is to be GraphBLAS's own. */
static void spoil(random_call *call, uint64_t *stream)
{
    int operand = (int)random_below(stream, OPERAND_COUNT);
    if (call->same_as[operand] == operand && !torc_random_matrix_is_huge(&call->recipes[operand])) {
        call->recipes[operand].nrows++;
    }
}

void torc_random_call_draw(random_call *call, uint64_t seed)
{
    choices draws = {.shared = ~(seed >> RANDOM_SHARED_SHIFT), .own = seed};
    *call = (random_call){.seed = seed};
    torc_random_semiring_draw(&call->semiring, &draws.shared);
    call->has_mask = random_chance(&draws.shared, 0.4);
    draw_modifiers(call, &draws.own);
    value_style style = draw_arithmetic(call, &draws.shared);
    operand_sides sides = draw_sides(&draws.shared);
    shape s = draw_shape(sides, &draws);
    if (is_product_of_floats(&call->semiring)) { /* exact of few */
        s.k = s.k > 4 ? 4 : s.k;
    } else if (can_be_huge(call, style) && random_chance(&draws.own, 0.03)) {
        make_huge(&s, &draws.own);
    }
    draw_inputs(call, &s, sides, style, &draws);
    draw_output(call, &s, style, &draws);
    call->has_own_desc = random_chance(&draws.own, 0.1);
    torc_random_call_set_descriptor(call);
    draw_mask(call, &s, &draws);
    draw_aliases(call, &draws.own);
    avoid_crash(call, &s);
    if (random_chance(&draws.own, 0.02)) {
        spoil(call, &draws.own);
    }
}

void torc_random_call_free(random_call *call)
{
    GrB_Descriptor_free(&call->own_desc);
    torc_random_semiring_free(&call->semiring);
}
