/* test_compile_dense.c: the run-time compiler takes every element-wise kernel and every reduction, without a
 * warning, be it of spilled registers. */
#include "compile.h"
#include "dense_cases.h"
#include "kernel_source.h"
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ARCHITECTURE = 90, BATCH = 16, BATCH_SIZE = BATCH * (TORC_SOURCE_SIZE + 256) };

/* Kernels of one family: their descriptions, one after another. */
typedef struct family {
    torc_status (*source)(char source[TORC_SOURCE_SIZE], const void *description);
    const char *header, *main;
    const char *descriptions;
    size_t size;
    int count;
} family;

/* One program, so that the headers are read once for all of them; each kernel in a namespace of its own, with
 * its own names of C, which hide those of CUDA. */
static bool compile_together(const family *f, int first, int count)
{
    static char batch[BATCH_SIZE];
    char source[TORC_SOURCE_SIZE], log[TORC_LOG_SIZE] = "";
    torc_image image = {NULL, 0};
    size_t length =
        (size_t)snprintf(batch, BATCH_SIZE, "#include \"%s\"\n#include \"user_operators.cuh\"\n", f->header);
    torc_status status = TORC_SUCCESS;
    for (int i = first; i < first + count && status == TORC_SUCCESS; i++) {
        status = f->source(source, f->descriptions + (size_t)i * f->size);
        length += (size_t)snprintf(batch + length, BATCH_SIZE - length,
            "#define %s main_%d\n#undef TORC_C_NAMES_CUH\nnamespace kernel_%d {\n#include \"c_names.cuh\"\n"
            "%s}\n#undef %s\n",
            f->main, i, i, source, f->main);
    }
    if (status == TORC_SUCCESS) {
        status = torc_compile(&image, log, batch, ARCHITECTURE);
    }
    bool is_good = status == TORC_SUCCESS && log[0] == '\0';
    torc_image_release(&image);
    if (!is_good && count > 1) { /* which of them? */
        for (int i = first; i < first + count; i++) {
            compile_together(f, i, 1);
        }
    } else if (!is_good) {
        fprintf(stderr, "%s: %s\n%s\n", torc_status_text(status), log, source);
    }
    return is_good;
}

/* Batches go round among as many processes as there are processors. */
static void compile_all(const family *f)
{
    int workers = (int)sysconf(_SC_NPROCESSORS_ONLN);
    cr_assert_gt(f->count, 0);
    for (int worker = 0; worker < workers; worker++) {
        if (fork() == 0) {
            int failures = 0;
            for (int first = worker * BATCH; first < f->count; first += workers * BATCH) {
                int rest = f->count - first;
                failures += !compile_together(f, first, rest < BATCH ? rest : BATCH);
            }
            _exit(failures != 0);
        }
    }
    for (int worker = 0; worker < workers; worker++) {
        int status;
        wait(&status);
        cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 0, "a worker met kernels that fail");
    }
}

Test(compile_dense, element_wise_kernels_compile_without_warnings_or_spills)
{
    torc_elementwise_cases cases = torc_elementwise_cases_build(149);
    compile_all(&(family){torc_elementwise_source, "elementwise.cuh", TORC_ELEMENTWISE_MAIN,
        (const char *)cases.kernels, sizeof *cases.kernels, cases.count});
    free(cases.kernels);
}

Test(compile_dense, reductions_compile_without_warnings_or_spills)
{
    torc_reduce_cases cases = torc_reduce_cases_build(5);
    compile_all(&(family){torc_reduce_source, "reduction.cuh", TORC_REDUCE_MAIN, (const char *)cases.kernels,
        sizeof *cases.kernels, cases.count});
    free(cases.kernels);
}

static void expect_compiles(const char *source)
{
    char log[TORC_LOG_SIZE];
    torc_image image;
    torc_status status = torc_compile(&image, log, source, ARCHITECTURE);
    cr_expect(status == TORC_SUCCESS && log[0] == '\0', "%s\n%s", log, source);
    torc_image_release(&image);
}

/* Selected by position, or by an operator of the user's; and an operator that says what its y would be. */
static void expect_operators_of_one_opaque_value_compile(void)
{
    const torc_type path = torc_opaque_type(16);
    const torc_definition definition = {
        .source = "typedef struct { double cost ; int64_t hops ; } path ; typedef struct { int32_t n [8] ; } "
                  "other ;\n"
                  "void is_dear (bool *z, const path *x, GrB_Index i, GrB_Index j, const double *y)\n"
                  "{ *z = x->cost > *y ; }\n",
        .multiply = "is_dear",
        .x = {path, "path"},
        .y.type = TORC_FP64,
        .z.type = TORC_BOOL,
    };
    torc_definition cost = definition;
    cost.source =
        "typedef struct { double cost ; int64_t hops ; } path ; typedef struct { int32_t n [8] ; } other ;\n"
        "void cost (double *z, const path *x) { *z = x->cost ; }\n";
    cost.multiply = "cost";
    cost.y = (torc_user_type){torc_opaque_type(32), "other"};
    cost.z.type = TORC_FP64;
    const torc_operation operations[] = {
        {.kind = TORC_SELECT, .index = TORC_TRIL, .type = TORC_INT64},
        {.kind = TORC_SELECT, .index = TORC_INDEX_UNARY_USER, .definition = &definition},
        {.kind = TORC_APPLY, .unary = TORC_UNARY_USER, .definition = &cost},
    };
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        bool selects = operations[i].kind == TORC_SELECT;
        torc_elementwise_kernel kernel = {.operation = operations[i],
            .a = {path, TORC_ACCESS_ARRAY, false, false},
            .b = {TORC_FP64, TORC_ACCESS_NONE, false, false},
            .c_type = selects ? path : TORC_FP64,
            .c_is_bitmap = selects,
            .vector = 1};
        char source[TORC_SOURCE_SIZE];
        cr_assert_eq(torc_elementwise_source(source, &kernel), TORC_SUCCESS);
        expect_compiles(source);
    }
}

/* Opaque values, with a name in the source. */
Test(compile_dense, user_defined_operators_compile)
{
    const torc_type path = torc_opaque_type(16);
    const torc_user_type type = {path, "path"};
    const torc_definition definition = {
        .source = "typedef struct { double cost ; int64_t hops ; } path ;\n"
                  "void extend (path *z, const path *x, const path *y)\n"
                  "{ z->cost = x->cost + y->cost ; z->hops = x->hops + y->hops ; }\n",
        .add = "extend",
        .multiply = "extend",
        .x = type,
        .y = type,
        .z = type,
    };
    torc_elementwise_kernel kernels[] = {
        {.operation = {.kind = TORC_EWISE_MULT, .is_flipped = true}, .c_is_bitmap = true, .has_mask = true},
        {.operation = {.kind = TORC_EWISE_ADD}, .a.is_bitmap = true, .b.is_bitmap = true, .is_flat = true},
    };
    enum { KERNELS = sizeof kernels / sizeof *kernels };
    for (int i = 0; i < KERNELS; i++) {
        kernels[i].operation.binary = TORC_USER;
        kernels[i].operation.definition = &definition;
        kernels[i].a.type = kernels[i].b.type = kernels[i].c_type = path;
        kernels[i].a.access = kernels[i].b.access = TORC_ACCESS_ARRAY;
        kernels[i].vector = 1;
    }
    char source[TORC_SOURCE_SIZE];
    for (int i = 0; i < KERNELS; i++) {
        cr_assert_eq(torc_elementwise_source(source, &kernels[i]), TORC_SUCCESS);
        expect_compiles(source);
    }
    expect_operators_of_one_opaque_value_compile();
    torc_reduce_kernel reduction = {.reduction = {TORC_USER_MONOID, path, &definition},
        .a_type = path,
        .a_access = TORC_ACCESS_ARRAY,
        .a_is_bitmap = true,
        .is_across = false};
    cr_assert_eq(torc_reduce_source(source, &reduction), TORC_SUCCESS);
    expect_compiles(source);
    for (int i = 0; i < TORC_LARGE_REDUCTIONS; i++) {
        reduction = torc_large_reduce_case(i);
        cr_assert_eq(torc_reduce_source(source, &reduction), TORC_SUCCESS);
        char log[TORC_LOG_SIZE];
        torc_image image;
        cr_expect_eq(
            torc_compile(&image, log, source, ARCHITECTURE), TORC_SUCCESS, "%s", log); /* it spills */
        torc_image_release(&image);
    }
    kernels[0].operation.definition = NULL;
    cr_expect_eq(torc_elementwise_source(source, &kernels[0]), TORC_UNSUPPORTED);
}
