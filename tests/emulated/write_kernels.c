/* write_kernels.c: write_kernels TABLE UNIT...: the text of the kernels of emulated_cases.h, as their
 * kinds have it, dealt out to C++ files; and the table of them, emulated_kernels.h. */
#include "constant_cases.h"
#include "constant_source.h"
#include "dense_cases.h"
#include "emulated_cases.h"
#include "kernel_source.h"
#include "tile_cases.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_KERNELS = 4096 };

typedef struct written_kind {
    torc_status (*source)(char source[TORC_SOURCE_SIZE], const void *description);
    const char *header, *args; /* what the entry points are given */
    const char *main, *combine;
} written_kind;

static const written_kind spmm = {
    torc_spmm_source, "spmm_kernel.cuh", "torc_spmm_args", TORC_SPMM_MAIN, TORC_SPMM_COMBINE};
static const written_kind elementwise = {
    torc_elementwise_source, "elementwise.cuh", "torc_elementwise_args", TORC_ELEMENTWISE_MAIN, NULL};
static const written_kind reduction = {
    torc_reduce_source, "reduction.cuh", "torc_reduce_args", TORC_REDUCE_MAIN, NULL};
static const written_kind constant = {
    NULL, "constant_args.h", "torc_constant_args", TORC_CONSTANT_MAIN, NULL};

typedef struct written_kernel {
    const written_kind *kind;
    char *source;
} written_kernel;

typedef struct kernel_list {
    written_kernel kernels[MAX_KERNELS];
    int count;
} kernel_list;

static void die(const char *why)
{
    perror(why);
    exit(1);
}

static FILE *create(const char *path)
{
    FILE *file = fopen(path, "w");
    if (!file) {
        die(path);
    }
    return file;
}

static void finish(FILE *file, const char *path)
{
    bool is_written = !ferror(file);
    if (fclose(file) || !is_written) {
        die(path);
    }
}

static void add_kernel(kernel_list *list, const written_kind *kind, char *source)
{
    if (!source || list->count == MAX_KERNELS) {
        die("a kernel");
    }
    list->kernels[list->count++] = (written_kernel){kind, source};
}

static void add_kernels(
    kernel_list *list, const written_kind *kind, const void *descriptions, int count, size_t description_size)
{
    for (int i = 0; i < count; i++) {
        char source[TORC_SOURCE_SIZE];
        if (kind->source(source, (const char *)descriptions + (size_t)i * description_size) != TORC_SUCCESS) {
            die("a kernel has no source");
        }
        add_kernel(list, kind, strdup(source));
    }
}

static void add_constant_kernels(kernel_list *list)
{
    for (int i = 0; i < TORC_CONSTANT_CASES; i++) {
        torc_constant_kernel kernel = torc_constant_case(i);
        char *source;
        if (torc_constant_source(&source, &kernel) != TORC_SUCCESS) {
            die("a kernel has no source");
        }
        add_kernel(list, &constant, source);
    }
}

/* The entry point `name` of kernel number `which` for the emulator, which knows no types. */
static void write_entry(FILE *unit, const written_kind *kind, const char *name, int which)
{
    fprintf(unit,
        "extern \"C\" void emulated_%s_%d(const void *args)\n"
        "{\n"
        "    emulated_%d::%s_%d(*static_cast<const %s *>(args));\n"
        "}\n",
        name, which, which, name, which, kind->args);
}

/* In a namespace of its own: the headers that the text includes have been read. */
static void write_kernel(FILE *unit, const written_kernel *kernel, int which)
{
    const written_kind *kind = kernel->kind;
    fprintf(unit, "#define %s %s_%d\n", kind->main, kind->main, which);
    if (kind->combine) {
        fprintf(unit, "#define %s %s_%d\n", kind->combine, kind->combine, which);
    }
    fprintf(unit,
        "namespace emulated_%d\n{\nnamespace torc_c\n{\nusing namespace ::torc_c;\n}\n%s}\n#undef %s\n",
        which, kernel->source, kind->main);
    write_entry(unit, kind, kind->main, which);
    if (kind->combine) {
        fprintf(unit, "#undef %s\n", kind->combine);
        write_entry(unit, kind, kind->combine, which);
    }
}

static void write_table(const char *path, const kernel_list *list)
{
    FILE *table = create(path);
    fprintf(table, "#include \"emulated_kernels.h\"\n");
    for (int i = 0; i < list->count; i++) {
        const written_kind *kind = list->kernels[i].kind;
        fprintf(table, "extern \"C\" torc_emulated_entry emulated_%s_%d;\n", kind->main, i);
        if (kind->combine) {
            fprintf(table, "extern \"C\" torc_emulated_entry emulated_%s_%d;\n", kind->combine, i);
        }
    }
    fprintf(table, "const torc_emulated_kernel torc_emulated_kernels[] = {\n");
    for (int i = 0; i < list->count; i++) {
        const written_kind *kind = list->kernels[i].kind;
        fprintf(table, "    {R\"source(%s)source\", emulated_%s_%d", list->kernels[i].source, kind->main, i);
        if (kind->combine) {
            fprintf(table, ", emulated_%s_%d},\n", kind->combine, i);
        } else {
            fprintf(table, ", nullptr},\n");
        }
    }
    fprintf(table, "};\nconst int torc_emulated_kernel_count = %d;\n", list->count);
    finish(table, path);
}

int main(int argc, char **argv)
{
    static kernel_list list;
    torc_kernel_cases products = torc_emulated_cases_build();
    torc_elementwise_cases operations = torc_elementwise_cases_build(TORC_ELEMENTWISE_RUN_STRIDE);
    torc_elementwise_cases copies = torc_tile_copies_build();
    torc_reduce_cases reductions = torc_reduce_cases_build(TORC_REDUCE_RUN_STRIDE);
    add_kernels(&list, &spmm, products.kernels, products.count, sizeof *products.kernels);
    add_kernels(&list, &elementwise, operations.kernels, operations.count, sizeof *operations.kernels);
    add_kernels(&list, &elementwise, copies.kernels, copies.count, sizeof *copies.kernels);
    add_kernels(&list, &reduction, reductions.kernels, reductions.count, sizeof *reductions.kernels);
    for (int across = 0; across < 2; across++) {
        torc_reduce_kernel product = torc_complex_product_case(across);
        add_kernels(&list, &reduction, &product, 1, sizeof product);
    }
    for (int i = 0; i < TORC_LARGE_REDUCTIONS; i++) {
        torc_reduce_kernel large = torc_large_reduce_case(i);
        add_kernels(&list, &reduction, &large, 1, sizeof large);
    }
    add_constant_kernels(&list);
    int first_unit = 2, units = argc - first_unit;
    if (units < 1) {
        fprintf(stderr, "write_kernels TABLE UNIT...\n");
        return 1;
    }
    write_table(argv[1], &list);
    for (int u = 0; u < units; u++) {
        FILE *unit = create(argv[first_unit + u]);
        fprintf(unit,
            "#include \"simt.h\"\n#include \"%s\"\n#include \"%s\"\n#include \"%s\"\n#include \"%s\"\n"
            "#include \"user_operators.cuh\"\n",
            spmm.header, elementwise.header, reduction.header, constant.header);
        for (int f = 0; f < TORC_FAMILIES; f++) {
            fprintf(unit, "#include \"%s\"\n", torc_families[f].header);
        }
        for (int i = u; i < list.count; i += units) {
            write_kernel(unit, &list.kernels[i], i);
        }
        finish(unit, argv[first_unit + u]);
    }
    for (int i = 0; i < list.count; i++) {
        free(list.kernels[i].source);
    }
    free(products.kernels);
    free(operations.kernels);
    free(copies.kernels);
    free(reductions.kernels);
    return 0;
}
