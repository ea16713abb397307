/* test_compile_kernels.c: the run-time compiler takes every kernel, without a GPU. */
#include "brick_cases.h"
#include "compile.h"
#include "device_facts.h"
#include "kernel_source.h"
#include "pairwise_cases.h"
#include "tile_cases.h"
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Those that torc is tested on by running; the environment may name others, for all kernels. */
enum { ARCHITECTURE = 90 };
static const int every_architecture[] = {75, 80, 86, 89, 90, 100, 120};
enum { ARCHITECTURES = sizeof every_architecture / sizeof *every_architecture };

/* One program of up to MAX_BATCH kernels, so that the headers are read once for all of them. */
enum { MAX_BATCH = 16, BATCH_SIZE = MAX_BATCH * (TORC_SOURCE_SIZE + 256) };

/* The source of one kernel, in a namespace and with entry points of its own. */
static torc_status append_source(char batch[BATCH_SIZE], const torc_spmm_kernel *kernel, int number)
{
    char source[TORC_SOURCE_SIZE];
    torc_status status = torc_spmm_source(source, kernel);
    size_t length = strlen(batch);
    if (status == TORC_SUCCESS) {
        snprintf(batch + length, BATCH_SIZE - length,
            "#include \"spmm_kernel.cuh\"\n#include \"%s\"\n"
            "#define " TORC_SPMM_MAIN " main_%d\n"
            "#define " TORC_SPMM_COMBINE " combine_%d\n"
            "namespace kernel_%d {\n%s}\n"
            "#undef " TORC_SPMM_MAIN "\n"
            "#undef " TORC_SPMM_COMBINE "\n",
            torc_families[kernel->family].header, number, number, number, source);
    }
    return status;
}

/* A warning for each function that spills registers: fewer are left where blocks are tuned for another GPU.
 */
static bool only_spills(const char *log)
{
    static const char spills[] = "ptxas warning : Registers are spilled to local memory";
    for (const char *line = log; *line; line += strcspn(line, "\n"), line += strspn(line, "\n")) {
        if (strncmp(line, spills, sizeof spills - 1) != 0) {
            return false;
        }
    }
    return true;
}

/* Says what is wrong, if anything. Registers that spill are wrong where torc is tuned. */
static bool compile_together(const torc_spmm_kernel *kernels, int count, int architecture)
{
    char source[BATCH_SIZE] = "", log[TORC_LOG_SIZE] = "", name[128];
    torc_image image = {NULL, 0};
    torc_status status = TORC_SUCCESS;
    for (int i = 0; i < count && status == TORC_SUCCESS; i++) {
        status = append_source(source, &kernels[i], i);
    }
    if (status == TORC_SUCCESS) {
        status = torc_compile(&image, log, source, architecture);
    }
    bool is_good = status == TORC_SUCCESS && image.size > 4 && memcmp(image.data, "\177ELF", 4) == 0 &&
                   (log[0] == '\0' || (architecture != ARCHITECTURE && only_spills(log)));
    if (!is_good && count > 1) { /* which of them? */
        for (int i = 0; i < count; i++) {
            compile_together(&kernels[i], 1, architecture);
        }
    } else if (!is_good) {
        torc_kernel_describe(name, &kernels[0]);
        fprintf(stderr, "sm_%d: %s: %s: %s\n", architecture, name, torc_status_text(status), log);
    }
    torc_image_release(&image);
    return is_good;
}

/* Batches of kernels go round among as many processes as there are processors. */
static void compile_all(const torc_kernel_cases *cases, int batch, int architecture)
{
    int workers = (int)sysconf(_SC_NPROCESSORS_ONLN);
    for (int worker = 0; worker < workers; worker++) {
        if (fork() == 0) {
            int failures = 0;
            for (int first = worker * batch; first < cases->count; first += workers * batch) {
                int rest = cases->count - first;
                failures +=
                    !compile_together(&cases->kernels[first], rest < batch ? rest : batch, architecture);
            }
            _exit(failures != 0);
        }
    }
    for (int worker = 0; worker < workers; worker++) {
        int status;
        wait(&status);
        cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 0, "sm_%d: a worker met kernels that fail",
            architecture);
    }
}

static torc_kernel_cases some_of(const torc_kernel_cases *cases, int each)
{
    torc_kernel_cases some = {cases->kernels, 0};
    for (int i = 0; i < cases->count; i += each) {
        some.kernels[some.count++] = cases->kernels[i];
    }
    return some;
}

/* All cases on each of the architectures that TORC_TEST_ARCHITECTURES names, such as "75 86"; "all" names
 * every one. If it is not set, every each-th of them on one. */
static void compile_on_all_asked(
    const torc_kernel_cases *cases, int each, int batch, bool (*has)(int architecture))
{
    const char *asked = getenv("TORC_TEST_ARCHITECTURES");
    torc_kernel_cases tried = asked ? *cases : some_of(cases, each);
    for (int i = 0; i < ARCHITECTURES; i++) {
        int architecture = every_architecture[i];
        char name[8];
        snprintf(name, sizeof name, "%d", architecture);
        bool is_asked =
            asked ? strcmp(asked, "all") == 0 || strstr(asked, name) : architecture == ARCHITECTURE;
        if (is_asked && has(architecture)) {
            compile_all(&tried, batch, architecture);
        }
    }
}

static bool always(int architecture)
{
    (void)architecture;
    return true;
}

/* Where selection may return them: the facts of the usual GPU tell. */
static bool has_tiles(int architecture)
{
    torc_device_facts facts = torc_device_complete((torc_device_facts){.compute_capability = architecture});
    return torc_device_has_tiles(&facts, sizeof(double));
}

static bool has_bricks(int architecture)
{
    torc_device_facts facts = torc_device_complete((torc_device_facts){.compute_capability = architecture});
    return torc_device_has_bricks(&facts);
}

static bool has_semiring(torc_kernel_cases cases, int add, int multiply, int type)
{
    for (int i = 0; i < cases.count; i++) {
        torc_semiring semiring = cases.kernels[i].semiring;
        if ((add < 0 || semiring.add == (torc_monoid)add) &&
            (multiply < 0 || semiring.multiply == (torc_multiply)multiply) &&
            semiring.type == (torc_type)type) {
            return true;
        }
    }
    return false;
}

enum { FAMILIES = 32 };

/* What makes kernels of one family: the kernel's text, but for types and operators. */
static unsigned family_of(const torc_spmm_kernel *kernel)
{
    const bool policy[] = {kernel->is_packed, kernel->b_is_bitmap, kernel->has_mask};
    unsigned family = kernel->family;
    for (size_t i = 0; i < sizeof policy / sizeof *policy; i++) {
        family = 2 * family + policy[i];
    }
    return family;
}

/* The first of each family. */
static torc_kernel_cases sample_families(const torc_kernel_cases *cases)
{
    torc_kernel_cases sample = {malloc(FAMILIES * sizeof *sample.kernels), 0};
    cr_assert_not_null(sample.kernels);
    for (int i = 0; i < cases->count; i++) {
        int known = 0;
        while (known < sample.count && family_of(&sample.kernels[known]) != family_of(&cases->kernels[i])) {
            known++;
        }
        if (known == sample.count) {
            cr_assert_lt(sample.count, FAMILIES);
            sample.kernels[sample.count++] = cases->kernels[i];
        }
    }
    return sample;
}

/* Every third family on an architecture, the next ones on the next, of Blackwell too. */
Test(compile_kernels, families_take_turns_to_compile_for_every_architecture)
{
    enum { TURNS = 3 };
    torc_kernel_cases all = torc_pairwise_cases_build(), sample = sample_families(&all),
                      tiles = torc_tile_cases_build(), bricks = torc_brick_cases_build();
    for (int i = 0; i < ARCHITECTURES; i++) {
        torc_spmm_kernel kernels[FAMILIES];
        torc_kernel_cases turn = {kernels, 0};
        for (int family = i % TURNS; family < sample.count; family += TURNS) {
            kernels[turn.count++] = sample.kernels[family];
        }
        compile_all(&turn, (turn.count + 1) / 2, every_architecture[i]);
        if (has_tiles(every_architecture[i])) {
            cr_expect(compile_together(&tiles.kernels[i % tiles.count], 1, every_architecture[i]));
        }
        if (has_bricks(every_architecture[i])) {
            cr_expect(compile_together(&bricks.kernels[i % bricks.count], 1, every_architecture[i]));
        }
    }
    free(all.kernels);
    free(sample.kernels);
    free(tiles.kernels);
    free(bricks.kernels);
}

/* Of cases that have every pair of choices, a part: the build compiles hundreds of kernels besides. */
enum { SOME_PAIRS = 113 };
Test(compile_kernels, pairs_of_choices_compile_without_warnings_or_spills)
{
    torc_kernel_cases all = torc_kernel_cases_of_semirings(), few = torc_pairwise_cases_build();
    for (int i = 0; i < all.count; i++) {
        torc_semiring semiring = all.kernels[i].semiring;
        cr_assert(has_semiring(few, (int)semiring.add, -1, (int)semiring.type));
        cr_assert(has_semiring(few, -1, (int)semiring.multiply, (int)semiring.type));
    }
    free(all.kernels);
    compile_on_all_asked(&few, SOME_PAIRS, MAX_BATCH, always);
    free(few.kernels);
}

Test(compile_kernels, shared_tiles_compile_without_warnings_or_spills)
{
    torc_kernel_cases tiles = torc_tile_cases_build();
    compile_on_all_asked(&tiles, 1, 1, has_tiles);
    free(tiles.kernels);
}

Test(compile_kernels, bricks_compile_without_warnings_or_spills)
{
    torc_kernel_cases bricks = torc_brick_cases_build();
    compile_on_all_asked(&bricks, 1, 1, has_bricks);
    free(bricks.kernels);
}

Test(compile_kernels, a_bad_source_is_a_compile_error_with_a_log)
{
    torc_image image;
    char log[TORC_LOG_SIZE];
    cr_expect_eq(torc_compile(&image, log, "no such thing", ARCHITECTURE), TORC_COMPILE_ERROR);
    cr_expect_null(image.data);
    cr_expect_neq(log[0], '\0');
    cr_expect_eq(torc_compile(&image, log, "", 1), TORC_COMPILE_ERROR, "no such architecture");
    cr_expect_neq(log[0], '\0');
}

Test(compile_kernels, a_value_that_the_kernel_lacks_is_a_compile_error)
{
    char source[TORC_SOURCE_SIZE], log[TORC_LOG_SIZE];
    torc_image image;
    torc_spmm_kernel kernel = {.semiring = {TORC_PLUS_MONOID, TORC_TIMES, TORC_FP32},
        .a_type = TORC_FP32,
        .b_type = TORC_FP32,
        .a_access = TORC_ACCESS_NONE,
        .b_access = TORC_ACCESS_ARRAY,
        .shape = {8, 4}};
    cr_assert_eq(torc_spmm_source(source, &kernel), TORC_SUCCESS);
    cr_expect_eq(torc_compile(&image, log, source, ARCHITECTURE), TORC_COMPILE_ERROR);
    kernel.semiring.type = TORC_TYPE_COUNT;
    cr_expect_eq(torc_spmm_source(source, &kernel), TORC_UNSUPPORTED);
}

Test(compile_kernels, keys_differ_by_source_architecture_and_compiler)
{
    char key[TORC_KEY_SIZE], other[TORC_KEY_SIZE];
    cr_assert(torc_compile_key(key, "a", 90, 1300));
    cr_assert(torc_compile_key(other, "a", 90, 1300));
    cr_expect_str_eq(key, other);
    cr_assert(torc_compile_key(other, "b", 90, 1300));
    cr_expect_str_neq(key, other);
    cr_assert(torc_compile_key(other, "a", 80, 1300));
    cr_expect_str_neq(key, other);
    cr_assert(torc_compile_key(other, "a", 90, 1301));
    cr_expect_str_neq(key, other);
    cr_expect_geq(torc_compiler_version(), 1200);
    cr_expect_eq(torc_compiler_built_with() / 100, torc_compiler_version() / 100);
}
