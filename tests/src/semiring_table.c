/* semiring_table.c: prints docs/semirings.md: which semirings there are, and how each is computed, asked of
 * the engine. A test compares the two. */
#include "bit_packing.h"
#include "frequent_products.h"
#include "selection.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <torc/torc.h>

enum { LINE = 256 };

/* A graph of 16 entries a row and 64 columns. */
static const torc_statistics graph = {.nrows = 1 << 20,
    .ncols = 1 << 20,
    .nnz = 16 << 20,
    .max_row = 16,
    .mean_row = 16,
    .near_footprint = 1,
    .far_footprint = 1,
    .sector_footprint = 1};
enum { WIDTH = 64 };

/* How a semiring is computed on a GPU over that graph; NULL where it does not exist. */
static const char *method_of(torc_semiring semiring)
{
    torc_traits traits = torc_semiring_traits(semiring);
    if (!traits.is_supported) {
        return NULL;
    }
    torc_dense B = {graph.ncols, WIDTH, WIDTH, TORC_ROW_MAJOR, semiring.type, false, NULL, NULL}, C = B;
    C.type = traits.z_type;
    static const torc_update overwrite = {0};
    torc_context context = {.facts = torc_device_complete((torc_device_facts){0})};
    torc_sparse A = {.context = &context, .type = semiring.type, .partition.statistics = graph};
    bool is_packed = torc_packing_pays(&C, semiring, &A, &B);
    free(A.selected);
    if (is_packed) {
        return "bit-packed";
    }
    torc_problem problem = torc_problem_of(&C, semiring, &A, &B, &overwrite, false);
    return torc_select_kernel(&problem, "").family == TORC_UNIFORM ? "algebraic" : "NVRTC";
}

/* last: one column more, " text |", or none. */
static void print_header(const char *first, const char *last)
{
    printf("| %s |", first);
    for (int type = 0; type < TORC_TYPE_COUNT; type++) {
        printf(" %s |", torc_type_name(type));
    }
    printf("%s\n|---|", last);
    for (int type = last[0] ? -1 : 0; type < TORC_TYPE_COUNT; type++) {
        printf("---|");
    }
    printf("\n");
}

/* ---- Multiplies --------------------------------------------------------------------------------------- */

/* The distinct methods over all monoids: "NVRTC", "bit-packed, NVRTC". */
static void append_methods(char cells[LINE], torc_multiply multiply, torc_type type)
{
    char methods[LINE] = "";
    for (int add = 0; add < TORC_MONOID_COUNT; add++) {
        const char *method = method_of((torc_semiring){add, multiply, type});
        if (method && !strstr(methods, method)) {
            strcat(methods, methods[0] ? ", " : "");
            strcat(methods, method);
        }
    }
    snprintf(cells + strlen(cells), LINE - strlen(cells), " %s |", methods);
}

static void describe(char cells[LINE], torc_multiply multiply)
{
    bool gives_bool = true;
    cells[0] = '\0';
    for (int type = 0; type < TORC_TYPE_COUNT; type++) {
        append_methods(cells, multiply, type);
        torc_traits traits = torc_semiring_traits((torc_semiring){TORC_ANY_MONOID, multiply, type});
        gives_bool = gives_bool && (!traits.is_supported || traits.z_type == TORC_BOOL);
    }
    snprintf(cells + strlen(cells), LINE - strlen(cells), " %s |", gives_bool ? "bool" : "the same");
}

/* A row for all multiplies of which the same is true. */
static void print_multiplies(void)
{
    char cells[TORC_MULTIPLY_COUNT][LINE];
    bool is_printed[TORC_MULTIPLY_COUNT] = {false};
    for (int i = 0; i < TORC_MULTIPLY_COUNT; i++) {
        describe(cells[i], i);
    }
    for (int i = 0; i < TORC_MULTIPLY_COUNT; i++) {
        if (is_printed[i]) {
            continue;
        }
        printf("|");
        for (int j = i; j < TORC_MULTIPLY_COUNT; j++) {
            if (strcmp(cells[i], cells[j]) == 0) {
                printf(" %s", torc_multiply_name(j));
                is_printed[j] = true;
            }
        }
        printf(" |%s\n", cells[i]);
    }
}

/* ---- Monoids ------------------------------------------------------------------------------------------ */

/* A monoid exists on a type where any multiply gives it that type. */
static bool exists(torc_monoid add, torc_type type)
{
    return torc_semiring_traits((torc_semiring){add, TORC_PAIR, type}).is_supported;
}

static void print_monoids(void)
{
    for (int add = 0; add < TORC_MONOID_COUNT; add++) {
        printf("| %s |", torc_monoid_name(add));
        for (int type = 0; type < TORC_TYPE_COUNT; type++) {
            printf(" %s |", exists(add, type) ? "yes" : "");
        }
        printf("\n");
    }
}

/* ---- Ahead of time ------------------------------------------------------------------------------------ */

static void print_frequent_products(void)
{
    for (int i = 0; i < TORC_FREQUENT_PRODUCTS; i++) {
        const torc_frequent_product *product = &torc_frequent_products[i];
        printf("- %s-%s %s%s%s%s%s\n", torc_monoid_name(product->add), torc_multiply_name(product->multiply),
            torc_type_name(product->type), product->a_is_pattern ? ", A iso of bool" : "",
            product->b_is_iso ? ", B iso" : "",
            product->is_frontier ? ", A iso, B and C bitmaps, mask and replace" : "",
            product->old == TORC_ACCESS_ISO     ? ", accumulated into one value everywhere"
            : product->old == TORC_ACCESS_ARRAY ? ", accumulated"
                                                : "");
    }
}

static int count_semirings(void)
{
    int count = 0;
    for (int i = 0; i < TORC_MONOID_COUNT * TORC_MULTIPLY_COUNT * TORC_TYPE_COUNT; i++) {
        int multiply = i / TORC_TYPE_COUNT % TORC_MULTIPLY_COUNT;
        int add = i / TORC_TYPE_COUNT / TORC_MULTIPLY_COUNT;
        count += method_of((torc_semiring){add, multiply, i % TORC_TYPE_COUNT}) != NULL;
    }
    return count;
}

int main(void)
{
    printf(
        "# Semirings\n\n"
        "torc has %d semirings (add monoid, multiply, type of multiply's operands), among them all that are\n"
        "built into SuiteSparse:GraphBLAS. On bool GraphBLAS has more names for the same functions: min and\n"
        "times are land, max and plus are lor, minus, rminus and isne are lxor, iseq is eq, div is first,\n"
        "rdiv is second, isgt, islt, isge and isle are gt, lt, ge and le, pow is ge; on all types oneb is\n"
        "pair, and any as a multiply is first. This page is printed by `tests/src/semiring_table.c`, and a\n"
        "test compares it with what the engine says.\n\n",
        count_semirings());
    printf("How a semiring is computed over a full B, by multiply and the type of its operands, for 2^20 "
           "rows of 16\n"
           "entries and 64 columns. Kernels are compiled on first use for the device at hand and kept on "
           "disk, but\n"
           "for those of the last list. NVRTC: that is all. Bit-packed: booleans are packed on the device, "
           "64\n"
           "columns a word, and combined so. Algebraic: every column of C is the same, and a row is computed "
           "once.\n\n");
    print_header("multiply", " type of results |");
    print_multiplies();
    printf("\nWhich monoids there are, on the type of multiply's results.\n\n");
    print_header("monoid", "");
    print_monoids();
    printf("\nA build with CUDA compiles ahead of time, for the usual widths, as the engine has the operands "
           "(multiply's\n"
           "arguments exchanged where B is the sparse one):\n\n");
    print_frequent_products();
    return 0;
}
