/* test_user_algebra.c: semirings given as text: lexicographic paths beside a plain search for them, a text
 * that says what a built-in algebra says, and texts that are wrong. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "graph_matrix.h"
#include "paths_algorithm.h"
#include "random_graph.h"
#include "user_algebra.h"
#include "written_file.h"

typedef struct path {
    double cost;
    int64_t hops;
} path;

static const char widest[] =
    "type{double w;} edge{z.w = w;} better{x.w > y.w} multiply{z.w = fmin(x.w, y.w);}"
    "source{INFINITY} nothing{-INFINITY} show{\"%g\", x.w}";

static void begin(void)
{
    cr_assert_eq(GrB_init(GrB_NONBLOCKING), GrB_SUCCESS);
}

static void end(void)
{
    GrB_finalize();
}

/* X of the paths from `source` by the algebra; the report tells of a cycle. */
static GrB_Matrix solve(
    torc_paths_report *report, torc_graph *graph, const torc_algebra *algebra, uint64_t source)
{
    torc_paths_problem problem = {.algebra = algebra, .graph = graph, .sources = &source, .K = 1};
    void *weight = torc_algebra_weights(algebra, graph, 1);
    GrB_Matrix AT, X;
    cr_assert(weight, "%s", graph->error);
    problem.weight = weight;
    cr_assert_eq(
        torc_graph_weights(&AT, graph, torc_algebra_type(algebra), weight, torc_algebra_add(algebra)),
        GrB_SUCCESS);
    cr_assert_eq(torc_paths(&X, report, AT, &problem, NULL), GrB_SUCCESS);
    GrB_Matrix_free(&AT);
    free(weight);
    return X;
}

static bool is_before(path x, path y)
{
    return x.cost < y.cost || (x.cost == y.cost && x.hops < y.hops);
}

/* Dijkstra's algorithm: settle the best of those not yet settled, n times. */
static void lexicographic(path *best, const torc_graph *graph, uint64_t source)
{
    uint64_t n = graph->nvertices;
    bool *is_settled = calloc(n, sizeof *is_settled);
    for (uint64_t v = 0; v < n; v++) {
        best[v] = (path){INFINITY, 0};
    }
    best[source] = (path){0, 0};
    for (uint64_t step = 0; step < n; step++) {
        uint64_t u = n;
        for (uint64_t v = 0; v < n; v++) {
            u = !is_settled[v] && (u == n || is_before(best[v], best[u])) ? v : u;
        }
        is_settled[u] = true;
        for (uint64_t e = 0; e < graph->nedges && best[u].cost < INFINITY; e++) {
            path longer = {best[u].cost + graph->weight[e], best[u].hops + 1};
            if (graph->source[e] == u && is_before(longer, best[graph->target[e]])) {
                best[graph->target[e]] = longer;
            }
        }
    }
    free(is_settled);
}

/* Weights from 1 to 3, so that many paths cost the same. */
Test(user_algebra, lexicographic_paths_are_the_ones_of_dijkstra, .init = begin, .fini = end)
{
    char error[TORC_ALGEBRA_ERROR];
    torc_user_algebra user;
    cr_assert(torc_user_algebra_open(&user, TORC_LEXICOGRAPHIC, error), "%s", error);
    cr_assert_eq(user.algebra.size, sizeof(path));
    int ties = 0;
    for (unsigned seed = 1; seed <= 40; seed++) {
        srand(seed);
        uint64_t n = 1 + (uint64_t)rand() % 60, source = (uint64_t)rand() % n;
        torc_graph graph = torc_random_graph(n, (uint64_t)rand() % (6 * n), 1, 3, false);
        path *value = malloc(n * sizeof *value), *expected = malloc(n * sizeof *expected);
        torc_paths_report report;
        GrB_Matrix X = solve(&report, &graph, &user.algebra, source);
        lexicographic(expected, &graph, source);
        cr_assert(X, "seed %u: a cycle", seed);
        cr_assert_eq(torc_paths_column(value, X, &user.algebra, 0), GrB_SUCCESS);
        for (uint64_t v = 0; v < n; v++) {
            cr_expect(value[v].cost == expected[v].cost && value[v].hops == expected[v].hops,
                "seed %u, from %d to %d: %g in %d, not %g in %d", seed, (int)source, (int)v, value[v].cost,
                (int)value[v].hops, expected[v].cost, (int)expected[v].hops);
            ties += value[v].hops > 1 && value[v].cost > (double)value[v].hops;
        }
        GrB_Matrix_free(&X);
        torc_paths_release(&report);
        torc_graph_release(&graph);
        free(value);
        free(expected);
    }
    cr_expect(ties > 100, "only %d paths where hops are not the cost", ties);
    torc_user_algebra_release(&user);
}

Test(user_algebra, widest_as_text_is_the_built_in_one, .init = begin, .fini = end)
{
    char error[TORC_ALGEBRA_ERROR];
    torc_user_algebra user;
    const torc_algebra *built_in = torc_algebra_find("widest");
    cr_assert(torc_user_algebra_open(&user, widest, error), "%s", error);
    for (unsigned seed = 1; seed <= 20; seed++) {
        srand(seed);
        uint64_t n = 1 + (uint64_t)rand() % 60;
        torc_graph graph = torc_random_graph(n, (uint64_t)rand() % (6 * n), 1, 9, false);
        double *value = malloc(n * sizeof *value), *expected = malloc(n * sizeof *expected);
        torc_paths_report report, built_in_report;
        GrB_Matrix X = solve(&report, &graph, &user.algebra, 0);
        GrB_Matrix Y = solve(&built_in_report, &graph, built_in, 0);
        cr_assert_eq(torc_paths_column(value, X, &user.algebra, 0), GrB_SUCCESS);
        cr_assert_eq(torc_paths_column(expected, Y, built_in, 0), GrB_SUCCESS);
        cr_expect_eq(report.rounds, built_in_report.rounds);
        cr_expect_arr_eq(value, expected, n * sizeof *value, "seed %u", seed);
        GrB_Matrix_free(&X);
        GrB_Matrix_free(&Y);
        torc_paths_release(&report);
        torc_paths_release(&built_in_report);
        torc_graph_release(&graph);
        free(value);
        free(expected);
    }
    torc_user_algebra_release(&user);
}

Test(user_algebra, a_cycle_that_makes_paths_better_is_named, .init = begin, .fini = end)
{
    char error[TORC_ALGEBRA_ERROR];
    torc_user_algebra user;
    torc_graph graph = {.nvertices = 4, .has_weights = true};
    const double weights[] = {1, 1, 1, -3};
    for (uint64_t e = 0; e < 4; e++) { /* 0 → 1 → 2 → 3 → 1 */
        torc_graph_add_weighted_edge(&graph, e, e == 3 ? 1 : e + 1, weights[e]);
    }
    cr_assert(torc_user_algebra_open(&user, TORC_LEXICOGRAPHIC, error), "%s", error);
    torc_paths_report report;
    GrB_Matrix X = solve(&report, &graph, &user.algebra, 0);
    cr_assert(!X && report.cycle);
    cr_expect_eq(report.length, 3);
    torc_paths_release(&report);
    torc_graph_release(&graph);
    torc_user_algebra_release(&user);
}

Test(user_algebra, a_bad_text_gives_one_line_that_names_the_part, .init = begin, .fini = end)
{
    static const struct {
        const char *from, *to, *message; /* `to` in the place of `from` in the widest text */
    } cases[] = {{"better{", "bettr{", "'bettr' is none of its parts"},
        {"better{x.w > y.w}", "", "no part 'better'"}, {"edge{z.w = w;}", "edge", "'edge' without C"},
        {"show{\"%g\", x.w}", "show{\"%g\", x.w", "'show' without C"},
        {"source{INFINITY}", "source{1} source{2}", "two parts 'source'"},
        {"type", "{} type", "none of its parts"}, {"x.w > y.w", "x.v > y.w", "better:"},
        {"fmin(x.w, y.w)", "smaller(x.w, y.w)", "multiply:"}, {"double w;", "dubble w;", "type:"},
        {"{INFINITY}", "{infinity}", "source:"}};
    char error[TORC_ALGEBRA_ERROR], text[512];
    torc_user_algebra user;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        const char *at = strstr(widest, cases[c].from);
        cr_assert(at);
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - widest), widest, cases[c].to,
            at + strlen(cases[c].from));
        cr_expect_not(torc_user_algebra_open(&user, text, error), "%s", text);
        cr_expect(strstr(error, cases[c].message), "%s: %s", text, error);
        cr_expect_not(strchr(error, '\n'), "%s", error);
        torc_user_algebra_release(&user);
    }
    cr_expect_not(torc_user_algebra_open(&user, "/no/such/file", error));
    cr_expect_str_eq(error, "/no/such/file: No such file or directory");
    torc_user_algebra_release(&user);
}

Test(user_algebra, a_nul_byte_in_the_text_is_an_error_with_its_line)
{
    static const char bytes[] = "type { int x; }\n\n\0better { x.x < y.x }";
    char error[TORC_ALGEBRA_ERROR];
    torc_written_file file = torc_file_write_bytes(".txt", bytes, sizeof bytes - 1);
    torc_algebra_text text;
    cr_expect(!torc_algebra_text_read(&text, file.path, error));
    cr_expect(strstr(error, ", line 3: there is a NUL byte"), "%s", error);
    torc_algebra_text_release(&text);
    torc_file_remove(&file);
}

Test(user_algebra, without_a_compiler_it_says_so, .init = begin, .fini = end)
{
    char error[TORC_ALGEBRA_ERROR];
    torc_user_algebra user;
    setenv("PATH", "/nowhere", 1);
    cr_expect_not(torc_user_algebra_open(&user, widest, error));
    cr_expect(strstr(error, "there is no cc"), "%s", error);
    torc_user_algebra_release(&user);
}
