/* test_parts.c: parts of random matrices and vectors, read and written by torc and by GraphBLAS: the same
 * entries with the same values. Shapes are small and ugly; most operands are dense, since torc takes no
 * others.
 *
 * Left out, since SuiteSparse crashes: sparse masks with an accumulator. */
#include "entries.h"
#include "glue_fixture.h"
#include "operations.h"
#include "operator_handles.h"
#include "random_matrix.h"
#include <stdlib.h>

TestSuite(parts, .init = torc_glue_start, .fini = torc_glue_finish);

enum { CASES = 4000, MOST = 20 };

/* ---- Index lists -------------------------------------------------------------------------------------- */

typedef struct index_case {
    GrB_Index list[MOST];
    bool is_all;
    GrB_Index given; /* the number that GraphBLAS is given: a count, or what marks a range */
    GrB_Index count; /* of what they name */
} index_case;

static torc_indices indices_of(const index_case *c)
{
    return (torc_indices){c->is_all ? GrB_ALL : c->list, c->given, false};
}

static void shuffle(uint64_t *seed, GrB_Index *list, GrB_Index count)
{
    for (GrB_Index k = count; k > 1; k--) {
        GrB_Index other = (GrB_Index)random_below(seed, (int64_t)k), last = list[k - 1];
        list[k - 1] = list[other];
        list[other] = last;
    }
}

static void draw_range(index_case *c, uint64_t *seed, GrB_Index length)
{
    GrB_Index x = (GrB_Index)random_below(seed, (int64_t)length);
    GrB_Index y = (GrB_Index)random_below(seed, (int64_t)length), low = x < y ? x : y, high = x < y ? y : x;
    GrB_Index kind = (GrB_Index)random_below(seed, 3), step = kind == 0 ? 1 : 1 + (x + y) % 4;
    c->list[GxB_BEGIN] = kind == 2 ? high : low;
    c->list[GxB_END] = kind == 2 ? low : high;
    c->list[GxB_INC] = step;
    c->given = kind == 0 ? GxB_RANGE : kind == 1 ? GxB_STRIDE : GxB_BACKWARDS;
    c->count = (high - low) / step + 1;
}

/* Of `length` rows or columns; repeats only where they may. */
static void draw_indices(index_case *c, uint64_t *seed, GrB_Index length, bool may_repeat)
{
    *c = (index_case){.is_all = false};
    int64_t kind = random_below(seed, 4);
    if (kind == 0) {
        c->is_all = true;
        c->given = c->count = length;
    } else if (kind == 1) {
        draw_range(c, seed, length);
    } else {
        bool repeats = may_repeat && random_below(seed, 2);
        for (GrB_Index k = 0; k < length; k++) {
            c->list[k] = repeats ? (GrB_Index)random_below(seed, (int64_t)length) : k;
        }
        shuffle(seed, c->list, repeats ? 0 : length);
        c->count = c->given = 1 + (GrB_Index)random_below(seed, (int64_t)length);
    }
}

/* ---- Operands ----------------------------------------------------------------------------------------- */

static value_type random_type(uint64_t *seed)
{
    return (value_type)random_below(seed, VALUE_FP64 + 1);
}

static GrB_Matrix random_operand(
    uint64_t *seed, GrB_Index nrows, GrB_Index ncols, value_type type, bool is_vector, bool is_mask)
{
    int64_t format = random_below(seed, is_mask ? 3 : 2);
    return torc_random_matrix(&(matrix_recipe){
        .seed = random_word(seed),
        .nrows = nrows,
        .ncols = ncols,
        .type = type,
        .style = is_mask ? STYLE_EXACT : STYLE_SPECIAL,
        .format = format == 0   ? GxB_FULL
                  : format == 1 ? GxB_BITMAP
                                : GxB_SPARSE,
        .by_col = is_vector || random_below(seed, 2),
        .iso = random_below(seed, 6) == 0,
        .density = is_mask ? 0.5 : 0.8,
        .empty_vectors = 0.05,
    });
}

typedef struct part_case {
    uint64_t seed;
    bool is_vector, is_subassign, transposes;
    GrB_Matrix C, expected, mask, A;
    GrB_BinaryOp accum;
    GrB_Descriptor desc;
    index_case rows, columns;
} part_case;

/* Of a type that every operator exists on. */
static GrB_BinaryOp random_accum(uint64_t *seed, value_type type)
{
    static const torc_multiply all[] = {TORC_PLUS, TORC_MINUS, TORC_MIN, TORC_SECOND, TORC_FIRST, TORC_TIMES};
    return random_below(seed, 2) ? NULL : binary_handle(all[random_below(seed, 6)], (torc_type)type);
}

static void draw_modifiers(part_case *c, uint64_t *seed, GrB_Index mask_rows, GrB_Index mask_columns)
{
    value_type c_type = VALUE_BOOL;
    GrB_Type handle;
    cr_assert_eq(GxB_Matrix_type(&handle, c->C), GrB_SUCCESS);
    while (torc_value_handle(c_type) != handle) {
        c_type++;
    }
    cr_assert_eq(GrB_Descriptor_new(&c->desc), GrB_SUCCESS);
    c->accum = random_accum(seed, c_type);
    if (c->transposes) {
        GrB_Descriptor_set(c->desc, GrB_INP0, GrB_TRAN);
    }
    if (random_below(seed, 2)) {
        value_type type = random_below(seed, 2) ? VALUE_BOOL : VALUE_INT32;
        c->mask = random_operand(seed, mask_rows, mask_columns, type, c->is_vector, !c->accum);
        int64_t flags = random_below(seed, 8);
        int field = (flags & 1 ? GrB_COMP : 0) + (flags & 2 ? GrB_STRUCTURE : 0);
        if (field) {
            GrB_Descriptor_set(c->desc, GrB_MASK, (GrB_Desc_Value)field);
        }
        if (flags & 4) {
            GrB_Descriptor_set(c->desc, GrB_OUTP, GrB_REPLACE);
        }
    }
}

static void finish_case(part_case *c)
{
    GrB_Matrix_free(&c->C);
    GrB_Matrix_free(&c->expected);
    GrB_Matrix_free(&c->mask);
    GrB_Matrix_free(&c->A);
    GrB_Descriptor_free(&c->desc);
}

static void expect_same(const part_case *c)
{
    entries expected = torc_entries_of(c->expected), found = torc_entries_of(c->C);
    value_type type = VALUE_BOOL;
    while (torc_value_handle(type) != expected.type) {
        type++;
    }
    cr_assert(expected.nvals == found.nvals, "seed %lu: %lu entries, GraphBLAS has %lu", c->seed, found.nvals,
        expected.nvals);
    cr_assert(memcmp(expected.idx, found.idx, expected.nvals * sizeof *found.idx) == 0 &&
                  memcmp(expected.ptr, found.ptr, (expected.nlisted + 1) * sizeof *found.ptr) == 0,
        "seed %lu: other entries", c->seed);
    for (GrB_Index k = 0; k < expected.nvals; k++) {
        const char *x = (const char *)expected.values + k * expected.value_size;
        const char *y = (const char *)found.values + k * found.value_size;
        cr_assert(torc_value_equal(type, x, y), "seed %lu: value %lu is %g, GraphBLAS has %g", c->seed, k,
            torc_value_as_double(type, y), torc_value_as_double(type, x));
    }
    torc_entries_free(&expected);
    torc_entries_free(&found);
}

static torc_indices columns_of(const part_case *c)
{
    return c->is_vector ? (torc_indices){NULL, 1, true} : indices_of(&c->columns);
}

/* ---- Reading ------------------------------------------------------------------------------------------ */

static part_case draw_extraction(uint64_t first_seed)
{
    uint64_t stream = first_seed, *seed = &stream;
    part_case c = {.seed = first_seed, .is_vector = random_below(seed, 2)};
    GrB_Index nrows = 1 + (GrB_Index)random_below(seed, MOST);
    GrB_Index ncols = c.is_vector ? 1 : 1 + (GrB_Index)random_below(seed, MOST);
    c.transposes = !c.is_vector && random_below(seed, 3) == 0;
    draw_indices(&c.rows, seed, nrows, true);
    draw_indices(&c.columns, seed, ncols, true);
    GrB_Index m = c.rows.count, n = c.is_vector ? 1 : c.columns.count;
    c.A = random_operand(seed, c.transposes ? ncols : nrows, c.transposes ? nrows : ncols, random_type(seed),
        c.is_vector, false);
    c.C = random_operand(seed, m, n, random_type(seed), c.is_vector, false);
    draw_modifiers(&c, seed, m, n);
    cr_assert_eq(GrB_Matrix_dup(&c.expected, c.C), GrB_SUCCESS);
    return c;
}

Test(parts, that_are_extracted_are_those_that_graphblas_extracts)
{
    int ndone = 0;
    for (uint64_t seed = 1; seed <= CASES; seed++) {
        part_case c = draw_extraction(seed);
        torc_target target = {"GrB_extract", c.C, c.mask, c.accum, c.desc};
        torc_indices rows = indices_of(&c.rows), columns = indices_of(&c.columns);
        if (torc_try_extract(&target, c.A, rows, columns_of(&c))) {
            ndone++;
            cr_assert_eq(c.is_vector ? GrB_Vector_extract((GrB_Vector)c.expected, (GrB_Vector)c.mask, c.accum,
                                           (GrB_Vector)c.A, rows.list, rows.count, c.desc)
                                     : GrB_Matrix_extract(c.expected, c.mask, c.accum, c.A, rows.list,
                                           rows.count, columns.list, columns.count, c.desc),
                GrB_SUCCESS);
        }
        expect_same(&c);
        finish_case(&c);
    }
    cr_assert(ndone > CASES / 2, "only %d of %d", ndone, CASES);
}

Test(parts, that_are_not_there_are_left_to_graphblas)
{
    GrB_Index inside[] = {0, 4}, outside[] = {0, 5}, one[] = {4}, beyond[] = {2, 5, 1};
    GrB_Vector w, v;
    cr_assert_eq(GrB_Vector_new(&w, GrB_FP64, 2), GrB_SUCCESS);
    cr_assert_eq(GrB_Vector_new(&v, GrB_FP64, 5), GrB_SUCCESS);
    for (GrB_Index i = 0; i < 5; i++) {
        cr_assert_eq(GrB_Vector_setElement_FP64(v, (double)i, i), GrB_SUCCESS);
    }
    const torc_indices column = {NULL, 1, true};
    torc_target target = {.name = "GrB_Vector_extract", .C = (GrB_Matrix)w};
    cr_assert(torc_try_extract(&target, (GrB_Matrix)v, (torc_indices){inside, 2, false}, column));
    cr_assert_not(torc_try_extract(&target, (GrB_Matrix)v, (torc_indices){outside, 2, false}, column));
    cr_assert_not(torc_try_extract(&target, (GrB_Matrix)v, (torc_indices){one, 1, false}, column));
    cr_assert_not(torc_try_extract(&target, (GrB_Matrix)v, (torc_indices){NULL, 2, false}, column));
    cr_assert_not(torc_try_extract(&target, (GrB_Matrix)v, (torc_indices){beyond, GxB_RANGE, false}, column));
    cr_assert_not(torc_try_extract(&target, (GrB_Matrix)v, (torc_indices){GrB_ALL, 2, false}, column));
    GrB_Vector_free(&w);
    GrB_Vector_free(&v);
}

/* ---- Writing ------------------------------------------------------------------------------------------ */

/* Of one object that comes twice SuiteSparse is given copies: it dies of some. */
static GrB_Matrix copy_of(GrB_Matrix A)
{
    GrB_Matrix copy = NULL;
    cr_assert(!A || GrB_Matrix_dup(&copy, A) == GrB_SUCCESS);
    return copy;
}

static part_case draw_assignment(uint64_t first_seed)
{
    uint64_t stream = first_seed, *seed = &stream;
    part_case c = {
        .seed = first_seed, .is_vector = random_below(seed, 2), .is_subassign = random_below(seed, 2)};
    GrB_Index m = 1 + (GrB_Index)random_below(seed, MOST);
    GrB_Index n = c.is_vector ? 1 : 1 + (GrB_Index)random_below(seed, MOST);
    c.transposes = !c.is_vector && random_below(seed, 3) == 0;
    draw_indices(&c.rows, seed, m, false);
    draw_indices(&c.columns, seed, n, false);
    GrB_Index nrows = c.rows.count, ncols = c.is_vector ? 1 : c.columns.count;
    c.C = random_operand(seed, m, n, random_type(seed), c.is_vector, false);
    c.A = random_operand(seed, c.transposes ? ncols : nrows, c.transposes ? nrows : ncols, random_type(seed),
        c.is_vector, false);
    draw_modifiers(&c, seed, c.is_subassign ? nrows : m, c.is_subassign ? ncols : n);
    c.expected = copy_of(c.C);
    return c;
}

static GrB_Info assign_by_graphblas(const part_case *c)
{
    torc_indices I = indices_of(&c->rows), J = indices_of(&c->columns);
    return c->is_vector
               ? (c->is_subassign ? GxB_Vector_subassign : GrB_Vector_assign)((GrB_Vector)c->expected,
                     (GrB_Vector)c->mask, c->accum, (GrB_Vector)c->A, I.list, I.count, c->desc)
               : (c->is_subassign ? GxB_Matrix_subassign : GrB_Matrix_assign)(
                     c->expected, c->mask, c->accum, c->A, I.list, I.count, J.list, J.count, c->desc);
}

Test(parts, that_are_assigned_to_become_what_graphblas_makes_of_them)
{
    int ndone = 0;
    for (uint64_t seed = 1; seed <= CASES; seed++) {
        part_case c = draw_assignment(seed);
        torc_target target = {"GrB_assign", c.C, c.mask, c.accum, c.desc, c.is_subassign};
        if (torc_try_assign(&target, c.A, indices_of(&c.rows), columns_of(&c))) {
            ndone++;
            cr_assert_eq(assign_by_graphblas(&c), GrB_SUCCESS);
        }
        expect_same(&c);
        finish_case(&c);
    }
    cr_assert(ndone > CASES / 2, "only %d of %d", ndone, CASES);
}

static GrB_Info assign_scalar_by_graphblas(const part_case *c, double x)
{
    torc_indices I = indices_of(&c->rows), J = indices_of(&c->columns);
    return c->is_vector
               ? (c->is_subassign ? GxB_Vector_subassign_FP64 : GrB_Vector_assign_FP64)(
                     (GrB_Vector)c->expected, (GrB_Vector)c->mask, c->accum, x, I.list, I.count, c->desc)
               : (c->is_subassign ? GxB_Matrix_subassign_FP64 : GrB_Matrix_assign_FP64)(
                     c->expected, c->mask, c->accum, x, I.list, I.count, J.list, J.count, c->desc);
}

Test(parts, that_become_one_value_are_those_that_graphblas_gives_it)
{
    int ndone = 0;
    for (uint64_t seed = 1; seed <= CASES; seed++) {
        part_case c = draw_assignment(seed);
        torc_target target = {"GrB_assign", c.C, c.mask, c.accum, c.desc, c.is_subassign};
        double x = (double)(seed % 7) - 2.5;
        torc_scalar value = {.type = TORC_FP64};
        memcpy(value.value, &x, sizeof x);
        if (torc_try_assign_scalar(&target, &value, indices_of(&c.rows), columns_of(&c))) {
            ndone++;
            cr_assert_eq(assign_scalar_by_graphblas(&c, x), GrB_SUCCESS);
        }
        expect_same(&c);
        finish_case(&c);
    }
    cr_assert(ndone > CASES / 2, "only %d of %d", ndone, CASES);
}

/* Lines are vectors: u, and the mask. */
static part_case draw_line(uint64_t first_seed, bool is_row, GrB_Index *line)
{
    uint64_t stream = first_seed, *seed = &stream;
    part_case c = {.seed = first_seed, .is_subassign = random_below(seed, 2)};
    GrB_Index m = 1 + (GrB_Index)random_below(seed, MOST), n = 1 + (GrB_Index)random_below(seed, MOST);
    GrB_Index length = is_row ? n : m;
    *line = (GrB_Index)random_below(seed, (int64_t)(is_row ? m : n));
    draw_indices(&c.rows, seed, length, false);
    c.C = random_operand(seed, m, n, random_type(seed), false, false);
    c.A = random_operand(seed, c.rows.count, 1, random_type(seed), true, false);
    c.is_vector = true;
    draw_modifiers(&c, seed, c.is_subassign ? c.rows.count : length, 1);
    c.expected = copy_of(c.C);
    return c;
}

static GrB_Info assign_line_by_graphblas(const part_case *c, bool is_row, GrB_Index i)
{
    torc_indices I = indices_of(&c->rows);
    GrB_Vector mask = (GrB_Vector)c->mask, u = (GrB_Vector)c->A;
    return is_row ? (c->is_subassign ? GxB_Row_subassign : GrB_Row_assign)(
                        c->expected, mask, c->accum, u, i, I.list, I.count, c->desc)
                  : (c->is_subassign ? GxB_Col_subassign : GrB_Col_assign)(
                        c->expected, mask, c->accum, u, I.list, I.count, i, c->desc);
}

Test(parts, that_are_lines_become_what_graphblas_makes_of_them)
{
    int ndone = 0;
    for (uint64_t seed = 1; seed <= CASES; seed++) {
        bool is_row = seed % 2;
        GrB_Index line;
        part_case c = draw_line(seed, is_row, &line);
        torc_target target = {"GrB_Row_assign", c.C, c.mask, c.accum, c.desc, c.is_subassign};
        if (torc_try_assign_line(&target, c.A, line, indices_of(&c.rows), is_row)) {
            ndone++;
            cr_assert_eq(assign_line_by_graphblas(&c, is_row, line), GrB_SUCCESS);
        }
        expect_same(&c);
        finish_case(&c);
    }
    cr_assert(ndone > CASES / 2, "only %d of %d", ndone, CASES);
}

/* C to a permutation of itself, under itself. */
Test(parts, may_be_of_the_matrix_that_is_assigned)
{
    GrB_Index reversed[] = {4, 3}, all[] = {4, 3, 2, 1, 0};
    for (int is_masked = 0; is_masked < 2; is_masked++) {
        uint64_t seed = 4711;
        GrB_Matrix C = random_operand(&seed, 5, 5, VALUE_INT32, false, false), A = copy_of(C),
                   expected = copy_of(C);
        torc_target target = {.name = "GrB_assign", .C = C, .mask = is_masked ? C : NULL};
        cr_assert_eq(
            GrB_Matrix_assign(expected, is_masked ? A : NULL, NULL, A, all, 5, all, 5, NULL), GrB_SUCCESS);
        cr_assert(torc_try_assign(&target, C, (torc_indices){all, 5, false}, (torc_indices){all, 5, false}));
        part_case c = {.C = C, .expected = expected, .A = A};
        expect_same(&c);
        cr_assert_not(
            torc_try_assign(&target, C, (torc_indices){reversed, 2, false}, (torc_indices){all, 5, false}));
        finish_case(&c);
    }
}

Test(parts, that_name_an_element_twice_are_left_to_graphblas)
{
    GrB_Index once[] = {3, 1}, twice[] = {3, 3}, outside[] = {3, 5};
    const torc_indices column = {NULL, 1, true};
    uint64_t seed = 4711;
    GrB_Matrix C = random_operand(&seed, 5, 1, VALUE_FP64, true, false);
    GrB_Matrix u = random_operand(&seed, 2, 1, VALUE_FP64, true, false);
    torc_target target = {.name = "GrB_Vector_assign", .C = C};
    cr_assert(torc_try_assign(&target, u, (torc_indices){once, 2, false}, column));
    cr_assert_not(torc_try_assign(&target, u, (torc_indices){twice, 2, false}, column));
    cr_assert_not(torc_try_assign(&target, u, (torc_indices){outside, 2, false}, column));
    GrB_Matrix_free(&C);
    GrB_Matrix_free(&u);
}
