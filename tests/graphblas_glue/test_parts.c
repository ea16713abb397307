/* test_parts.c: parts of random matrices and vectors, read and written by torc and by GraphBLAS: the same
 * entries with the same values. Shapes are small and ugly. */
#include "dense_case.h"
#include "glue_fixture.h"
#include "operations.h"
#include "seal.h"
#include "write_tracking.h"
#include <stdlib.h>
#include <sys/mman.h>

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

/* ---- Calls -------------------------------------------------------------------------------------------- */

typedef struct part_case {
    dense_case call;
    bool is_subassign;
    index_case rows, columns;
} part_case;

static torc_indices columns_of(const part_case *c)
{
    return c->call.is_vector ? (torc_indices){NULL, 1, true} : indices_of(&c->columns);
}

/* ---- Reading ------------------------------------------------------------------------------------------ */

static part_case draw_extraction(uint64_t first_seed)
{
    uint64_t stream = first_seed, *seed = &stream;
    part_case c = {.call = {.seed = first_seed, .is_vector = random_below(seed, 2)}};
    GrB_Index nrows = 1 + (GrB_Index)random_below(seed, MOST);
    GrB_Index ncols = c.call.is_vector ? 1 : 1 + (GrB_Index)random_below(seed, MOST);
    c.call.transposes = !c.call.is_vector && random_below(seed, 3) == 0;
    draw_indices(&c.rows, seed, nrows, true);
    draw_indices(&c.columns, seed, ncols, true);
    GrB_Index m = c.rows.count, n = c.call.is_vector ? 1 : c.columns.count;
    c.call.A = dense_case_operand(seed, c.call.transposes ? ncols : nrows, c.call.transposes ? nrows : ncols,
        dense_case_type(seed), c.call.is_vector);
    c.call.C = dense_case_operand(seed, m, n, dense_case_type(seed), c.call.is_vector);
    dense_case_finish(&c.call, seed, m, n);
    return c;
}

Test(parts, that_are_extracted_are_those_that_graphblas_extracts)
{
    const int step = dense_case_step();
    int ndone = 0;
    for (uint64_t seed = 1; seed <= CASES; seed += (uint64_t)step) {
        part_case c = draw_extraction(seed);
        torc_target target = dense_case_target(&c.call);
        torc_indices rows = indices_of(&c.rows), columns = indices_of(&c.columns);
        if (torc_try_extract(&target, c.call.A, rows, columns_of(&c))) {
            ndone++;
            cr_assert_eq(c.call.is_vector
                             ? GrB_Vector_extract((GrB_Vector)c.call.expected, (GrB_Vector)c.call.mask,
                                   c.call.accum, (GrB_Vector)c.call.A, rows.list, rows.count, c.call.desc)
                             : GrB_Matrix_extract(c.call.expected, c.call.mask, c.call.accum, c.call.A,
                                   rows.list, rows.count, columns.list, columns.count, c.call.desc),
                GrB_SUCCESS);
        }
        dense_case_expect_same(&c.call);
        dense_case_free(&c.call);
    }
    cr_assert(ndone > CASES / step / 2, "only %d of %d", ndone, CASES / step);
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

/* It may receive into a list past the page tables, or ask the kernel to move it. */
Test(parts, by_lists_of_the_program_leave_its_memory_alone)
{
    enum { LENGTH = 300001, SIZE = LENGTH * sizeof(GrB_Index) };
    if (!torc_tracking_is_available()) {
        cr_skip_test("this kernel tracks no writes");
    }
    torc_seal_allow_foreign(true);
    GrB_Index *list = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    cr_assert_neq(list, MAP_FAILED);
    GrB_Vector w, v;
    cr_assert_eq(GrB_Vector_new(&w, GrB_FP64, LENGTH), GrB_SUCCESS);
    cr_assert_eq(GrB_Vector_new(&v, GrB_FP64, 2), GrB_SUCCESS);
    cr_assert_eq(GrB_Vector_setElement_FP64(v, 7, 0), GrB_SUCCESS);
    cr_assert_eq(GrB_Vector_setElement_FP64(v, 8, 1), GrB_SUCCESS);
    torc_target target = {.name = "GrB_Vector_extract", .C = (GrB_Matrix)w};
    torc_indices column = {NULL, 1, true};
    cr_assert(torc_try_extract(&target, (GrB_Matrix)v, (torc_indices){list, LENGTH, false}, column));
    cr_expect_eq(torc_seal_foreign, 0);
    void *moved = mremap(list, SIZE, (size_t)2 * SIZE, MREMAP_MAYMOVE);
    cr_assert_neq(moved, MAP_FAILED);
    munmap(moved, (size_t)2 * SIZE);
    GrB_Vector_free(&w);
    GrB_Vector_free(&v);
}

/* ---- Writing ------------------------------------------------------------------------------------------ */

static torc_target target_of(const part_case *c)
{
    torc_target target = dense_case_target(&c->call);
    target.mask_is_of_part = c->is_subassign;
    return target;
}

static part_case draw_assignment(uint64_t first_seed)
{
    uint64_t stream = first_seed, *seed = &stream;
    part_case c = {.is_subassign = random_below(seed, 2)};
    c.call.seed = first_seed;
    c.call.is_vector = random_below(seed, 2);
    GrB_Index m = 1 + (GrB_Index)random_below(seed, MOST);
    GrB_Index n = c.call.is_vector ? 1 : 1 + (GrB_Index)random_below(seed, MOST);
    c.call.transposes = !c.call.is_vector && random_below(seed, 3) == 0;
    draw_indices(&c.rows, seed, m, false);
    draw_indices(&c.columns, seed, n, false);
    GrB_Index nrows = c.rows.count, ncols = c.call.is_vector ? 1 : c.columns.count;
    c.call.C = dense_case_operand(seed, m, n, dense_case_type(seed), c.call.is_vector);
    c.call.A = dense_case_operand(seed, c.call.transposes ? ncols : nrows, c.call.transposes ? nrows : ncols,
        dense_case_type(seed), c.call.is_vector);
    dense_case_finish(&c.call, seed, c.is_subassign ? nrows : m, c.is_subassign ? ncols : n);
    return c;
}

static GrB_Info assign_by_graphblas(const part_case *c)
{
    torc_indices I = indices_of(&c->rows), J = indices_of(&c->columns);
    return c->call.is_vector
               ? (c->is_subassign ? GxB_Vector_subassign : GrB_Vector_assign)((GrB_Vector)c->call.expected,
                     (GrB_Vector)c->call.mask, c->call.accum, (GrB_Vector)c->call.A, I.list, I.count,
                     c->call.desc)
               : (c->is_subassign ? GxB_Matrix_subassign : GrB_Matrix_assign)(c->call.expected, c->call.mask,
                     c->call.accum, c->call.A, I.list, I.count, J.list, J.count, c->call.desc);
}

Test(parts, that_are_assigned_to_become_what_graphblas_makes_of_them)
{
    const int step = dense_case_step();
    int ndone = 0;
    for (uint64_t seed = 1; seed <= CASES; seed += (uint64_t)step) {
        part_case c = draw_assignment(seed);
        torc_target target = target_of(&c);
        if (torc_try_assign(&target, c.call.A, indices_of(&c.rows), columns_of(&c))) {
            ndone++;
            cr_assert_eq(assign_by_graphblas(&c), GrB_SUCCESS);
        }
        dense_case_expect_same(&c.call);
        dense_case_free(&c.call);
    }
    cr_assert(ndone > CASES / step / 2, "only %d of %d", ndone, CASES / step);
}

static GrB_Info assign_scalar_by_graphblas(const part_case *c, double x)
{
    torc_indices I = indices_of(&c->rows), J = indices_of(&c->columns);
    return c->call.is_vector
               ? (c->is_subassign ? GxB_Vector_subassign_FP64 : GrB_Vector_assign_FP64)(
                     (GrB_Vector)c->call.expected, (GrB_Vector)c->call.mask, c->call.accum, x, I.list,
                     I.count, c->call.desc)
               : (c->is_subassign ? GxB_Matrix_subassign_FP64 : GrB_Matrix_assign_FP64)(c->call.expected,
                     c->call.mask, c->call.accum, x, I.list, I.count, J.list, J.count, c->call.desc);
}

Test(parts, that_become_one_value_are_those_that_graphblas_gives_it)
{
    const int step = dense_case_step();
    int ndone = 0;
    for (uint64_t seed = 1; seed <= CASES; seed += (uint64_t)step) {
        part_case c = draw_assignment(seed);
        torc_target target = target_of(&c);
        double x = (double)(seed % 7) - 2.5;
        torc_scalar value = {.type = TORC_FP64};
        memcpy(value.value, &x, sizeof x);
        if (torc_try_assign_scalar(&target, &value, indices_of(&c.rows), columns_of(&c))) {
            ndone++;
            cr_assert_eq(assign_scalar_by_graphblas(&c, x), GrB_SUCCESS);
        }
        dense_case_expect_same(&c.call);
        dense_case_free(&c.call);
    }
    cr_assert(ndone > CASES / step / 2, "only %d of %d", ndone, CASES / step);
}

/* Lines are vectors: u, and the mask. */
static part_case draw_line(uint64_t first_seed, bool is_row, GrB_Index *line)
{
    uint64_t stream = first_seed, *seed = &stream;
    part_case c = {.call.seed = first_seed, .is_subassign = random_below(seed, 2)};
    GrB_Index m = 1 + (GrB_Index)random_below(seed, MOST), n = 1 + (GrB_Index)random_below(seed, MOST);
    GrB_Index length = is_row ? n : m;
    *line = (GrB_Index)random_below(seed, (int64_t)(is_row ? m : n));
    draw_indices(&c.rows, seed, length, false);
    c.call.C = dense_case_operand(seed, m, n, dense_case_type(seed), false);
    c.call.A = dense_case_operand(seed, c.rows.count, 1, dense_case_type(seed), true);
    c.call.is_vector = true;
    dense_case_finish(&c.call, seed, c.is_subassign ? c.rows.count : length, 1);
    return c;
}

static GrB_Info assign_line_by_graphblas(const part_case *c, bool is_row, GrB_Index i)
{
    torc_indices I = indices_of(&c->rows);
    GrB_Vector mask = (GrB_Vector)c->call.mask, u = (GrB_Vector)c->call.A;
    return is_row ? (c->is_subassign ? GxB_Row_subassign : GrB_Row_assign)(
                        c->call.expected, mask, c->call.accum, u, i, I.list, I.count, c->call.desc)
                  : (c->is_subassign ? GxB_Col_subassign : GrB_Col_assign)(
                        c->call.expected, mask, c->call.accum, u, I.list, I.count, i, c->call.desc);
}

Test(parts, that_are_lines_become_what_graphblas_makes_of_them)
{
    const int step = dense_case_step();
    int ndone = 0;
    for (uint64_t seed = 1; seed <= CASES; seed += (uint64_t)step) {
        bool is_row = seed % 2;
        GrB_Index line;
        part_case c = draw_line(seed, is_row, &line);
        torc_target target = target_of(&c);
        if (torc_try_assign_line(&target, c.call.A, line, indices_of(&c.rows), is_row)) {
            ndone++;
            cr_assert_eq(assign_line_by_graphblas(&c, is_row, line), GrB_SUCCESS);
        }
        dense_case_expect_same(&c.call);
        dense_case_free(&c.call);
    }
    cr_assert(ndone > CASES / step / 2, "only %d of %d", ndone, CASES / step);
}

/* C to a permutation of itself, under itself. SuiteSparse is given copies: it dies of one object that comes
 * twice. */
Test(parts, may_be_of_the_matrix_that_is_assigned)
{
    GrB_Index reversed[] = {4, 3}, all[] = {4, 3, 2, 1, 0};
    for (int is_masked = 0; is_masked < 2; is_masked++) {
        uint64_t seed = 4711;
        GrB_Matrix C = dense_case_operand(&seed, 5, 5, VALUE_INT32, false), A = dense_case_copy(C),
                   expected = dense_case_copy(C);
        torc_target target = {.name = "GrB_assign", .C = C, .mask = is_masked ? C : NULL};
        cr_assert_eq(
            GrB_Matrix_assign(expected, is_masked ? A : NULL, NULL, A, all, 5, all, 5, NULL), GrB_SUCCESS);
        cr_assert(torc_try_assign(&target, C, (torc_indices){all, 5, false}, (torc_indices){all, 5, false}));
        part_case c = {.call = {.C = C, .expected = expected, .A = A}};
        dense_case_expect_same(&c.call);
        cr_assert_not(
            torc_try_assign(&target, C, (torc_indices){reversed, 2, false}, (torc_indices){all, 5, false}));
        dense_case_free(&c.call);
    }
}

Test(parts, that_name_an_element_twice_are_left_to_graphblas)
{
    GrB_Index once[] = {3, 1}, twice[] = {3, 3}, outside[] = {3, 5};
    const torc_indices column = {NULL, 1, true};
    uint64_t seed = 4711;
    GrB_Matrix C = dense_case_operand(&seed, 5, 1, VALUE_FP64, true);
    GrB_Matrix u = dense_case_operand(&seed, 2, 1, VALUE_FP64, true);
    torc_target target = {.name = "GrB_Vector_assign", .C = C};
    cr_assert(torc_try_assign(&target, u, (torc_indices){once, 2, false}, column));
    cr_assert_not(torc_try_assign(&target, u, (torc_indices){twice, 2, false}, column));
    cr_assert_not(torc_try_assign(&target, u, (torc_indices){outside, 2, false}, column));
    GrB_Matrix_free(&C);
    GrB_Matrix_free(&u);
}
