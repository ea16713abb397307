/* pagerank.c: the demo program: options, a graph, torc_pagerank, the report.
 *
 * It uses GraphBLAS and nothing of torc: `torc run pagerank` gives the same program the GPU. Apart from the
 * lines that begin with "time", two runs print the same bytes.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph_debian.h"
#include "graph_mtx.h"
#include "graph_rmat.h"
#include "pagerank_algorithm.h"
#include "pagerank_report.h"
#include "pagerank_seeds.h"

static const char usage[] =
    "usage: pagerank [OPTIONS] [FILE]\n"
    "Personalised PageRank of many seeds at once, one GrB_mxm of sparse x dense a step.\n"
    "\n"
    "The graph:\n"
    "  (nothing)        the Debian packages and what they depend on, from `apt-cache dumpavail`\n"
    "  FILE.mtx[.gz]    a square Matrix Market file; vertices are numbered from 1\n"
    "  FILE             a saved `apt-cache dumpavail`, or a Packages file, gzipped or not\n"
    "  --rmat SCALE     a generated graph of 2^SCALE vertices (Graph500 parameters)\n"
    "\n"
    "Options:\n"
    "  --seeds K        number of seeds (64)\n"
    "  --steps N        most steps (100)\n"
    "  --tolerance X    stop when no column changes by more than X in the 1-norm (1e-6)\n"
    "  --top T          lines in the table of a seed (8)\n"
    "  --help\n";

enum { SHOWN_SEEDS = 5 };

typedef struct program {
    const char *file;
    int rmat_scale; /* 0: none */
    long seeds;
    int top;
    torc_pagerank_options pagerank;
} program;

static int complain(const char *what, const char *value)
{
    fprintf(stderr, "pagerank: %s%s%s\n", what, value ? ": " : "", value ? value : "");
    return 2;
}

static bool parse_integer(long *value, const char *text, long least, long most)
{
    char *end;
    errno = 0;
    *value = strtol(text, &end, 10);
    return errno == 0 && end != text && *end == '\0' && *value >= least && *value <= most;
}

static bool parse_positive(double *value, const char *text)
{
    char *end;
    *value = strtod(text, &end);
    return end != text && *end == '\0' && *value > 0;
}

/* -1 to go on, or the exit status. */
static int parse_options(program *run, int argc, char **argv)
{
    static const struct option options[] = {{"rmat", required_argument, NULL, 'r'},
        {"seeds", required_argument, NULL, 'k'}, {"steps", required_argument, NULL, 'n'},
        {"tolerance", required_argument, NULL, 'x'}, {"top", required_argument, NULL, 't'},
        {"help", no_argument, NULL, 'h'}, {0}};
    for (int option; (option = getopt_long(argc, argv, "h", options, NULL)) != -1;) {
        long value = 0;
        bool is_good = true;
        switch (option) {
        case 'r':
            is_good = parse_integer(&value, optarg, 1, TORC_RMAT_MAX_SCALE);
            run->rmat_scale = (int)value;
            break;
        case 'k':
            is_good = parse_integer(&run->seeds, optarg, 1, 1 << 20);
            break;
        case 'n':
            is_good = parse_integer(&value, optarg, 1, 1 << 30);
            run->pagerank.max_steps = (int)value;
            break;
        case 'x':
            is_good = parse_positive(&run->pagerank.tolerance, optarg);
            break;
        case 't':
            is_good = parse_integer(&value, optarg, 1, 1 << 20);
            run->top = (int)value;
            break;
        case 'h':
            fputs(usage, stdout);
            return EXIT_SUCCESS;
        default:
            return complain("see --help", NULL);
        }
        if (!is_good) {
            return complain("a value is out of range", optarg);
        }
    }
    if (argc - optind > 1 || (optind < argc && run->rmat_scale)) {
        return complain("one graph, please: a FILE or --rmat SCALE", NULL);
    }
    run->file = optind < argc ? argv[optind] : NULL;
    return -1;
}

static bool is_matrix_market(const char *path)
{
    size_t length = strlen(path);
    return (length >= 4 && strcmp(path + length - 4, ".mtx") == 0) ||
           (length >= 7 && strcmp(path + length - 7, ".mtx.gz") == 0);
}

static bool read_graph(torc_graph *graph, const program *run)
{
    if (run->rmat_scale) {
        return torc_graph_generate_rmat(graph, run->rmat_scale);
    }
    if (run->file && is_matrix_market(run->file)) {
        return torc_graph_read_mtx(graph, run->file);
    }
    return torc_graph_read_debian(graph, run->file);
}

static void print_seeds(const torc_graph *graph, const uint64_t *seeds, uint64_t count)
{
    printf("seeds      %llu:", (unsigned long long)count);
    for (uint64_t j = 0; j < count && j < SHOWN_SEEDS; j++) {
        printf(" %s", torc_vertex_name(graph, seeds[j]));
    }
    printf("%s\n", count > SHOWN_SEEDS ? " ..." : "");
}

static GrB_Info rank(const torc_graph *graph, const uint64_t *seeds, uint64_t count, const program *run)
{
    GrB_Matrix AT = NULL, R = NULL;
    GrB_Index nedges;
    torc_pagerank_report report;
    GrB_Info info = torc_pagerank_graph(&AT, graph->nvertices, graph->source, graph->target, graph->nedges);
    if (info == GrB_SUCCESS) {
        info = GrB_Matrix_nvals(&nedges, AT);
    }
    if (info == GrB_SUCCESS) {
        printf("graph      %llu vertices, %llu edges\n", (unsigned long long)graph->nvertices,
            (unsigned long long)nedges);
        print_seeds(graph, seeds, count);
        info = torc_pagerank(&R, &report, AT, seeds, count, &run->pagerank);
    }
    if (info == GrB_SUCCESS) {
        printf("steps      %d, the last one changed no column by more than %.1e\n", report.steps,
            report.residual);
        info = torc_pagerank_print(R, graph, seeds, count, SHOWN_SEEDS, run->top);
    }
    if (info == GrB_SUCCESS) {
        printf("\ntime in GrB_mxm   %9.4f s  %9.3f ms a step\n"
               "time in PageRank  %9.4f s  %9.3f ms a step\n",
            report.seconds_mxm, 1e3 * report.seconds_mxm / report.steps, report.seconds_total,
            1e3 * report.seconds_total / report.steps);
    }
    GrB_Matrix_free(&AT);
    GrB_Matrix_free(&R);
    return info;
}

int main(int argc, char **argv)
{
    program run = {.seeds = 64, .top = 8, .pagerank = TORC_PAGERANK_OPTIONS_INIT};
    int status = parse_options(&run, argc, argv);
    if (status >= 0) {
        return status;
    }

    torc_graph graph;
    uint64_t *seeds = NULL, count = (uint64_t)run.seeds;
    status = EXIT_FAILURE;
    if (!read_graph(&graph, &run)) {
        complain(graph.error, NULL);
        goto done;
    }
    seeds = malloc(count * sizeof *seeds);
    if (!seeds || !torc_seeds_choose(seeds, &count, &graph)) {
        complain("not enough memory", NULL);
        goto done;
    }
    GrB_Info info = GrB_init(GrB_NONBLOCKING);
    if (info == GrB_SUCCESS) {
        info = rank(&graph, seeds, count, &run);
    }
    GrB_finalize();
    if (info == GrB_SUCCESS) {
        status = EXIT_SUCCESS;
    } else if (info == GrB_OUT_OF_MEMORY) {
        complain("not enough memory for this graph and so many seeds", NULL);
    } else {
        fprintf(stderr, "pagerank: GraphBLAS returned %d\n", (int)info);
    }
done:
    free(seeds);
    torc_graph_release(&graph);
    return status;
}
