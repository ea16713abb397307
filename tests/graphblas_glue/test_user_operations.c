/* test_user_operations.c: random dense operations with operators that come as source, user-defined ones and
 * those of operator_source.h, by torc and by GraphBLAS: the same entries with the same values. The reference
 * executor cannot compile C: it is given the functions of the host on its way. */
#include "dense_case.h"
#include "glue_fixture.h"
#include "user_operation.h"
#include <stdlib.h>
#include <string.h>

enum { CASES = 3000, MOST = 12 };

/* ---- Operators: code of the host, and the same text as source ------------------------------------------ */

#define BOTH(name, ...)                                                                                      \
    __VA_ARGS__                                                                                              \
    static const char name##_source[] = #__VA_ARGS__;

// clang-format off
BOTH(polynomial, static void polynomial (double *z, const double *x, const double *y) { *z = *x * *x - *y ; })
BOTH(rank, static void rank (int64_t *z, const float *x, const int8_t *y) { *z = (*x > 1) + 3 * *y ; })
BOTH(nearer, static void nearer (_Bool *z, const int16_t *x, const double *y) { *z = *x < *y ; })
BOTH(join, static void join (int32_t *z, const int32_t *x, const int32_t *y) { *z = *x | *y ; })
BOTH(later, static void later (double *z, const double *x, const double *y) { *z = *x > *y ? *x : *y ; })
BOTH(fold, static void fold (int32_t *z, const double *x) { *z = *x > 1 ? 7 : *x < -1 ? -3 : 0 ; })
BOTH(spread, static void spread (double *z, const float *x, GrB_Index i, GrB_Index j, const int16_t *y)
    { *z = (double) (i + 3 * j) + *y + (*x > 0) ; })
BOTH(keep, static void keep (_Bool *z, const int8_t *x, uint64_t i, uint64_t j, const int64_t *y)
    { *z = (int64_t) (i + 2 * j) + (*x > 0) > *y ; })
BOTH(path, typedef struct { double cost ; int64_t hops ; } path ;)
BOTH(shorter, static void shorter (path *z, const path *x, const path *y)
    { *z = x->cost < y->cost || (x->cost == y->cost && x->hops <= y->hops) ? *x : *y ; })
BOTH(lengthen, static void lengthen (path *z, const path *x, const double *y)
    { z->cost = x->cost + *y ; z->hops = x->hops + 1 ; })
// clang-format on

typedef void (*any_function)(void);
#define FUNCTION(f) ((any_function)f)

static const struct {
    const char *name;
    any_function function;
} on_host[] = {{"polynomial", FUNCTION(polynomial)}, {"rank", FUNCTION(rank)}, {"nearer", FUNCTION(nearer)},
    {"join", FUNCTION(join)}, {"later", FUNCTION(later)}, {"fold", FUNCTION(fold)},
    {"spread", FUNCTION(spread)}, {"keep", FUNCTION(keep)}, {"shorter", FUNCTION(shorter)},
    {"lengthen", FUNCTION(lengthen)}};

static any_function find_on_host(const char *name)
{
    for (size_t i = 0; name && i < sizeof on_host / sizeof *on_host; i++) {
        if (strcmp(on_host[i].name, name) == 0) {
            return on_host[i].function;
        }
    }
    return NULL;
}

/* ---- The engine, given them: the linker puts these around its functions ---------------------------------
 */

static torc_status forced_status; /* instead of an answer */
static int nuser_calls;

static const torc_definition *give_functions(torc_definition *copy, const torc_definition *definition)
{
    if (!definition) {
        return NULL;
    }
    *copy = *definition;
    if (!copy->multiply_on_host) {
        copy->multiply_on_host = (torc_function)find_on_host(copy->multiply);
        copy->add_on_host = (torc_function)find_on_host(copy->add);
    }
    nuser_calls++;
    return copy;
}

torc_status __real_torc_elementwise(const torc_dense *C, const torc_operation *operation,
    torc_context *context, const torc_operand *A, const torc_operand *B, const torc_update *update);
torc_status __wrap_torc_elementwise(const torc_dense *C, const torc_operation *operation,
    torc_context *context, const torc_operand *A, const torc_operand *B, const torc_update *update);

torc_status __wrap_torc_elementwise(const torc_dense *C, const torc_operation *operation,
    torc_context *context, const torc_operand *A, const torc_operand *B, const torc_update *update)
{
    torc_operation given = *operation;
    torc_definition definition;
    given.definition = give_functions(&definition, operation->definition);
    if (given.definition && given.kind == TORC_APPLY) {
        given.unary_on_host = (torc_unary_function)find_on_host(definition.multiply);
    } else if (given.definition && given.kind < TORC_EWISE_MULT) {
        given.index_on_host = (torc_index_unary_function)find_on_host(definition.multiply);
    }
    return given.definition && forced_status != TORC_SUCCESS
               ? forced_status
               : __real_torc_elementwise(C, &given, context, A, B, update);
}

torc_status __real_torc_reduce_to_vector(const torc_dense *w, torc_reduction reduction, torc_context *context,
    const torc_dense *A, bool transpose, const torc_update *update);
torc_status __wrap_torc_reduce_to_vector(const torc_dense *w, torc_reduction reduction, torc_context *context,
    const torc_dense *A, bool transpose, const torc_update *update);

torc_status __wrap_torc_reduce_to_vector(const torc_dense *w, torc_reduction reduction, torc_context *context,
    const torc_dense *A, bool transpose, const torc_update *update)
{
    torc_definition definition;
    reduction.definition = give_functions(&definition, reduction.definition);
    return __real_torc_reduce_to_vector(w, reduction, context, A, transpose, update);
}

torc_status __real_torc_reduce_to_scalar(
    void *result, bool *is_empty, torc_reduction reduction, torc_context *context, const torc_dense *A);
torc_status __wrap_torc_reduce_to_scalar(
    void *result, bool *is_empty, torc_reduction reduction, torc_context *context, const torc_dense *A);

torc_status __wrap_torc_reduce_to_scalar(
    void *result, bool *is_empty, torc_reduction reduction, torc_context *context, const torc_dense *A)
{
    torc_definition definition;
    reduction.definition = give_functions(&definition, reduction.definition);
    return __real_torc_reduce_to_scalar(result, is_empty, reduction, context, A);
}

/* ---- Objects ------------------------------------------------------------------------------------------ */

enum { USER_OPERATORS = 4, OPERATORS = 8 };

static GrB_BinaryOp operators[OPERATORS], op_later;
static GrB_Monoid join_monoid, later_monoid;
static GrB_UnaryOp op_fold;
static GrB_IndexUnaryOp op_spread, op_keep;

static GrB_BinaryOp operator_of(const char *name, const char *source, GrB_Type z, GrB_Type x, GrB_Type y)
{
    GrB_BinaryOp op;
    cr_assert_eq(
        GxB_BinaryOp_new(&op, (GxB_binary_function)find_on_host(name), z, x, y, name, source), GrB_SUCCESS);
    return op;
}

#define OPERATOR(name, z, x, y) operator_of(#name, name##_source, z, x, y)

static void start(void)
{
    torc_glue_start();
    GrB_BinaryOp all[OPERATORS] = {OPERATOR(polynomial, GrB_FP64, GrB_FP64, GrB_FP64),
        OPERATOR(rank, GrB_INT64, GrB_FP32, GrB_INT8), OPERATOR(nearer, GrB_BOOL, GrB_INT16, GrB_FP64),
        OPERATOR(join, GrB_INT32, GrB_INT32, GrB_INT32), GxB_BSHIFT_INT32, GxB_BGET_UINT16, GxB_COPYSIGN_FP32,
        GxB_LDEXP_FP64};
    memcpy(operators, all, sizeof operators);
    op_later = OPERATOR(later, GrB_FP64, GrB_FP64, GrB_FP64);
    cr_assert_eq(GxB_UnaryOp_new(&op_fold, (GxB_unary_function)find_on_host("fold"), GrB_INT32, GrB_FP64,
                     "fold", fold_source),
        GrB_SUCCESS);
    cr_assert_eq(GxB_IndexUnaryOp_new(&op_spread, (GxB_index_unary_function)find_on_host("spread"), GrB_FP64,
                     GrB_FP32, GrB_INT16, "spread", spread_source),
        GrB_SUCCESS);
    cr_assert_eq(GxB_IndexUnaryOp_new(&op_keep, (GxB_index_unary_function)find_on_host("keep"), GrB_BOOL,
                     GrB_INT8, GrB_INT64, "keep", keep_source),
        GrB_SUCCESS);
    cr_assert_eq(GrB_Monoid_new_INT32(&join_monoid, operators[3], 0), GrB_SUCCESS);
    cr_assert_eq(GrB_Monoid_new_FP64(&later_monoid, op_later, -1e300), GrB_SUCCESS);
}

static void finish(void)
{
    GrB_Monoid_free(&join_monoid);
    GrB_Monoid_free(&later_monoid);
    GrB_BinaryOp_free(&op_later);
    GrB_UnaryOp_free(&op_fold);
    GrB_IndexUnaryOp_free(&op_spread);
    GrB_IndexUnaryOp_free(&op_keep);
    for (int i = 0; i < USER_OPERATORS; i++) {
        GrB_BinaryOp_free(&operators[i]);
    }
    torc_glue_finish();
}

TestSuite(user_operations, .init = start, .fini = finish);

/* ---- Two inputs --------------------------------------------------------------------------------------- */

static GrB_Scalar scalar_of(double value)
{
    GrB_Scalar scalar;
    cr_assert_eq(GrB_Scalar_new(&scalar, GrB_FP64), GrB_SUCCESS);
    cr_assert_eq(GrB_Scalar_setElement_FP64(scalar, value), GrB_SUCCESS);
    return scalar;
}

static bool combine(dense_case *c, torc_operation_kind kind, GrB_BinaryOp op)
{
    torc_target target = dense_case_target(c);
    GrB_Scalar alpha = scalar_of(2.5), beta = scalar_of(-7);
    bool is_done = kind == TORC_EWISE_UNION ? torc_try_union(&target, op, c->A, alpha, c->B, beta)
                                            : torc_try_ewise(&target, kind, op, c->A, c->B);
    GrB_Info info = GrB_SUCCESS;
    if (is_done && kind == TORC_EWISE_UNION) {
        info = GxB_Matrix_eWiseUnion(c->expected, c->mask, c->accum, op, c->A, alpha, c->B, beta, c->desc);
    } else if (is_done) {
        info = (kind == TORC_EWISE_ADD ? GrB_Matrix_eWiseAdd_BinaryOp : GrB_Matrix_eWiseMult_BinaryOp)(
            c->expected, c->mask, c->accum, op, c->A, c->B, c->desc);
    }
    cr_assert_eq(info, GrB_SUCCESS);
    GrB_Scalar_free(&alpha);
    GrB_Scalar_free(&beta);
    return is_done;
}

Test(user_operations, of_two_matrices_are_those_of_graphblas)
{
    const int step = dense_case_step();
    int ndone = 0;
    for (uint64_t first = 1; first <= CASES; first += (uint64_t)step) {
        uint64_t stream = first, *seed = &stream;
        GrB_Index m = 1 + (GrB_Index)random_below(seed, MOST), n = 1 + (GrB_Index)random_below(seed, MOST);
        dense_case c = {.seed = first, .transposes = random_below(seed, 4) == 0};
        c.A = dense_case_operand(
            seed, c.transposes ? n : m, c.transposes ? m : n, dense_case_type(seed), false);
        c.B = dense_case_operand(seed, m, n, dense_case_type(seed), false);
        c.C = dense_case_operand(seed, m, n, dense_case_type(seed), false);
        dense_case_finish(&c, seed, m, n);
        torc_operation_kind kind = (torc_operation_kind)(TORC_EWISE_MULT + random_below(seed, 3));
        ndone += combine(&c, kind, operators[random_below(seed, OPERATORS)]);
        dense_case_expect_same(&c);
        dense_case_free(&c);
    }
    cr_assert(ndone > CASES / step / 3 && nuser_calls >= ndone / 2, "only %d of %d, %d", ndone, CASES / step,
        nuser_calls);
}

Test(user_operations, of_a_value_and_a_vector_are_those_of_graphblas)
{
    const int step = dense_case_step();
    int ndone = 0;
    for (uint64_t first = 1; first <= CASES; first += (uint64_t)step) {
        uint64_t stream = first, *seed = &stream;
        GrB_Index n = 1 + (GrB_Index)random_below(seed, MOST);
        dense_case c = {.seed = first, .is_vector = true};
        c.A = dense_case_operand(seed, n, 1, dense_case_type(seed), true);
        c.C = dense_case_operand(seed, n, 1, dense_case_type(seed), true);
        dense_case_finish(&c, seed, n, 1);
        torc_target target = dense_case_target(&c);
        double number = (double)random_below(seed, 20) - 6;
        torc_scalar value = {.type = TORC_FP64};
        memcpy(value.value, &number, sizeof number);
        GrB_BinaryOp op = operators[random_below(seed, OPERATORS)];
        bool is_first = random_below(seed, 2);
        if (torc_try_bind(&target, op, &value, is_first, c.A)) {
            GrB_Vector w = (GrB_Vector)c.expected, mask = (GrB_Vector)c.mask, u = (GrB_Vector)c.A;
            ndone++;
            cr_assert_eq(is_first
                             ? GrB_Vector_apply_BinaryOp1st_FP64(w, mask, c.accum, op, number, u, c.desc)
                             : GrB_Vector_apply_BinaryOp2nd_FP64(w, mask, c.accum, op, u, number, c.desc),
                GrB_SUCCESS);
        }
        dense_case_expect_same(&c);
        dense_case_free(&c);
    }
    cr_assert(ndone > CASES / step / 3 && nuser_calls >= ndone / 2, "only %d of %d, %d", ndone, CASES / step,
        nuser_calls);
}

/* ---- One input ----------------------------------------------------------------------------------------- */

/* The one with its place is applied, or selects. Where it is applied 7.4.0 gives it what lies beyond the one
 * value of an iso A. */
static bool compute_one(dense_case *c, uint64_t *seed)
{
    torc_target target = dense_case_target(c);
    int64_t which = random_below(seed, 4), number = random_below(seed, 20) - 5;
    bool is_iso;
    cr_assert_eq(GxB_Matrix_iso(&is_iso, c->A), GrB_SUCCESS);
    which = is_iso ? 0 : which;
    torc_scalar thunk = {.type = TORC_INT64};
    memcpy(thunk.value, &number, sizeof number);
    GrB_IndexUnaryOp op = which == 1 ? op_spread : op_keep;
    if (which == 0) {
        return torc_try_apply(&target, op_fold, c->A) &&
               GrB_Matrix_apply(c->expected, c->mask, c->accum, op_fold, c->A, c->desc) == GrB_SUCCESS;
    }
    torc_operation_kind kind = which == 3 ? TORC_SELECT : TORC_APPLY_INDEX;
    return torc_try_index(&target, kind, op, c->A, &thunk) &&
           (which == 3 ? GrB_Matrix_select_INT64 : GrB_Matrix_apply_IndexOp_INT64)(
               c->expected, c->mask, c->accum, op, c->A, number, c->desc) == GrB_SUCCESS;
}

Test(user_operations, of_one_matrix_are_those_of_graphblas)
{
    const int step = dense_case_step();
    int ndone = 0;
    for (uint64_t first = 1; first <= CASES; first += (uint64_t)step) {
        uint64_t stream = first, *seed = &stream;
        GrB_Index m = 1 + (GrB_Index)random_below(seed, MOST), n = 1 + (GrB_Index)random_below(seed, MOST);
        dense_case c = {.seed = first, .transposes = random_below(seed, 3) == 0};
        c.A = dense_case_operand(
            seed, c.transposes ? n : m, c.transposes ? m : n, dense_case_type(seed), false);
        c.C = dense_case_operand(seed, m, n, dense_case_type(seed), false);
        dense_case_finish(&c, seed, m, n);
        ndone += compute_one(&c, seed);
        dense_case_expect_same(&c);
        dense_case_free(&c);
    }
    cr_assert(ndone > CASES / step / 2 && nuser_calls >= ndone, "only %d of %d, %d", ndone, CASES / step,
        nuser_calls);
}

/* ---- Later versions ----------------------------------------------------------------------------------- */

static GrB_Info print_unary_as_10(GrB_UnaryOp op, const char *name, GxB_Print_Level level, FILE *to)
{
    (void)op, (void)name, (void)level;
    fprintf(to,
        "\n    GraphBLAS UnaryOp:  (user-defined): z=fold(x)\n    GraphBLAS Type: ztype int32_t size: 4 \n"
        "    GraphBLAS Type: xtype double size: 8 \n%s\n",
        fold_source);
    return GrB_SUCCESS;
}

static GrB_Info print_index_unary_as_9(GrB_IndexUnaryOp op, const char *name, GxB_Print_Level level, FILE *to)
{
    (void)op, (void)name, (void)level;
    fprintf(to,
        "\n    GraphBLAS IndexUnaryOp:  (user-defined): z=keep(x,i,j,y)\n    GraphBLAS type: ztype bool "
        "size: 1\n"
        "    GraphBLAS type: xtype int8_t size: 1\n    GraphBLAS type: ytype int64_t size: 8\n%s\n",
        keep_source);
    return GrB_SUCCESS;
}

static GrB_Info print_binary_as_10(GrB_BinaryOp op, const char *name, GxB_Print_Level level, FILE *to)
{
    (void)name;
    char *text = NULL;
    size_t size;
    FILE *memory = open_memstream(&text, &size);
    cr_assert(memory && GxB_BinaryOp_fprint(op, "", level, memory) == GrB_SUCCESS && fclose(memory) == 0);
    char *rest = strstr(text, "(user-defined) z=");
    cr_assert_not_null(rest);
    fprintf(to, "%.*s(user-defined): z=%s", (int)(rest - text), text, rest + strlen("(user-defined) z="));
    free(text);
    return GrB_SUCCESS;
}

/* What GraphBLAS 9 and 10 print was seen in 9.3.1 and 10.5.1. */
Test(user_operations, are_read_as_later_versions_print_them)
{
    torc_binding later = *torc_binding_get();
    later.unary_print = print_unary_as_10;
    later.index_unary_print = print_index_unary_as_9;
    later.operator_print = print_binary_as_10;
    torc_type types[3];
    char name[TORC_USER_NAME], *text = NULL;
    size_t size;
    FILE *source = open_memstream(&text, &size);
    cr_assert_not_null(source);
    cr_expect(torc_user_unary_read(name, types, source, &later, op_fold));
    cr_expect_str_eq(name, "fold");
    cr_expect(types[0] == TORC_INT32 && types[1] == TORC_FP64);
    cr_expect(torc_user_index_unary_read(name, types, source, &later, op_keep));
    cr_expect_str_eq(name, "keep");
    cr_expect(types[0] == TORC_BOOL && types[1] == TORC_INT8 && types[2] == TORC_INT64);
    cr_expect(torc_user_binary_read(name, source, &later, operators[0]));
    cr_expect_str_eq(name, "polynomial");
    cr_assert_eq(fclose(source), 0);
    const char *const sources[] = {fold_source, keep_source, polynomial_source};
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        cr_expect(strstr(text, sources[i]), "no %s in %s", sources[i], text);
    }
    cr_expect_null(strstr(text, "GraphBLAS"), "%s", text);
    free(text);
}

/* ---- Reductions --------------------------------------------------------------------------------------- */

Test(user_operations, that_reduce_are_those_of_graphblas)
{
    const int step = dense_case_step();
    int ndone = 0;
    for (uint64_t first = 1; first <= CASES / 4; first += (uint64_t)step) {
        uint64_t stream = first, *seed = &stream;
        GrB_Index m = 1 + (GrB_Index)random_below(seed, MOST), n = 1 + (GrB_Index)random_below(seed, MOST);
        dense_case c = {.seed = first, .is_vector = true, .transposes = random_below(seed, 2)};
        c.A = dense_case_operand(seed, c.transposes ? n : m, c.transposes ? m : n, VALUE_INT16, false);
        c.C = dense_case_operand(seed, m, 1, dense_case_type(seed), true);
        dense_case_finish(&c, seed, m, 1);
        torc_target target = dense_case_target(&c);
        GrB_Monoid monoid = random_below(seed, 2) ? join_monoid : later_monoid;
        GrB_BinaryOp op = torc_operator_of_monoid(monoid);
        if (torc_try_reduce_rows(&target, op, c.A)) {
            ndone++;
            cr_assert_eq(GrB_Matrix_reduce_Monoid(
                             (GrB_Vector)c.expected, (GrB_Vector)c.mask, c.accum, monoid, c.A, c.desc),
                GrB_SUCCESS);
        }
        dense_case_expect_same(&c);
        double expected, found;
        if (torc_try_reduce(&found, TORC_FP64, op, c.A)) {
            cr_assert_eq(GrB_Matrix_reduce_FP64(&expected, NULL, monoid, c.A, NULL), GrB_SUCCESS);
            cr_assert_eq(expected, found, "seed %lu: %g, GraphBLAS has %g", first, found, expected);
            ndone++;
        }
        dense_case_free(&c);
    }
    cr_assert(ndone > CASES / step / 4, "only %d", ndone);
}

/* ---- User-defined types ------------------------------------------------------------------------------- */

enum { PATHS = 6, PLACES = PATHS * PATHS };

/* PATHS x PATHS, a third of them missing from a bitmap. */
static GrB_Matrix new_paths(GrB_Type type, uint64_t *seed)
{
    GrB_Matrix A;
    path *paths = calloc(PLACES, sizeof *paths);
    int8_t *bitmap = calloc(PLACES, 1);
    void *values = paths;
    GrB_Index nvals = 0;
    for (int i = 0; i < PLACES; i++) {
        paths[i] = (path){(double)random_below(seed, 9), random_below(seed, 5)};
        bitmap[i] = random_below(seed, 3) > 0;
        nvals += (GrB_Index)bitmap[i];
    }
    cr_assert_eq(GrB_Matrix_new(&A, type, PATHS, PATHS), GrB_SUCCESS);
    cr_assert_eq(
        GxB_Matrix_pack_BitmapR(A, &bitmap, &values, PLACES, PLACES * sizeof(path), false, nvals, NULL),
        GrB_SUCCESS);
    return A;
}

static void expect_same_paths(GrB_Matrix expected, GrB_Matrix found)
{
    for (GrB_Index i = 0; i < PLACES; i++) {
        path x = {0}, y = {0};
        GrB_Info in_expected = GrB_Matrix_extractElement_UDT(&x, expected, i / PATHS, i % PATHS);
        GrB_Info in_found = GrB_Matrix_extractElement_UDT(&y, found, i / PATHS, i % PATHS);
        cr_assert_eq(in_expected, in_found);
        cr_assert(x.cost == y.cost && x.hops == y.hops, "%lu: %g %ld, GraphBLAS has %g %ld", i, y.cost,
            y.hops, x.cost, x.hops);
    }
}

Test(user_operations, of_user_defined_types_are_those_of_graphblas)
{
    uint64_t stream = 7, *seed = &stream;
    GrB_Type type, other_type;
    GrB_Monoid least;
    path none = {1e300, 0};
    cr_assert_eq(GxB_Type_new(&type, sizeof(path), "path", path_source), GrB_SUCCESS);
    cr_assert_eq(GxB_Type_new(&other_type, sizeof(path), "path", path_source), GrB_SUCCESS);
    GrB_BinaryOp op_shorter = OPERATOR(shorter, type, type, type);
    GrB_BinaryOp op_lengthen = OPERATOR(lengthen, type, type, GrB_FP64);
    cr_assert_eq(GrB_Monoid_new_UDT(&least, op_shorter, &none), GrB_SUCCESS);
    GrB_Matrix A = new_paths(type, seed), B = new_paths(type, seed), C, expected, wrong, costs;
    GrB_Vector w, expected_w;
    cr_assert_eq(GrB_Matrix_new(&C, type, PATHS, PATHS), GrB_SUCCESS);
    cr_assert_eq(GrB_Matrix_new(&expected, type, PATHS, PATHS), GrB_SUCCESS);
    cr_assert_eq(GrB_Matrix_new(&wrong, other_type, PATHS, PATHS), GrB_SUCCESS);
    cr_assert_eq(GrB_Vector_new(&w, type, PATHS), GrB_SUCCESS);
    cr_assert_eq(GrB_Vector_new(&expected_w, type, PATHS), GrB_SUCCESS);
    costs = dense_case_operand(seed, PATHS, PATHS, VALUE_INT8, false);

    torc_target target = {.name = "GrB_Matrix_eWiseAdd_BinaryOp", .C = C};
    cr_assert(torc_try_ewise(&target, TORC_EWISE_ADD, op_shorter, A, B));
    cr_assert_eq(GrB_Matrix_eWiseAdd_BinaryOp(expected, NULL, NULL, op_shorter, A, B, NULL), GrB_SUCCESS);
    expect_same_paths(expected, C);
    cr_assert(torc_try_ewise(&target, TORC_EWISE_MULT, op_lengthen, A, costs));
    cr_assert_eq(
        GrB_Matrix_eWiseMult_BinaryOp(expected, NULL, NULL, op_lengthen, A, costs, NULL), GrB_SUCCESS);
    expect_same_paths(expected, C);
    torc_target rows = {.name = "GrB_Matrix_reduce_Monoid", .C = (GrB_Matrix)w};
    cr_assert(torc_try_reduce_rows(&rows, op_shorter, A));
    cr_assert_eq(GrB_Matrix_reduce_Monoid(expected_w, NULL, NULL, least, A, NULL), GrB_SUCCESS);
    for (GrB_Index i = 0; i < PATHS; i++) {
        path x = {0}, y = {0};
        cr_assert_eq(GrB_Vector_extractElement_UDT(&x, expected_w, i), GrB_SUCCESS);
        cr_assert_eq(GrB_Vector_extractElement_UDT(&y, w, i), GrB_SUCCESS);
        cr_assert(x.cost == y.cost && x.hops == y.hops, "row %lu", i);
    }
    /* Errors are GraphBLAS's: another type of the same name and size, a lone cost that is no path. */
    torc_target misfit = {.name = "GrB_Matrix_eWiseAdd_BinaryOp", .C = wrong};
    cr_expect_not(torc_try_ewise(&misfit, TORC_EWISE_ADD, op_shorter, A, B));
    cr_expect_not(torc_try_ewise(&target, TORC_EWISE_ADD, op_lengthen, A, costs));
    cr_expect_not(torc_try_ewise(&target, TORC_EWISE_MULT, op_lengthen, costs, A));
    GrB_Matrix *const matrices[] = {&A, &B, &C, &expected, &wrong, &costs};
    for (size_t i = 0; i < sizeof matrices / sizeof *matrices; i++) {
        GrB_Matrix_free(matrices[i]);
    }
    GrB_Vector_free(&w);
    GrB_Vector_free(&expected_w);
    GrB_Monoid_free(&least);
    GrB_BinaryOp_free(&op_shorter);
    GrB_BinaryOp_free(&op_lengthen);
    GrB_Type_free(&type);
    GrB_Type_free(&other_type);
}

/* GraphBLAS knows the identity; and which operators it reduces by, monoids apart. */
Test(user_operations, that_graphblas_knows_more_of_are_left_to_it)
{
    GrB_Matrix A;
    double found;
    int8_t *bitmap = calloc(4, 1);
    void *values = calloc(4, sizeof(double));
    cr_assert_eq(GrB_Matrix_new(&A, GrB_FP64, 2, 2), GrB_SUCCESS);
    cr_assert_eq(
        GxB_Matrix_pack_BitmapR(A, &bitmap, &values, 4, 4 * sizeof(double), false, 0, NULL), GrB_SUCCESS);
    cr_expect_not(torc_try_reduce(&found, TORC_FP64, op_later, A));
    cr_expect(torc_try_reduce(&found, TORC_FP64, GrB_PLUS_FP64, A));
    cr_expect_null(torc_operator_of_reduction(op_later));
    cr_expect_eq(torc_operator_of_reduction(GrB_PLUS_FP64), GrB_PLUS_FP64);
    cr_expect_null(torc_operator_of_reduction(NULL));
    GrB_Matrix_free(&A);
}

Test(user_operations, that_would_mean_something_else_are_left_to_graphblas)
{
    static const char source[] =
        "void f (double *z, const double *x) { *z = (double) ((long double) *x / 3) ; }";
    GrB_UnaryOp op;
    torc_operation operation;
    torc_user_semiring user = {.source = NULL};
    cr_assert_eq(
        GxB_UnaryOp_new(&op, (GxB_unary_function)find_on_host("fold"), GrB_FP64, GrB_FP64, "f", source),
        GrB_SUCCESS);
    cr_expect_not(torc_match_apply(&operation, &user, op));
    cr_expect_null(user.source);
    GrB_UnaryOp_free(&op);
}

Test(user_operations, that_do_not_compile_are_not_tried_again)
{
    uint64_t seed = 5;
    dense_case c = {.seed = seed};
    c.A = dense_case_operand(&seed, 5, 5, VALUE_FP64, false);
    c.B = dense_case_operand(&seed, 5, 5, VALUE_FP64, false);
    c.C = dense_case_operand(&seed, 5, 5, VALUE_FP64, false);
    c.expected = dense_case_copy(c.C);
    torc_target target = {.name = "GrB_Matrix_eWiseAdd_BinaryOp", .C = c.C};
    forced_status = TORC_COMPILE_ERROR;
    cr_expect_not(torc_try_ewise(&target, TORC_EWISE_ADD, op_later, c.A, c.B));
    dense_case_expect_same(&c);
    forced_status = TORC_SUCCESS;
    int before = nuser_calls;
    cr_expect_not(torc_try_ewise(&target, TORC_EWISE_ADD, op_later, c.A, c.B));
    cr_expect_eq(nuser_calls, before);
    cr_expect(torc_try_ewise(&target, TORC_EWISE_ADD, operators[0], c.A, c.B));
    cr_expect_eq(nuser_calls, before + 1);
    dense_case_free(&c);
}
