/* test_user_semiring.c: user-defined semirings are recognised with their source, and torc_mxm answers as
 * GrB_mxm does with them. On the reference executor, which cannot compile C, torc_spmm_host is given the
 * functions of the host on its way. */
#include "burble.h"
#include "session.h"
#include "splitmix.h"
#include "traced_mxm.h"
#include "user_semiring.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { M = 7, K = 9, N = 5, ROUNDS = 40 };

/* ---- Operators: code of the host, and the same text as source ------------------------------------------ */

#define BOTH(name, ...)                                                                                      \
    __VA_ARGS__                                                                                              \
    static const char name##_source[] = #__VA_ARGS__;

// clang-format off
BOTH(path, typedef struct { double cost ; int64_t hops ; } path ;)
BOTH(shorter, static void shorter (path *z, const path *x, const path *y)
    { *z = x->cost < y->cost || (x->cost == y->cost && x->hops <= y->hops) ? *x : *y ; })
BOTH(extend, static void extend (path *z, const path *x, const path *y)
    { z->cost = 2 * x->cost + y->cost ; z->hops = x->hops - y->hops ; })
BOTH(vector, typedef struct { double x, y, z ; } vector ;)
BOTH(sum, static void sum (vector *z, const vector *x, const vector *y)
    { z->x = x->x + y->x ; z->y = x->y + y->y ; z->z = x->z + y->z ; })
BOTH(scale, static void scale (vector *z, const double *x, const vector *y)
    { z->x = *x * y->x ; z->y = *x * y->y ; z->z = *x - y->z ; })
BOTH(polynomial, static void polynomial (double *z, const double *x, const double *y) { *z = *x * *x - *y ; })
BOTH(divisor, static void divisor (int32_t *z, const int32_t *x, const int32_t *y)
    { int32_t a = abs (*x), b = abs (*y) ; while (b != 0) { int32_t r = a % b ; a = b ; b = r ; } *z = a ; })
// clang-format on

#define FUNCTION(f) ((torc_function)(void (*)(void))f)

static const struct {
    const char *name;
    torc_function function;
} on_host[] = {{"shorter", FUNCTION(shorter)}, {"extend", FUNCTION(extend)}, {"sum", FUNCTION(sum)},
    {"scale", FUNCTION(scale)}, {"polynomial", FUNCTION(polynomial)}, {"divisor", FUNCTION(divisor)}};

static torc_function find_on_host(const char *name)
{
    for (size_t i = 0; name && i < sizeof on_host / sizeof *on_host; i++) {
        if (strcmp(on_host[i].name, name) == 0) {
            return on_host[i].function;
        }
    }
    return NULL;
}

/* The linker puts these around torc_spmm_host. */
torc_status __real_torc_spmm_host(const torc_dense *C, torc_semiring semiring, torc_sparse *A, bool transpose,
    const torc_dense *B, const torc_update *update, const torc_host_options *options);
torc_status __wrap_torc_spmm_host(const torc_dense *C, torc_semiring semiring, torc_sparse *A, bool transpose,
    const torc_dense *B, const torc_update *update, const torc_host_options *options);

static torc_status forced_status; /* instead of an answer */
static int masked_products;       /* torc_spmm_host was given a mask */

torc_status __wrap_torc_spmm_host(const torc_dense *C, torc_semiring semiring, torc_sparse *A, bool transpose,
    const torc_dense *B, const torc_update *update, const torc_host_options *options)
{
    if (forced_status != TORC_SUCCESS) {
        return forced_status;
    }
    masked_products += update->mask != NULL;
    torc_definition definition;
    if (semiring.definition) {
        definition = *semiring.definition;
        definition.add_on_host = find_on_host(definition.add);
        definition.multiply_on_host = find_on_host(definition.multiply);
        semiring.definition = &definition;
    }
    return __real_torc_spmm_host(C, semiring, A, transpose, B, update, options);
}

/* ---- Objects ------------------------------------------------------------------------------------------ */

static const torc_binding *graphblas;
static GrB_Type path_type, vector_type, other_type;
static GrB_BinaryOp op_shorter, op_extend, op_sum, op_scale, op_polynomial, op_divisor;
static GrB_Semiring paths, vectors, polynomials, divisors;

/* What was made, to be freed. */
static GrB_BinaryOp ops[64];
static GrB_Monoid monoids[16];
static GrB_Semiring semirings[64];
static int nops, nmonoids, nsemirings;

static GrB_BinaryOp operator_of(const char *name, const char *source, GrB_Type z, GrB_Type x, GrB_Type y)
{
    GrB_BinaryOp op;
    cr_assert_eq(
        GxB_BinaryOp_new(&op, (GxB_binary_function)find_on_host(name), z, x, y, name, source), GrB_SUCCESS);
    return ops[nops++] = op;
}

#define OPERATOR(name, z, x, y) operator_of(#name, name##_source, z, x, y)

static GrB_Semiring semiring_of(GrB_Monoid monoid, GrB_BinaryOp multiply)
{
    GrB_Semiring semiring;
    cr_assert_eq(GrB_Semiring_new(&semiring, monoid, multiply), GrB_SUCCESS);
    return semirings[nsemirings++] = semiring;
}

static GrB_Monoid monoid_of(GrB_BinaryOp op, const void *identity)
{
    GrB_Monoid monoid;
    cr_assert_eq(GrB_Monoid_new_UDT(&monoid, op, (void *)identity), GrB_SUCCESS);
    return monoids[nmonoids++] = monoid;
}

static void start(void)
{
    torc_trace_begin();
    cr_assert_eq(GrB_init(GrB_NONBLOCKING), GrB_SUCCESS);
    graphblas = torc_binding_get();
    cr_assert_not_null(graphblas);
    GxB_Type_new(&path_type, sizeof(path), "path", path_source);
    GxB_Type_new(&vector_type, sizeof(vector), "vector", vector_source);
    GxB_Type_new(&other_type, sizeof(path), "path", path_source);
    op_shorter = OPERATOR(shorter, path_type, path_type, path_type);
    op_extend = OPERATOR(extend, path_type, path_type, path_type);
    op_sum = OPERATOR(sum, vector_type, vector_type, vector_type);
    op_scale = OPERATOR(scale, vector_type, GrB_FP64, vector_type);
    op_polynomial = OPERATOR(polynomial, GrB_FP64, GrB_FP64, GrB_FP64);
    op_divisor = OPERATOR(divisor, GrB_INT32, GrB_INT32, GrB_INT32);
    path no_path = {1e300, 0};
    vector zero = {0, 0, 0};
    GrB_Monoid divisor_monoid;
    cr_assert_eq(GrB_Monoid_new_INT32(&divisor_monoid, op_divisor, 0), GrB_SUCCESS);
    paths = semiring_of(monoid_of(op_shorter, &no_path), op_extend);
    vectors = semiring_of(monoid_of(op_sum, &zero), op_scale);
    polynomials = semiring_of(GrB_PLUS_MONOID_FP64, op_polynomial);
    monoids[nmonoids++] = divisor_monoid;
    divisors = semiring_of(divisor_monoid, GrB_TIMES_INT32);
}

static void finish(void)
{
    while (nsemirings > 0) {
        GrB_Semiring_free(&semirings[--nsemirings]);
    }
    while (nmonoids > 0) {
        GrB_Monoid_free(&monoids[--nmonoids]);
    }
    while (nops > 0) {
        GrB_BinaryOp_free(&ops[--nops]);
    }
    GrB_Type_free(&path_type);
    GrB_Type_free(&vector_type);
    GrB_Type_free(&other_type);
    torc_session_close();
    GrB_finalize();
}

TestSuite(user_semiring, .init = start, .fini = finish);

/* ---- Recognition -------------------------------------------------------------------------------------- */

static int count(const char *text, const char *words)
{
    int found = 0;
    for (; (text = strstr(text, words)); text += strlen(words)) {
        found++;
    }
    return found;
}

Test(user_semiring, is_read_with_its_names_types_and_each_definition_once)
{
    torc_user_semiring user;
    const char *reason = "";
    cr_assert(torc_user_semiring_read(&user, &reason, graphblas, paths), "%s", reason);
    cr_expect_eq(user.semiring.add, TORC_USER_MONOID);
    cr_expect_eq(user.semiring.multiply, TORC_USER);
    cr_expect_str_eq(user.definition.add, "shorter");
    cr_expect_str_eq(user.definition.multiply, "extend");
    cr_expect_str_eq(user.definition.x.name, "path");
    cr_expect_eq(user.definition.z.type, torc_opaque_type(sizeof(path)));
    cr_expect_eq(user.z_type, path_type);
    const char *type = strstr(user.source, path_source), *add = strstr(user.source, shorter_source),
               *multiply = strstr(user.source, extend_source);
    cr_expect(type && add && multiply && type < add && type < multiply, "%s", user.source);
    cr_expect_eq(count(user.source, "typedef"), 1, "%s", user.source);
    cr_expect_null(strstr(user.source, "GraphBLAS"), "%s", user.source);
    torc_user_semiring_release(&user);

    cr_assert(torc_user_semiring_read(&user, &reason, graphblas, vectors), "%s", reason);
    cr_expect_eq(user.definition.x.type, TORC_FP64);
    cr_expect_null(user.definition.x.name);
    cr_expect_str_eq(user.definition.y.name, "vector");
    cr_expect_eq(count(user.source, "typedef"), 1, "%s", user.source);
    torc_user_semiring_release(&user);

    cr_assert(torc_user_semiring_read(&user, &reason, graphblas, polynomials), "%s", reason);
    cr_expect_eq(user.semiring.add, TORC_PLUS_MONOID);
    cr_expect_null(user.definition.add);
    torc_user_semiring_release(&user);

    cr_assert(torc_user_semiring_read(&user, &reason, graphblas, divisors), "%s", reason);
    cr_expect_eq(user.semiring.multiply, TORC_TIMES);
    cr_expect_eq(user.semiring.type, TORC_INT32);
    cr_expect_null(user.definition.multiply);
    torc_user_semiring_release(&user);
}

Test(user_semiring, keeps_the_lines_of_a_definition)
{
    torc_user_semiring user;
    const char *reason = "", *lines = "void polynomial (double *z, const double *x, const double *y)\n{\n"
                                      "    // (user-defined) z=f(x,y)\n    *z = *x * *x - *y ;\n}\n\n";
    GrB_BinaryOp op = operator_of("polynomial", lines, GrB_FP64, GrB_FP64, GrB_FP64);
    GrB_Semiring semiring = semiring_of(GrB_PLUS_MONOID_FP64, op);
    cr_assert(torc_user_semiring_read(&user, &reason, graphblas, semiring), "%s", reason);
    cr_expect_not_null(strstr(user.source, lines), "%s", user.source);
    torc_user_semiring_release(&user);
}

static void expect_refused(GrB_Semiring semiring, const char *what)
{
    torc_user_semiring user;
    const char *reason = NULL;
    cr_expect_not(torc_user_semiring_read(&user, &reason, graphblas, semiring), "%s", what);
    cr_expect_not_null(reason);
    cr_expect_null(user.source);
}

/* Of a multiply of fp64. */
static void expect_taken(const char *source)
{
    torc_user_semiring user;
    const char *reason = "";
    GrB_Semiring semiring =
        semiring_of(GrB_PLUS_MONOID_FP64, operator_of("polynomial", source, GrB_FP64, GrB_FP64, GrB_FP64));
    cr_expect(torc_user_semiring_read(&user, &reason, graphblas, semiring), "%s: %s", source, reason);
    torc_user_semiring_release(&user);
}

Test(user_semiring, without_source_or_of_other_operators_is_not_taken)
{
    GrB_BinaryOp bare, bare_complex;
    GrB_Monoid minus;
    GrB_BinaryOp_new(&bare, (GxB_binary_function)FUNCTION(polynomial), GrB_FP64, GrB_FP64, GrB_FP64);
    ops[nops++] = bare;
    expect_refused(semiring_of(GrB_PLUS_MONOID_FP64, bare), "a function only");
    bare = operator_of("polynomial", NULL, GrB_FP64, GrB_FP64, GrB_FP64);
    expect_refused(semiring_of(GrB_PLUS_MONOID_FP64, bare), "a function and its name");
    GrB_Monoid_new_FP64(&minus, GrB_MINUS_FP64, 0.0);
    monoids[nmonoids++] = minus;
    expect_refused(semiring_of(minus, GrB_TIMES_FP64), "a monoid of minus");
    bare_complex = operator_of("polynomial", "void polynomial (...) ;", GxB_FC64, GxB_FC64, GxB_FC64);
    expect_refused(semiring_of(GxB_PLUS_FC64_MONOID, bare_complex), "complex");
}

#define F(body) "void polynomial (double *z, const double *x, const double *y) { " body " }"

/* Pointers are the host's, long double is double there, and C++ gives comparisons and characters other types.
 */
Test(user_semiring, that_would_mean_something_else_is_not_taken)
{
    static const char *const sources[] = {F("long double d = *x ; *z = d ;"),
        F("*z = (double) (*x / 3.0L) ;"), F("*z = .5l ;"), F("*z = sizeof ('a') ;"), F("*z = sizeof 'a' ;"),
        F("*z = sizeof (*x == *y) ;"), F("*z = sizeof (*x < *y) ;"), F("*z = sizeof (!*x) ;"),
        F("*z = sizeof !*x ;"), F("*z = sizeof (true) ;"), "typedef struct { double *p ; } pt ; " F(";"),
        "struct pt { double q ; struct { char *name ; } n ; } ; " F(";"), "union u { void *p ; } ; " F(";"),
        "typedef struct { double q ; } *pt ; " F(";"), "typedef double *pt ; " F(";"),
        "typedef double (*pt) (double) ; " F(";"),
        "struct b { uint64_t w : 40 ; } ; " F("struct b s ; s.w = *x ; *z = s.w + 1 ;"),
        "typedef struct { struct { } e ; char c ; short s ; } b ; " F(";"),
        "typedef enum { LOW, HIGH } level ; " F("level l = LOW ; *z = l - 1 ;"),
        F("enum { A = 1, B = 0x80000000 } ; *z = A - 2 < 0 ;"), F("enum { A = 4000000000 } ; *z = A ;"),
        F("enum level { LOW } l = LOW ; *z = l - 1 ;"), F("*z = sizeof (NULL) ;"),
        F("auto half = *x * .5 ; *z = half ;"), F("*z = not (*x) ;"), F("*z = __LINE__ ;"),
        F("__float80 d = *x ; *z = d ;"), F("\n#ifdef __cplusplus\n*z = 1 ;\n#else\n*z = 2 ;\n#endif\n"),
        F("\n#  if SQUARED\n*z = *x * *x ;\n#endif\n")};
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        expect_refused(semiring_of(GrB_PLUS_MONOID_FP64,
                           operator_of("polynomial", sources[i], GrB_FP64, GrB_FP64, GrB_FP64)),
            sources[i]);
    }
}

Test(user_semiring, that_only_looks_as_if_it_meant_something_else_is_taken)
{
    static const char *const sources[] = {F("/* long double, sizeof ('a') */ *z = 10L + 0x1L ; // 3.0L\n"),
        F("char c = '\\'' ; const char *s = \"long double\\\"sizeof 'a'\" ; *z = c + s[0] ;"),
        F("memcpy (z, x, sizeof (double)) ; memcpy (z, x, sizeof *z) ; memcpy (z, x, sizeof (z[0])) ;"),
        F("*z = sizeof *x == 8 && sizeof (long) < 9 ? 'a' > *y : 0 ;"),
        "/* a * b */ typedef struct { double q ; /* 2 * p */ long n ; } pt ; " F("*z = *x * *y ;"),
        "struct pt { double q ; } ; static double g (struct pt *p, double s) { return p->q * s ; } " F(";"),
        F("enum { A, B = 3, C = -1, } ; *z = A - 2 < 0 ;"), "struct b { unsigned w : 31 ; } ; " F(";"),
        F("double *__restrict__ news = z ; *news = *x ; // not and enum __LINE__")};
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        expect_taken(sources[i]);
    }
}

/* A kernel would have variables of its own, as they were when it was made. */
Test(user_semiring, with_what_outlives_a_call_is_not_taken)
{
    static const char *const sources[] = {"extern double factor ; " F("*z = *x * factor ;"),
        "double factor = 2 ; " F("*z = *x * factor ;"), "static double factor ; " F("*z = *x * factor ;"),
        "static double buffer [4] ; " F(";"), "struct s { double d ; } s ; " F(";"),
        "struct s { double d ; } ; struct s s = { 2 } ; " F(";"), "static const char *name = \"x\" ; " F(";"),
        "#define N 2\nstatic int n = N, m ;\n" F(";"), "static double (*g) (double) = fabs ; " F(";"),
        F("static int calls ; *z = ++calls ;"), F("static int calls = 0 ; *z = ++calls ;"),
        F("static const double *last ; last = x ;"), F("extern double factor ; *z = factor ;"),
        "static double g (double n) { return n < 2 ? 1 : n * g (n - 1) ; } " F("*z = g (*x) ;"),
        "static double h (double) ; static double g (double n) { return h (n) ; } static double h (double n) "
        "{ return n < 2 ? 1 : g (n - 1) ; } " F("*z = g (*x) ;")};
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        expect_refused(semiring_of(GrB_PLUS_MONOID_FP64,
                           operator_of("polynomial", sources[i], GrB_FP64, GrB_FP64, GrB_FP64)),
            sources[i]);
    }
}

Test(user_semiring, with_constants_and_functions_is_taken)
{
    static const char *const sources[] = {
        "static const double factors [2] = { 2, 3 } ; " F("*z = factors [1] ;"),
        "const double factor = 2 ; " F("*z = *x * factor ;"),
        F("static const int factor [2] [2] = { { 1 }, { 2 } } ; *z = factor [1] [0] ;"),
        "#define FACTOR (2) \\\n * 3\nstatic inline double g (double x, double (*h) (double)) { return h (x) "
        "; } "
        "static double *at (double *x) { return x ; } " F("*at (z) = g (*x, fabs) ;"),
        "struct s { double d ; } ; static struct s g (struct s s) { struct s t = s ; return t ; } ; " F(";")};
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        expect_taken(sources[i]);
    }
}

Test(user_semiring, of_types_with_pointers_is_not_taken)
{
    GrB_Type type;
    cr_assert_eq(
        GxB_Type_new(&type, sizeof(void *), "pt", "typedef struct { double *p ; } pt ;"), GrB_SUCCESS);
    GrB_BinaryOp op = operator_of("polynomial",
        "void polynomial (pt *z, const pt *x, const pt *y) { *z = *x->p < *y->p ? *x : *y ; }", type, type,
        type);
    void *none = NULL;
    expect_refused(semiring_of(monoid_of(op, &none), op), "pointers");
    GrB_Type_free(&type);
}

Test(user_semiring, that_does_not_compile_is_refused_from_then_on)
{
    torc_user_semiring user;
    const char *reason;
    cr_assert(torc_user_semiring_read(&user, &reason, graphblas, paths));
    torc_user_source_refuse(user.source);
    torc_user_semiring_release(&user);
    expect_refused(paths, "refused");
    cr_expect(torc_user_semiring_read(&user, &reason, graphblas, vectors), "another");
    torc_user_semiring_release(&user);
}

Test(user_semiring, is_read_again_and_again)
{
    enum { READS = 2000 };
    double start_time = torc_clock();
    for (int i = 0; i < READS; i++) {
        torc_user_semiring user;
        const char *reason;
        cr_assert(torc_user_semiring_read(&user, &reason, graphblas, paths));
        torc_user_semiring_release(&user);
    }
    cr_log_info("%.1f microseconds a read", 1e6 * (torc_clock() - start_time) / READS);
}

/* ---- Products ----------------------------------------------------------------------------------------- */

static void set(GrB_Matrix A, GrB_Type type, GrB_Index i, GrB_Index j, uint64_t *seed)
{
    int64_t x = random_below(seed, 9) - 4, y = random_below(seed, 5);
    if (type == path_type || type == other_type) {
        path value = {(double)x, y};
        GrB_Matrix_setElement_UDT(A, &value, i, j);
    } else if (type == vector_type) {
        vector value = {(double)x, (double)y, 1};
        GrB_Matrix_setElement_UDT(A, &value, i, j);
    } else {
        GrB_Matrix_setElement_INT64(A, 6 * x, i, j);
    }
}

static GrB_Matrix random_matrix(GrB_Type type, GrB_Index nrows, GrB_Index ncols, int percent, uint64_t *seed)
{
    GrB_Matrix A;
    cr_assert_eq(GrB_Matrix_new(&A, type, nrows, ncols), GrB_SUCCESS);
    GxB_Matrix_Option_set(A, GxB_FORMAT, random_below(seed, 2) ? GxB_BY_COL : GxB_BY_ROW);
    for (GrB_Index k = 0; k < nrows * ncols; k++) {
        if (random_below(seed, 100) < percent) {
            set(A, type, k / ncols, k % ncols, seed);
        }
    }
    GxB_Matrix_Option_set(A, GxB_SPARSITY_CONTROL, percent == 100 ? GxB_FULL : GxB_SPARSE + GxB_HYPERSPARSE);
    return A;
}

/* Full or bitmap. */
static GrB_Matrix random_dense(GrB_Type type, GrB_Index nrows, GrB_Index ncols, uint64_t *seed)
{
    GrB_Matrix A = random_matrix(type, nrows, ncols, random_below(seed, 2) ? 100 : 70, seed);
    GxB_Matrix_Option_set(A, GxB_SPARSITY_CONTROL, GxB_BITMAP + GxB_FULL);
    return A;
}

static void expect_equal(GrB_Matrix C, GrB_Matrix expected, GrB_Type type, const char *what, uint64_t seed)
{
    bool is_user = type == path_type || type == vector_type || type == other_type;
    for (GrB_Index k = 0; k < M * N; k++) {
        char x[32] = {0}, y[32] = {0};
        GrB_Info found, wanted;
        if (is_user) {
            found = GrB_Matrix_extractElement_UDT(x, C, k / N, k % N);
            wanted = GrB_Matrix_extractElement_UDT(y, expected, k / N, k % N);
        } else {
            found = GrB_Matrix_extractElement_FP64((double *)(void *)x, C, k / N, k % N);
            wanted = GrB_Matrix_extractElement_FP64((double *)(void *)y, expected, k / N, k % N);
        }
        cr_expect(found == wanted && memcmp(x, y, sizeof x) == 0, "%s, seed %llu: C(%d,%d) is %s", what,
            (unsigned long long)seed, (int)(k / N), (int)(k % N),
            found == wanted ? "another value" : "there or not there");
    }
}

typedef struct case_types {
    const char *name;
    GrB_Semiring semiring;
    GrB_Type a, b, c;
    GrB_BinaryOp accum;
} case_types;

static bool run_case(const case_types *types, uint64_t seed)
{
    uint64_t random = seed, *state = &random;
    bool left = random_below(state, 2), t0 = random_below(state, 2), t1 = random_below(state, 2);
    int density = 5 + (int)random_below(state, 60);
    GrB_Index a_rows = t0 ? K : M, a_cols = t0 ? M : K, b_rows = t1 ? N : K, b_cols = t1 ? K : N;
    GrB_Matrix A = left ? random_matrix(types->a, a_rows, a_cols, density, state)
                        : random_dense(types->a, a_rows, a_cols, state);
    GrB_Matrix B = left ? random_dense(types->b, b_rows, b_cols, state)
                        : random_matrix(types->b, b_rows, b_cols, density, state);
    GrB_Matrix C = random_matrix(types->c, M, N, 50, state), expected, mask = NULL;
    GxB_Matrix_Option_set(C, GxB_SPARSITY_CONTROL, random_below(state, 2) ? GxB_BITMAP : GxB_AUTO_SPARSITY);
    cr_assert_eq(GrB_Matrix_dup(&expected, C), GrB_SUCCESS);
    if (random_below(state, 2)) {
        mask = random_matrix(GrB_BOOL, M, N, 50, state);
    }
    GrB_BinaryOp accum = random_below(state, 2) ? types->accum : NULL;
    GrB_Descriptor desc;
    GrB_Descriptor_new(&desc);
    GrB_Descriptor_set(desc, GrB_INP0, t0 ? GrB_TRAN : GxB_DEFAULT);
    GrB_Descriptor_set(desc, GrB_INP1, t1 ? GrB_TRAN : GxB_DEFAULT);
    GrB_Descriptor_set(desc, GrB_MASK, GrB_STRUCTURE);
    if (mask) {
        GrB_Descriptor_set(desc, GrB_MASK, random_below(state, 2) ? GrB_COMP : GxB_DEFAULT);
        GrB_Descriptor_set(desc, GrB_OUTP, random_below(state, 2) ? GrB_REPLACE : GxB_DEFAULT);
    }
    mxm_trace trace;
    GrB_Info info = torc_traced_mxm(&trace, C, mask, accum, types->semiring, A, B, desc);
    GrB_Info wanted = GrB_mxm(expected, mask, accum, types->semiring, A, B, desc);
    cr_expect_eq(info, wanted, "%s, seed %llu", types->name, (unsigned long long)seed);
    expect_equal(C, expected, types->c, types->name, seed);
    GrB_Matrix_free(&A);
    GrB_Matrix_free(&B);
    GrB_Matrix_free(&C);
    GrB_Matrix_free(&expected);
    GrB_Matrix_free(&mask);
    GrB_Descriptor_free(&desc);
    return strcmp(trace.where, "cpu") != 0;
}

Test(user_semiring, products_equal_those_of_graphblas)
{
    const case_types cases[] = {
        {"paths", paths, path_type, path_type, path_type, op_shorter},
        {"vectors", vectors, GrB_INT16, vector_type, vector_type, op_sum},
        {"polynomials", polynomials, GrB_FP32, GrB_FP64, GrB_INT64, GrB_PLUS_FP64},
        {"divisors", divisors, GrB_INT32, GrB_INT8, GrB_FP64, op_divisor},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int on_device = 0;
        for (uint64_t seed = 0; seed < ROUNDS; seed++) {
            on_device += run_case(&cases[i], seed);
        }
        cr_expect_gt(
            on_device, ROUNDS * 3 / 4, "%s: %d of %d calls on the device", cases[i].name, on_device, ROUNDS);
    }
    cr_expect_gt(masked_products, 0, "no mask was left to the kernel");
}

Test(user_semiring, is_not_tried_twice_when_it_does_not_compile)
{
    const case_types types = {"paths", paths, path_type, path_type, path_type, op_shorter};
    mxm_trace trace;
    uint64_t seed = 1;
    GrB_Matrix A = random_matrix(path_type, M, K, 50, &seed), B = random_matrix(path_type, K, N, 100, &seed);
    GrB_Matrix C = random_matrix(path_type, M, N, 50, &seed);
    forced_status = TORC_COMPILE_ERROR;
    cr_expect_eq(torc_traced_mxm(&trace, C, NULL, NULL, paths, A, B, NULL), GrB_SUCCESS);
    cr_expect_str_eq(trace.where, "cpu");
    cr_expect_not_null(strstr(trace.text, torc_status_text(TORC_COMPILE_ERROR)), "%s", trace.text);
    forced_status = TORC_SUCCESS;
    cr_expect_eq(torc_traced_mxm(&trace, C, NULL, NULL, paths, A, B, NULL), GrB_SUCCESS);
    cr_expect_not_null(strstr(trace.text, "do not compile"), "%s", trace.text);
    cr_expect_not(run_case(&types, 2));
    GrB_Matrix_free(&A);
    GrB_Matrix_free(&B);
    GrB_Matrix_free(&C);
}

Test(user_semiring, built_in_ones_without_a_kernel_are_not_tried_twice)
{
    mxm_trace trace;
    uint64_t seed = 1;
    GrB_Matrix A = random_matrix(GrB_FP32, M, K, 50, &seed), B = random_matrix(GrB_FP32, K, N, 100, &seed);
    GrB_Matrix C = random_matrix(GrB_FP32, M, N, 50, &seed);
    const char *text = torc_status_text(TORC_NO_COMPILER);
    forced_status = TORC_NO_COMPILER;
    cr_expect_eq(
        torc_traced_mxm(&trace, C, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP32, A, B, NULL), GrB_SUCCESS);
    cr_expect_str_eq(trace.where, "cpu");
    cr_expect_not_null(strstr(trace.text, text), "%s", trace.text);
    forced_status = TORC_SUCCESS;
    cr_expect_eq(
        torc_traced_mxm(&trace, C, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP32, A, B, NULL), GrB_SUCCESS);
    cr_expect_str_eq(trace.where, "cpu");
    cr_expect_not_null(strstr(trace.text, text), "%s", trace.text);
    cr_expect_eq(torc_traced_mxm(&trace, C, NULL, NULL, GrB_MIN_PLUS_SEMIRING_FP32, A, B, NULL), GrB_SUCCESS);
    cr_expect_str_neq(trace.where, "cpu", "%s", trace.text);
    GrB_Matrix_free(&A);
    GrB_Matrix_free(&B);
    GrB_Matrix_free(&C);
}

/* Types of the same size and even the same name are not the same. */
Test(user_semiring, errors_are_those_of_graphblas)
{
    const struct {
        const char *name;
        GrB_Type a, b, c, mask;
    } wrongs[] = {
        {"A", other_type, path_type, path_type, NULL},
        {"B", path_type, other_type, path_type, NULL},
        {"C", path_type, path_type, other_type, NULL},
        {"C built-in", path_type, path_type, GrB_FP64, NULL},
        {"A built-in", GrB_FP64, path_type, path_type, NULL},
        {"a valued mask", path_type, path_type, path_type, path_type},
    };
    for (size_t i = 0; i < sizeof wrongs / sizeof *wrongs; i++) {
        uint64_t seed = i;
        GrB_Matrix A = random_matrix(wrongs[i].a, M, K, 50, &seed);
        GrB_Matrix B = random_matrix(wrongs[i].b, K, N, 100, &seed);
        GrB_Matrix C = random_matrix(wrongs[i].c, M, N, 50, &seed), before, mask = NULL;
        if (wrongs[i].mask) {
            mask = random_matrix(wrongs[i].mask, M, N, 50, &seed);
        }
        GrB_Matrix_dup(&before, C);
        mxm_trace trace;
        GrB_Info info = torc_traced_mxm(&trace, C, mask, NULL, paths, A, B, NULL);
        const char *text, *wanted_text;
        char said[1024];
        GrB_Matrix_error(&text, C);
        snprintf(said, sizeof said, "%s", text);
        cr_expect_eq(info, GrB_DOMAIN_MISMATCH, "%s: %d", wrongs[i].name, (int)info);
        cr_expect_eq(GrB_mxm(C, mask, NULL, paths, A, B, NULL), info);
        GrB_Matrix_error(&wanted_text, C);
        cr_expect_str_eq(said, wanted_text, "%s", wrongs[i].name);
        expect_equal(C, before, wrongs[i].c, wrongs[i].name, i);
        GrB_Matrix_free(&A);
        GrB_Matrix_free(&B);
        GrB_Matrix_free(&C);
        GrB_Matrix_free(&before);
        GrB_Matrix_free(&mask);
    }
}
