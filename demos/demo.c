/* demo.c: the reader follows from the options and from how the file's name ends. */
#include "demo.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock_now.h"
#include "graph_debian.h"
#include "graph_edges.h"
#include "graph_grid.h"
#include "graph_mtx.h"
#include "graph_rmat.h"
#include "sources.h"

static const char graph_help[] =
    "\nThe graph:\n"
    "  (nothing)         the Debian packages and what they depend on, from `apt-cache dumpavail`\n"
    "  FILE.mtx[.gz]     a square Matrix Market file; vertices are numbered from 1\n"
    "  FILE.txt[.gz]     an edge list as SNAP publishes them; so are .tsv, .csv and .edges\n"
    "  FILE              a saved `apt-cache dumpavail`, or a Packages file, gzipped or not\n";

/* FILE ends in the ending, or in it and .gz. */
static bool has_ending(const char *file, const char *ending)
{
    size_t length = strlen(file), gz = length > 3 && strcmp(file + length - 3, ".gz") == 0 ? 3 : 0;
    size_t wanted = strlen(ending);
    return length >= wanted + gz && strncmp(file + length - gz - wanted, ending, wanted) == 0;
}

static bool read_graph(torc_demo *demo)
{
    static const char *const edge_lists[] = {".txt", ".tsv", ".csv", ".edges"};
    torc_graph *graph = &demo->graph;
    if (demo->rmat_scale) {
        return torc_graph_generate_rmat(graph, (int)demo->rmat_scale);
    }
    if (demo->grid_side) {
        return torc_graph_generate_grid(graph, (int)demo->grid_side);
    }
    if (demo->file && has_ending(demo->file, ".mtx")) {
        return torc_graph_read_mtx(graph, demo->file);
    }
    for (size_t i = 0; demo->file && i < sizeof edge_lists / sizeof edge_lists[0]; i++) {
        if (has_ending(demo->file, edge_lists[i])) {
            return torc_graph_read_edges(graph, demo->file);
        }
    }
    return torc_graph_read_debian(graph, demo->file);
}

/* Columns of results that the sources will have, as far as options tell. */
static double count_columns(const torc_demo *demo)
{
    double n = (double)demo->graph.nvertices, columns = (double)demo->wanted;
    if (demo->from) {
        columns = 1;
        for (const char *at = demo->from; *at; at++) {
            columns += *at == ',';
        }
    }
    return demo->has_no_sources ? 1 : columns < n ? columns : n;
}

/* A short file can promise any number of vertices. All programs keep some arrays with an element a vertex, of
 * 16 bytes together at least. Asked before the first of them is made: the kernel of the operating system
 * grants memory that it does not have. */
static bool fits_machine(torc_demo *demo)
{
    double bytes = (double)demo->graph.nvertices * (16 + (double)demo->bytes_each * count_columns(demo));
    double memory = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    return bytes <= memory || demo->is_of_any_size ||
           torc_graph_fail(&demo->graph,
               "%llu vertices take %.3g GB or more, and this machine has %.3g; --any-size goes on all the "
               "same",
               (unsigned long long)demo->graph.nvertices, 1e-9 * bytes, 1e-9 * memory);
}

static bool has_possible_size(torc_demo *demo)
{
    return (demo->graph.nvertices <= GrB_INDEX_MAX ||
               torc_graph_fail(&demo->graph, "%llu vertices are more than GraphBLAS can count",
                   (unsigned long long)demo->graph.nvertices)) &&
           fits_machine(demo);
}

static bool find_sources(torc_demo *demo)
{
    if (demo->has_no_sources) {
        return true;
    }
    if (demo->from) {
        return torc_sources_find(&demo->sources, &demo->count, &demo->graph, demo->from);
    }
    demo->count = (uint64_t)demo->wanted;
    demo->sources = malloc(demo->count * sizeof *demo->sources);
    return (demo->sources && torc_sources_choose(demo->sources, &demo->count, &demo->graph)) ||
           torc_graph_fail(&demo->graph, "not enough memory");
}

static void print_help(const torc_demo *demo, const torc_option *own, const torc_option *common)
{
    printf("usage: %s [OPTIONS] [FILE]\n%s\n%s", program_invocation_short_name, demo->summary, graph_help);
    torc_options_print(common);
    printf("\nOptions:\n");
    torc_options_print(own);
    printf("  --help\n  --version\n%s", demo->more_help ? demo->more_help : "");
}

/* -1 to go on, or the exit status. */
static int read_options(torc_demo *demo, const torc_option *own, int argc, char **argv)
{
    const torc_option common[] = {
        {"rmat", "SCALE", "a generated graph of 2^SCALE vertices (Graph500 parameters)",
            .integer = &demo->rmat_scale, .least = 1, .most = TORC_RMAT_MAX_SCALE},
        {"grid", "SIDE", "a generated grid of SIDE x SIDE vertices", .integer = &demo->grid_side, .least = 1,
            .most = TORC_GRID_MAX_SIDE},
        {demo->count_name, "K", "how many sources, chosen by the program", .integer = &demo->wanted,
            .least = 1, .most = (double)demo->most},
        {"from", "A,B,...", "these sources: packages, or vertex numbers", .text = &demo->from},
        {"top", "T", "lines in a table", .integer = &demo->top, .least = 1, .most = 1 << 20},
        {"any-size", NULL, "go on with more vertices than this machine has memory for",
            .flag = &demo->is_of_any_size},
        {"json", NULL, "everything as JSON", .flag = &demo->is_json},
        {"plot", "FILE", "write an SVG chart", .text = &demo->plot},
        {"output", "FILE", "write the result of every vertex, tab-separated", .text = &demo->output}, {0}};
    int first = torc_options_parse(own, common, argc, argv);
    if (first == TORC_OPTIONS_HELP) {
        print_help(demo, own, common);
        return EXIT_SUCCESS;
    }
    if (first == TORC_OPTIONS_VERSION) {
        torc_options_print_version();
        return EXIT_SUCCESS;
    }
    if (first == TORC_OPTIONS_WRONG) {
        fprintf(stderr, "%s: see --help\n", program_invocation_short_name);
        return 2;
    }
    demo->file = first < argc ? argv[first] : NULL;
    if (argc - first + (demo->rmat_scale > 0) + (demo->grid_side > 0) > 1) {
        fprintf(stderr, "%s: one graph, please: a FILE, --rmat or --grid\n", program_invocation_short_name);
        return 2;
    }
    return -1;
}

/* Was all of it written? Not on a disk that is full. */
static void check_output(torc_demo *demo)
{
    if (!demo->has_failed && (fflush(stdout) != 0 || ferror(stdout))) {
        torc_demo_fail(demo, "standard output cannot be written");
    }
}

int torc_demo_main(torc_demo *demo, const torc_option *own, int argc, char **argv,
    GrB_Info (*solve)(torc_demo *demo, void *program), void *program)
{
    int status = read_options(demo, own, argc, argv);
    if (status >= 0) {
        check_output(demo);
        return demo->has_failed ? EXIT_FAILURE : status;
    }
    GrB_Info info = GrB_init(GrB_NONBLOCKING); /* before the graph is read, as LAGraph's programs do */
    double begin = torc_now();
    if (!read_graph(demo) || !has_possible_size(demo) || !find_sources(demo)) {
        torc_demo_fail(demo, "%s", demo->graph.error);
    } else {
        demo->ready = torc_now();
        demo->seconds_reading = demo->ready - begin;
        if (info == GrB_SUCCESS) {
            info = solve(demo, program);
        }
        torc_progress_end(&demo->progress);
        if (info == GrB_OUT_OF_MEMORY) {
            torc_demo_fail(demo, "not enough memory for this graph and so many sources");
        } else if (info != GrB_SUCCESS) {
            torc_demo_fail(demo, "GraphBLAS returned %d", (int)info);
        }
    }
    GrB_finalize();
    check_output(demo);
    free(demo->sources);
    torc_graph_release(&demo->graph);
    return demo->has_failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

void torc_demo_fail(torc_demo *demo, const char *format, ...)
{
    torc_progress_end(&demo->progress);
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%s: ", program_invocation_short_name);
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "\n");
    va_end(arguments);
    demo->has_failed = true;
}

void torc_demo_begin(torc_demo *demo, uint64_t nedges)
{
    const torc_graph *graph = &demo->graph;
    char number[TORC_VERTEX_NUMBER];
    if (demo->is_json) {
        torc_json_open(&demo->json, NULL, '{');
        torc_json_number(&demo->json, "vertices", (double)graph->nvertices);
        torc_json_number(&demo->json, "edges", (double)nedges);
        torc_json_open(&demo->json, "sources", '[');
        for (uint64_t j = 0; j < demo->count; j++) {
            torc_json_string(&demo->json, NULL, torc_graph_name(graph, demo->sources[j], number));
        }
        torc_json_close(&demo->json, ']');
        return;
    }
    printf("graph      %llu vertices, %llu edges\n", (unsigned long long)graph->nvertices,
        (unsigned long long)nedges);
    if (demo->count > 0) {
        printf("%-10s %llu:", demo->count_name, (unsigned long long)demo->count);
        for (uint64_t j = 0; j < demo->count && j < TORC_SHOWN_SOURCES; j++) {
            printf(" %s", torc_graph_name(graph, demo->sources[j], number));
        }
        printf("%s\n", demo->count > TORC_SHOWN_SOURCES ? " ..." : "");
    }
}

void torc_demo_checked(torc_demo *demo, const char *with)
{
    torc_progress_end(&demo->progress);
    if (demo->is_json) {
        torc_json_string(&demo->json, "check", demo->has_failed ? "failed" : "passed");
    } else if (!demo->has_failed) {
        printf("check      all %llu sources as %s has them\n", (unsigned long long)demo->count, with);
    }
}

void torc_demo_times(torc_demo *demo, const char *whole, double mxm, double total, uint64_t steps)
{
    double program = torc_now() - demo->ready;
    if (demo->is_json) {
        torc_json_number(&demo->json, "seconds_mxm", mxm);
        torc_json_number(&demo->json, "seconds_total", total);
        torc_json_number(&demo->json, "seconds_program", program);
        torc_json_number(&demo->json, "seconds_reading", demo->seconds_reading);
        return;
    }
    double n = steps ? (double)steps : 1;
    printf("\ntime of the program  %9.4f s, after %.4f s of reading the graph\n"
           "time in %-12s %9.4f s  %9.3f ms a step\n"
           "time in GrB_mxm      %9.4f s  %9.3f ms a step\n",
        program, demo->seconds_reading, whole, total, 1e3 * total / n, mxm, 1e3 * mxm / n);
}

void torc_demo_end(torc_demo *demo)
{
    if (demo->is_json) {
        torc_json_close(&demo->json, '}');
    }
}

void torc_demo_plot(torc_demo *demo, const torc_plot *plots, int count)
{
    if (demo->plot && !torc_plot_write(demo->plot, plots, count)) {
        torc_demo_fail(demo, "%s: %s", demo->plot, strerror(errno));
    }
}
