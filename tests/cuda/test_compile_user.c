/* test_compile_user.c: user-defined operators through the run-time compiler, without a GPU: good source
 * compiles whatever its names, anything else is a compile error and no more. */
#include "compile.h"
#include "kernel_source.h"
#include "user_semirings.h"
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

enum { ARCHITECTURE = 90 };

static torc_status compile(char log[TORC_LOG_SIZE], const torc_spmm_kernel *kernel)
{
    static char source[TORC_SOURCE_SIZE];
    torc_image image;
    log[0] = '\0';
    torc_status status = torc_spmm_source(source, kernel);
    if (status == TORC_SUCCESS) {
        status = torc_compile(&image, log, source, ARCHITECTURE);
        cr_expect_eq(status == TORC_SUCCESS, image.size > 0);
        torc_image_release(&image);
    }
    return status;
}

static torc_spmm_kernel kernel_of(torc_semiring semiring, torc_type a_type, torc_type b_type)
{
    return (torc_spmm_kernel){
        .semiring = semiring,
        .a_type = a_type,
        .b_type = b_type,
        .a_access = TORC_ACCESS_ARRAY,
        .b_access = TORC_ACCESS_ARRAY,
        .shape = {8, 1},
    };
}

Test(compile_user, every_user_semiring_compiles_flipped_or_not_narrow_or_wide)
{
    for (int i = 0; i < TORC_USER_CASES; i++) {
        const torc_user_case *c = &torc_user_cases[i];
        for (int flip = 0; flip < 2; flip++) {
            torc_spmm_kernel kernel = kernel_of(c->semiring, c->a_type, c->b_type);
            if (flip) {
                kernel = kernel_of(torc_semiring_transpose(c->semiring), c->b_type, c->a_type);
                kernel.shape.lanes = 1;
                kernel.a_access = TORC_ACCESS_ISO;
                kernel.wide_offsets = true;
            }
            char log[TORC_LOG_SIZE];
            torc_status status = compile(log, &kernel);
            cr_expect(status == TORC_SUCCESS, "%s, %s: %s: %s", c->name, flip ? "flipped" : "as it is",
                torc_status_text(status), log);
        }
    }
}

/* As backend.h has it, and candidates.c. */
static bool may_stream(const torc_user_case *c)
{
    size_t size = torc_type_size(torc_semiring_traits(c->semiring).z_type);
    return size <= 16 && (size & (size - 1)) == 0 && torc_type_size(c->a_type) <= 16 &&
           torc_type_size(c->b_type) <= 16;
}

/* Likewise; what has panels may stream. */
static bool may_have_panels(const torc_user_case *c)
{
    return may_stream(c) && torc_type_size(torc_semiring_traits(c->semiring).z_type) <= 8 &&
           torc_type_size(c->b_type) <= 8;
}

/* A third of the policies each, in turn. */
Test(compile_user, user_semirings_compile_with_every_policy)
{
    for (int i = 0; i < TORC_USER_CASES; i++) {
        const torc_user_case *c = &torc_user_cases[i];
        torc_spmm_kernel plain = kernel_of(c->semiring, c->a_type, c->b_type);
        torc_spmm_kernel masked = plain, replacing = plain, parallel = plain, uniform = plain;
        torc_spmm_kernel streaming = plain, in_panels = plain;
        masked.has_mask = masked.c_is_bitmap = masked.b_is_bitmap = true;
        masked.old_access = TORC_ACCESS_ARRAY;
        replacing.has_mask = replacing.c_is_bitmap = true;
        parallel.shape.lanes = 2;
        parallel.family = TORC_PARALLEL_ROWS;
        parallel.ways = 16;
        torc_spmm_kernel masked_slices = masked, masked_ways = masked;
        masked_slices.family = TORC_SLICES;
        masked_ways.family = TORC_PARALLEL_SLICES;
        masked_ways.shape.lanes = 2;
        masked_ways.ways = 8;
        uniform.b_access = TORC_ACCESS_ISO;
        uniform.family = TORC_UNIFORM;
        uniform.shape.lanes = 1;
        uniform.ways = 8;
        streaming.family = TORC_STREAMED;
        streaming.shape.lanes = 1;
        in_panels.family = TORC_PANELS;
        in_panels.shape.lanes = 1;
        in_panels.ways = 8;
        const torc_spmm_kernel *const kernels[] = {
            &masked, &masked_slices, &masked_ways, &replacing, &parallel, &uniform, &streaming, &in_panels};
        size_t count = sizeof kernels / sizeof *kernels - !may_have_panels(c) - !may_stream(c);
        for (size_t k = (size_t)i % 3; k < count; k += 3) {
            char log[TORC_LOG_SIZE];
            cr_expect_eq(compile(log, kernels[k]), TORC_SUCCESS, "%s, policy %zu: %s", c->name, k, log);
            cr_expect_str_eq(log, "", "%s, policy %zu: %s", c->name, k, log);
        }
    }
}

/* PLUS over `f` of a source, on doubles. */
static torc_status compile_source(char log[TORC_LOG_SIZE], const char *source, const char *name)
{
    torc_definition definition = {
        .source = source,
        .multiply = name,
        .x = {TORC_FP64, NULL},
        .y = {TORC_FP64, NULL},
        .z = {TORC_FP64, NULL},
    };
    torc_semiring semiring = {.add = TORC_PLUS_MONOID, .multiply = TORC_USER, .definition = &definition};
    torc_spmm_kernel kernel = kernel_of(semiring, TORC_FP64, TORC_FP64);
    return compile(log, &kernel);
}

#define BODY "(double *z, const double *x, const double *y) { *z = *x - *y ; }"

Test(compile_user, no_name_of_torc_is_in_the_way)
{
    static const char *const names[] = {"torc_spmm_main", "torc_spmm_args", "torc", "torc_c", "user",
        "kernel", "multiply", "monoid", "x_type", "user_function", "plus", "min", "operand_a", "fragment"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char source[256], log[TORC_LOG_SIZE];
        snprintf(source, sizeof source, "void %s " BODY, names[i]);
        torc_status status = compile_source(log, source, names[i]);
        cr_expect_eq(status, TORC_SUCCESS, "%s: %s", names[i], log);
    }
}

Test(compile_user, source_may_include_what_c_has_and_use_it)
{
    static const char *const sources[] = {
        "#include <math.h>\n#include <stdint.h>\n#include <stdbool.h>\n#include <string.h>\n#include "
        "<float.h>\n"
        "#include \"GraphBLAS.h\"\n"
        "void f (double *restrict z, const double *restrict x, const double *restrict y)\n"
        "{ uint64_t bits ; memcpy (&bits, x, sizeof (bits)) ; _Bool is = bits > INT64_MAX ;\n"
        "  *z = is ? fmin (sqrt (fabs (*x)), FLT_MAX) + abs ((int) *y) : -INFINITY + 0 * isnan (*y) ; }",
        "#define SQUARE(x) ((x) * (x))\nstatic double square (double x) { return SQUARE (x) ; }\n"
        "void f (void *z, const void *x, const void *y)\n"
        "{ (void) y ; *((double *) z) = square (*((double *) x)) ; }",
    };
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        char log[TORC_LOG_SIZE];
        cr_expect_eq(compile_source(log, sources[i], "f"), TORC_SUCCESS, "%zu: %s", i, log);
    }
}

/* As they are declared in <math.h>, where CUDA has them for float too; what gcc makes of isinf. */
Test(compile_user, functions_are_those_of_c)
{
    static const char *const claims[] = {"sizeof (ldexp (1.f, 1)) == 8", "sizeof (scalbn (1.f, 1)) == 8",
        "sizeof (scalbln (1.f, 1)) == 8", "sizeof (logb (1.f)) == 8", "sizeof (frexp (1.f, &n)) == 8",
        "sizeof (modf (1.f, &d)) == 8", "sizeof (remquo (1.f, 1.f, &n)) == 8",
        "sizeof (fma (1.f, 1.f, 1.f)) == 8", "sizeof (fmin (1.f, 1.f)) == 8",
        "sizeof (lround (1.f)) == sizeof (long)", "sizeof (ilogb (1.f)) == 4", "sizeof (isnan (1.f)) == 4",
        "sizeof (isfinite (1.f)) == 4", "isinf (__builtin_bit_cast (double, 0xfff0000000000000)) == -1",
        "isinf (__builtin_bit_cast (float, 0x7f800000)) == 1", "isinf (-DBL_MAX) == 0"};
    for (size_t i = 0; i < sizeof claims / sizeof *claims; i++) {
        char source[512], log[TORC_LOG_SIZE];
        snprintf(source, sizeof source,
            "void f (double *z, const double *x, const double *y)\n"
            "{ int n = 0 ; double d = *x ; static_assert (%s, \"\") ; *z = d + n + *y ; }",
            claims[i]);
        cr_expect_eq(compile_source(log, source, "f"), TORC_SUCCESS, "%s: %s", claims[i], log);
    }
}

static torc_status compile_expression(char log[TORC_LOG_SIZE], const char *before, const char *expression)
{
    char source[512];
    snprintf(source, sizeof source,
        "%s\nvoid f (double *z, const double *x, const double *y) { float r = *x, s = *y ; *z = %s ; }",
        before, expression);
    return compile_source(log, source, "f");
}

Test(compile_user, names_that_cuda_has_and_c_has_not_are_the_programs)
{
    static const char *const expressions[] = {"max (*x, *y)", "max (r, s)", "max ((int) r, 1)", "min (r, 1)",
        "norm (2, x)", "rsqrt (*x)", "rsqrtf (r)", "rcbrt (*x)", "rhypot (*x, *y)", "erfinv (*x)",
        "exp10 (*x)", "fdividef (r, s)", "(sincos (*x, z, z), *z)", "umax (1u, 2u)", "llmin (1, 2)",
        "int2double (1)", "clock ()", "*(double *) malloc (8)", "(free (z), *x)", "printf (\"\")",
        "(double) signbit (*x)", "threadIdx.x", "blockDim.x", "*x * warpSize", "MAJOR_VERSION",
        "atomicAdd (z, *x)", "atomicCAS ((int *) z, 1, 2)", "atomicMax_system ((int *) z, 1)",
        "syncthreads_or (1)", "((float4 *) x)->w", "((dim3 *) x)->z", "((double4_16a *) x)->w",
        "make_float2 (r, s).x", "make_ulonglong4_32a (1, 1, 1, 1).x", "tex1D<float> (1, r)",
        "surf2Dread<float> (1, 1, 1)", "(assert (1), *x)"};
    char log[TORC_LOG_SIZE];
    for (size_t i = 0; i < sizeof expressions / sizeof *expressions; i++) {
        cr_expect_eq(
            compile_expression(log, "", expressions[i]), TORC_COMPILE_ERROR, "%s: %s", expressions[i], log);
    }
    cr_expect_eq(compile_expression(log, "#define max(x, y) ((x) > (y) ? (x) : (y))", "max (r, s)"),
        TORC_SUCCESS, "%s", log);
    cr_expect_eq(compile_expression(log, "static double norm (double x) { double min = x ; return min ; }",
                     "norm (r) + (signbit (r) ? 1 : signbit (*x) && 2)"),
        TORC_SUCCESS, "%s", log);
}

/* Names of its own are the source's, whatever CUDA has of that name. */
Test(compile_user, types_and_variables_of_cuda_are_hidden_by_those_of_the_source)
{
    char log[TORC_LOG_SIZE];
    cr_expect_eq(compile_expression(log,
                     "typedef struct { double x, y ; } double2 ; static const int warpSize = 3 ;\n"
                     "static double2 make_double2 (double x) { double2 v ; v.x = v.y = x ; return v ; }\n"
                     "static double atomicAdd (double threadIdx) { return threadIdx + 1 ; }",
                     "make_double2 (r).y * warpSize + atomicAdd (s)"),
        TORC_SUCCESS, "%s", log);
}

/* Of which the compiler only warns. */
Test(compile_user, what_cuda_makes_something_else_of_is_a_compile_error)
{
    static const char *const sources[] = {"void f (double *z, const double *x, const double *y)\n"
                                          "{ long const double d = *x ; *z = d / 3 ; }",
        "#define REAL double\nvoid f (double *z, const double *x, const double *y)\n"
        "{ long REAL d = *x ; *z = d / 3 ; }",
        "extern double factor ; void f (double *z, const double *x, const double *y) { *z = *x * factor ; }",
        "static double g (double *z) { *z = 1 ; } void f (double *z, const double *x, const double *y)\n"
        "{ g (z) ; }",
        "void f (double *z, const double *x, const double *y) { *z = 1 ; // what?"
        "?/\n*z = 2 ;\n }"};
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        char log[TORC_LOG_SIZE];
        cr_expect_eq(compile_source(log, sources[i], "f"), TORC_COMPILE_ERROR, "%s", sources[i]);
    }
}

/* Macros hold in the text behind the source, too. */
Test(compile_user, constants_may_be_called_as_matrices_are)
{
    char log[TORC_LOG_SIZE];
    const char *source = "#define A 2\n#define B 3\n#define C 4\n#define N 5\n#define BLOCK 6\n"
                         "void f (double *z, const double *x, const double *y)\n"
                         "{ *z = A * *x + B * *y + C * N + BLOCK ; }";
    cr_expect_eq(compile_source(log, source, "f"), TORC_SUCCESS, "%s", log);
}

Test(compile_user, bad_source_is_a_compile_error_with_a_log)
{
    static const char *const sources[] = {"", "}", "} } } namespace torc {", "#error no", "void g " BODY,
        "void f (double *z, const double *x) { *z = *x ; }", "void f (int *z, const int *x, const int *y) {}",
        "void f " BODY " #include \"/etc/passwd\"", "#include \"compile.c\"\nvoid f " BODY,
        "static int seen ; void f (double *z, const double *x, const double *y) { system (\"true\") ; }",
        "#define kernel\nvoid f " BODY, "/* void f " BODY,
        "template <int n> struct s { s<n+1> t ; } ; s<0> u ;"};
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        char log[TORC_LOG_SIZE];
        cr_expect_eq(compile_source(log, sources[i], "f"), TORC_COMPILE_ERROR, "%s", sources[i]);
        cr_expect_neq(log[0], '\0', "%s", sources[i]);
    }
}

Test(compile_user, a_type_of_another_size_than_the_host_has_is_a_compile_error)
{
    char log[TORC_LOG_SIZE];
    torc_definition definition = *torc_user_cases[0].semiring.definition;
    definition.x.type = torc_opaque_type(24);
    torc_semiring semiring = torc_user_cases[0].semiring;
    semiring.definition = &definition;
    torc_spmm_kernel kernel = kernel_of(semiring, definition.x.type, definition.y.type);
    cr_expect_eq(compile(log, &kernel), TORC_COMPILE_ERROR);
    cr_expect_not_null(strstr(log, "host and kernel disagree"), "%s", log);
}

Test(compile_user, no_source_or_too_long_a_one_is_unsupported)
{
    static char source[TORC_SOURCE_SIZE], log[TORC_LOG_SIZE];
    cr_expect_eq(compile_source(log, NULL, "f"), TORC_UNSUPPORTED);
    memset(source, ' ', sizeof source - 1);
    cr_expect_eq(compile_source(log, source, "f"), TORC_UNSUPPORTED);
    source[sizeof source / 2] = '\0';
    strcat(source, "void f " BODY);
    cr_expect_eq(compile_source(log, source, "f"), TORC_SUCCESS, "%s", log);
}

Test(compile_user, keys_tell_sources_types_and_identities_apart)
{
    static char key[TORC_KEY_SIZE], other[TORC_KEY_SIZE], source[TORC_SOURCE_SIZE];
    const torc_user_case *c = &torc_user_cases[0];
    torc_spmm_kernel kernel = kernel_of(c->semiring, c->a_type, c->b_type);
    cr_assert_eq(torc_spmm_source(source, &kernel), TORC_SUCCESS);
    cr_assert(torc_compile_key(key, source, ARCHITECTURE, torc_compiler_version()));
    torc_definition definition = *c->semiring.definition;
    definition.identity = NULL;
    kernel.semiring.definition = &definition;
    cr_assert_eq(torc_spmm_source(source, &kernel), TORC_SUCCESS);
    cr_assert(torc_compile_key(other, source, ARCHITECTURE, torc_compiler_version()));
    cr_expect_str_neq(key, other);
    memset(source, 'x', sizeof source - 1);
    cr_expect(
        torc_compile_key(key, source, ARCHITECTURE, torc_compiler_version()), "the longest source has a key");
}
