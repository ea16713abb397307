/* constant_source.c: a block is a tile of A, and a tile a function of its own:
 *
 *     tile_7 (b, c)                               rows 12 and 5, say
 *         y = b[96];                              column 3 of A at N = 32: one load for all rows of the tile
 *         z_type c0 = TORC_TERM(1.5f, y);
 *         z_type c1 = TORC_TERM(-2.0f, y);
 *         y = b[288];                             column 9
 *         c0 = TORC_SUM(c0, 0.25f, y);
 *         c[384] = c0;
 *         c[160] = c1;
 *
 * A switch on the block's number keeps its instructions to those of its tile, one after another: what a
 * multiprocessor fetches is what it runs. Functions, since the compiler takes half as long again for the same
 * text within the switch, and takes functions side by side. Terms of a row are added in the order of its
 * columns. */
#include "constant_source.h"
#include "c_locale.h"
#include "source_text.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REGISTERS = 65536, REGISTER_UNIT = 8, MOST_BLOCKS = 16 }; /* of a multiprocessor, on every GPU */

static bool is_supported(const torc_constant_kernel *kernel)
{
    torc_semiring semiring = kernel->semiring;
    torc_traits traits = torc_semiring_traits(semiring);
    bool is_real = semiring.type == TORC_FP32 || semiring.type == TORC_FP64;
    return is_real && !semiring.definition && traits.is_supported && traits.reads_a && traits.reads_b &&
           traits.z_type == semiring.type && semiring.add != TORC_ANY_MONOID;
}

static double value_of(const torc_constant_kernel *kernel, uint32_t entry)
{
    return kernel->semiring.type == TORC_FP32 ? (double)((const float *)kernel->values)[entry]
                                              : ((const double *)kernel->values)[entry];
}

/* As many digits as bring the same value back. */
static void write_value(FILE *to, const torc_constant_kernel *kernel, uint32_t entry)
{
    bool is_fp32 = kernel->semiring.type == TORC_FP32;
    fprintf(to, "%.*e%s", is_fp32 ? 8 : 16, value_of(kernel, entry), is_fp32 ? "f" : "");
}

/* An entry of a tile. */
typedef struct tile_entry {
    uint32_t column, row, entry; /* row: its place in the tile */
} tile_entry;

/* By column, then by row. */
static int compare_entries(const void *x, const void *y)
{
    const tile_entry *a = x, *b = y;
    return a->column != b->column ? (a->column > b->column) - (a->column < b->column)
                                  : (a->row > b->row) - (a->row < b->row);
}

static size_t collect(
    tile_entry *entries, const torc_constant_kernel *kernel, const uint32_t *rows, int64_t nrows)
{
    size_t count = 0;
    for (int64_t r = 0; r < nrows; r++) {
        for (uint32_t e = kernel->row_ptr[rows[r]]; e < kernel->row_ptr[rows[r] + 1]; e++) {
            entries[count++] = (tile_entry){kernel->col_idx[e], (uint32_t)r, e};
        }
    }
    qsort(entries, count, sizeof *entries, compare_entries);
    return count;
}

/* is_begun: of each row of the tile, whether it has a sum. */
static void write_entries(
    FILE *to, const torc_constant_kernel *kernel, const tile_entry *entries, size_t count, bool *is_begun)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t row = entries[i].row;
        if (i == 0 || entries[i].column != entries[i - 1].column) {
            fprintf(to, "y = b[%lldLL];\n", (long long)entries[i].column * (long long)kernel->ncols);
        }
        fprintf(to, is_begun[row] ? "c%u = TORC_SUM(c%u, " : "z_type c%u = TORC_TERM(", row, row);
        write_value(to, kernel, entries[i].entry);
        fprintf(to, ", y);\n");
        is_begun[row] = true;
    }
}

/* entries: room for all of A. */
static void write_tile(FILE *to, const torc_constant_kernel *kernel, int64_t tile, tile_entry *entries)
{
    const uint32_t *rows = kernel->order + tile * kernel->tile_rows;
    int64_t left = kernel->nrows - tile * kernel->tile_rows;
    int64_t nrows = left < kernel->tile_rows ? left : kernel->tile_rows;
    bool is_begun[TORC_CONSTANT_ROWS] = {false};
    size_t count = collect(entries, kernel, rows, nrows);
    fprintf(to,
        "static __device__ __noinline__ void tile_%lld(const y_type *__restrict__ b, z_type *__restrict__ "
        "c)\n"
        "{\n%s",
        (long long)tile, count > 0 ? "y_type y;\n" : "");
    write_entries(to, kernel, entries, count, is_begun);
    for (int64_t r = 0; r < nrows; r++) {
        fprintf(to, "c[%lldLL] = ", (long long)rows[r] * (long long)kernel->ncols);
        if (is_begun[r]) {
            fprintf(to, "c%lld;\n", (long long)r);
        } else {
            fprintf(to, "monoid::identity();\n");
        }
    }
    fprintf(to, "}\n");
}

static torc_status write_operators(FILE *to, torc_semiring semiring)
{
    char *characters = malloc(TORC_SOURCE_SIZE);
    torc_text text = {.characters = characters, .is_whole = true};
    if (!characters) {
        return TORC_OUT_OF_MEMORY;
    }
    torc_traits traits = torc_semiring_traits(semiring);
    torc_text_append_types(&text, semiring, traits);
    torc_text_append_monoid(&text, semiring, traits.z_type);
    torc_text_append_multiply(&text, semiring);
    fprintf(to,
        "#include \"constant_args.h\"\n#include \"instructions.cuh\"\n#include \"operators.cuh\"\n%s"
        "#define TORC_TERM(a, y) multiply::multiply(a, y)\n"
        "#define TORC_SUM(c, a, y) monoid::add(c, multiply::multiply(a, y))\n",
        characters);
    free(characters);
    return TORC_SUCCESS;
}

/* As many as find registers. */
static int blocks_wanted(const torc_constant_kernel *kernel)
{
    int registers = (kernel->registers + REGISTER_UNIT - 1) / REGISTER_UNIT * REGISTER_UNIT;
    int blocks = REGISTERS / (registers * kernel->threads);
    return blocks < 1 ? 1 : blocks < MOST_BLOCKS ? blocks : MOST_BLOCKS;
}

static void write_main(FILE *to, const torc_constant_kernel *kernel, int64_t ntiles)
{
    fprintf(to,
        "extern \"C\" __global__ void __launch_bounds__(%d, torc::blocks_that_fit(%d, "
        "%d))\n" TORC_CONSTANT_MAIN "(const __grid_constant__ torc_constant_args args)\n"
        "{\n"
        "    torc::take_turn();\n"
        "    const int column = static_cast<int>(blockIdx.y) * %d + static_cast<int>(threadIdx.x);\n"
        "    if (column >= %lld) {\n"
        "        return;\n"
        "    }\n"
        "    const y_type *b = static_cast<const y_type *>(args.b) + column;\n"
        "    z_type *c = static_cast<z_type *>(args.c) + column;\n"
        "    switch (blockIdx.x) {\n",
        kernel->threads, kernel->threads, blocks_wanted(kernel), kernel->threads, (long long)kernel->ncols);
    for (int64_t tile = 0; tile < ntiles; tile++) {
        fprintf(to, "    case %lld:\n        tile_%lld(b, c);\n        break;\n", (long long)tile,
            (long long)tile);
    }
    fprintf(to, "    }\n}\n");
}

static torc_status write_kernel(FILE *to, const torc_constant_kernel *kernel)
{
    int64_t ntiles = (kernel->nrows + kernel->tile_rows - 1) / kernel->tile_rows;
    tile_entry *entries = malloc((size_t)kernel->row_ptr[kernel->nrows] * sizeof *entries + 1);
    torc_status status = entries ? write_operators(to, kernel->semiring) : TORC_OUT_OF_MEMORY;
    for (int64_t tile = 0; tile < ntiles && status == TORC_SUCCESS; tile++) {
        write_tile(to, kernel, tile, entries);
    }
    if (status == TORC_SUCCESS) {
        write_main(to, kernel, ntiles);
    }
    free(entries);
    return status;
}

static bool is_finite(const torc_constant_kernel *kernel)
{
    for (uint32_t e = 0; e < kernel->row_ptr[kernel->nrows]; e++) {
        if (!isfinite(value_of(kernel, e))) {
            return false;
        }
    }
    return true;
}

static torc_status write_kernel_in_c(FILE *to, const torc_constant_kernel *kernel)
{
    torc_c_locale locale = torc_c_locale_begin();
    torc_status status = locale.c ? write_kernel(to, kernel) : TORC_OUT_OF_MEMORY;
    torc_c_locale_end(locale);
    return status;
}

enum { MAX_GRID_Y = 65535 };

torc_status torc_constant_source(char **source, const torc_constant_kernel *kernel)
{
    size_t size;
    *source = NULL;
    bool fits_grid = kernel->ncols <= MAX_GRID_Y * (int64_t)kernel->threads;
    if (!is_supported(kernel) || kernel->tile_rows > TORC_CONSTANT_ROWS || !fits_grid || !is_finite(kernel)) {
        return TORC_UNSUPPORTED;
    }
    FILE *to = open_memstream(source, &size);
    if (!to) {
        return TORC_OUT_OF_MEMORY;
    }
    torc_status status = write_kernel_in_c(to, kernel);
    bool is_whole = !ferror(to);
    is_whole = fclose(to) == 0 && is_whole;
    if (status == TORC_SUCCESS && !is_whole) {
        status = TORC_OUT_OF_MEMORY;
    }
    if (status != TORC_SUCCESS) {
        free(*source);
        *source = NULL;
    }
    return status;
}
