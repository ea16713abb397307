/* write_kernels.c: write_kernels TABLE UNIT...: the text of the kernels of emulated_cases.h, as
 * torc_kernel_source has it, dealt out to C++ files; and the table of them, emulated_kernels.h. */
#include "emulated_cases.h"
#include "kernel_source.h"
#include <stdio.h>
#include <stdlib.h>

static FILE *create(const char *path)
{
    FILE *file = fopen(path, "w");
    if (!file) {
        perror(path);
        exit(1);
    }
    return file;
}

static void finish(FILE *file, const char *path)
{
    bool is_written = !ferror(file);
    if (fclose(file) || !is_written) {
        perror(path);
        exit(1);
    }
}

/* The text of kernel number `which`, in a namespace of its own: the header that it includes has been read. */
static void write_kernel(FILE *unit, const torc_spmm_kernel *kernel, int which)
{
    char source[TORC_SOURCE_SIZE];
    if (torc_kernel_source(source, kernel) != TORC_SUCCESS) {
        fprintf(stderr, "kernel %d has no source\n", which);
        exit(1);
    }
    fprintf(unit,
        "#define " TORC_SPMM_MAIN " emulated_main_%d\n"
        "#define " TORC_SPMM_COMBINE " emulated_combine_%d\n"
        "namespace emulated_%d\n{\n%s}\n"
        "#undef " TORC_SPMM_MAIN "\n"
        "#undef " TORC_SPMM_COMBINE "\n",
        which, which, which, source);
}

static void write_table(const char *path, const torc_kernel_cases *cases)
{
    FILE *table = create(path);
    fprintf(table, "#include \"emulated_kernels.h\"\n");
    for (int i = 0; i < cases->count; i++) {
        fprintf(table, "extern \"C\" torc_emulated_entry emulated_main_%d, emulated_combine_%d;\n", i, i);
    }
    fprintf(table, "const torc_emulated_kernel torc_emulated_kernels[] = {\n");
    for (int i = 0; i < cases->count; i++) {
        char source[TORC_SOURCE_SIZE];
        torc_kernel_source(source, &cases->kernels[i]);
        fprintf(table, "    {R\"source(%s)source\", emulated_main_%d, emulated_combine_%d},\n", source, i, i);
    }
    fprintf(table, "};\nconst int torc_emulated_kernel_count = %d;\n", cases->count);
    finish(table, path);
}

int main(int argc, char **argv)
{
    torc_kernel_cases cases = torc_emulated_cases_build();
    int first_unit = 2, units = argc - first_unit;
    if (units < 1) {
        fprintf(stderr, "write_kernels TABLE UNIT...\n");
        return 1;
    }
    write_table(argv[1], &cases);
    for (int u = 0; u < units; u++) {
        FILE *unit = create(argv[first_unit + u]);
        fprintf(unit, "#include \"simt.h\"\n#include \"spmm_kernel.cuh\"\n");
        for (int i = u; i < cases.count; i += units) {
            write_kernel(unit, &cases.kernels[i], i);
        }
        finish(unit, argv[first_unit + u]);
    }
    free(cases.kernels);
    return 0;
}
